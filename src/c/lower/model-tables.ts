// What <ctype.h> of glibc looks up in tables, in the locale "C": its macros stand in `.i` files in the place of calls of `isdigit` and its like.

const LOWEST = -128;
const PLACES = 384;

/** Bits of the kinds of characters, in glibc's order; on machines that begin with the lowest byte the first eight are the high ones. */
const KINDS: readonly RegExp[] = [
  ...[/[A-Z]/, /[a-z]/, /[A-Za-z]/, /[0-9]/, /[0-9A-Fa-f]/, /[\t-\r ]/, /[ -~]/, /[!-~]/],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are a kind
  ...[/[\t ]/, /[\0-\x1f\x7f]/, /[!-/:-@[-`{-~]/, /[0-9A-Za-z]/],
];

function kindsOf(code: number): number {
  if (code < 0) return 0;
  const character = String.fromCharCode(code);
  return KINDS.reduce(
    (bits, kind, i) => (kind.test(character) ? bits | (1 << (i < 8 ? i + 8 : i - 8)) : bits),
    0,
  );
}

/** Below 0 the codes of characters that are taken for negative numbers: the same letters as above 127, which are none. */
const changed = (to: (text: string) => string) => (code: number) =>
  code < 0
    ? code === -1
      ? -1
      : code + 256
    : code < 128
      ? to(String.fromCharCode(code)).charCodeAt(0)
      : code;

function table(name: string, type: string, of: (code: number) => number): string {
  const values = Array.from({ length: PLACES }, (_, i) => of(LOWEST + i));
  return `const ${type} **${name}(void) { static const ${type} table[${PLACES}] = { ${values.join()} }; static const ${type} *first = table + ${-LOWEST}; return &first; }`;
}

export const TABLES: readonly string[] = [
  table('__ctype_b_loc', 'unsigned short', kindsOf),
  table(
    '__ctype_tolower_loc',
    'int',
    changed((text) => text.toLowerCase()),
  ),
  table(
    '__ctype_toupper_loc',
    'int',
    changed((text) => text.toUpperCase()),
  ),
];
