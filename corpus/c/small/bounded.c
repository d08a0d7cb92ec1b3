// Expected: proved. A counter whose bounds are invariants: up and down between 0 and a limit.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static const int limit = 1000000;

int main(void)
{
    int level = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 0) {
            if (level < limit)
                level++;
        } else if (level > 0) {
            level--;
        }
        if (level < 0 || level > limit)
            reach_error();
    }
    return 0;
}
