/* Peterson's algorithm. In plain C its flags race, and nothing can be said; ATOMIC: it excludes. BUG_ORDER: the turn is given away before the flag is raised. */
#include <pthread.h>
#include <assert.h>
#ifdef ATOMIC
_Atomic
#endif
int flag1, flag2, turn;
int inside;

void *first(void *arg)
{
#ifdef BUG_ORDER
    turn = 1;
    flag1 = 1;
#else
    flag1 = 1;
    turn = 1;
#endif
    while (flag2 == 1 && turn == 1)
        ;
    inside = 1;
    assert(inside == 1);
    flag1 = 0;
    return 0;
}

void *second(void *arg)
{
    flag2 = 1;
    turn = 0;
    while (flag1 == 1 && turn == 0)
        ;
    inside = 2;
    assert(inside == 2);
    flag2 = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
