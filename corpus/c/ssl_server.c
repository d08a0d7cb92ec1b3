/*
 * The server's side of a handshake in the manner of SSL 3: one loop over states. Messages are events shared with the client; either side may
 * find a message malformed or unexpected and end the handshake by an alert. `last` remembers the last message, so that properties can
 * also be stated by states alone.
 *
 * Seeded faults of the two sides, each by a macro of its own:
 *   BUG_RESUME  the server takes a resumed session for complete before the client has changed its cipher
 *   BUG_REKEY   the client may send its key once more after changing the cipher, and the server takes it
 *   BUG_CERT    the server takes a key in place of the certificate it asked for, from a client that has none
 *   BUG_SILENT  the server ends on a malformed message with an alert, but without reporting the error
 */

#include "ssl.h"

extern int send_to_client(int message);     /* 1: sent. 0: the client has sent an alert instead. */
extern int receive_from_client(void);       /* The message; R_ALERT, R_MALFORMED. */
extern int server_alert(void);
extern int server_open(void);               /* 1: data can flow. 0: the client has sent an alert. */
extern void server_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define CACHE_SIZE 4

struct cipher {
    unsigned char algorithm;
    unsigned char needs_key;
    unsigned char strength;
};

struct cached_session {
    unsigned int id;
    unsigned char algorithm;
    unsigned char valid;
};

struct ssl_server {
    int state;
    int last;
    int hit;
    int want_cert;
    int cert_seen;
    int keys;
    int alerted;
    unsigned int session_id;
    struct cipher cipher;
};

static struct cached_session cache[CACHE_SIZE];

/* Which cipher, and whether it needs a key exchange of its own, is the server's choice. */
static void choose_cipher(struct cipher *cipher)
{
    unsigned char preference = __VERIFIER_nondet_uchar();
    cipher->algorithm = preference & 7;
    cipher->needs_key = cipher->algorithm < 3;
    cipher->strength = cipher->algorithm > 4 ? 2 : 1;
}

/* A session that the client wants to take up again; it is not used twice at a time. */
static int find_session(struct ssl_server *s, unsigned int id)
{
    int i;
    for (i = 0; i < CACHE_SIZE; i++) {
        if (!cache[i].valid || cache[i].id != id)
            continue;
        s->cipher.algorithm = cache[i].algorithm;
        cache[i].valid = 0;
        return 1;
    }
    return 0;
}

static void remember_session(const struct ssl_server *s)
{
    struct cached_session *slot = &cache[s->session_id % CACHE_SIZE];
    slot->id = s->session_id;
    slot->algorithm = s->cipher.algorithm;
    slot->valid = 1;
}

static void fail(struct ssl_server *s)
{
    if (!s->alerted && !server_alert())
        s->alerted = 1;
    s->state = SR_ERROR;
}

/* The next message of the client; 0 when there is none and the state has been changed accordingly. */
static int get_message(struct ssl_server *s)
{
    int got = receive_from_client();
    switch (got) {
    case R_ALERT:
        s->alerted = 1;
        s->state = SR_ERROR;
        return 0;
    case R_MALFORMED:
        fail(s);
#ifdef BUG_SILENT
        s->state = SR_CLOSED;
#endif
        return 0;
    default:
        return got;
    }
}

/* A message that must be `wanted`; then the handshake is in state `next`. */
static int expect(struct ssl_server *s, int wanted, int next)
{
    int got = get_message(s);
    if (got == 0)
        return 0;
    if (got != wanted) {
        fail(s);
        return 0;
    }
    s->last = got;
    s->state = next;
    return 1;
}

static void put_message(struct ssl_server *s, int message, int next)
{
    if (!send_to_client(message)) {
        s->alerted = 1;
        s->state = SR_ERROR;
        return;
    }
    s->last = message;
    s->state = next;
}

static void on_client_hello(struct ssl_server *s)
{
    int got = get_message(s);
    if (got == 0)
        return;
    switch (got) {
    case M_CLIENT_HELLO:
        s->session_id = __VERIFIER_nondet_uint();
        break;
    case M_RESUMING_HELLO:
        /* If the session is unknown or too old, the client hears of it in our hello. */
        s->session_id = __VERIFIER_nondet_uint();
        s->hit = find_session(s, s->session_id) || __VERIFIER_nondet_uchar() > 100;
        break;
    default:
        fail(s);
        return;
    }
    s->last = M_CLIENT_HELLO;
    s->state = SR_SERVER_HELLO;
}

static void on_server_hello(struct ssl_server *s)
{
    if (s->hit) {
        put_message(s, M_RESUMING_SERVER_HELLO, SR_SERVER_CCS);
        return;
    }
    choose_cipher(&s->cipher);
    put_message(s, M_SERVER_HELLO, SR_SERVER_CERT);
}

static void on_server_done(struct ssl_server *s)
{
    put_message(s, M_SERVER_DONE, s->want_cert ? SR_CLIENT_CERT : SR_CLIENT_KEY);
}

static void on_client_cert(struct ssl_server *s)
{
#ifdef BUG_CERT
    int got = get_message(s);
    if (got == 0)
        return;
    if (got == M_CLIENT_KEY) {
        s->last = got;
        s->keys++;
        s->state = SR_CLIENT_CCS;
        return;
    }
    if (got != M_CLIENT_CERT) {
        fail(s);
        return;
    }
    s->last = got;
    s->state = SR_CLIENT_KEY;
    s->cert_seen = 1;
#else
    if (expect(s, M_CLIENT_CERT, SR_CLIENT_KEY))
        s->cert_seen = 1;
#endif
}

static void on_client_finished(struct ssl_server *s)
{
    int got = get_message(s);
    if (got == 0)
        return;
    switch (got) {
    case M_CLIENT_FINISHED:
        s->last = got;
        s->state = s->hit ? SR_OPEN : SR_SERVER_CCS;
        break;
#ifdef BUG_REKEY
    case M_CLIENT_KEY:
        s->last = got;
        s->keys++;
        break;
#endif
    default:
        fail(s);
        break;
    }
}

static void on_server_finished(struct ssl_server *s)
{
#ifdef BUG_RESUME
    put_message(s, M_SERVER_FINISHED, SR_OPEN);
#else
    put_message(s, M_SERVER_FINISHED, s->hit ? SR_CLIENT_CCS : SR_OPEN);
#endif
}

static void on_open(struct ssl_server *s)
{
    if (!server_open()) {
        s->alerted = 1;
        s->state = SR_ERROR;
        return;
    }
    remember_session(s);
    s->state = SR_OK;
}

void ssl_server(void)
{
    struct ssl_server s = { SR_HELLO_REQUEST, M_NONE };
    int running = 1;
    while (running) {
        switch (s.state) {
        case SR_HELLO_REQUEST:
            put_message(&s, M_HELLO_REQUEST, SR_CLIENT_HELLO);
            break;
        case SR_CLIENT_HELLO:
            on_client_hello(&s);
            break;
        case SR_SERVER_HELLO:
            on_server_hello(&s);
            break;
        case SR_SERVER_CERT:
            if (s.cipher.algorithm != 0)
                put_message(&s, M_SERVER_CERT, SR_SERVER_KEY);
            else
                s.state = SR_SERVER_KEY;
            break;
        case SR_SERVER_KEY:
            if (s.cipher.needs_key)
                put_message(&s, M_SERVER_KEY, SR_CERT_REQUEST);
            else
                s.state = SR_CERT_REQUEST;
            break;
        case SR_CERT_REQUEST:
            if (s.cipher.algorithm != 0 && s.cipher.strength > 1) {
                s.want_cert = 1;
                put_message(&s, M_CERT_REQUEST, SR_SERVER_DONE);
            } else {
                s.state = SR_SERVER_DONE;
            }
            break;
        case SR_SERVER_DONE:
            on_server_done(&s);
            break;
        case SR_CLIENT_CERT:
            on_client_cert(&s);
            break;
        case SR_CLIENT_KEY:
            if (expect(&s, M_CLIENT_KEY, s.cert_seen ? SR_CERT_VERIFY : SR_CLIENT_CCS))
                s.keys++;
            break;
        case SR_CERT_VERIFY:
            expect(&s, M_CERT_VERIFY, SR_CLIENT_CCS);
            break;
        case SR_CLIENT_CCS:
            expect(&s, M_CLIENT_CCS, SR_CLIENT_FINISHED);
            break;
        case SR_CLIENT_FINISHED:
            on_client_finished(&s);
            break;
        case SR_SERVER_CCS:
            put_message(&s, M_SERVER_CCS, SR_SERVER_FINISHED);
            break;
        case SR_SERVER_FINISHED:
            on_server_finished(&s);
            break;
        case SR_OPEN:
            on_open(&s);
            break;
        case SR_OK:
            running = 0;
            break;
        case SR_ERROR:
            server_error();
            running = 0;
            break;
        case SR_CLOSED:
            running = 0;
            break;
        default:
            fail(&s);
            break;
        }
    }
}
