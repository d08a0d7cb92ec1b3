// Expected: refuted. Two ways to compute a parity; one of them forgets the top bit.
typedef unsigned char u8;
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    u8 v = __VERIFIER_nondet_uchar();
    u8 a = v, p1 = 0, p2;
    int i;
    for (i = 0; i < 7; i++) {
        p1 ^= (u8)(a & 1);
        a >>= 1;
    }
    p2 = v;
    p2 ^= p2 >> 4;
    p2 ^= p2 >> 2;
    p2 ^= p2 >> 1;
    p2 &= 1;
    if (p1 != p2)
        reach_error();
    return 0;
}
