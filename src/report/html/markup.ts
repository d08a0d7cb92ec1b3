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
