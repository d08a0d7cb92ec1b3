/* Dining philosophers. Forks are threads of their own; taking and putting them are events shared by the two. */

extern void think(int who);
extern void take(int fork, int who);
extern void put(int fork, int who);
extern void eat(int who);
extern int __VERIFIER_nondet_int(void);
extern int wait_taken(int fork);

/* A philosopher that always reaches for the fork on the left first. */
static void meal_left_first(int me, int left, int right)
{
    take(left, me);
    take(right, me);
    eat(me);
    put(right, me);
    put(left, me);
}

static void meal_right_first(int me, int left, int right)
{
    take(right, me);
    take(left, me);
    eat(me);
    put(left, me);
    put(right, me);
}

void philosopher(int me)
{
    int left = me;
    int right = (me + 1) % N;
    int meals = 0;
    for (;;) {
        think(me);
#ifdef ORDERED
        /* One of them takes the forks in the other order: no circle of waiting. */
        if (left < right)
            meal_left_first(me, left, right);
        else
            meal_right_first(me, left, right);
#else
        meal_left_first(me, left, right);
#endif
        if (meals < 3)
            meals++;
    }
}

/* A fork: it lies on the table or in the hand of one of its two neighbours. */
void fork_thread(int me)
{
    int owner_is_left = 0;
    int on_table = 1;
    int right = me;                 /* whose left fork it is */
    int left = (me + N - 1) % N;    /* whose right fork it is */
    for (;;) {
        if (on_table) {
            owner_is_left = wait_taken(me);
            on_table = 0;
        } else if (owner_is_left) {
            put(me, left);
            on_table = 1;
        } else {
            put(me, right);
            on_table = 1;
        }
    }
}
