/* The client's side of the handshake. */

#include "ssl.h"

extern void recv_hello_request(void);
extern void send_client_hello(void);
extern void send_resuming_hello(void);
extern int recv_server_hello(void);
extern int recv_flight(void);
extern void send_client_cert(void);
extern void send_client_key(void);
extern void send_cert_verify(void);
extern void send_client_ccs(void);
extern void send_client_finished(void);
extern int recv_server_ccs(void);
extern int recv_server_finished(void);
extern void client_error(void);
extern void client_done(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct ssl_client {
    int state;
    int last;
    int hit;
    int asked;
    int peer_cert;
    int peer_key;
    int sent_finished;
    int keys;
};

static void client_message(struct ssl_client *c, int what)
{
    c->last = what;
}

static void check_flight(struct ssl_client *c, int got)
{
    switch (got) {
    case M_SERVER_CERT:
        client_message(c, M_SERVER_CERT);
        c->peer_cert = 1;
        break;
    case M_SERVER_KEY:
        client_message(c, M_SERVER_KEY);
        c->peer_key = 1;
        break;
    case M_CERT_REQUEST:
        client_message(c, M_CERT_REQUEST);
        c->asked = 1;
        break;
    case M_SERVER_DONE:
        client_message(c, M_SERVER_DONE);
        c->state = CR_CLIENT_CERT;
        break;
    case M_SERVER_CCS:
        client_message(c, M_SERVER_CCS);
        c->hit = 1;
        c->state = CR_SERVER_FINISHED;
        break;
    default:
        c->state = CR_ERROR;
        break;
    }
}

void ssl_client(void)
{
    struct ssl_client c = { CR_START, M_NONE };
    int running = 1;
    int got;
    while (running) {
        switch (c.state) {
        case CR_START:
            recv_hello_request();
            client_message(&c, M_HELLO_REQUEST);
            c.state = CR_CLIENT_HELLO;
            break;
        case CR_CLIENT_HELLO:
            if (__VERIFIER_nondet_uchar() > 200)
                send_resuming_hello();
            else
                send_client_hello();
            client_message(&c, M_CLIENT_HELLO);
            c.state = CR_SERVER_HELLO;
            break;
        case CR_SERVER_HELLO:
            got = recv_server_hello();
            if (got < 0) {
                c.state = CR_ERROR;
                break;
            }
            client_message(&c, M_SERVER_HELLO);
            c.state = CR_SERVER_FLIGHT;
            break;
        case CR_SERVER_FLIGHT:
            got = recv_flight();
            check_flight(&c, got);
            break;
        case CR_CLIENT_CERT:
            if (c.asked) {
                send_client_cert();
                client_message(&c, M_CLIENT_CERT);
            }
            c.state = CR_CLIENT_KEY;
            break;
        case CR_CLIENT_KEY:
            send_client_key();
            client_message(&c, M_CLIENT_KEY);
            c.keys++;
            if (c.asked)
                c.state = CR_CERT_VERIFY;
            else
                c.state = CR_CLIENT_CCS;
            break;
        case CR_CERT_VERIFY:
            send_cert_verify();
            client_message(&c, M_CERT_VERIFY);
            c.state = CR_CLIENT_CCS;
            break;
        case CR_CLIENT_CCS:
            send_client_ccs();
            client_message(&c, M_CLIENT_CCS);
            c.state = CR_CLIENT_FINISHED;
            break;
        case CR_CLIENT_FINISHED:
            send_client_finished();
            client_message(&c, M_CLIENT_FINISHED);
            c.sent_finished = 1;
            if (c.hit)
                c.state = CR_OK;
            else
                c.state = CR_SERVER_CCS;
            break;
        case CR_SERVER_CCS:
            got = recv_server_ccs();
            if (got < 0) {
                c.state = CR_ERROR;
                break;
            }
            client_message(&c, M_SERVER_CCS);
            c.state = CR_SERVER_FINISHED;
            break;
        case CR_SERVER_FINISHED:
            got = recv_server_finished();
            if (got < 0) {
                c.state = CR_ERROR;
                break;
            }
            client_message(&c, M_SERVER_FINISHED);
            if (c.hit)
                c.state = CR_CLIENT_CCS;
            else
                c.state = CR_OK;
            break;
        case CR_OK:
            client_done();
            running = 0;
            break;
        case CR_ERROR:
            client_error();
            running = 0;
            break;
        default:
            c.state = CR_ERROR;
            break;
        }
    }
}
