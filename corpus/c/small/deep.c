// Expected: refuted. An error after a thousand turns and one particular input.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int good = 0, i;
    for (i = 0; i < 1000; i++) {
        int x = __VERIFIER_nondet_int();
        if (x == 4711 - i)
            good++;
        if (good < 0)
            return 0;
    }
    if (i == 1000 && good >= 2)
        reach_error();
    return 0;
}
