// Safe markup: every text is escaped unless it already is markup.

import { escapeXml } from '../escape.ts';

export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

type Part = Markup | string | number | readonly (Markup | string)[] | null;

/** A template whose holes are escaped; lists are joined, null vanishes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  let text = strings[0]!;
  parts.forEach((part, index) => {
    text += show(part) + strings[index + 1]!;
  });
  return new Markup(text);
}

function show(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.html;
  if (typeof part === 'object') return part.map(show).join('');
  return escapeXml(String(part));
}

/** Data for the page's script: JSON that cannot end the script element. */
export const jsonForScript = (value: unknown): Markup =>
  new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'));

/**
 * What a page need not build before someone wants to see it. Without a script it is simply there; with one it is only text until
 * `foldedParts`, `graphViewers` or the viewer of a run puts it in its place: a page of many models opens at once.
 */
export const later = (content: Markup): Markup => html`<noscript>${content}</noscript>`;
