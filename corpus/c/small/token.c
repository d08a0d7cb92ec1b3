// Expected: proved. A resource that is acquired and released through error paths.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int held;
static void acquire(void) { if (held) reach_error(); held = 1; }
static void release(void) { if (!held) reach_error(); held = 0; }

static int transfer(int amount)
{
    int status = -1;
    acquire();
    if (amount < 0)
        goto fail;
    if (__VERIFIER_nondet_int() == 5) {
        release();
        return -2;
    }
    status = 0;
fail:
    release();
    return status;
}

int main(void)
{
    for (;;)
        if (transfer(__VERIFIER_nondet_int()) == -2 && held)
            reach_error();
}
