/* Producers and consumers at a store of CAPACITY places. Each producer numbers its goods; each consumer counts what it takes. */
#include <assert.h>

extern void put(int producer);
extern void get(int consumer);
extern int request(void);   /* 1: somebody puts, 0: somebody gets */
extern int only_put(void);
extern int only_get(void);

void producer(int me)
{
    unsigned char made = 0;
    for (;;) {
        made++;
        if (made > 3)
            made = 1;
        assert(made >= 1 && made <= 3);
        put(me);
    }
}

void consumer(int me)
{
    int taken = 0;
    for (;;) {
        get(me);
        taken = !taken;
        assert(taken == 0 || taken == 1);
    }
}

void store(void)
{
    int stock = 0;
    for (;;) {
        int is_put;
#ifdef BUG_FULL
        if (stock > CAPACITY)
#else
        if (stock == CAPACITY)
#endif
            is_put = only_get();
        else if (stock == 0)
            is_put = only_put();
        else
            is_put = request();
        if (is_put)
            stock++;
        else
            stock--;
        assert(stock >= 0 && stock <= CAPACITY);
    }
}
