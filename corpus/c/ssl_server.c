/*
 * The server's side of a handshake in the manner of SSL 3: one loop over states. Messages are events shared with the client; `last`
 * remembers the last one, so that properties can also be stated by states alone.
 */

#include "ssl.h"

extern int recv_client_hello(void);
extern int recv_client_cert(void);
extern int recv_client_key(void);
extern int recv_cert_verify(void);
extern int recv_client_ccs(void);
extern int recv_client_finished(void);
extern void send_hello_request(void);
extern void send_server_hello(void);
extern void send_server_cert(void);
extern void send_server_key(void);
extern void send_cert_request(void);
extern void send_server_done(void);
extern void send_server_ccs(void);
extern void send_server_finished(void);
extern void send_server_alert(void);
extern void server_error(void);
extern void server_done(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct cipher {
    unsigned char algorithm;
    unsigned char needs_key;
    unsigned char strength;
};

struct ssl_server {
    int state;
    int last;
    int hit;
    int want_cert;
    int cert_seen;
    int ccs_seen;
    int keys;
    int failed;
    struct cipher cipher;
};

/* Which cipher, and whether it needs a key exchange of its own, is the server's choice. */
static void choose_cipher(struct cipher *cipher)
{
    unsigned char preference = __VERIFIER_nondet_uchar();
    cipher->algorithm = preference & 7;
    cipher->needs_key = cipher->algorithm < 3;
    cipher->strength = cipher->algorithm > 4 ? 2 : 1;
}

static void fail(struct ssl_server *s)
{
    s->failed = 1;
    s->state = SR_ERROR;
}

static void message(struct ssl_server *s, int what)
{
    s->last = what;
}

static void expect(struct ssl_server *s, int got, int what, int next)
{
    if (got < 0) {
        fail(s);
        return;
    }
    message(s, what);
    s->state = next;
}

void ssl_server(void)
{
    struct ssl_server s = { SR_HELLO_REQUEST, M_NONE };
    int running = 1;
    int got;
    while (running) {
        switch (s.state) {
        case SR_HELLO_REQUEST:
            send_hello_request();
            message(&s, M_HELLO_REQUEST);
            s.state = SR_CLIENT_HELLO;
            break;
        case SR_CLIENT_HELLO:
            got = recv_client_hello();
            expect(&s, got, M_CLIENT_HELLO, SR_SERVER_HELLO);
            if (got > 1)
                s.hit = 1;
            break;
        case SR_SERVER_HELLO:
            choose_cipher(&s.cipher);
            send_server_hello();
            message(&s, M_SERVER_HELLO);
            if (s.hit)
                s.state = SR_SERVER_CCS;
            else
                s.state = SR_SERVER_CERT;
            break;
        case SR_SERVER_CERT:
            if (s.cipher.algorithm != 0) {
                send_server_cert();
                message(&s, M_SERVER_CERT);
            }
            s.state = SR_SERVER_KEY;
            break;
        case SR_SERVER_KEY:
            if (s.cipher.needs_key) {
                send_server_key();
                message(&s, M_SERVER_KEY);
            }
            s.state = SR_CERT_REQUEST;
            break;
        case SR_CERT_REQUEST:
            if (s.cipher.algorithm != 0 && s.cipher.strength > 1) {
                send_cert_request();
                message(&s, M_CERT_REQUEST);
                s.want_cert = 1;
            }
            s.state = SR_SERVER_DONE;
            break;
        case SR_SERVER_DONE:
            send_server_done();
            message(&s, M_SERVER_DONE);
            if (s.want_cert)
                s.state = SR_CLIENT_CERT;
            else
                s.state = SR_CLIENT_KEY;
            break;
        case SR_CLIENT_CERT:
            got = recv_client_cert();
            expect(&s, got, M_CLIENT_CERT, SR_CLIENT_KEY);
            if (got > 0)
                s.cert_seen = 1;
            break;
        case SR_CLIENT_KEY:
            got = recv_client_key();
            s.keys++;
            if (s.cert_seen)
                expect(&s, got, M_CLIENT_KEY, SR_CERT_VERIFY);
            else
                expect(&s, got, M_CLIENT_KEY, SR_CLIENT_CCS);
            break;
        case SR_CERT_VERIFY:
            got = recv_cert_verify();
            expect(&s, got, M_CERT_VERIFY, SR_CLIENT_CCS);
            break;
        case SR_CLIENT_CCS:
            got = recv_client_ccs();
            expect(&s, got, M_CLIENT_CCS, SR_CLIENT_FINISHED);
            if (got >= 0)
                s.ccs_seen = 1;
            break;
        case SR_CLIENT_FINISHED:
            got = recv_client_finished();
            if (s.hit)
                expect(&s, got, M_CLIENT_FINISHED, SR_OK);
            else
                expect(&s, got, M_CLIENT_FINISHED, SR_SERVER_CCS);
            break;
        case SR_SERVER_CCS:
            send_server_ccs();
            message(&s, M_SERVER_CCS);
            s.state = SR_SERVER_FINISHED;
            break;
        case SR_SERVER_FINISHED:
            send_server_finished();
            message(&s, M_SERVER_FINISHED);
#ifdef BROKEN
            /* A resumed session goes on without the client's word. */
            s.state = SR_OK;
#else
            if (s.hit)
                s.state = SR_CLIENT_CCS;
            else
                s.state = SR_OK;
#endif
            break;
        case SR_OK:
            server_done();
            running = 0;
            break;
        case SR_ERROR:
            server_error();
            running = 0;
            break;
        default:
            fail(&s);
            break;
        }
    }
}
