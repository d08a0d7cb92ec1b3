// <pthread.h> and <semaphore.h>: types of the sizes that glibc gives them on x86-64, whose first word holds the state of the object (lower/pthread.ts).

const CALLS: readonly string[] = [
  'int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)',
  'int pthread_join(pthread_t, void **)',
  'int pthread_detach(pthread_t)',
  'pthread_t pthread_self(void)',
  'int pthread_equal(pthread_t, pthread_t)',
  'void pthread_exit(void *)',
  'int pthread_cancel(pthread_t)',
  'int pthread_attr_init(pthread_attr_t *)',
  'int pthread_attr_destroy(pthread_attr_t *)',
  'int pthread_attr_setdetachstate(pthread_attr_t *, int)',
  'int pthread_once(pthread_once_t *, void (*)(void))',
  ...['init(pthread_mutex_t *, const pthread_mutexattr_t *)', 'destroy(pthread_mutex_t *)'].map(
    (rest) => `int pthread_mutex_${rest}`,
  ),
  ...['lock', 'trylock', 'unlock'].map((name) => `int pthread_mutex_${name}(pthread_mutex_t *)`),
  'int pthread_mutexattr_init(pthread_mutexattr_t *)',
  'int pthread_mutexattr_settype(pthread_mutexattr_t *, int)',
  'int pthread_mutexattr_destroy(pthread_mutexattr_t *)',
  'int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *)',
  'int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *)',
  'int pthread_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *)',
  ...['destroy', 'signal', 'broadcast'].map((name) => `int pthread_cond_${name}(pthread_cond_t *)`),
  'int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *)',
  ...['destroy', 'rdlock', 'wrlock', 'tryrdlock', 'trywrlock', 'unlock'].map(
    (name) => `int pthread_rwlock_${name}(pthread_rwlock_t *)`,
  ),
  'int pthread_spin_init(pthread_spinlock_t *, int)',
  ...['destroy', 'lock', 'trylock', 'unlock'].map((name) => `int pthread_spin_${name}(pthread_spinlock_t *)`),
  'int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *, unsigned)',
  ...['destroy', 'wait'].map((name) => `int pthread_barrier_${name}(pthread_barrier_t *)`),
  'int pthread_key_create(pthread_key_t *, void (*)(void *))',
  'void *pthread_getspecific(pthread_key_t)',
  'int pthread_setspecific(pthread_key_t, const void *)',
  'int sched_yield(void)',
];

/** A name, and how many bytes it has. */
const TYPES: readonly (readonly [string, number])[] = [
  ['pthread_mutex_t', 40],
  ['pthread_cond_t', 48],
  ['pthread_rwlock_t', 56],
  ['pthread_barrier_t', 32],
  ['pthread_attr_t', 56],
  ['pthread_condattr_t', 4],
  ['pthread_mutexattr_t', 4],
  ['pthread_rwlockattr_t', 8],
  ['pthread_barrierattr_t', 4],
];

const typeOf = ([name, bytes]: readonly [string, number]): string =>
  bytes % 8 === 0
    ? `typedef struct { int __state[${bytes / 4}]; } __attribute__((aligned(8))) ${name};`
    : `typedef struct { int __state; } ${name};`;

export const PTHREAD = `
#define NULL ((void *)0)
typedef unsigned long pthread_t; typedef unsigned pthread_key_t; typedef int pthread_once_t; typedef volatile int pthread_spinlock_t;
struct timespec;
${TYPES.map(typeOf).join('\n')}
#define PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define PTHREAD_COND_INITIALIZER { { 0 } }
#define PTHREAD_RWLOCK_INITIALIZER { { 0 } }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
${CALLS.map((call) => `${call};`).join('\n')}
`;

export const SEMAPHORE = `
typedef struct { int __state[8]; } __attribute__((aligned(8))) sem_t;
int sem_init(sem_t *, int, unsigned); int sem_destroy(sem_t *);
int sem_wait(sem_t *); int sem_trywait(sem_t *); int sem_post(sem_t *); int sem_getvalue(sem_t *, int *);
`;
