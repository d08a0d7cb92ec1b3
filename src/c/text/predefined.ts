// The macros that gcc 12 predefines, on x86-64 and (with SSE for floating point) on i386. The test compares all of them with gcc's.

import { FLOATING_MACROS } from './predefined-floats.ts';

export type DataModel = 'ILP32' | 'LP64';

/** What the compiler will write there nobody knows; as long as the real text. */
const DATE_MARK = '\\1'.repeat(11);
const TIME_MARK = '\\2'.repeat(8);
/** Does a string literal hold the time of its compilation? */
export const hasCompileTime = (literal: string): boolean =>
  literal.includes(DATE_MARK) || literal.includes(TIME_MARK);

type Definition = readonly [name: string, text: string];

interface Whole {
  readonly type: string;
  readonly bits: number;
  readonly signed: boolean;
  /** How a literal of the type ends. */
  readonly suffix: string;
}

const signed = (type: string, bits: number, suffix = ''): Whole => ({ type, bits, signed: true, suffix });
const unsigned = (type: string, bits: number, suffix = ''): Whole => ({ type, bits, signed: false, suffix });

const CHAR = signed('signed char', 8);
const SHORT = signed('short int', 16);
const INT = signed('int', 32);
const LLONG = signed('long long int', 64, 'LL');
const UINT = unsigned('unsigned int', 32, 'U');

/** The unsigned type that belongs to a signed one, with gcc's order of words. */
function withoutSign({ type, bits, suffix }: Whole): Whole {
  if (type === 'signed char') return unsigned('unsigned char', bits);
  if (type === 'int') return UINT;
  return unsigned(type.replace(/ int$/, ' unsigned int'), bits, bits > 16 ? `U${suffix}` : '');
}

const largest = ({ bits, signed: hasSign, suffix }: Whole): string =>
  `0x${((1n << BigInt(hasSign ? bits - 1 : bits)) - 1n).toString(16)}${suffix}`;

/** The types that names like __INT_FAST16_TYPE__ speak of. */
function typesOf(model: DataModel): ReadonlyMap<string, Whole> {
  const wide = model === 'LP64';
  const long = signed('long int', wide ? 64 : 32, 'L');
  const word = wide ? long : INT;
  const sixtyFour = wide ? long : LLONG;
  const exact: (readonly [string, Whole])[] = [
    ['8', CHAR],
    ['16', SHORT],
    ['32', INT],
    ['64', sixtyFour],
  ];
  const fast = exact.map(([bits, type]) => [bits, bits === '16' || bits === '32' ? word : type] as const);
  const both = (stem: string, types: readonly (readonly [string, Whole])[]): [string, Whole][] =>
    types.flatMap(([bits, type]): [string, Whole][] => [
      [`INT${stem}${bits}`, type],
      [`UINT${stem}${bits}`, withoutSign(type)],
    ]);
  return new Map([
    ...both('', exact),
    ...both('_LEAST', exact),
    ...both('_FAST', fast),
    ...both('', [
      ['MAX', sixtyFour],
      ['PTR', word],
    ]),
    ['SIZE', withoutSign(word)],
    ['PTRDIFF', word],
    ['WCHAR', wide ? INT : long],
    ['WINT', UINT],
    ['SIG_ATOMIC', INT],
    ['SCHAR', CHAR],
    ['SHRT', SHORT],
    ['INT', INT],
    ['LONG', long],
    ['LONG_LONG', LLONG],
  ]);
}

/** They are types of C, not names for one. */
const PLAIN = new Set(['SCHAR', 'SHRT', 'INT', 'LONG', 'LONG_LONG']);
/** gcc tells the width of these types: not of those of exact size, and of no unsigned one but size_t. */
const hasWidth = (name: string): boolean => !/^U|^INT\d/.test(name);

function wholeNumbers(model: DataModel): Definition[] {
  const definitions: Definition[] = [];
  for (const [name, whole] of typesOf(model)) {
    definitions.push([`__${name}_MAX__`, largest(whole)]);
    if (hasWidth(name)) definitions.push([`__${name}_WIDTH__`, String(whole.bits)]);
    if (!PLAIN.has(name)) definitions.push([`__${name}_TYPE__`, whole.type]);
    if (/^U?INT(?:\d+|MAX)$/.test(name))
      definitions.push([`__${name}_C(c)`, whole.suffix === '' ? 'c' : `c ## ${whole.suffix}`]);
  }
  return definitions;
}

const sizes = (values: Readonly<Record<string, number>>): Definition[] =>
  Object.entries(values).map(([name, bytes]) => [`__SIZEOF_${name}__`, String(bytes)]);

function sizesOf(model: DataModel): Definition[] {
  const [word, x87] = model === 'LP64' ? [8, 16] : [4, 12];
  return [
    ...sizes({ SHORT: 2, INT: 4, LONG: word, LONG_LONG: 8, POINTER: word, SIZE_T: word, PTRDIFF_T: word }),
    ...sizes({ WCHAR_T: 4, WINT_T: 4, FLOAT: 4, DOUBLE: 8, LONG_DOUBLE: x87, FLOAT80: x87, FLOAT128: 16 }),
    ...sizes(model === 'LP64' ? { INT128: 16 } : {}),
  ];
}

const isOne = (names: string): Definition[] => names.split(' ').map((name) => [name, '1']);

const MACHINE: Readonly<Record<DataModel, readonly Definition[]>> = {
  LP64: isOne(
    '_LP64 __LP64__ __x86_64__ __x86_64 __amd64__ __amd64 __k8__ __k8 __code_model_small__ __FXSR__ __MMX_WITH_SSE__',
  ),
  ILP32: isOne(
    '_ILP32 __ILP32__ __i386__ __i386 i386 __i686__ __i686 __pentiumpro__ __pentiumpro __code_model_32__ __LAHF_SAHF__',
  ),
};

const ORDERS = { RELAXED: 0, CONSUME: 1, ACQUIRE: 2, RELEASE: 3, ACQ_REL: 4, SEQ_CST: 5 };
const ENDIANS = { LITTLE: 1234, BIG: 4321, PDP: 3412 };
const LOCK_FREE = 'BOOL CHAR CHAR16_T CHAR32_T WCHAR_T SHORT INT LONG LLONG POINTER'.split(' ');

const COMMON: readonly Definition[] = [
  ...isOne(
    '__STDC__ __STDC_HOSTED__ __STDC_UTF_16__ __STDC_UTF_32__ __STDC_IEC_559__ __STDC_IEC_559_COMPLEX__',
  ),
  ...isOne('_STDC_PREDEF_H __GNUC_STDC_INLINE__ __NO_INLINE__ __ELF__ __PRAGMA_REDEFINE_EXTNAME'),
  ...isOne('__linux__ __linux linux __unix__ __unix unix __gnu_linux__ __SPILLWAY__'),
  ...isOne(
    '__MMX__ __SSE__ __SSE2__ __SSE_MATH__ __SSE2_MATH__ __SEG_FS __SEG_GS __HAVE_SPECULATION_SAFE_VALUE',
  ),
  ...isOne('__GCC_ASM_FLAG_OUTPUTS__ __GCC_HAVE_DWARF2_CFI_ASM __GCC_ATOMIC_TEST_AND_SET_TRUEVAL'),
  ...isOne([1, 2, 4, 8].map((bytes) => `__GCC_HAVE_SYNC_COMPARE_AND_SWAP_${bytes}`).join(' ')),
  ['__STDC_VERSION__', '201710L'],
  ['__STDC_IEC_60559_BFP__', '201404L'],
  ['__STDC_IEC_60559_COMPLEX__', '201404L'],
  ['__STDC_ISO_10646__', '201706L'],
  ['__GNUC__', '12'],
  ['__GNUC_MINOR__', '2'],
  ['__GNUC_PATCHLEVEL__', '0'],
  ['__VERSION__', '"12.2.0"'],
  ['__GXX_ABI_VERSION', '1017'],
  ['__GNUC_EXECUTION_CHARSET_NAME', '"UTF-8"'],
  ['__GNUC_WIDE_EXECUTION_CHARSET_NAME', '"UTF-32LE"'],
  ...['PIC', 'PIE', 'pic', 'pie'].map((name): Definition => [`__${name}__`, '2']),
  ...Object.entries(ENDIANS).map(([name, order]): Definition => [`__ORDER_${name}_ENDIAN__`, String(order)]),
  ['__BYTE_ORDER__', '__ORDER_LITTLE_ENDIAN__'],
  ['__FLOAT_WORD_ORDER__', '__ORDER_LITTLE_ENDIAN__'],
  ['__CHAR_BIT__', '8'],
  ['__CHAR16_TYPE__', 'short unsigned int'],
  ['__CHAR32_TYPE__', 'unsigned int'],
  ['__WCHAR_MIN__', '(-__WCHAR_MAX__ - 1)'],
  ['__SIG_ATOMIC_MIN__', '(-__SIG_ATOMIC_MAX__ - 1)'],
  ['__WINT_MIN__', '0U'],
  ['__BIGGEST_ALIGNMENT__', '16'],
  ['__GCC_CONSTRUCTIVE_SIZE', '64'],
  ['__GCC_DESTRUCTIVE_SIZE', '64'],
  ...Object.entries(ORDERS).map(([name, order]): Definition => [`__ATOMIC_${name}`, String(order)]),
  ['__ATOMIC_HLE_ACQUIRE', '65536'],
  ['__ATOMIC_HLE_RELEASE', '131072'],
  ...LOCK_FREE.map((name): Definition => [`__GCC_ATOMIC_${name}_LOCK_FREE`, '2']),
  ['__USER_LABEL_PREFIX__', ''],
  ['__REGISTER_PREFIX__', ''],
  ['__DATE__', `"${DATE_MARK}"`],
  ['__TIME__', `"${TIME_MARK}"`],
  ['__TIMESTAMP__', `"${DATE_MARK} ${TIME_MARK}XXXX"`],
  ...FLOATING_MACROS,
];

const textFor = (model: DataModel): string =>
  [...COMMON, ...MACHINE[model], ...sizesOf(model), ...wholeNumbers(model)]
    .map(([name, text]) => `#define ${name} ${text}\n`)
    .join('');

export const PREDEFINED: Readonly<Record<DataModel, string>> = {
  LP64: textFor('LP64'),
  ILP32: textFor('ILP32'),
};
