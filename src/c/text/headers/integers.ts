// <stdint.h> and <inttypes.h>, by way of the macros that the compiler predefines.

import { functions, typedefs } from './pieces.ts';

const WIDTHS = ['8', '16', '32', '64'] as const;
const KINDS = ['', '_LEAST', '_FAST'] as const;

/** The name of a type in a header, and in the compiler's macros. */
const TYPES: readonly (readonly [type: string, stem: string])[] = [
  ...KINDS.flatMap((kind) =>
    WIDTHS.flatMap((width) => {
      const stem = `INT${kind}${width}`;
      return [stem, `U${stem}`].map((name) => [`${name.toLowerCase()}_t`, name] as const);
    }),
  ),
  ...['INTPTR', 'UINTPTR', 'INTMAX', 'UINTMAX'].map((name) => [`${name.toLowerCase()}_t`, name] as const),
];

const limits = (name: string): string =>
  name.startsWith('U')
    ? `#define ${name}_MAX (__${name}_MAX__)\n`
    : `#define ${name}_MAX (__${name}_MAX__)\n#define ${name}_MIN (-__${name}_MAX__-1)\n`;

/** The argument of such a macro is pasted as it stands: it cannot be handed to the compiler's own. */
const literals = (long: string): string => `
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) c ## ${long}
#define INTMAX_C(c) c ## ${long}
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define UINT64_C(c) c ## U${long}
#define UINTMAX_C(c) c ## U${long}
`;

const widths = (name: string): string => `#define ${name}_WIDTH __${name}_WIDTH__\n`;

export const STDINT = [
  '#include <features.h>\n#define _STDINT_H 1\n',
  ...TYPES.map(([type, stem]) => typedefs(`__${stem}_TYPE__`, type)),
  ...TYPES.map(([, stem]) => limits(stem)),
  ...['PTRDIFF', 'SIG_ATOMIC'].map(limits),
  '#define SIZE_MAX (__SIZE_MAX__)\n',
  '#define WCHAR_MAX __WCHAR_MAX__\n#define WCHAR_MIN (-__WCHAR_MAX__-1)\n',
  '#define WINT_MAX (__WINT_MAX__)\n#define WINT_MIN (0u)\n',
  `#ifdef __LP64__\n${literals('L')}#else\n${literals('LL')}#endif\n`,
  '#ifdef _GNU_SOURCE\n',
  ...WIDTHS.flatMap((bits) => ['INT', 'UINT'].map((name) => `#define ${name}${bits}_WIDTH ${bits}\n`)),
  ...['PTRDIFF', 'SIG_ATOMIC', 'SIZE', 'WCHAR', 'WINT', 'INTPTR', 'INTMAX'].map(widths),
  ...['LEAST', 'FAST'].flatMap((kind) => WIDTHS.map((bits) => widths(`INT_${kind}${bits}`))),
  ...['PTR', 'MAX'].map((name) => `#define UINT${name}_WIDTH __INT${name}_WIDTH__\n`),
  ...['LEAST', 'FAST'].flatMap((kind) =>
    WIDTHS.map((bits) => `#define UINT_${kind}${bits}_WIDTH __INT_${kind}${bits}_WIDTH__\n`),
  ),
  '#endif\n',
].join('');

/** How printf and scanf are told of a type: the letters before that of the conversion. */
const LENGTHS: readonly (readonly [type: string, print: string, scan: string])[] = [
  ...['', 'LEAST'].flatMap(
    (kind) =>
      [
        [`${kind}8`, '', '"hh"'],
        [`${kind}16`, '', '"h"'],
        [`${kind}32`, '', ''],
        [`${kind}64`, '__PRI64_PREFIX', '__PRI64_PREFIX'],
      ] as const,
  ),
  ['FAST8', '', '"hh"'],
  ['FAST16', '__PRIPTR_PREFIX', '__PRIPTR_PREFIX'],
  ['FAST32', '__PRIPTR_PREFIX', '__PRIPTR_PREFIX'],
  ['FAST64', '__PRI64_PREFIX', '__PRI64_PREFIX'],
  ['MAX', '__PRI64_PREFIX', '__PRI64_PREFIX'],
  ['PTR', '__PRIPTR_PREFIX', '__PRIPTR_PREFIX'],
];

const formats = [...'diouxX'].flatMap((letter) =>
  LENGTHS.map(([type, print, scan]) => {
    const scanned = letter === 'X' ? '' : `#define SCN${letter}${type} ${scan} "${letter}"\n`;
    return `#define PRI${letter}${type} ${print} "${letter}"\n${scanned}`;
  }),
);

const END = 'const char *, char **, int';
const WIDE_END = 'const __WCHAR_TYPE__ *, __WCHAR_TYPE__ **, int';

export const INTTYPES = [
  '#include <stdint.h>\n#define _INTTYPES_H 1\n',
  '#ifdef __LP64__\n#define __PRI64_PREFIX "l"\n#define __PRIPTR_PREFIX "l"\n',
  '#else\n#define __PRI64_PREFIX "ll"\n#define __PRIPTR_PREFIX\n#endif\n',
  ...formats,
  'typedef struct { __INTMAX_TYPE__ quot; __INTMAX_TYPE__ rem; } imaxdiv_t;\n',
  functions('intmax_t', 'intmax_t', 'imaxabs'),
  functions('imaxdiv_t', 'intmax_t, intmax_t', 'imaxdiv'),
  functions('intmax_t', END, 'strtoimax'),
  functions('uintmax_t', END, 'strtoumax'),
  functions('intmax_t', WIDE_END, 'wcstoimax'),
  functions('uintmax_t', WIDE_END, 'wcstoumax'),
].join('');
