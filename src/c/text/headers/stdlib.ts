// <stdlib.h>, with what it says about the processes that `system` starts.

import { constants, functions, LOCALE_T, NULL, onlyGnu, SIZE_T, WCHAR_T } from './pieces.ts';

const TEXT = 'const char *';
const END = `${TEXT}, char **`;
const COMPARISON = 'int (*)(const void *, const void *)';
const DIGITS = 'int, int *, int *';
const STEP = 'struct drand48_data *';
const NUMBERS = 'struct random_data *';

/** How a process ended, as wait() and system() tell it. */
const STATUS = `
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status) & 0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
`;

const RANDOM = [
  functions('int', 'void', 'rand'),
  functions('void', 'unsigned', 'srand srandom'),
  functions('int', 'unsigned *', 'rand_r'),
  functions('long', 'void', 'random lrand48 mrand48'),
  functions('double', 'void', 'drand48'),
  functions('double', 'unsigned short *', 'erand48'),
  functions('long', 'unsigned short *', 'nrand48 jrand48'),
  functions('void', 'long', 'srand48'),
  functions('unsigned short *', 'unsigned short *', 'seed48'),
  functions('void', 'unsigned short *', 'lcong48'),
  functions('char *', 'unsigned, char *, size_t', 'initstate'),
  functions('char *', 'char *', 'setstate'),
  `struct random_data { int *fptr; int *rptr; int *state; int rand_type; int rand_deg; int rand_sep; int *end_ptr; };\n`,
  functions('int', `${NUMBERS}, int *`, 'random_r'),
  functions('int', `unsigned, ${NUMBERS}`, 'srandom_r'),
  functions('int', `unsigned, char *, size_t, ${NUMBERS}`, 'initstate_r'),
  functions('int', `char *, ${NUMBERS}`, 'setstate_r'),
  `struct drand48_data { unsigned short __x[3]; unsigned short __old_x[3]; unsigned short __c; unsigned short __init; unsigned long long __a; };\n`,
  functions('int', `${STEP}, double *`, 'drand48_r'),
  functions('int', `unsigned short *, ${STEP}, double *`, 'erand48_r'),
  functions('int', `${STEP}, long *`, 'lrand48_r mrand48_r'),
  functions('int', `unsigned short *, ${STEP}, long *`, 'nrand48_r jrand48_r'),
  functions('int', `long, ${STEP}`, 'srand48_r'),
  functions('int', `unsigned short *, ${STEP}`, 'seed48_r lcong48_r'),
  functions('__UINT32_TYPE__', 'void', 'arc4random'),
  functions('void', 'void *, size_t', 'arc4random_buf'),
  functions('__UINT32_TYPE__', '__UINT32_TYPE__', 'arc4random_uniform'),
].join('');

const NUMBERS_IN_TEXT = [
  functions('double', TEXT, 'atof'),
  functions('int', TEXT, 'atoi'),
  functions('long', TEXT, 'atol a64l'),
  functions('long long', TEXT, 'atoll'),
  functions('double', END, 'strtod'),
  functions('float', END, 'strtof'),
  functions('long double', END, 'strtold'),
  functions('long', `${END}, int`, 'strtol'),
  functions('unsigned long', `${END}, int`, 'strtoul'),
  functions('long long', `${END}, int`, 'strtoll strtoq'),
  functions('unsigned long long', `${END}, int`, 'strtoull strtouq'),
  functions('char *', 'long', 'l64a'),
  functions('char *', `double, ${DIGITS}`, 'ecvt fcvt'),
  functions('char *', `long double, ${DIGITS}`, 'qecvt qfcvt'),
  functions('char *', 'double, int, char *', 'gcvt'),
  functions('char *', 'long double, int, char *', 'qgcvt'),
  functions('int', `double, ${DIGITS}, char *, size_t`, 'ecvt_r fcvt_r'),
  functions('int', `long double, ${DIGITS}, char *, size_t`, 'qecvt_r qfcvt_r'),
].join('');

const GNU = [
  LOCALE_T,
  functions('double', `${END}, locale_t`, 'strtod_l'),
  functions('float', `${END}, locale_t`, 'strtof_l'),
  functions('long double', `${END}, locale_t`, 'strtold_l'),
  functions('long', `${END}, int, locale_t`, 'strtol_l'),
  functions('unsigned long', `${END}, int, locale_t`, 'strtoul_l'),
  functions('long long', `${END}, int, locale_t`, 'strtoll_l'),
  functions('unsigned long long', `${END}, int, locale_t`, 'strtoull_l'),
  functions('int', `char *, size_t, ${TEXT}, double`, 'strfromd'),
  functions('int', `char *, size_t, ${TEXT}, float`, 'strfromf'),
  functions('int', `char *, size_t, ${TEXT}, long double`, 'strfroml'),
  functions('char *', TEXT, 'secure_getenv canonicalize_file_name'),
  functions('int', 'char *, int', 'mkostemp mkostemp64 mkstemps64'),
  functions('int', 'char *, int, int', 'mkostemps mkostemps64'),
  functions('int', 'char *', 'mkstemp64'),
  functions('void', 'void *, size_t, size_t, int (*)(const void *, const void *, void *), void *', 'qsort_r'),
  functions('int', 'int', 'posix_openpt grantpt unlockpt'),
  functions('int', 'void', 'getpt'),
  functions('char *', 'int', 'ptsname'),
  functions('int', 'int, char *, size_t', 'ptsname_r'),
  'typedef int (*comparison_fn_t)(const void *, const void *);\n',
].join('');

export const STDLIB = [
  '#include <features.h>\n#define _STDLIB_H 1\n',
  NULL,
  SIZE_T,
  WCHAR_T,
  '#include <sys/types.h>\n#include <alloca.h>\n',
  constants('EXIT_SUCCESS 0 EXIT_FAILURE 1 RAND_MAX 2147483647 MB_CUR_MAX (__ctype_get_mb_cur_max())'),
  constants('WNOHANG 1 WUNTRACED 2 WSTOPPED 2 WEXITED 4 WCONTINUED 8 WNOWAIT 0x01000000'),
  STATUS,
  'typedef struct { int quot; int rem; } div_t;\n',
  'typedef struct { long quot; long rem; } ldiv_t;\n',
  'typedef struct { long long quot; long long rem; } lldiv_t;\n',
  functions('size_t', 'void', '__ctype_get_mb_cur_max'),
  NUMBERS_IN_TEXT,
  RANDOM,
  // Memory
  functions('void *', 'size_t', 'malloc valloc'),
  functions('void *', 'size_t, size_t', 'calloc aligned_alloc'),
  functions('void *', 'void *, size_t', 'realloc'),
  functions('void *', 'void *, size_t, size_t', 'reallocarray'),
  functions('int', 'void **, size_t, size_t', 'posix_memalign'),
  functions('void', 'void *', 'free'),
  // Ends, and what is around the program
  functions('_Noreturn void', 'void', 'abort'),
  functions('_Noreturn void', 'int', 'exit quick_exit _Exit'),
  functions('int', 'void (*)(void)', 'atexit at_quick_exit'),
  functions('int', 'void (*)(int, void *), void *', 'on_exit'),
  functions('char *', TEXT, 'getenv'),
  functions('int', 'char *', 'putenv mkstemp'),
  functions('int', `${TEXT}, ${TEXT}, int`, 'setenv'),
  functions('int', TEXT, 'unsetenv system rpmatch'),
  functions('int', 'void', 'clearenv'),
  functions('char *', 'char *', 'mktemp mkdtemp'),
  functions('int', 'char *, int', 'mkstemps'),
  functions('char *', `${TEXT}, char *`, 'realpath'),
  functions('int', 'char **, char *const *, char **', 'getsubopt'),
  functions('int', 'double *, int', 'getloadavg'),
  // Sorting, arithmetic, characters of several bytes
  functions('void *', `const void *, const void *, size_t, size_t, ${COMPARISON}`, 'bsearch'),
  functions('void', `void *, size_t, size_t, ${COMPARISON}`, 'qsort'),
  functions('int', 'int', 'abs'),
  functions('long', 'long', 'labs'),
  functions('long long', 'long long', 'llabs'),
  functions('div_t', 'int, int', 'div'),
  functions('ldiv_t', 'long, long', 'ldiv'),
  functions('lldiv_t', 'long long, long long', 'lldiv'),
  functions('int', `${TEXT}, size_t`, 'mblen'),
  functions('int', `wchar_t *, ${TEXT}, size_t`, 'mbtowc'),
  functions('int', 'char *, wchar_t', 'wctomb'),
  functions('size_t', `wchar_t *, ${TEXT}, size_t`, 'mbstowcs'),
  functions('size_t', 'char *, const wchar_t *, size_t', 'wcstombs'),
  onlyGnu(GNU),
].join('');

export const ALLOCA = [
  '#include <features.h>\n#define _ALLOCA_H 1\n',
  SIZE_T,
  functions('void *', 'size_t', 'alloca'),
  '#define alloca(size) __builtin_alloca(size)\n',
].join('');
