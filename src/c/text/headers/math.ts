// <float.h> and <math.h>. Which of the functions are modelled says lower/math.ts.

import { constants, functions, onlyGnu } from './pieces.ts';

const FORMATS = ['FLT', 'DBL', 'LDBL'] as const;
const EDGES = 'MANT_DIG DIG DECIMAL_DIG MIN_EXP MAX_EXP MIN_10_EXP MAX_10_EXP MAX MIN EPSILON'.split(' ');

export const FLOAT = [
  '#define _FLOAT_H___\n',
  ...FORMATS.flatMap((name) => [
    ...EDGES.map((edge) => `#define ${name}_${edge} __${name}_${edge}__\n`),
    `#define ${name}_HAS_SUBNORM __${name}_HAS_DENORM__\n#define ${name}_TRUE_MIN __${name}_DENORM_MIN__\n`,
  ]),
  constants(
    'FLT_RADIX __FLT_RADIX__ FLT_ROUNDS 1 FLT_EVAL_METHOD __FLT_EVAL_METHOD__ DECIMAL_DIG __DECIMAL_DIG__',
  ),
].join('');

const ONE = `acos asin atan cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log10 log1p log2 logb cbrt sqrt
  erf erfc lgamma tgamma gamma fabs ceil floor trunc rint nearbyint round significand j0 j1 y0 y1`;
const TWO = 'atan2 pow hypot fmod remainder drem fmin fmax fdim copysign nextafter scalb';
const GNU_ONE = 'exp10 roundeven nextup nextdown';
const GNU_TWO = `fmaxmag fminmag fmaximum fminimum fmaximum_num fminimum_num fmaximum_mag fminimum_mag fmaximum_mag_num
  fminimum_mag_num`;

const inThreeTypes = (declarations: (type: string, names: (text: string) => string) => string[]): string =>
  [
    ['double', ''],
    ['float', 'f'],
    ['long double', 'l'],
  ]
    .flatMap(([type, suffix]) => declarations(type!, (text) => text.replace(/\b\w+/g, `$&${suffix}`)))
    .join('');

const FUNCTIONS = inThreeTypes((type, names) => [
  functions(type, type, names(ONE)),
  functions(type, `${type}, ${type}`, names(TWO)),
  functions(type, `${type}, ${type}, ${type}`, names('fma')),
  functions(type, `${type}, int`, names('ldexp scalbn')),
  functions(type, `${type}, long`, names('scalbln')),
  functions(type, `${type}, long double`, names('nexttoward')),
  functions(type, `${type}, int *`, `${names('frexp')} ${names('lgamma')}_r`),
  functions(type, `${type}, ${type} *`, names('modf')),
  functions(type, `${type}, ${type}, int *`, names('remquo')),
  functions(type, `int, ${type}`, names('jn yn')),
  functions(type, 'const char *', names('nan')),
  functions('int', type, names('ilogb isinf isnan finite')),
  functions('long', type, names('lround lrint')),
  functions('long long', type, names('llround llrint')),
]);

const GNU_FUNCTIONS = inThreeTypes((type, names) => [
  functions(type, type, names(GNU_ONE)),
  functions(type, `${type}, ${type}`, names(GNU_TWO)),
  functions('void', `${type}, ${type} *, ${type} *`, names('sincos')),
  functions('long', type, names('llogb')),
  functions('__INTMAX_TYPE__', `${type}, int, unsigned`, names('fromfp fromfpx')),
  functions('__UINTMAX_TYPE__', `${type}, int, unsigned`, names('ufromfp ufromfpx')),
  functions('int', `${type} *, const ${type} *`, names('canonicalize')),
  functions('int', `const ${type} *, const ${type} *`, names('totalorder totalordermag')),
  functions(type, `const ${type} *`, names('getpayload')),
  functions('int', `${type} *, ${type}`, names('setpayload setpayloadsig')),
]);

/** Computed in one type and rounded once to a narrower one. */
const NARROWING = [
  ['f', '', 'float', 'double'],
  ['f', 'l', 'float', 'long double'],
  ['d', 'l', 'double', 'long double'],
].flatMap(([prefix, suffix, to, from]) => {
  const names = (text: string): string => text.replace(/\b\w+/g, `${prefix}$&${suffix}`);
  return [
    functions(to!, `${from}, ${from}`, names('add sub mul div')),
    functions(to!, from!, names('sqrt')),
    functions(to!, `${from}, ${from}, ${from}`, names('fma')),
  ];
});

const NUMBERS = `M_E 2.7182818284590452354 M_LOG2E 1.4426950408889634074 M_LOG10E 0.43429448190325182765
  M_LN2 0.69314718055994530942 M_LN10 2.30258509299404568402 M_PI 3.14159265358979323846 M_PI_2 1.57079632679489661923
  M_PI_4 0.78539816339744830962 M_1_PI 0.31830988618379067154 M_2_PI 0.63661977236758134308
  M_2_SQRTPI 1.12837916709551257390 M_SQRT2 1.41421356237309504880 M_SQRT1_2 0.70710678118654752440`;
const LONG_NUMBERS = `M_El 2.718281828459045235360287471352662498L M_LOG2El 1.442695040888963407359924681001892137L
  M_LOG10El 0.434294481903251827651128918916605082L M_LN2l 0.693147180559945309417232121458176568L
  M_LN10l 2.302585092994045684017991454684364208L M_PIl 3.141592653589793238462643383279502884L
  M_PI_2l 1.570796326794896619231321691639751442L M_PI_4l 0.785398163397448309615660845819875721L
  M_1_PIl 0.318309886183790671537767526745028724L M_2_PIl 0.636619772367581343075535053490057448L
  M_2_SQRTPIl 1.128379167095512573896158903121545172L M_SQRT2l 1.414213562373095048801688724209698079L
  M_SQRT1_2l 0.707106781186547524400844362104849039L`;

const SHORT_NUMBERS = LONG_NUMBERS.replace(/l (\S+)L/g, 'f $1f');

const COMPARISONS = 'isgreater isgreaterequal isless islessequal islessgreater isunordered';
const CLASSES = 'isfinite isnan isnormal signbit';

export const MATH = [
  '#include <features.h>\n#define _MATH_H 1\n',
  'typedef float float_t;\ntypedef double double_t;\nextern int signgam;\n',
  FUNCTIONS,
  onlyGnu(GNU_FUNCTIONS + NARROWING.join('')),
  constants(`HUGE_VAL (__builtin_huge_val()) HUGE_VALF (__builtin_huge_valf()) HUGE_VALL (__builtin_huge_vall())
  INFINITY (__builtin_inff()) NAN (__builtin_nanf(""))`),
  constants('FP_NAN 0 FP_INFINITE 1 FP_ZERO 2 FP_SUBNORMAL 3 FP_NORMAL 4 FP_ILOGB0 (-2147483647-1)'),
  constants(
    'FP_ILOGBNAN (-2147483647-1) MATH_ERRNO 1 MATH_ERREXCEPT 2 math_errhandling (MATH_ERRNO|MATH_ERREXCEPT)',
  ),
  '#define fpclassify(x) __builtin_fpclassify(0, 1, 4, 3, 2, x)\n#define isinf(x) __builtin_isinf_sign(x)\n',
  ...CLASSES.split(' ').map((name) => `#define ${name}(x) __builtin_${name}(x)\n`),
  ...COMPARISONS.split(' ').map((name) => `#define ${name}(x, y) __builtin_${name}(x, y)\n`),
  constants(NUMBERS),
  onlyGnu(
    constants(`${LONG_NUMBERS} ${SHORT_NUMBERS}`) +
      constants('MAXFLOAT __FLT_MAX__ FP_LLOGB0 (-__LONG_MAX__-1) FP_LLOGBNAN (-__LONG_MAX__-1)') +
      constants(
        'FP_INT_UPWARD 0 FP_INT_DOWNWARD 1 FP_INT_TOWARDZERO 2 FP_INT_TONEARESTFROMZERO 3 FP_INT_TONEAREST 4',
      ),
  ),
].join('');
