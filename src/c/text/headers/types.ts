// <sys/types.h> with <endian.h> and <sys/select.h>, <features.h>, and the small headers about types.

import {
  constants,
  functions,
  NULL,
  OFF_T,
  PID_T,
  SIGSET_T,
  SIZE_T,
  SSIZE_T,
  TIME_T,
  TIMESPEC,
  typedefs,
  WCHAR_T,
} from './pieces.ts';

/** What glibc makes of the macros by which a program says what it wants. */
export const FEATURES = `${['8', '16', '32', '64'].map((bits) => `typedef __INT${bits}_TYPE__ __int${bits}_t;\ntypedef __UINT${bits}_TYPE__ __uint${bits}_t;\n`).join('')}
#define _FEATURES_H 1
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GNU_LIBRARY__ 6
#ifdef _GNU_SOURCE
${constants('_ISOC95_SOURCE 1 _ISOC99_SOURCE 1 _ISOC11_SOURCE 1 _ISOC2X_SOURCE 1 _DEFAULT_SOURCE 1 _ATFILE_SOURCE 1')}
${constants('_POSIX_SOURCE 1 _POSIX_C_SOURCE 200809L _XOPEN_SOURCE 700 _XOPEN_SOURCE_EXTENDED 1 _LARGEFILE64_SOURCE 1')}
#elif defined _DEFAULT_SOURCE || (!defined __STRICT_ANSI__ && !defined _POSIX_SOURCE && !defined _POSIX_C_SOURCE && \\
  !defined _XOPEN_SOURCE && !defined _ISOC99_SOURCE && !defined _ISOC11_SOURCE && !defined _ISOC2X_SOURCE)
${constants('_DEFAULT_SOURCE 1 _ATFILE_SOURCE 1 _POSIX_SOURCE 1')}
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#endif
`;

export const STDDEF = [
  '#define _STDDEF_H\n',
  NULL,
  SIZE_T,
  WCHAR_T,
  typedefs('__PTRDIFF_TYPE__', 'ptrdiff_t'),
  `typedef struct { long long __whole __attribute__((__aligned__(__alignof__(long long))));
  long double __broken __attribute__((__aligned__(__alignof__(long double))));
#ifdef __i386__
  char __quadruple[16] __attribute__((__aligned__(16)));
#endif
  } max_align_t;\n`,
  '#define offsetof(TYPE, MEMBER) __builtin_offsetof(TYPE, MEMBER)\n',
].join('');

export const STDBOOL = constants('_STDBOOL_H 1 bool _Bool true 1 false 0 __bool_true_false_are_defined 1');

const swapped = (bits: number): string =>
  ['be', 'le']
    .flatMap((order) =>
      [`htole${bits}`.replace('le', order), `${order}${bits}toh`].map((name) => [order, name]),
    )
    .map(([order, name]) =>
      order === 'be'
        ? `#define ${name}(x) __builtin_bswap${bits}(x)\n`
        : `#define ${name}(x) ((__UINT${bits}_TYPE__)(x))\n`,
    )
    .join('');

export const ENDIAN = [
  '#include <features.h>\n#define _ENDIAN_H 1\n',
  constants('__LITTLE_ENDIAN 1234 __BIG_ENDIAN 4321 __PDP_ENDIAN 3412 __BYTE_ORDER __LITTLE_ENDIAN'),
  constants(
    'LITTLE_ENDIAN __LITTLE_ENDIAN BIG_ENDIAN __BIG_ENDIAN PDP_ENDIAN __PDP_ENDIAN BYTE_ORDER __BYTE_ORDER',
  ),
  [16, 32, 64].map(swapped).join(''),
].join('');

const SETS = 'int, fd_set *, fd_set *, fd_set *';

export const SELECT = [
  '#include <features.h>\n#define _SYS_SELECT_H 1\n',
  SIGSET_T,
  TIMESPEC,
  typedefs('long', 'suseconds_t fd_mask'),
  `${TIME_T}struct timeval { time_t tv_sec; suseconds_t tv_usec; };\n`,
  '#ifdef _GNU_SOURCE\n#define __fds_bits fds_bits\n#endif\n',
  'typedef struct { long __fds_bits[1024 / (8 * sizeof(long))]; } fd_set;\n',
  constants('FD_SETSIZE 1024 NFDBITS (8*(int)sizeof(long))'),
  `#define FD_SET(fd, set) ((void)((set)->__fds_bits[(fd) / NFDBITS] |= (long)(1UL << ((fd) % NFDBITS))))
#define FD_CLR(fd, set) ((void)((set)->__fds_bits[(fd) / NFDBITS] &= ~(long)(1UL << ((fd) % NFDBITS))))
#define FD_ISSET(fd, set) (((set)->__fds_bits[(fd) / NFDBITS] & (long)(1UL << ((fd) % NFDBITS))) != 0)
#define FD_ZERO(set) do { unsigned __i; for (__i = 0; __i < 1024 / NFDBITS; ++__i) (set)->__fds_bits[__i] = 0; } while (0)
`,
  functions('int', `${SETS}, struct timeval *`, 'select'),
  functions('int', `${SETS}, const struct timespec *, const sigset_t *`, 'pselect'),
].join('');

export const SYS_TYPES = [
  '#include <features.h>\n#define _SYS_TYPES_H 1\n',
  SIZE_T,
  OFF_T,
  SSIZE_T,
  PID_T,
  TIME_T,
  typedefs('unsigned char', 'u_char u_int8_t'),
  typedefs('unsigned short', 'u_short ushort u_int16_t'),
  typedefs('unsigned', 'u_int uint u_int32_t uid_t gid_t mode_t id_t'),
  typedefs('unsigned long', 'u_long ulong ino_t fsblkcnt_t fsfilcnt_t'),
  typedefs('long', 'clock_t blksize_t blkcnt_t'),
  typedefs('int', 'key_t clockid_t daddr_t'),
  typedefs('__INT8_TYPE__', 'int8_t'),
  typedefs('__INT16_TYPE__', 'int16_t'),
  typedefs('__INT32_TYPE__', 'int32_t'),
  typedefs('__INT64_TYPE__', 'int64_t quad_t loff_t'),
  typedefs('__UINT64_TYPE__', 'u_int64_t u_quad_t dev_t'),
  typedefs('__SIZE_TYPE__', 'nlink_t'),
  typedefs('__PTRDIFF_TYPE__', 'register_t'),
  typedefs('char *', 'caddr_t'),
  typedefs('void *', 'timer_t'),
  'typedef struct { int __val[2]; } fsid_t;\n',
  '#ifdef _GNU_SOURCE\n',
  typedefs('__INT64_TYPE__', 'off64_t blkcnt64_t'),
  typedefs('__UINT64_TYPE__', 'ino64_t fsblkcnt64_t fsfilcnt64_t'),
  typedefs('unsigned', 'useconds_t'),
  '#endif\n#include <endian.h>\n#include <sys/select.h>\n#include <bits/pthreadtypes.h>\n',
].join('');
