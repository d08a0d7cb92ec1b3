// <float.h> and <math.h>: what the formats hold, and the declarations of the functions. Which of them are modelled says lower/math.ts.

/** By format: digits, exponents, and the numbers at the edges. Numbers are those of IEEE 754 single and double and of x87. */
const FORMATS = [
  {
    name: 'FLT',
    ...{ MANT_DIG: '24', DIG: '6', DECIMAL_DIG: '9', HAS_DENORM: '1' },
    ...{ MIN_EXP: '(-125)', MIN_10_EXP: '(-37)', MAX_EXP: '128', MAX_10_EXP: '38' },
    ...{ MAX: '0x1.fffffep127F', MIN: '0x1p-126F', EPSILON: '0x1p-23F', DENORM_MIN: '0x1p-149F' },
  },
  {
    name: 'DBL',
    ...{ MANT_DIG: '53', DIG: '15', DECIMAL_DIG: '17', HAS_DENORM: '1' },
    ...{ MIN_EXP: '(-1021)', MIN_10_EXP: '(-307)', MAX_EXP: '1024', MAX_10_EXP: '308' },
    ...{ MAX: '0x1.fffffffffffffp1023', MIN: '0x1p-1022', EPSILON: '0x1p-52', DENORM_MIN: '0x1p-1074' },
  },
  {
    name: 'LDBL',
    ...{ MANT_DIG: '64', DIG: '18', DECIMAL_DIG: '21', HAS_DENORM: '1' },
    ...{ MIN_EXP: '(-16381)', MIN_10_EXP: '(-4931)', MAX_EXP: '16384', MAX_10_EXP: '4932' },
    ...{ MAX: '0x1.fffffffffffffffep16383L', MIN: '0x1p-16382L', EPSILON: '0x1p-63L' },
    DENORM_MIN: '0x1p-16445L',
  },
] as const;

const edges = FORMATS.flatMap(({ name, ...values }) =>
  Object.entries(values).map(([what, value]) => [name, what, value] as const),
);

/** As gcc predefines them. */
export const FLOAT_MACROS = `${edges.map(([name, what, value]) => `#define __${name}_${what}__ ${value}\n`).join('')}
#define __FLT_RADIX__ 2
#define __FLT_EVAL_METHOD__ 0
#define __DECIMAL_DIG__ 21
`;

const PUBLIC: Readonly<Record<string, string>> = { HAS_DENORM: 'HAS_SUBNORM', DENORM_MIN: 'TRUE_MIN' };

export const FLOAT = `${edges
  .map(([name, what]) => `#define ${name}_${PUBLIC[what] ?? what} __${name}_${what}__\n`)
  .join('')}
#define FLT_RADIX 2
#define FLT_ROUNDS 1
#define FLT_EVAL_METHOD 0
#define DECIMAL_DIG 21
`;

const inThreeTypes = (declaration: (type: string, suffix: string) => string): string =>
  [declaration('double', ''), declaration('float', 'f'), declaration('long double', 'l')].join('\n');

const names = (text: string): string[] => text.trim().split(/\s+/);
const ONE =
  names(`acos asin atan cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log10 log1p log2 logb cbrt sqrt
  erf erfc lgamma tgamma fabs ceil floor trunc rint nearbyint round`);
const TWO = names('atan2 pow hypot fmod remainder fmin fmax fdim copysign nextafter');

const FUNCTIONS = inThreeTypes((type, s) =>
  [
    ...ONE.map((name) => `extern ${type} ${name}${s}(${type});`),
    ...TWO.map((name) => `extern ${type} ${name}${s}(${type}, ${type});`),
    `extern ${type} fma${s}(${type}, ${type}, ${type}); extern ${type} ldexp${s}(${type}, int); extern ${type} scalbn${s}(${type}, int);`,
    `extern ${type} frexp${s}(${type}, int *); extern ${type} modf${s}(${type}, ${type} *); extern int ilogb${s}(${type});`,
    `extern long lround${s}(${type}); extern long long llround${s}(${type}); extern long lrint${s}(${type}); extern long long llrint${s}(${type});`,
  ].join('\n'),
);

export const MATH = `
typedef float float_t; typedef double double_t;
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(0, 1, 4, 3, 2, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
${FUNCTIONS}
`;
