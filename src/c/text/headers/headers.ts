// The system headers that are built in: all that Debian's (glibc 2.36) declare for gcc's default mode and for _GNU_SOURCE, in words of our own.
// One text serves both data models. Only the declarations that a program uses are parsed (onlyUsed in system.ts). What the functions do
// is known to the lowering (lower/library.ts); everything else is a function that nobody defines.

import { CTYPE } from './ctype.ts';
import { INTTYPES, STDINT } from './integers.ts';
import { ASSERT, ERRNO, LIMITS } from './limits.ts';
import { FLOAT, MATH } from './math.ts';
import { DEFINITIONS } from './pieces.ts';
import { PTHREAD, PTHREAD_TYPES, SEMAPHORE } from './pthread.ts';
import { STDARG } from './stdarg.ts';
import { STDIO } from './stdio.ts';
import { ALLOCA, STDLIB } from './stdlib.ts';
import { STRING, STRINGS } from './string.ts';
import { SCHED, TIME } from './time.ts';
import { ENDIAN, FEATURES, SELECT, STDBOOL, STDDEF, SYS_TYPES } from './types.ts';

export const SYSTEM_HEADERS: ReadonlyMap<string, string> = new Map([
  ...DEFINITIONS,
  ['alloca.h', ALLOCA],
  ['assert.h', ASSERT],
  ['bits/pthreadtypes.h', PTHREAD_TYPES],
  ['ctype.h', CTYPE],
  ['endian.h', ENDIAN],
  ['errno.h', ERRNO],
  ['features.h', FEATURES],
  ['float.h', FLOAT],
  ['inttypes.h', INTTYPES],
  ['limits.h', LIMITS],
  ['math.h', MATH],
  ['pthread.h', PTHREAD],
  ['sched.h', SCHED],
  ['semaphore.h', SEMAPHORE],
  ['stdarg.h', STDARG],
  ['stdbool.h', STDBOOL],
  ['stddef.h', STDDEF],
  ['stdint.h', STDINT],
  ['stdio.h', STDIO],
  ['stdlib.h', STDLIB],
  ['string.h', STRING],
  ['strings.h', STRINGS],
  ['sys/select.h', SELECT],
  ['sys/types.h', SYS_TYPES],
  ['time.h', TIME],
]);
