// The system headers that code under verification includes, as far as their declarations matter. What the functions do is
// known to the lowering (lower/library.ts); everything else stays undefined and is treated as such.

import { FLOAT, FLOAT_MACROS, MATH } from './float-headers.ts';
import { PTHREAD, SEMAPHORE } from './thread-headers.ts';

/** Limits of the types of at least some width, and the macros for constants. */
function leastAndFast(): string {
  const lines = ['8', '16', '32', '64'].flatMap((width) => {
    const fast = width === '16' || width === '32' ? 'PTR' : width;
    const limits = [
      ['LEAST', width],
      ['_FAST', fast],
    ].flatMap(([kind, as]) =>
      ['INT_MIN', 'INT_MAX', 'UINT_MAX'].map((limit) => {
        const [type, end] = limit.split('_');
        return `#define ${type}_${kind!.replace('_', '')}${width}_${end} ${type}${as}_${end}`;
      }),
    );
    const [signed, unsigned] = width === '64' ? ['##L', '##UL'] : ['', width === '32' ? '##U' : ''];
    return [...limits, `#define INT${width}_C(c) c${signed}`, `#define UINT${width}_C(c) c${unsigned}`];
  });
  return `${lines.join('\n')}\n#define INTMAX_C(c) INT64_C(c)\n#define UINTMAX_C(c) UINT64_C(c)\n`;
}

const STDINT = `
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t; typedef long intmax_t; typedef unsigned long uintmax_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647-1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-9223372036854775807L-1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define INTPTR_MAX __INTPTR_MAX__
#define INTPTR_MIN (-INTPTR_MAX-1)
#define UINTPTR_MAX __UINTPTR_MAX__
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define PTRDIFF_MIN (-PTRDIFF_MAX-1)
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define WCHAR_MAX __WCHAR_MAX__
#define WCHAR_MIN (-WCHAR_MAX-1)
typedef int8_t int_least8_t, int_fast8_t; typedef uint8_t uint_least8_t, uint_fast8_t;
typedef int16_t int_least16_t; typedef int32_t int_least32_t; typedef int64_t int_least64_t, int_fast64_t;
typedef uint16_t uint_least16_t; typedef uint32_t uint_least32_t; typedef uint64_t uint_least64_t, uint_fast64_t;
typedef intptr_t int_fast16_t, int_fast32_t; typedef uintptr_t uint_fast16_t, uint_fast32_t;
${leastAndFast()}`;

const STDDEF = `
typedef unsigned long size_t; typedef long ptrdiff_t; typedef int wchar_t;
#define NULL ((void *)0)
`;

const LIMITS = `
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647-1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L-1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL-1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
`;

// The lowering knows assert by its name.
const ASSERT = `
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#endif
`;

const STDLIB = `${STDDEF}
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void *realloc(void *, size_t); extern void free(void *);
extern int atoi(const char *); extern long atol(const char *); extern long labs(long); extern long long llabs(long long); extern int atexit(void (*)(void));
extern char *getenv(const char *); extern int system(const char *); extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
typedef struct { int quot, rem; } div_t; typedef struct { long quot, rem; } ldiv_t;
extern div_t div(int, int); extern ldiv_t ldiv(long, long); extern double atof(const char *); extern long long atoll(const char *);
extern long strtol(const char *, char **, int); extern unsigned long strtoul(const char *, char **, int); extern double strtod(const char *, char **);
extern long long strtoll(const char *, char **, int); extern unsigned long long strtoull(const char *, char **, int); extern void *aligned_alloc(size_t, size_t);
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *)); extern void _Exit(int); extern void quick_exit(int);
extern void abort(void); extern void exit(int); extern int abs(int); extern int rand(void); extern void srand(unsigned int);
`;

const STRING = `${STDDEF}
extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t); extern void *memmove(void *, const void *, size_t);
extern int memcmp(const void *, const void *, size_t); extern size_t strlen(const char *); extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t); extern char *strcpy(char *, const char *); extern char *strncpy(char *, const char *, size_t);
extern char *strcat(char *, const char *); extern char *strchr(const char *, int); extern char *strrchr(const char *, int); extern char *strstr(const char *, const char *);
extern char *strncat(char *, const char *, size_t); extern size_t strnlen(const char *, size_t); extern char *strtok(char *, const char *); extern size_t strspn(const char *, const char *);
extern size_t strcspn(const char *, const char *); extern char *strpbrk(const char *, const char *); extern char *strdup(const char *); extern char *strerror(int); extern void *memchr(const void *, int, size_t);
`;

const STDIO = `${STDDEF}
typedef struct _IO_FILE FILE; extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
typedef long off_t; typedef long ssize_t; extern int fseeko(FILE *, off_t, int); extern off_t ftello(FILE *);
extern int fputc(int, FILE *); extern int putc(int, FILE *); extern int getc(FILE *); extern int ungetc(int, FILE *); extern int sscanf(const char *, const char *, ...);
extern size_t fread(void *, size_t, size_t, FILE *); extern size_t fwrite(const void *, size_t, size_t, FILE *); extern int fseek(FILE *, long, int); extern long ftell(FILE *);
extern int feof(FILE *); extern int ferror(FILE *); extern void rewind(FILE *); extern int remove(const char *); extern int rename(const char *, const char *);
extern int printf(const char *, ...); extern int puts(const char *); extern int putchar(int); extern int getchar(void);
extern int fprintf(FILE *, const char *, ...); extern int sprintf(char *, const char *, ...); extern int snprintf(char *, size_t, const char *, ...);
extern int scanf(const char *, ...); extern int fscanf(FILE *, const char *, ...); extern int fflush(FILE *); extern void perror(const char *);
extern int fputs(const char *, FILE *); extern int fgetc(FILE *); extern char *fgets(char *, int, FILE *); extern FILE *fopen(const char *, const char *); extern int fclose(FILE *);
`;

/** PRId64 and its like. */
function formatMacros(): string {
  const widths = [
    ['8', 'hh'],
    ['16', 'h'],
    ['32', ''],
    ['64', 'l'],
    ['MAX', 'l'],
    ['PTR', 'l'],
  ] as const;
  const lines = [...'diouxX'].flatMap((letter) =>
    widths.map(([width, length]) => {
      const scan = letter === 'X' ? '' : `#define SCN${letter}${width} "${length}${letter}"\n`;
      // Arguments narrower than int are printed as int.
      return `#define PRI${letter}${width} "${length === 'l' ? 'l' : ''}${letter}"\n${scan}`;
    }),
  );
  return lines.join('');
}

export const SYSTEM_HEADERS: ReadonlyMap<string, string> = new Map([
  ['stdint.h', STDINT],
  ['inttypes.h', STDINT + formatMacros()],
  ['stddef.h', STDDEF],
  ['stdbool.h', '#define bool _Bool\n#define true 1\n#define false 0\n'],
  ['limits.h', LIMITS],
  ['float.h', FLOAT],
  ['math.h', MATH],
  ['assert.h', ASSERT],
  ['pthread.h', PTHREAD],
  ['sched.h', 'int sched_yield(void);'],
  ['semaphore.h', SEMAPHORE],
  ['stdlib.h', STDLIB],
  ['string.h', STRING],
  ['stdio.h', STDIO],
  ['alloca.h', `${STDDEF}void *alloca(size_t size);\n`],
  [
    'errno.h',
    'extern int errno;\n#define EPERM 1\n#define ENOENT 2\n#define EINTR 4\n#define EIO 5\n#define ENOMEM 12\n#define EACCES 13\n#define EBUSY 16\n#define EEXIST 17\n#define EDOM 33\n#define ERANGE 34\n#define EAGAIN 11\n#define EINVAL 22\n#define ETIMEDOUT 110\n',
  ],
]);

const MAXIMA: readonly (readonly [name: string, value: string, bits: number])[] = [
  ['SCHAR', '0x7f', 8],
  ['SHRT', '0x7fff', 16],
  ['INT', '0x7fffffff', 32],
  ['LONG', '0x7fffffffffffffffL', 64],
  ['LONG_LONG', '0x7fffffffffffffffLL', 64],
  ['SIZE', '0xffffffffffffffffUL', 64],
  ['PTRDIFF', '0x7fffffffffffffffL', 64],
  ['INTMAX', '0x7fffffffffffffffL', 64],
  ['UINTMAX', '0xffffffffffffffffUL', 64],
  ['INTPTR', '0x7fffffffffffffffL', 64],
  ['UINTPTR', '0xffffffffffffffffUL', 64],
  ['WCHAR', '0x7fffffff', 32],
  ['INT8', '0x7f', 8],
  ['INT16', '0x7fff', 16],
  ['INT32', '0x7fffffff', 32],
  ['INT64', '0x7fffffffffffffffL', 64],
  ['UINT8', '0xff', 8],
  ['UINT16', '0xffff', 16],
  ['UINT32', '0xffffffffU', 32],
  ['UINT64', '0xffffffffffffffffUL', 64],
];

const TYPES: readonly (readonly [name: string, type: string])[] = [
  ['SIZE', 'long unsigned int'],
  ['PTRDIFF', 'long int'],
  ['WCHAR', 'int'],
  ['WINT', 'unsigned int'],
  ['INTMAX', 'long int'],
  ['UINTMAX', 'long unsigned int'],
  ['INTPTR', 'long int'],
  ['UINTPTR', 'long unsigned int'],
  ['INT8', 'signed char'],
  ['INT16', 'short int'],
  ['INT32', 'int'],
  ['INT64', 'long int'],
  ['UINT8', 'unsigned char'],
  ['UINT16', 'short unsigned int'],
  ['UINT32', 'unsigned int'],
  ['UINT64', 'long unsigned int'],
];

/** Macros that gcc on LP64 predefines and that code asks for. */
/** What the compiler will write there nobody knows; as long as the real text. */
const DATE_MARK = '\\1'.repeat(11);
const TIME_MARK = '\\2'.repeat(8);
/** Does a string literal hold the time of its compilation? */
export const hasCompileTime = (literal: string): boolean =>
  literal.includes(DATE_MARK) || literal.includes(TIME_MARK);

export const PREDEFINED = `
#define __STDC__ 1
#define __STDC_VERSION__ 201710L
#define __STDC_HOSTED__ 1
#define __GNUC__ 12
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 0
#define __GNUC_STDC_INLINE__ 1
#define _LP64 1
#define __LP64__ 1
#define __x86_64__ 1
#define __x86_64 1
#define __amd64__ 1
#define __linux__ 1
#define __linux 1
#define linux 1
#define __unix__ 1
#define __unix 1
#define unix 1
#define __gnu_linux__ 1
#define __ELF__ 1
#define __SPILLWAY__ 1
#define __CHAR_BIT__ 8
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_PDP_ENDIAN__ 3412
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_INT128__ 16
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __BIGGEST_ALIGNMENT__ 16
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
#define __USER_LABEL_PREFIX__
#define __VERSION__ "12.2.0"
#define __DATE__ "${DATE_MARK}"
#define __TIME__ "${TIME_MARK}"
#define __TIMESTAMP__ "${DATE_MARK} ${TIME_MARK}XXXX"
${MAXIMA.map(([name, value]) => `#define __${name}_MAX__ ${value}\n`).join('')}
${['SCHAR', 'SHRT', 'INT', 'LONG', 'LONG_LONG', 'SIZE', 'PTRDIFF', 'INTMAX', 'INTPTR', 'WCHAR']
  .map((name) => `#define __${name}_WIDTH__ ${MAXIMA.find(([known]) => known === name)![2]}\n`)
  .join('')}
${TYPES.map(([name, type]) => `#define __${name}_TYPE__ ${type}\n`).join('')}
${FLOAT_MACROS}
`;

/** The same text for i386: what has 64 bits is `long long` there, what follows the size of a pointer has 32. */
export function forILP32(text: string): string {
  return text
    .replace(/typedef (unsigned )?long (u?int(?:64|max)_t)/g, 'typedef $1long long $2')
    .replace(/#define (__U?INT(?:64|MAX)_TYPE__) long (unsigned )?int/g, '#define $1 long long $2int')
    .replace(/typedef (unsigned )?long ((?:u?intptr|s?size|ptrdiff)_t)/g, 'typedef $1int $2')
    .replace('typedef int wchar_t', 'typedef long wchar_t')
    .replace(/#define (__(?:SIZE|UINTPTR)_TYPE__) long unsigned int/g, '#define $1 unsigned int')
    .replace(/#define (__(?:PTRDIFF|INTPTR)_TYPE__) long int/g, '#define $1 int')
    .replace('#define __WCHAR_TYPE__ int', '#define __WCHAR_TYPE__ long int')
    .replace(/^#define (?:_LP64|__LP64__|__x86_64__|__x86_64|__amd64__|__SIZEOF_INT128__) .*$/gm, '')
    .replace(/^(#define __SIZEOF_(?:LONG|POINTER|SIZE_T|PTRDIFF_T)__) 8$/gm, '$1 4')
    .replace(/^(#define __SIZEOF_LONG_DOUBLE__) 16$/gm, '$1 12')
    .replace(/^(#define __(?:PTRDIFF|INTPTR)_MAX__) .*$/gm, '$1 0x7fffffff')
    .replace(/^(#define __(?:LONG|WCHAR)_MAX__) .*$/gm, '$1 0x7fffffffL')
    .replace(/^(#define __(?:SIZE|UINTPTR)_MAX__) .*$/gm, '$1 0xffffffffU')
    .replace(/^(#define __(?:LONG|SIZE|PTRDIFF|INTPTR)_WIDTH__) 64$/gm, '$1 32')
    .replace(/^#define LONG_MIN .*$/gm, '#define LONG_MIN (-2147483647L-1)')
    .replace(/^#define LONG_MAX .*$/gm, '#define LONG_MAX 2147483647L')
    .replace(/^#define ULONG_MAX .*$/gm, '#define ULONG_MAX 4294967295UL')
    .replace(/^#define SIZE_MAX .*$/gm, '#define SIZE_MAX 4294967295U')
    .replace(/^(#define U?INT64_(?:MIN|MAX) .*)$/gm, (line) => line.replace(/(\d)(U?)L\b/g, '$1$2LL'))
    .replace(/^(#define U?INT64_C\(c\) c##U?)L$/gm, '$1LL');
}
