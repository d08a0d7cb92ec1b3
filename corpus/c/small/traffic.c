// Expected: refuted. Two crossing lights; the night programme forgets one of them.
#include <stdbool.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
enum light { RED, YELLOW, GREEN };
struct crossing { enum light a, b; bool night; };

static inline void advance(struct crossing *c)
{
    switch (c->a) {
    case GREEN: c->a = YELLOW; break;
    case YELLOW: c->a = RED; c->b = GREEN; break;
    case RED:
        if (c->b == GREEN) c->b = YELLOW;
        else if (c->b == YELLOW) { c->b = RED; c->a = GREEN; }
        break;
    }
    if (c->night)
        c->a = YELLOW;
}

int main(void)
{
    struct crossing c = { .a = GREEN, .b = RED, .night = false };
    for (;;) {
        c.night = __VERIFIER_nondet_bool();
        advance(&c);
        if (c.a != RED && c.b == GREEN)
            reach_error();
    }
}
