/* What else POSIX has: a barrier, a semaphore, a read-write lock, pthread_once, a spin lock, atomic built-ins. BUG_BARRIER: one comes too few. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t slots;
int table, prepared, users, serial, spun;

static void prepare(void) { prepared++; }

void *worker(void *arg)
{
    pthread_once(&once, prepare);
    sem_wait(&slots);
    int now = __atomic_add_fetch(&users, 1, __ATOMIC_SEQ_CST);
    assert(now == 1);
    __atomic_sub_fetch(&users, 1, __ATOMIC_SEQ_CST);
    sem_post(&slots);
    if (arg) {
        pthread_rwlock_wrlock(&table_lock);
        table = 1;
        table = 2;
        pthread_rwlock_unlock(&table_lock);
    } else {
        pthread_rwlock_rdlock(&table_lock);
        assert(table == 0 || table == 2);
        pthread_rwlock_unlock(&table_lock);
    }
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
    assert(prepared == 1 && spun == 2);
    return 0;
}

int main(void)
{
    pthread_t a, b;
#ifdef BUG_BARRIER
    pthread_barrier_init(&barrier, NULL, 3);
#else
    pthread_barrier_init(&barrier, NULL, 2);
#endif
    sem_init(&slots, 0, 1);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, &table);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(serial == 1);
    return 0;
}
