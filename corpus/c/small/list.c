// Expected: proved. A short list on the heap.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
typedef struct node { int value; struct node *next; } node_t;

int main(void)
{
    node_t *head = NULL;
    int i, n = 0;
    for (i = 0; i < 3; i++) {
        node_t *fresh = (node_t *)malloc(sizeof *fresh);
        if (fresh == NULL)
            abort();
        fresh->value = i;
        fresh->next = head;
        head = fresh;
    }
    for (node_t *at = head; at != NULL; at = at->next)
        n += at->value;
    if (n != 3)
        reach_error();
    return 0;
}
