/* Two threads count together. LOCKED: under a mutex; ATOMIC: a counter of C11; else by `count++`, which loses increments. */
#include <assert.h>
#include <pthread.h>

#ifdef ATOMIC
_Atomic int count;
#else
int count;
#endif
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *counting(void *arg)
{
    for (int i = 0; i < (int)(long)arg; i++) {
#ifdef LOCKED
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
#else
        count++;
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    void *result;
    int all = 0;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, counting, (void *)(i + 1));
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &result);
        all += (int)(long)result;
    }
    assert(all == 3);
    assert(count == 3);
    return 0;
}
