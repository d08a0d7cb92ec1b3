// The names of an SCXML document: states, the events that transitions wait for and actions send, data. They stand in attributes, several in one
// where the recommendation has lists. Also of a document with errors, as long as it is XML.

import { NameBook } from '../source/name-book.ts';
import type { Names, Role } from '../source/names.ts';
import type { SourceFile } from '../source/source.ts';
import { Problems } from './codes.ts';
import { childElements, type Element, parseXml } from './xml.ts';

const STATES: ReadonlySet<string> = new Set(['state', 'parallel', 'final', 'history', 'scxml']);

export function namesOfChart(file: SourceFile): Names | null {
  // What is wrong with the text is said by those who read it for good.
  const root = parseXml(file, new Problems());
  if (root === null) return null;
  const book = new NameBook();
  declareStates(root, book, null);
  useNames(root, book);
  return book.finish();
}

interface Word {
  readonly text: string;
  readonly span: { readonly file: SourceFile; readonly start: number; readonly end: number };
}

/** The words of an attribute, each at its place. */
function words(element: Element, attribute: string): Word[] {
  const found = element.attributes.get(attribute);
  if (found === undefined) return [];
  const { file, start, end } = found.span;
  return [...file.text.slice(start, end).matchAll(/[^\s"']+/g)].map((match) => ({
    text: match[0],
    span: { file, start: start + match.index, end: start + match.index + match[0].length },
  }));
}

function declareStates(element: Element, book: NameBook, container: number | null): void {
  let here = container;
  if (STATES.has(element.name)) {
    const [id] = words(element, element.name === 'scxml' ? 'name' : 'id');
    const kind = element.name === 'scxml' ? 'process' : 'state';
    if (id !== undefined)
      here = book.declare(kind, id, `${kind} ${id.text}`, {
        detail: `<${element.name}> ${id.text}`,
        container,
        extent: element.span,
      });
  }
  if (element.name === 'data')
    for (const id of words(element, 'id'))
      book.declare('variable', id, `data ${id.text}`, { detail: `<data> ${id.text}` });
  for (const child of childElements(element)) declareStates(child, book, here);
}

function useNames(element: Element, book: NameBook): void {
  for (const attribute of ['target', 'initial'])
    for (const state of words(element, attribute))
      if (element.name !== 'send') book.use(`state ${state.text}`, state);
  const role: Role = element.name === 'transition' ? 'receive' : 'send';
  if (['transition', 'raise', 'send'].includes(element.name))
    for (const event of words(element, 'event')) {
      const name = event.text.replace(/\.?\*$/, '');
      if (name !== '')
        book.meet('event', { ...event, text: name }, `event ${name}`, { detail: `event ${name}` }, role);
    }
  for (const location of words(element, 'location')) book.use(`data ${location.text}`, location, 'write');
  for (const child of childElements(element)) useNames(child, book);
}
