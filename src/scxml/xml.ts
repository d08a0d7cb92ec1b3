// XML as a tree with places: every element, attribute and text knows where it stands in the file.
//
// The parser is saxes, which knows no entities but XML's five, so that no document can grow while it is read; a document type with entities of
// its own is refused where one is used. Depth and number of elements are limited: what reads the tree afterwards is recursive.

import { SaxesParser } from 'saxes';
import type { SourceFile, Span } from '../source/source.ts';
import { CODES, type Problems } from './codes.ts';

export interface Attribute {
  readonly value: string;
  /** Between the quotes. */
  readonly span: Span;
}

export interface Text {
  readonly kind: 'text';
  readonly text: string;
  readonly span: Span;
}

export interface Element {
  readonly kind: 'element';
  /** Without a prefix. */
  readonly name: string;
  readonly uri: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly children: readonly (Element | Text)[];
  /** From the opening tag to the end of the closing one. */
  readonly span: Span;
  /** The opening tag alone. */
  readonly tag: Span;
  /** The namespaces declared on the element itself, prefix to address. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** What stands between the tags, as it stands there. */
  readonly inner: string;
}

const LARGEST = 16_000_000;
const DEEPEST = 400;
const MOST_ELEMENTS = 500_000;

class OverLimit extends Error {}

interface Open {
  readonly name: string;
  readonly uri: string;
  readonly attributes: Map<string, Attribute>;
  readonly namespaces: Map<string, string>;
  readonly children: (Element | Text)[];
  readonly start: number;
  readonly tagEnd: number;
}

/** The document's root element, or null after an error. */
export function parseXml(file: SourceFile, problems: Problems): Element | null {
  if (file.text.length > LARGEST) {
    problems.error(
      CODES.tooLarge,
      { file, start: 0, end: 1 },
      `a document of ${file.text.length} characters is too large`,
      `at most ${LARGEST} are read`,
    );
    return null;
  }
  const reader = new TreeReader(file, problems);
  try {
    return reader.read();
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    problems.error(CODES.tooLarge, reader.here(), error.message);
    return null;
  }
}

class TreeReader {
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private readonly stack: Open[] = [];
  private root: Element | null = null;
  private count = 0;
  private failed = false;
  /** Where the piece under way began. */
  private before = 0;
  private readonly pending = new Map<string, Attribute>();
  private readonly file: SourceFile;
  private readonly problems: Problems;

  constructor(file: SourceFile, problems: Problems) {
    this.file = file;
    this.problems = problems;
  }

  read(): Element | null {
    const parser = this.parser;
    parser.on('error', (error) => this.fail(error));
    parser.on('attribute', (attribute) => this.attribute(attribute.name));
    parser.on('opentag', (tag) => this.open(tag));
    parser.on('closetag', () => this.close());
    parser.on('text', (text) => this.text(text));
    parser.on('cdata', (text) => this.text(text));
    for (const event of ['comment', 'processinginstruction', 'doctype', 'xmldecl'] as const)
      parser.on(event, () => (this.before = parser.position));
    parser.write(this.file.text).close();
    return this.failed ? null : this.root;
  }

  here(): Span {
    const at = Math.min(this.parser.position, this.file.text.length);
    return { file: this.file, start: Math.max(0, at - 1), end: Math.max(1, at) };
  }

  /** Only the first: what follows it is mostly a consequence. */
  private fail(error: Error): void {
    if (this.failed) return;
    this.failed = true;
    const message = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    this.problems.error(CODES.notWellFormed, this.here(), `this is not well-formed XML: ${message}`);
  }

  private attribute(name: string): void {
    const quoteAt = this.parser.position - 1;
    const start = this.file.text.lastIndexOf(this.file.text[quoteAt] ?? '"', quoteAt - 1) + 1;
    this.pending.set(name, { value: '', span: { file: this.file, start, end: quoteAt } });
  }

  private open(tag: {
    local: string;
    uri: string;
    attributes: Record<string, { value: string; uri: string; local: string; prefix: string }>;
  }): void {
    if (this.stack.length >= DEEPEST) throw new OverLimit(`elements are nested more than ${DEEPEST} deep`);
    if (++this.count > MOST_ELEMENTS) throw new OverLimit(`more than ${MOST_ELEMENTS} elements`);
    const attributes = new Map<string, Attribute>();
    const namespaces = new Map<string, string>();
    for (const [name, { value, local, prefix }] of Object.entries(tag.attributes)) {
      if (name === 'xmlns') namespaces.set('', value);
      else if (prefix === 'xmlns') namespaces.set(local, value);
      else attributes.set(name, { value, span: this.pending.get(name)?.span ?? this.here() });
    }
    this.pending.clear();
    const end = this.parser.position;
    const start = this.file.text.lastIndexOf('<', Math.max(0, this.tagStart(end)));
    this.stack.push({
      name: tag.local,
      uri: tag.uri,
      attributes,
      namespaces,
      children: [],
      start,
      tagEnd: end,
    });
    this.before = end;
  }

  /** The first '<' at or after the end of what came before: text never holds one. */
  private tagStart(end: number): number {
    const at = this.file.text.indexOf('<', this.before);
    return at >= 0 && at < end ? at : this.before;
  }

  private close(): void {
    const open = this.stack.pop()!;
    const end = this.parser.position;
    const file = this.file;
    const innerEnd = end > open.tagEnd ? file.text.lastIndexOf('</', end) : open.tagEnd;
    const element: Element = {
      kind: 'element',
      name: open.name,
      uri: open.uri,
      attributes: open.attributes,
      namespaces: open.namespaces,
      children: open.children,
      span: { file, start: open.start, end },
      tag: { file, start: open.start, end: open.tagEnd },
      inner: file.text.slice(open.tagEnd, Math.max(open.tagEnd, innerEnd)),
    };
    const parent = this.stack.at(-1);
    if (parent === undefined) this.root = element;
    else parent.children.push(element);
    this.before = end;
  }

  private text(text: string): void {
    const end = this.parser.position;
    const parent = this.stack.at(-1);
    if (parent !== undefined && text.length > 0) {
      const start = Math.min(this.before, this.file.text.length);
      parent.children.push({
        kind: 'text',
        text,
        span: { file: this.file, start, end: Math.max(start, end) },
      });
    }
    this.before = end;
  }
}

export const childElements = (element: Element): Element[] =>
  element.children.filter((child): child is Element => child.kind === 'element');

/** All text directly inside the element. */
export const textOf = (element: Element): string =>
  element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');

/** Where the text inside the element stands, without the space around it; the element's tag when there is none. */
export function textSpan(element: Element): Span {
  const texts = element.children.filter((child): child is Text => child.kind === 'text');
  const text = texts.find((child) => child.text.trim() !== '');
  if (text === undefined) return element.tag;
  const { file } = text.span;
  const raw = file.text.slice(text.span.start, text.span.end);
  const offset = raw.length - raw.trimStart().length;
  return {
    file,
    start: text.span.start + offset,
    end: Math.max(text.span.start + offset + 1, text.span.start + raw.trimEnd().length),
  };
}
