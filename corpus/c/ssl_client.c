/* The client's side of the handshake. */

#include "ssl.h"

extern int send_to_server(int message);     /* 1: sent. 0: the server has sent an alert instead. */
extern int receive_from_server(void);       /* The message; R_ALERT, R_MALFORMED. */
extern int client_alert(void);
extern int client_open(void);
extern void client_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct ssl_client {
    int state;
    int last;
    int hit;
    int asked;
    int have_cert;
    int peer_cert;
    int peer_key;
    int alerted;
    int keys;
};

static void client_fail(struct ssl_client *c)
{
    if (!c->alerted && !client_alert())
        c->alerted = 1;
    c->state = CR_ERROR;
}

static int client_get(struct ssl_client *c)
{
    int got = receive_from_server();
    if (got == R_ALERT) {
        c->alerted = 1;
        c->state = CR_ERROR;
        return 0;
    }
    if (got == R_MALFORMED) {
        client_fail(c);
        return 0;
    }
    c->last = got;
    return got;
}

static int client_put(struct ssl_client *c, int message, int next)
{
    if (!send_to_server(message)) {
        c->alerted = 1;
        c->state = CR_ERROR;
        return 0;
    }
    c->last = message;
    c->state = next;
    return 1;
}

static void client_expect(struct ssl_client *c, int wanted, int next)
{
    int got = client_get(c);
    if (got == 0)
        return;
    if (got == wanted)
        c->state = next;
    else
        client_fail(c);
}

static void on_hello(struct ssl_client *c)
{
    switch (client_get(c)) {
    case 0:
        break;
    case M_SERVER_HELLO:
        c->hit = 0;
        c->state = CR_SERVER_FLIGHT;
        break;
    case M_RESUMING_SERVER_HELLO:
        if (!c->hit) {
            /* We did not ask for it. */
            client_fail(c);
            break;
        }
        c->state = CR_SERVER_CCS;
        break;
    default:
        client_fail(c);
        break;
    }
}

/* What the server sends between its hello and its done: in this order, but not everything every time. */
static void on_flight(struct ssl_client *c)
{
    switch (client_get(c)) {
    case 0:
        break;
    case M_SERVER_CERT:
        if (c->peer_cert || c->peer_key || c->asked)
            client_fail(c);
        else
            c->peer_cert = 1;
        break;
    case M_SERVER_KEY:
        if (c->peer_key || c->asked)
            client_fail(c);
        else
            c->peer_key = 1;
        break;
    case M_CERT_REQUEST:
        if (c->asked || !c->peer_cert)
            client_fail(c);
        else
            c->asked = 1;
        break;
    case M_SERVER_DONE:
        c->state = c->asked ? CR_CLIENT_CERT : CR_CLIENT_KEY;
        break;
    default:
        client_fail(c);
        break;
    }
}

static void on_own_cert(struct ssl_client *c)
{
    c->have_cert = __VERIFIER_nondet_uchar() > 50;
#ifdef BUG_CERT
    if (!c->have_cert) {
        c->asked = 0;
        c->state = CR_CLIENT_KEY;
        return;
    }
#endif
    /* Without a certificate of our own we send an empty one. */
    client_put(c, M_CLIENT_CERT, CR_CLIENT_KEY);
}

static void on_own_ccs(struct ssl_client *c)
{
    if (!client_put(c, M_CLIENT_CCS, CR_CLIENT_FINISHED))
        return;
#ifdef BUG_REKEY
    if (__VERIFIER_nondet_uchar() == 77)
        client_put(c, M_CLIENT_KEY, CR_CLIENT_FINISHED);
#endif
}

void ssl_client(void)
{
    struct ssl_client c = { CR_START, M_NONE };
    int running = 1;
    while (running) {
        switch (c.state) {
        case CR_START:
            client_expect(&c, M_HELLO_REQUEST, CR_CLIENT_HELLO);
            break;
        case CR_CLIENT_HELLO:
            if (__VERIFIER_nondet_uchar() > 200) {
                c.hit = 1;
                client_put(&c, M_RESUMING_HELLO, CR_SERVER_HELLO);
            } else {
                client_put(&c, M_CLIENT_HELLO, CR_SERVER_HELLO);
            }
            break;
        case CR_SERVER_HELLO:
            on_hello(&c);
            break;
        case CR_SERVER_FLIGHT:
            on_flight(&c);
            break;
        case CR_CLIENT_CERT:
            on_own_cert(&c);
            break;
        case CR_CLIENT_KEY:
            c.keys++;
            client_put(&c, M_CLIENT_KEY, c.asked ? CR_CERT_VERIFY : CR_CLIENT_CCS);
            break;
        case CR_CERT_VERIFY:
            client_put(&c, M_CERT_VERIFY, CR_CLIENT_CCS);
            break;
        case CR_CLIENT_CCS:
            on_own_ccs(&c);
            break;
        case CR_CLIENT_FINISHED:
            client_put(&c, M_CLIENT_FINISHED, c.hit ? CR_OPEN : CR_SERVER_CCS);
            break;
        case CR_SERVER_CCS:
            client_expect(&c, M_SERVER_CCS, CR_SERVER_FINISHED);
            break;
        case CR_SERVER_FINISHED:
            client_expect(&c, M_SERVER_FINISHED, c.hit ? CR_CLIENT_CCS : CR_OPEN);
            break;
        case CR_OPEN:
            if (client_open()) {
                c.state = CR_OK;
            } else {
                c.alerted = 1;
                c.state = CR_ERROR;
            }
            break;
        case CR_OK:
            running = 0;
            break;
        case CR_ERROR:
            client_error();
            running = 0;
            break;
        default:
            client_fail(&c);
            break;
        }
    }
}
