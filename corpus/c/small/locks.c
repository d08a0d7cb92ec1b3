// Expected: proved. Three locks, each taken on some condition and given back on the same one.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "locks.c", 4, "reach_error"); }
extern int __VERIFIER_nondet_int();

int main()
{
    int p1 = __VERIFIER_nondet_int(), p2 = __VERIFIER_nondet_int(), p3 = __VERIFIER_nondet_int();
    int lk1, lk2, lk3;
    int cond;
    while (1) {
        cond = __VERIFIER_nondet_int();
        if (cond == 0) goto out;
        lk1 = 0; lk2 = 0; lk3 = 0;
        if (p1 != 0) lk1 = 1;
        if (p2 != 0) lk2 = 1;
        if (p3 != 0) lk3 = 1;
        if (p1 != 0) { if (lk1 != 1) goto ERROR; lk1 = 0; }
        if (p2 != 0) { if (lk2 != 1) goto ERROR; lk2 = 0; }
        if (p3 != 0) { if (lk3 != 1) goto ERROR; lk3 = 0; }
    }
out:
    return 0;
ERROR:
    { reach_error(); abort(); }
    return 0;
}
