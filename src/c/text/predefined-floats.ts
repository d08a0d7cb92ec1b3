// What gcc predefines about the formats of floating point: digits, exponents, and the numbers at the edges.

interface Format {
  readonly digits: number;
  /** The decimal digits that every number keeps, and that tell every two apart. */
  readonly decimal: readonly [kept: number, all: number];
  readonly exponents: readonly [least: number, most: number];
  readonly tens: readonly [least: number, most: number];
  readonly edges: Readonly<Record<'MAX' | 'MIN' | 'EPSILON' | 'DENORM_MIN', string>>;
}

const HALF: Format = {
  digits: 11,
  decimal: [3, 5],
  exponents: [-13, 16],
  tens: [-4, 4],
  edges: {
    MAX: '6.55040000000000000000000000000000000e+4',
    MIN: '6.10351562500000000000000000000000000e-5',
    EPSILON: '9.76562500000000000000000000000000000e-4',
    DENORM_MIN: '5.96046447753906250000000000000000000e-8',
  },
};
const SINGLE: Format = {
  digits: 24,
  decimal: [6, 9],
  exponents: [-125, 128],
  tens: [-37, 38],
  edges: {
    MAX: '3.40282346638528859811704183484516925e+38',
    MIN: '1.17549435082228750796873653722224568e-38',
    EPSILON: '1.19209289550781250000000000000000000e-7',
    DENORM_MIN: '1.40129846432481707092372958328991613e-45',
  },
};
const DOUBLE: Format = {
  digits: 53,
  decimal: [15, 17],
  exponents: [-1021, 1024],
  tens: [-307, 308],
  edges: {
    MAX: '1.79769313486231570814527423731704357e+308',
    MIN: '2.22507385850720138309023271733240406e-308',
    EPSILON: '2.22044604925031308084726333618164062e-16',
    DENORM_MIN: '4.94065645841246544176568792868221372e-324',
  },
};
const X87: Format = {
  digits: 64,
  decimal: [18, 21],
  exponents: [-16381, 16384],
  tens: [-4931, 4932],
  edges: {
    MAX: '1.18973149535723176502126385303097021e+4932',
    MIN: '3.36210314311209350626267781732175260e-4932',
    EPSILON: '1.08420217248550443400745280086994171e-19',
    DENORM_MIN: '3.64519953188247460252840593361941982e-4951',
  },
};
const QUADRUPLE: Format = {
  digits: 113,
  decimal: [33, 36],
  exponents: [-16381, 16384],
  tens: [-4931, 4932],
  edges: {
    MAX: '1.18973149535723176508575932662800702e+4932',
    MIN: '3.36210314311209350626267781732175260e-4932',
    EPSILON: '1.92592994438723585305597794258492732e-34',
    DENORM_MIN: '6.47517511943802511092443895822764655e-4966',
  },
};

/** By the name in the macros: the format, and how gcc writes a number of the type. */
const BINARY: Readonly<Record<string, readonly [Format, (digits: string) => string]>> = {
  FLT: [SINGLE, (digits) => `${digits}F`],
  DBL: [DOUBLE, (digits) => `((double)${digits}L)`],
  LDBL: [X87, (digits) => `${digits}L`],
  FLT16: [HALF, (digits) => `${digits}F16`],
  FLT32: [SINGLE, (digits) => `${digits}F32`],
  FLT64: [DOUBLE, (digits) => `${digits}F64`],
  FLT128: [QUADRUPLE, (digits) => `${digits}F128`],
  FLT32X: [DOUBLE, (digits) => `${digits}F32x`],
  FLT64X: [X87, (digits) => `${digits}F64x`],
};

type Definition = readonly [name: string, text: string];
const inParentheses = (n: number): string => (n < 0 ? `(${n})` : String(n));

const binary = ([name, [format, written]]: readonly [
  string,
  readonly [Format, (digits: string) => string],
]): Definition[] =>
  Object.entries({
    MANT_DIG: String(format.digits),
    DIG: String(format.decimal[0]),
    DECIMAL_DIG: String(format.decimal[1]),
    MIN_EXP: inParentheses(format.exponents[0]),
    MAX_EXP: String(format.exponents[1]),
    MIN_10_EXP: inParentheses(format.tens[0]),
    MAX_10_EXP: String(format.tens[1]),
    ...Object.fromEntries(Object.entries(format.edges).map(([edge, digits]) => [edge, written(digits)])),
    NORM_MAX: written(format.edges.MAX),
    HAS_DENORM: '1',
    HAS_INFINITY: '1',
    HAS_QUIET_NAN: '1',
    IS_IEC_60559: '2',
  }).map(([what, text]) => [`__${name}_${what}__`, text]);

/** Decimal formats are not modelled, but programs ask whether they are there. */
const decimal = ([bits, digits, exponent, suffix]: readonly [number, number, number, string]): Definition[] =>
  Object.entries({
    MANT_DIG: String(digits),
    MIN_EXP: `(${3 - exponent})`,
    MAX_EXP: String(exponent),
    MAX: `9.${'9'.repeat(digits - 1)}E${exponent - 1}${suffix}`,
    MIN: `1E${2 - exponent}${suffix}`,
    EPSILON: `1E-${digits - 1}${suffix}`,
    SUBNORMAL_MIN: `0.${'0'.repeat(digits - 2)}1E${2 - exponent}${suffix}`,
  }).map(([what, text]) => [`__DEC${bits}_${what}__`, text]);

export const FLOATING_MACROS: readonly Definition[] = [
  ...Object.entries(BINARY).flatMap(binary),
  ...decimal([32, 7, 97, 'DF']),
  ...decimal([64, 16, 385, 'DD']),
  ...decimal([128, 34, 6145, 'DL']),
  ['__FLT_RADIX__', '2'],
  ['__FLT_EVAL_METHOD__', '0'],
  ['__FLT_EVAL_METHOD_TS_18661_3__', '0'],
  ['__DECIMAL_DIG__', '21'],
  ['__DEC_EVAL_METHOD__', '2'],
  ['__DECIMAL_BID_FORMAT__', '1'],
  ['__FINITE_MATH_ONLY__', '0'],
  ['__GCC_IEC_559', '2'],
  ['__GCC_IEC_559_COMPLEX', '2'],
];
