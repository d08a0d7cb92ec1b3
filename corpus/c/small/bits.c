// Expected: proved. A bit trick: the lowest set bit, and what is left of it.
#include <stdint.h>
extern void reach_error(void);
extern uint32_t __VERIFIER_nondet_uint32_t(void);

int main(void)
{
    uint32_t x = __VERIFIER_nondet_uint32_t();
    uint32_t low = x & -x;
    uint32_t rest = x & (x - 1);
    if ((low ^ rest) != x)
        reach_error();
    if (low != 0 && (low & (low - 1)) != 0)
        reach_error();
    return 0;
}
