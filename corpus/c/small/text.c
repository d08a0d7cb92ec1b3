// Expected: proved. Strings and memory functions.
#include <string.h>
#include <assert.h>

int main(void)
{
    char buffer[16];
    const char *word = "spill";
    unsigned long n = 5;
    memset(buffer, 0, sizeof buffer);
    memcpy(buffer, word, 5);
    buffer[n] = 'w';
    assert(n == 5);
    assert(buffer[0] == 's' && buffer[5] == 'w' && buffer[6] == '\0');
    return 0;
}
