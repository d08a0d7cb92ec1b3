// Expected: proved. A loop that ends with what a loop condition says.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    while (b != 0) {
        unsigned char t = a % b;
        if (t >= b)
            reach_error();
        a = b;
        b = t;
    }
    if (b != 0)
        reach_error();
    return 0;
}
