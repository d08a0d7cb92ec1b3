// Expected: refuted. A ring whose full and empty look the same after it went round.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
#define LENGTH 4
static int ring[LENGTH];
static unsigned in, out, stored;

static int put(int v)
{
    if ((in + 1) % LENGTH == out % LENGTH && stored > LENGTH)
        return 0;
    ring[in] = v;
    in = (in + 1) % LENGTH;
    stored++;
    return 1;
}

static int get(int *v)
{
    if (stored == 0)
        return 0;
    *v = ring[out];
    out = (out + 1) % LENGTH;
    stored--;
    return 1;
}

int main(void)
{
    int v;
    for (;;) {
        if (__VERIFIER_nondet_uchar() & 1)
            put(1);
        else
            get(&v);
        assert(stored <= LENGTH);
    }
}
