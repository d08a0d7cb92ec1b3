// Expected: proved. A bound that only a loop invariant shows.
#include <assert.h>
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int i = 0, j = 0;
    while (i < n) {
        i++;
        j++;
    }
    assert(i == j);
    return 0;
}
