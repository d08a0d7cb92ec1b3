// Expected: proved. A state machine by goto.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int depth;

int main(void)
{
idle:
    depth = 0;
    if (__VERIFIER_nondet_int())
        goto outer;
    goto idle;
outer:
    depth = 1;
    switch (__VERIFIER_nondet_int()) {
    case 0: goto idle;
    case 1: goto inner;
    default: goto outer;
    }
inner:
    if (depth != 1)
        reach_error();
    depth++;
    if (__VERIFIER_nondet_int() > 3)
        goto leave;
    depth--;
    goto outer;
leave:
    if (depth != 2)
        goto ERROR;
    goto idle;
ERROR:
    reach_error();
    return 1;
}
