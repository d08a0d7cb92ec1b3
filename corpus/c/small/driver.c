// Expected: proved. The same driver, as it should be: a correlation between two counters.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int lock = 0;
    unsigned attempts = 0, old;
    do {
        if (lock == 1) goto ERROR;
        lock = 1;
        old = attempts;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            attempts++;
        }
    } while (attempts != old);
    if (lock != 1) goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 1;
}
