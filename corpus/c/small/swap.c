// Expected: proved. Pointers to locals.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void swap(int *restrict a, int *restrict b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int ox = x, oy = y;
    int *p = &x, **pp = &p;
    swap(*pp, &y);
    assert(x == oy && y == ox);
    *pp = &y;
    **pp = 7;
    assert(y == 7 && x == oy);
    return 0;
}
