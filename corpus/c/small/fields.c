// Expected: proved. Bit-fields, unions used one at a time, sizes.
#include <stdint.h>
#include <stddef.h>
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct flags { unsigned ready : 1; unsigned mode : 3; signed level : 4; };
union number { uint32_t whole; uint8_t parts[4]; };
struct pair { char tag; int32_t value; };

int main(void)
{
    struct flags f = { 0 };
    union number n;
    f.mode = __VERIFIER_nondet_uchar();
    f.level = 9;
    f.ready = 1;
    assert(f.mode <= 7);
    assert(f.level == -7);
    assert(f.ready == 1);
    n.whole = 0x01020304;
    assert(n.whole == 16909060u);
    assert(sizeof(struct pair) == 8 && offsetof(struct pair, value) == 4);
    return 0;
}
