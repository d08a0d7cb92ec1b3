// Expected: proved. Functions through a table, and one that calls itself a little.
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int minus(int x) { return -x; }
static int (*const table[])(int) = { twice, square, minus };
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int main(void)
{
    unsigned int which = __VERIFIER_nondet_uint() % 3u;
    int y = table[which](3);
    if (y != 6 && y != 9 && y != -3)
        reach_error();
    if (factorial(4) != 24)
        reach_error();
    return 0;
}
