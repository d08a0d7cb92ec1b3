// Expected: refuted. Off by one in a loop over an array.
#include <assert.h>
#define SIZE 10
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[SIZE];
    int i, max;
    for (i = 0; i < SIZE; i++)
        a[i] = __VERIFIER_nondet_int();
    max = a[0];
    for (i = 1; i < SIZE - 1; i++)
        if (a[i] > max)
            max = a[i];
    for (i = 0; i < SIZE; i++)
        assert(a[i] <= max);
    return 0;
}
