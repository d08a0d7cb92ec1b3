// Expected: refuted. The middle of two numbers, computed the short way.
#include <limits.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 0;
    int middle = (low + high) / 2;
    if (middle < low || middle > high)
        reach_error();
    return 0;
}
