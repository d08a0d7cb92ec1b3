// Expected: proved. Headers of the system, and a function nobody defines here.
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <errno.h>
#include <unistd.h>
#include <assert.h>
extern char __VERIFIER_nondet_char(void);

static __attribute__((unused)) int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : -1;
}

int main(int argc, char **argv)
{
    char c = __VERIFIER_nondet_char();
    int d = digit_of(c);
    (void)argc;
    (void)argv;
    if (isdigit((unsigned char)c))
        printf("%c\n", c);
    assert(d >= -1 && d <= 9);
    if (d < 0)
        exit(EXIT_FAILURE);
    assert(d != 10);
    return 0;
}
