// The system headers that code under verification includes, as far as their declarations matter. What the functions do is
// known to the lowering (lower/library.ts); everything else stays undefined and is treated as such.

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
`;

const STDDEF = `
typedef unsigned long size_t; typedef long ptrdiff_t;
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
extern void *malloc(size_t); extern void *calloc(size_t, size_t); extern void free(void *);
extern void abort(void); extern void exit(int); extern int abs(int); extern int rand(void); extern void srand(unsigned int);
`;

const STRING = `${STDDEF}
extern void *memset(void *, int, size_t); extern void *memcpy(void *, const void *, size_t);
`;

const STDIO = `${STDDEF}
extern int printf(const char *, ...); extern int puts(const char *); extern int putchar(int);
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
  ['assert.h', ASSERT],
  ['stdlib.h', STDLIB],
  ['string.h', STRING],
  ['stdio.h', STDIO],
  [
    'errno.h',
    'extern int errno;\n#define EINTR 4\n#define EAGAIN 11\n#define EINVAL 22\n#define ETIMEDOUT 110\n',
  ],
]);

/** Macros that gcc on LP64 predefines and that code asks for. */
export const PREDEFINED = `
#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __LP64__ 1
#define __x86_64__ 1
#define __linux__ 1
#define __SPILLWAY__ 1
#define __inline inline
#define __inline__ inline
#define __volatile__ volatile
#define __restrict
#define __restrict__
#define restrict
#define __extension__
#define __const const
#define __signed__ signed
#define _Noreturn
#define __builtin_expect(e, v) (e)
`;
