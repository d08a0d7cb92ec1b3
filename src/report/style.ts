// Colour for terminals only; everything must read as well without it.

export interface Style {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly open: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const wrap = (code: number) => (text: string) => `\x1b[${code}m${text}\x1b[0m`;
const plain = (text: string): string => text;

export const PLAIN: Style = { good: plain, bad: plain, open: plain, strong: plain, faint: plain };
export const COLOUR: Style = {
  good: wrap(32),
  bad: wrap(31),
  open: wrap(33),
  strong: wrap(1),
  faint: wrap(2),
};
