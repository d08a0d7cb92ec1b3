// The functions that gcc has without a declaration, as far as they are modelled: how many arguments they take.

type Count = readonly [least: number, most: number];

const COUNTS = new Map<string, Count>();
const add = (names: string, least: number, most = least): void => {
  for (const name of names.trim().split(/\s+/)) COUNTS.set(name, [least, most]);
};
const builtins = (names: string, least: number, most = least): void =>
  add(names.replace(/(?<=^|\s)(?=\w)/g, '__builtin_'), least, most);
const floats = (names: string, count: number): void =>
  builtins(
    names.replace(/\w+/g, (name) => `${name} ${name}f ${name}l`),
    count,
  );

const ANY = Number.POSITIVE_INFINITY;

builtins('unreachable trap abort', 0);
builtins('constant_p va_end alloca malloc exit abs labs llabs', 1);
builtins('return_address frame_address', 1);
builtins('expect va_copy object_size dynamic_object_size', 2);
builtins('choose_expr expect_with_probability memset memcpy memmove', 3);
builtins('assume_aligned', 2, 3);
builtins('prefetch', 1, 3);
builtins('va_start', 1, 2);
builtins('setjmp', 1);
builtins('longjmp', 2);
builtins('bswap16 bswap32 bswap64 bswap128', 1);
for (const size of ['', 'l', 'll']) {
  builtins(`popcount${size} parity${size} ffs${size} clz${size} ctz${size} clrsb${size}`, 1);
  for (const sign of ['s', 'u'])
    builtins(`${sign}add${size}_overflow ${sign}sub${size}_overflow ${sign}mul${size}_overflow`, 3);
}
builtins('add_overflow sub_overflow mul_overflow add_overflow_p sub_overflow_p mul_overflow_p', 3);

floats('inf huge_val', 0);
floats('floor ceil trunc rint nearbyint roundeven round sqrt fabs lround lrint llround llrint nan', 1);
floats('acos asin atan cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log10 log1p log2', 1);
floats('cbrt erf erfc lgamma tgamma logb', 1);
floats('atan2 pow hypot remainder nextafter ldexp scalbn modf fmin fmax fdim copysign fmod', 2);
floats('fma', 3);
floats('isnan isinf finite signbit', 1);
builtins('isfinite isnormal isinf_sign', 1);
builtins('isgreater isgreaterequal isless islessequal islessgreater isunordered', 2);
builtins('fpclassify', 6);

add('__atomic_load_n __atomic_clear __atomic_test_and_set', 2);
add('__atomic_load __atomic_store __atomic_store_n __atomic_exchange_n', 3);
add('__atomic_exchange', 4);
add('__atomic_compare_exchange __atomic_compare_exchange_n', 6);
add('__atomic_thread_fence __atomic_signal_fence', 1);
for (const op of ['add', 'sub', 'and', 'or', 'xor', 'nand']) {
  add(`__atomic_fetch_${op} __atomic_${op}_fetch`, 3);
  add(`__sync_fetch_and_${op} __sync_${op}_and_fetch`, 2, ANY);
}
add('__sync_bool_compare_and_swap __sync_val_compare_and_swap', 3, ANY);
add('__sync_lock_test_and_set', 2, ANY);
add('__sync_lock_release', 1, ANY);
add('__sync_synchronize', 0, ANY);

/** Functions of the library that count on their arguments, declared or not. */
add('abs labs llabs', 1);
add('realloc', 2);
add('pthread_create', 4);

/** Functions of the library by another name. */
const LIBRARY = new Set<string>();
const library = (names: string, least: number, most = least): void => {
  for (const name of names.split(' ')) LIBRARY.add(name);
  builtins(names, least, most);
};
library('free putchar puts strlen strdup toupper tolower', 1);
library(
  'isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit',
  1,
);
library('calloc realloc strcmp strchr strrchr strcpy strcat stpcpy strstr strspn strcspn strpbrk', 2);
library('strcasecmp strndup', 2);
library('memcmp strncmp memchr strncpy strncat strncasecmp', 3);
library('printf', 1, ANY);
library('fprintf sprintf', 2, ANY);
library('snprintf', 3, ANY);

/** The forms that test how large their target is, which _FORTIFY_SOURCE puts in: how many arguments the plain ones take, and which arguments these have more. */
const CHECKED: Readonly<Record<string, { readonly plain: Count; readonly more: readonly number[] }>> = {
  ...Object.fromEntries(['strcpy', 'stpcpy', 'strcat'].map((name) => [name, { plain: [2, 2], more: [2] }])),
  ...Object.fromEntries(
    ['memcpy', 'memmove', 'memset', 'mempcpy', 'strncpy', 'strncat'].map((name) => [
      name,
      { plain: [3, 3], more: [3] },
    ]),
  ),
  printf: { plain: [1, ANY], more: [0] },
  fprintf: { plain: [2, ANY], more: [1] },
  sprintf: { plain: [2, ANY], more: [1, 2] },
  snprintf: { plain: [3, ANY], more: [2, 3] },
};
for (const [name, { plain, more }] of Object.entries(CHECKED))
  builtins(`__${name}_chk`, plain[0] + more.length, plain[1] + more.length);

/** clang's. */
builtins('assume', 1);
const NOT_OF_GCC = '__builtin_assume';

/** Read by the parser, since types are among their arguments. */
const WITH_TYPES = new Set(['__builtin_offsetof', '__builtin_va_arg', '__builtin_types_compatible_p']);

export const isBuiltinName = (name: string): boolean => /^__(?:builtin|atomic|sync)_/.test(name);

/** What `__builtin_strlen` and its like are called in the library; the name itself where it is none of these. */
export function libraryName(name: string): string {
  const plain = name.replace(/^__builtin_/, '');
  return LIBRARY.has(plain) ? plain : name;
}

/** Of `__strcpy_chk` and its like: the plain function, and which arguments it does without. */
export function checkedFunction(
  name: string,
): { readonly name: string; readonly more: readonly number[] } | null {
  const plain = /^__(?:builtin___)?(\w+)_chk$/.exec(name)?.[1] ?? '';
  const known = Object.hasOwn(CHECKED, plain) ? CHECKED[plain]! : null;
  return known === null ? null : { name: plain, more: known.more };
}

export const hasBuiltin = (name: string): boolean =>
  (COUNTS.has(name) && isBuiltinName(name) && name !== NOT_OF_GCC) || WITH_TYPES.has(name);

/** How many arguments it takes; null for what is not modelled. */
export const argumentsOf = (name: string): Count | null => COUNTS.get(name) ?? null;
