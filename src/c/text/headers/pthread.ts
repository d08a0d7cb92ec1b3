// <pthread.h> and <semaphore.h>: types of the sizes that glibc gives them, whose first word holds the state of the object
// (lower/pthread.ts).

import { constants, functions, NULL, onlyGnu, SIZE_T, TIMESPEC, typedefs } from './pieces.ts';

/** A name, and how many bytes it has on x86-64 and on i386. */
const TYPES: readonly (readonly [name: string, wide: number, narrow: number])[] = [
  ['pthread_mutex_t', 40, 24],
  ['pthread_cond_t', 48, 48],
  ['pthread_rwlock_t', 56, 32],
  ['pthread_barrier_t', 32, 20],
  ['pthread_attr_t', 56, 36],
  ['pthread_rwlockattr_t', 8, 8],
];
const SMALL = ['pthread_condattr_t', 'pthread_mutexattr_t', 'pthread_barrierattr_t'];

const typeOf = ([name, wide, narrow]: readonly [string, number, number]): string =>
  `typedef struct { int __state[sizeof(long) == 8 ? ${wide / 4} : ${narrow / 4}]; } __attribute__((aligned(__SIZEOF_LONG__))) ${name};\n`;

export const PTHREAD_TYPES = [
  ...TYPES.map(typeOf),
  ...SMALL.map((name) => `typedef struct { int __state; } ${name};\n`),
  typedefs('unsigned long', 'pthread_t'),
  typedefs('unsigned', 'pthread_key_t'),
  typedefs('int', 'pthread_once_t'),
  typedefs('volatile int', 'pthread_spinlock_t'),
].join('');

/** Constants that glibc writes as enumerations; of some there are macros of the same name. */
const constantsOf = (names: string): string => `enum { ${names.trim().split(/\s+/).join(', ')} };\n`;
const alsoMacros = (names: string): string =>
  constantsOf(names) +
  names
    .split(' ')
    .map((name) => `#define ${name} ${name}\n`)
    .join('');

const CONSTANTS = [
  alsoMacros('PTHREAD_CREATE_JOINABLE PTHREAD_CREATE_DETACHED'),
  alsoMacros('PTHREAD_INHERIT_SCHED PTHREAD_EXPLICIT_SCHED'),
  alsoMacros('PTHREAD_SCOPE_SYSTEM PTHREAD_SCOPE_PROCESS'),
  alsoMacros('PTHREAD_PROCESS_PRIVATE PTHREAD_PROCESS_SHARED'),
  alsoMacros('PTHREAD_CANCEL_ENABLE PTHREAD_CANCEL_DISABLE'),
  alsoMacros('PTHREAD_CANCEL_DEFERRED PTHREAD_CANCEL_ASYNCHRONOUS'),
  constantsOf(
    'PTHREAD_MUTEX_TIMED_NP PTHREAD_MUTEX_RECURSIVE_NP PTHREAD_MUTEX_ERRORCHECK_NP PTHREAD_MUTEX_ADAPTIVE_NP',
  ),
  'enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_DEFAULT = 0 };\n',
  'enum { PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_STALLED_NP = 0, PTHREAD_MUTEX_ROBUST, PTHREAD_MUTEX_ROBUST_NP = 1 };\n',
  constantsOf('PTHREAD_PRIO_NONE PTHREAD_PRIO_INHERIT PTHREAD_PRIO_PROTECT'),
  `enum { PTHREAD_RWLOCK_PREFER_READER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NP, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
  PTHREAD_RWLOCK_DEFAULT_NP = 0 };\n`,
  constants('PTHREAD_ONCE_INIT 0 PTHREAD_BARRIER_SERIAL_THREAD -1 PTHREAD_STACK_MIN 16384'),
  '#define PTHREAD_CANCELED ((void *)-1)\n',
  ...['MUTEX', 'COND', 'RWLOCK'].map((name) => `#define PTHREAD_${name}_INITIALIZER { { 0 } }\n`),
].join('');

/** What is set and asked of attributes in the same way. */
const property = (of: string, type: string, names: string): string =>
  names
    .split(' ')
    .map(
      (name) =>
        functions('int', `const ${of}_t *, ${type} *`, `${of}_get${name}`) +
        functions('int', `${of}_t *, ${type}`, `${of}_set${name}`),
    )
    .join('');
const made = (of: string): string => functions('int', `${of}_t *`, `${of}_init ${of}_destroy`);
const calls = (of: string, names: string): string =>
  functions('int', `${of}_t *`, names.replace(/\w+/g, `${of}_$&`));

const ATTR = 'pthread_attr_t *';
const MUTEX = 'pthread_mutex_t *';
const COND = 'pthread_cond_t *';
const UNTIL = 'const struct timespec *';

const ATTRIBUTES = [
  ...['attr', 'mutexattr', 'condattr', 'rwlockattr', 'barrierattr'].map((name) => made(`pthread_${name}`)),
  property('pthread_attr', 'int', 'detachstate schedpolicy inheritsched scope'),
  property('pthread_attr', 'size_t', 'guardsize stacksize'),
  property('pthread_attr', 'void *', 'stackaddr'),
  functions('int', `const ${ATTR}, struct sched_param *`, 'pthread_attr_getschedparam'),
  functions('int', `${ATTR}, const struct sched_param *`, 'pthread_attr_setschedparam'),
  functions('int', `const ${ATTR}, void **, size_t *`, 'pthread_attr_getstack'),
  functions('int', `${ATTR}, void *, size_t`, 'pthread_attr_setstack'),
  property('pthread_mutexattr', 'int', 'pshared type protocol prioceiling robust'),
  property('pthread_condattr', 'int', 'pshared'),
  property('pthread_condattr', 'clockid_t', 'clock'),
  property('pthread_rwlockattr', 'int', 'pshared kind_np'),
  property('pthread_barrierattr', 'int', 'pshared'),
].join('');

const THREADS = [
  functions('int', `pthread_t *, const ${ATTR}, void *(*)(void *), void *`, 'pthread_create'),
  functions('int', 'pthread_t, void **', 'pthread_join'),
  functions('int', 'pthread_t', 'pthread_detach pthread_cancel'),
  functions('pthread_t', 'void', 'pthread_self'),
  functions('int', 'pthread_t, pthread_t', 'pthread_equal'),
  functions('_Noreturn void', 'void *', 'pthread_exit'),
  functions('int', 'pthread_t, int, const struct sched_param *', 'pthread_setschedparam'),
  functions('int', 'pthread_t, int *, struct sched_param *', 'pthread_getschedparam'),
  functions('int', 'pthread_t, int', 'pthread_setschedprio'),
  functions('int', 'pthread_once_t *, void (*)(void)', 'pthread_once'),
  functions('int', 'int, int *', 'pthread_setcancelstate pthread_setcanceltype'),
  functions('void', 'void', 'pthread_testcancel'),
  functions('int', 'pthread_key_t *, void (*)(void *)', 'pthread_key_create'),
  functions('int', 'pthread_key_t', 'pthread_key_delete'),
  functions('void *', 'pthread_key_t', 'pthread_getspecific'),
  functions('int', 'pthread_key_t, const void *', 'pthread_setspecific'),
  functions('int', 'pthread_t, clockid_t *', 'pthread_getcpuclockid'),
  functions('int', 'void (*)(void), void (*)(void), void (*)(void)', 'pthread_atfork'),
  // Macros in glibc, with a jump in them: here functions that nobody defines.
  functions('void', 'void (*)(void *), void *', 'pthread_cleanup_push'),
  functions('void', 'int', 'pthread_cleanup_pop'),
].join('');

const LOCKS = [
  functions('int', `${MUTEX}, const pthread_mutexattr_t *`, 'pthread_mutex_init'),
  calls('pthread_mutex', 'destroy lock trylock unlock consistent'),
  functions('int', `${MUTEX}, ${UNTIL}`, 'pthread_mutex_timedlock'),
  functions('int', `const ${MUTEX}, int *`, 'pthread_mutex_getprioceiling'),
  functions('int', `${MUTEX}, int, int *`, 'pthread_mutex_setprioceiling'),
  functions('int', `${COND}, const pthread_condattr_t *`, 'pthread_cond_init'),
  calls('pthread_cond', 'destroy signal broadcast'),
  functions('int', `${COND}, ${MUTEX}`, 'pthread_cond_wait'),
  functions('int', `${COND}, ${MUTEX}, ${UNTIL}`, 'pthread_cond_timedwait'),
  functions('int', 'pthread_rwlock_t *, const pthread_rwlockattr_t *', 'pthread_rwlock_init'),
  calls('pthread_rwlock', 'destroy rdlock wrlock tryrdlock trywrlock unlock'),
  functions('int', `pthread_rwlock_t *, ${UNTIL}`, 'pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock'),
  functions('int', 'pthread_spinlock_t *, int', 'pthread_spin_init'),
  functions(
    'int',
    'pthread_spinlock_t *',
    'pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock',
  ),
  functions('int', 'pthread_barrier_t *, const pthread_barrierattr_t *, unsigned', 'pthread_barrier_init'),
  calls('pthread_barrier', 'destroy wait'),
].join('');

const GNU = [
  'enum { PTHREAD_MUTEX_FAST_NP };\n',
  functions('int', 'pthread_t, void **', 'pthread_tryjoin_np'),
  functions('int', `pthread_t, void **, ${UNTIL}`, 'pthread_timedjoin_np'),
  functions('int', `pthread_t, void **, clockid_t, ${UNTIL}`, 'pthread_clockjoin_np'),
  functions('int', 'void', 'pthread_yield pthread_getconcurrency'),
  functions('int', 'int', 'pthread_setconcurrency'),
  functions('int', 'pthread_t, const char *', 'pthread_setname_np'),
  functions('int', 'pthread_t, char *, size_t', 'pthread_getname_np'),
  functions('int', 'pthread_t, size_t, const cpu_set_t *', 'pthread_setaffinity_np'),
  functions('int', 'pthread_t, size_t, cpu_set_t *', 'pthread_getaffinity_np'),
  functions('int', `${ATTR}, size_t, const cpu_set_t *`, 'pthread_attr_setaffinity_np'),
  functions('int', `const ${ATTR}, size_t, cpu_set_t *`, 'pthread_attr_getaffinity_np'),
  functions('int', ATTR, 'pthread_getattr_default_np'),
  functions('int', `const ${ATTR}`, 'pthread_setattr_default_np'),
  functions('int', `pthread_t, ${ATTR}`, 'pthread_getattr_np'),
  calls('pthread_mutex', 'consistent_np'),
  functions('int', 'pthread_mutexattr_t *, int *', 'pthread_mutexattr_getrobust_np'),
  functions('int', 'pthread_mutexattr_t *, int', 'pthread_mutexattr_setrobust_np'),
  functions('int', `${MUTEX}, clockid_t, ${UNTIL}`, 'pthread_mutex_clocklock'),
  functions('int', `${COND}, ${MUTEX}, clockid_t, ${UNTIL}`, 'pthread_cond_clockwait'),
  functions(
    'int',
    `pthread_rwlock_t *, clockid_t, ${UNTIL}`,
    'pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock',
  ),
].join('');

export const PTHREAD = [
  '#include <features.h>\n#include <sched.h>\n#include <time.h>\n#include <bits/pthreadtypes.h>\n#define _PTHREAD_H 1\n',
  NULL,
  SIZE_T,
  CONSTANTS,
  THREADS,
  ATTRIBUTES,
  LOCKS,
  onlyGnu(GNU),
].join('');

export const SEMAPHORE = [
  '#include <features.h>\n#include <sys/types.h>\n#define _SEMAPHORE_H 1\n',
  TIMESPEC,
  typeOf(['sem_t', 32, 16]),
  '#define SEM_FAILED ((sem_t *)0)\n',
  functions('int', 'sem_t *, int, unsigned', 'sem_init'),
  functions('int', 'sem_t *', 'sem_destroy sem_close sem_wait sem_trywait sem_post'),
  functions('sem_t *', 'const char *, int, ...', 'sem_open'),
  functions('int', 'const char *', 'sem_unlink'),
  functions('int', `sem_t *, ${UNTIL}`, 'sem_timedwait'),
  functions('int', 'sem_t *, int *', 'sem_getvalue'),
  onlyGnu(functions('int', `sem_t *, clockid_t, ${UNTIL}`, 'sem_clockwait')),
].join('');
