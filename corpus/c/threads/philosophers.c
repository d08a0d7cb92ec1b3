/* N philosophers, each a thread, each fork a mutex. ORDERED: the fork with the lower number first; else they can all wait for each other. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

pthread_mutex_t forks[N];
int meals;
pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

void *philosopher(void *arg)
{
    int me = (int)(long)arg;
    int first = me, second = (me + 1) % N;
#ifdef ORDERED
    if (first > second) {
        first = second;
        second = me;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_lock(&counting);
    meals++;
    pthread_mutex_unlock(&counting);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(meals == N);
    return 0;
}
