// Expected: refuted. A driver that gives back a lock it does not hold after the last retry.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
__extension__ typedef long long int big;
static big attempts;

int main(void)
{
    int lock = 0, got, old;
    do {
        if (lock == 1) goto ERROR;
        lock = 1;
        old = (int)attempts;
        got = __VERIFIER_nondet_int();
        if (got != 0) {
            lock = 0;
            attempts++;
        }
        if (attempts == 4)
            lock = 0;
    } while (attempts != old);
    if (lock != 1) goto ERROR;
    return 0;
ERROR:
    reach_error();
    return 1;
}
