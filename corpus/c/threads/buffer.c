/* A producer and a consumer at a buffer of two places. BUG_IF: a wait is not repeated, though waits may end without a signal; BUG_LOST: the consumer signals nothing. */
#include <pthread.h>
#include <assert.h>
#define SIZE 2
int buffer[SIZE], count, in, out;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
void *producer(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
#ifdef BUG_IF
    if (count == SIZE) pthread_cond_wait(&full, &m);
#else
    while (count == SIZE) pthread_cond_wait(&full, &m);
#endif
    buffer[in] = i; in = (in + 1) % SIZE; count++;
    assert(count <= SIZE);
    pthread_cond_signal(&empty);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *consumer(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&empty, &m);
    int got = buffer[out]; out = (out + 1) % SIZE; count--;
    assert(got == i);
#ifndef BUG_LOST
    pthread_cond_signal(&full);
#endif
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0); pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0); pthread_join(c, 0);
  return 0;
}
