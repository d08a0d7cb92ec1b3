import { suggest } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { Code, Content, Given, Parameter, Payload } from './chart.ts';
import { CODES, type Problems } from './codes.ts';
import { childElements, type Element, textOf, textSpan } from './xml.ts';

const SCXML_NAMESPACE = 'http://www.w3.org/2005/07/scxml';

/** What reading one document needs at hand. */
export interface Reading {
  readonly problems: Problems;
  /** Reads a file named in the document (`src`), relative to it; null when there is none. */
  readonly read: FileSystem['read'];
}

/** Documents without any namespace are taken for SCXML: many are written so. */
export const isScxml = (element: Element): boolean => element.uri === SCXML_NAMESPACE || element.uri === '';

/** Children that are SCXML; others belong to editors and other tools. */
export const scxmlChildren = (element: Element): Element[] => childElements(element).filter(isScxml);

export function codeOf(element: Element, attribute: string): Code | null {
  const given = element.attributes.get(attribute);
  return given === undefined ? null : { text: given.value, span: given.span };
}

/** `name` as written, or the expression in `name + 'expr'`; both at once are an error. */
export function givenBy(reading: Reading, element: Element, name: string, expression: string): Given | null {
  const text = element.attributes.get(name);
  const code = codeOf(element, expression);
  if (text !== undefined && code !== null)
    reading.problems.error(
      CODES.badAttribute,
      code.span,
      `<${element.name}> has both '${name}' and '${expression}'`,
      'keep one of them',
    );
  if (code !== null) return { kind: 'code', code };
  return text === undefined ? null : { kind: 'text', text: text.value };
}

export function required(reading: Reading, element: Element, name: string): string {
  const attribute = element.attributes.get(name);
  if (attribute === undefined)
    reading.problems.error(
      CODES.missingAttribute,
      element.tag,
      `<${element.name}> needs the attribute '${name}'`,
    );
  return attribute?.value ?? '';
}

export function requiredCode(reading: Reading, element: Element, name: string): Code {
  return { text: required(reading, element, name), span: element.attributes.get(name)?.span ?? element.tag };
}

const KNOWN = [
  'scxml',
  'state',
  'parallel',
  'transition',
  'initial',
  'final',
  'onentry',
  'onexit',
  'history',
  'raise',
  'if',
  'elseif',
  'else',
  'foreach',
  'log',
  'datamodel',
  'data',
  'assign',
  'donedata',
  'content',
  'param',
  'script',
  'send',
  'cancel',
  'invoke',
  'finalize',
];

/** An element of SCXML's own namespace where it has no business. */
export function misplaced(reading: Reading, child: Element, parent: string): void {
  const known = KNOWN.includes(child.name);
  const near = known ? null : suggest(child.name, KNOWN);
  reading.problems.error(
    CODES.unknownElement,
    child.tag,
    known ? `<${child.name}> cannot stand inside <${parent}>` : `SCXML has no element <${child.name}>`,
    near === null ? undefined : `did you mean <${near}>?`,
  );
}

export const wordsOf = (text: string | undefined): string[] =>
  (text ?? '').split(/\s+/).filter((word) => word !== '');

/** The text, or the markup where elements stand inside. */
export function contentOf(element: Element): Content {
  const hasElements = childElements(element).length > 0;
  return {
    kind: 'content',
    text: textOf(element),
    xml: hasElements ? element.inner : null,
    span: textSpan(element),
  };
}

export const isEmptyContent = (content: Content): boolean =>
  content.xml === null && content.text.trim() === '';

/** What the file named by `src` holds, as content; null after an error. */
export function contentOfFile(reading: Reading, element: Element): Content | null {
  const src = element.attributes.get('src')!;
  const text = reading.read(src.value);
  if (text === null) {
    reading.problems.error(CODES.missingFile, src.span, `the file '${src.value}' cannot be read`);
    return null;
  }
  const looksLikeXml = /^\s*</.test(text);
  return { kind: 'content', text: looksLikeXml ? '' : text, xml: looksLikeXml ? text : null, span: src.span };
}

export function readParameters(reading: Reading, element: Element): Parameter[] {
  return scxmlChildren(element)
    .filter((child) => child.name === 'param')
    .map((child) => {
      const value = codeOf(child, 'expr') ?? codeOf(child, 'location');
      if (value === null)
        reading.problems.error(CODES.missingAttribute, child.tag, "<param> needs 'expr' or 'location'");
      return { name: required(reading, child, 'name'), value: value ?? { text: '', span: child.tag } };
    });
}

export function readContent(reading: Reading, element: Element): Content | Code | null {
  const children = scxmlChildren(element).filter((child) => child.name === 'content');
  if (children.length > 1)
    reading.problems.error(
      CODES.badStructure,
      children[1]!.tag,
      `<${element.name}> can hold one <content> only`,
    );
  const child = children[0];
  return child === undefined ? null : (codeOf(child, 'expr') ?? contentOf(child));
}

export function namesOf(element: Element): Code[] {
  const list = element.attributes.get('namelist');
  return wordsOf(list?.value).map((text) => ({ text, span: list!.span }));
}

export function readPayload(reading: Reading, element: Element): Payload {
  return {
    names: namesOf(element),
    parameters: readParameters(reading, element),
    content: readContent(reading, element),
  };
}

/** An attribute that has one of a few values; null where it is not given. */
export function choiceOf(
  { problems }: Reading,
  element: Element,
  name: string,
  values: readonly string[],
): string | null {
  const attribute = element.attributes.get(name);
  if (attribute === undefined) return null;
  if (!values.includes(attribute.value))
    problems.error(
      CODES.badAttribute,
      attribute.span,
      `'${name}' is ${values.join(' or ')}, not '${attribute.value}'`,
    );
  return attribute.value;
}
