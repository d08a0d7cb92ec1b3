// Expected: proved. Sorting three numbers.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define ORDER(a, b) do { if ((a) > (b)) { int t = (a); (a) = (b); (b) = t; } } while (0)

int main(void)
{
    int v[3] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    ORDER(v[0], v[1]);
    ORDER(v[1], v[2]);
    ORDER(v[0], v[1]);
    assert(v[0] <= v[1] && v[1] <= v[2]);
    return 0;
}
