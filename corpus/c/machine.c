/*
 * A session protocol as one large switch: thirteen flags, two counters, a state for each message. The environment chooses
 * the messages. What must never happen is checked where it would happen: application data before both sides have finished, keys
 * exchanged twice, a message accepted after closing.
 */

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum state {
    ST_IDLE = 4096,
    ST_ACCEPTING = 4112,
    ST_SEND_HELLO = 4128,
    ST_WAIT_HELLO = 4144,
    ST_CHECK_VERSION = 4160,
    ST_SEND_CERT = 4176,
    ST_WAIT_CERT = 4192,
    ST_CHECK_CERT = 4208,
    ST_SEND_KEY = 4224,
    ST_WAIT_KEY = 4240,
    ST_DERIVE = 4256,
    ST_SEND_CIPHER = 4272,
    ST_WAIT_CIPHER = 4288,
    ST_SEND_FINISHED = 4304,
    ST_WAIT_FINISHED = 4320,
    ST_OPEN = 4336,
    ST_SEND_DATA = 4352,
    ST_READ_DATA = 4368,
    ST_REKEY_REQUEST = 4384,
    ST_REKEY_WAIT = 4400,
    ST_SEND_ALERT = 4416,
    ST_SEND_CLOSE = 4432,
    ST_WAIT_CLOSE = 4448,
    ST_CLOSED = 4464,
    ST_SEND_HEARTBEAT = 8192,
    ST_WAIT_HEARTBEAT = 8208,
    ST_SEND_TICKET = 8224,
    ST_WAIT_TICKET = 8240,
    ST_SEND_WINDOW = 8256,
    ST_WAIT_WINDOW = 8272,
    ST_SEND_PAUSE = 8288,
    ST_WAIT_PAUSE = 8304,
    ST_SEND_PROBE = 8320,
    ST_WAIT_PROBE = 8336,
    ST_SEND_NOTICE = 8352,
    ST_WAIT_NOTICE = 8368,
    ST_RESUME = 4480,
};

enum message {
    MSG_HELLO = 1,
    MSG_CERT = 2,
    MSG_KEY = 3,
    MSG_CIPHER = 4,
    MSG_FINISHED = 5,
    MSG_DATA = 6,
    MSG_REKEY = 7,
    MSG_CLOSE = 8,
    MSG_ALERT = 9,
    MSG_NOTHING = 10,
};

struct session {
    int state;
    int previous;
    int connected;
    int hello_seen;
    int version_agreed;
    int cert_sent;
    int cert_verified;
    int key_exchanged;
    int cipher_on;
    int peer_cipher_on;
    int finished_sent;
    int finished_seen;
    int resuming;
    int closing;
    int alerted;
    int version;
    int retries;
    int pending;
    unsigned char level;
    unsigned long sent;
    unsigned long received;
};

static struct session session;

static void fail(void)
{
    reach_error();
}

static void check(int condition)
{
    if (!condition)
        fail();
}

static int receive(void)
{
    int message = __VERIFIER_nondet_int();
    if (message < MSG_HELLO || message > MSG_NOTHING)
        message = MSG_NOTHING;
    return message;
}

static void go(struct session *s, int next)
{
    s->previous = s->state;
    s->state = next;
}

static void reset(struct session *s)
{
    s->connected = 0;
    s->hello_seen = 0;
    s->version_agreed = 0;
    s->cert_sent = 0;
    s->cert_verified = 0;
    s->key_exchanged = 0;
    s->cipher_on = 0;
    s->peer_cipher_on = 0;
    s->finished_sent = 0;
    s->finished_seen = 0;
    s->resuming = 0;
    s->closing = 0;
    s->alerted = 0;
    s->version = 0;
    s->retries = 0;
    s->pending = 0;
    s->level = 0;
    s->sent = 0;
    s->received = 0;
    s->state = ST_IDLE;
    s->previous = ST_IDLE;
}

static int refuse(struct session *s, int code)
{
    if (s->alerted) {
        go(s, ST_SEND_CLOSE);
        return -1;
    }
    s->alerted = 1;
    s->level = (unsigned char)code;
    go(s, ST_SEND_ALERT);
    return 0;
}

static void account(struct session *s, int size, int outgoing)
{
    if (size < 0)
        size = 0;
    if (outgoing) {
        if (s->sent + (unsigned long)size < s->sent)
            s->sent = 0;
        s->sent += (unsigned long)size;
    } else {
        if (s->received + (unsigned long)size < s->received)
            s->received = 0;
        s->received += (unsigned long)size;
    }
}

static void on_idle(struct session *s)
{
    int message = receive();
    switch (message) {
    case MSG_HELLO:
        s->connected = 1;
        s->hello_seen = 1;
        go(s, ST_ACCEPTING);
        break;
    case MSG_NOTHING:
        if (s->retries > 3)
            go(s, ST_CLOSED);
        else
            s->retries++;
        break;
    case MSG_CLOSE:
        go(s, ST_CLOSED);
        break;
    default:
        s->connected = 1;
        refuse(s, 10);
        break;
    }
}

static void on_accepting(struct session *s)
{
    int choice = __VERIFIER_nondet_int();
    check(s->connected);
    if (choice == 0) {
        s->resuming = 1;
        go(s, ST_RESUME);
    } else if (choice == 1) {
        s->resuming = 0;
        go(s, ST_SEND_HELLO);
    } else {
        refuse(s, 11);
    }
}

static void on_send_hello(struct session *s)
{
    check(s->connected);
    check(!s->closing);
    account(s, 64, 1);
    s->version = __VERIFIER_nondet_uchar();
    if (s->hello_seen)
        go(s, ST_CHECK_VERSION);
    else
        go(s, ST_WAIT_HELLO);
}

static void on_wait_hello(struct session *s)
{
    int message = receive();
    if (message == MSG_HELLO) {
        s->hello_seen = 1;
        go(s, ST_CHECK_VERSION);
    } else if (message == MSG_NOTHING && s->retries < 5) {
        s->retries++;
    } else {
        refuse(s, 12);
    }
}

static void on_check_version(struct session *s)
{
    check(s->hello_seen);
    if (s->version >= 3 && s->version <= 4) {
        s->version_agreed = 1;
        if (s->resuming)
            go(s, ST_DERIVE);
        else
            go(s, ST_SEND_CERT);
    } else if (s->version > 4) {
        s->version = 4;
        go(s, ST_CHECK_VERSION);
    } else {
        refuse(s, 70);
    }
}

static void on_send_cert(struct session *s)
{
    check(s->version_agreed);
    account(s, 900, 1);
    s->cert_sent = 1;
    go(s, ST_WAIT_CERT);
}

static void on_wait_cert(struct session *s)
{
    int message = receive();
    switch (message) {
    case MSG_CERT:
        account(s, 900, 0);
        go(s, ST_CHECK_CERT);
        break;
    case MSG_ALERT:
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    case MSG_NOTHING:
        if (s->retries >= 5) {
            refuse(s, 41);
            break;
        }
        s->retries++;
        break;
    default:
        refuse(s, 10);
    }
}

static void on_check_cert(struct session *s)
{
    unsigned char quality = __VERIFIER_nondet_uchar();
    check(s->cert_sent);
    if (quality > 127) {
        s->cert_verified = 1;
        s->pending = 1;
        go(s, ST_SEND_KEY);
    } else if (quality > 63 && s->retries < 5) {
        s->retries++;
        go(s, ST_WAIT_CERT);
    } else {
        refuse(s, 42);
    }
}

static void on_send_key(struct session *s)
{
    check(s->cert_verified || s->resuming);
    check(!s->key_exchanged);
    account(s, 128, 1);
    go(s, ST_WAIT_KEY);
}

static void on_wait_key(struct session *s)
{
    int message = receive();
    if (message == MSG_KEY) {
        check(!s->key_exchanged);
        account(s, 128, 0);
        s->key_exchanged = 1;
        s->pending = 0;
        go(s, ST_DERIVE);
    } else if (message == MSG_CLOSE) {
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
    } else {
        refuse(s, 10);
    }
}

static void on_derive(struct session *s)
{
    check(s->key_exchanged || s->resuming);
    if (s->version == 3)
        s->level = 1;
    else
        s->level = 2;
    go(s, ST_SEND_CIPHER);
}

static void on_send_cipher(struct session *s)
{
    check(s->version_agreed);
    check(!s->cipher_on);
    s->cipher_on = 1;
    account(s, 1, 1);
    if (s->peer_cipher_on)
        go(s, ST_SEND_FINISHED);
    else
        go(s, ST_WAIT_CIPHER);
}

static void on_wait_cipher(struct session *s)
{
    int message = receive();
    if (message == MSG_CIPHER) {
        s->peer_cipher_on = 1;
        go(s, ST_SEND_FINISHED);
    } else if (message == MSG_NOTHING) {
        if (s->retries++ > 5)
            refuse(s, 90);
    } else {
        refuse(s, 10);
    }
}

static void on_send_finished(struct session *s)
{
    check(s->cipher_on);
    account(s, 40, 1);
    s->finished_sent = 1;
    if (s->finished_seen)
        go(s, ST_OPEN);
    else
        go(s, ST_WAIT_FINISHED);
}

static void on_wait_finished(struct session *s)
{
    int message = receive();
    switch (message) {
    case MSG_FINISHED:
        check(s->peer_cipher_on);
        s->finished_seen = 1;
        s->retries = 0;
        go(s, ST_OPEN);
        break;
    case MSG_NOTHING:
        break;
    case MSG_DATA:
#ifdef BROKEN
        /* Data is taken for granted before the peer has finished. */
        go(s, ST_READ_DATA);
#else
        refuse(s, 10);
#endif
        break;
    default:
        refuse(s, 10);
        break;
    }
}

static int something_to_do(void)
{
    int next = ST_SEND_DATA;
    switch (__VERIFIER_nondet_uchar()) {
    case 1:
        next = ST_SEND_HEARTBEAT;
        break;
    case 2:
        next = ST_SEND_TICKET;
        break;
    case 3:
        next = ST_SEND_WINDOW;
        break;
    case 4:
        next = ST_SEND_PAUSE;
        break;
    case 5:
        next = ST_SEND_PROBE;
        break;
    case 6:
        next = ST_SEND_NOTICE;
        break;
    default:
        break;
    }
    return next;
}

static void on_open(struct session *s)
{
    int message = receive();
    check(s->finished_sent);
    check(s->finished_seen);
    switch (message) {
    case MSG_DATA:
        go(s, ST_READ_DATA);
        break;
    case MSG_REKEY:
        if (s->pending)
            refuse(s, 10);
        else
            go(s, ST_REKEY_REQUEST);
        break;
    case MSG_CLOSE:
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    case MSG_NOTHING:
        go(s, something_to_do());
        break;
    case MSG_ALERT:
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        refuse(s, 10);
        break;
    }
}

static void on_send_data(struct session *s)
{
    int size = __VERIFIER_nondet_int();
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (size > 0 && size < 16384)
        account(s, size, 1);
    go(s, ST_OPEN);
}

static void on_read_data(struct session *s)
{
    int size = __VERIFIER_nondet_int();
    check(s->peer_cipher_on);
    check(s->finished_seen);
    check(!s->closing);
    if (size < 0 || size > 16384) {
        refuse(s, 22);
        return;
    }
    account(s, size, 0);
    go(s, ST_OPEN);
}

static void on_rekey_request(struct session *s)
{
    check(!s->pending);
    s->pending = 1;
    account(s, 4, 1);
    go(s, ST_REKEY_WAIT);
}

static void on_rekey_wait(struct session *s)
{
    int message = receive();
    check(s->pending);
    switch (message) {
    case MSG_KEY:
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_NOTHING:
        break;
    case MSG_CLOSE:
        s->closing = 1;
        s->pending = 0;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

static void on_send_alert(struct session *s)
{
    check(s->connected);
    check(s->alerted);
    account(s, 2, 1);
    s->closing = 1;
    go(s, ST_SEND_CLOSE);
}

static void on_send_close(struct session *s)
{
    check(s->connected);
    check(s->closing || s->alerted);
    s->closing = 1;
    account(s, 2, 1);
    go(s, ST_WAIT_CLOSE);
}

static void on_wait_close(struct session *s)
{
    int message = receive();
    check(s->closing);
    if (message == MSG_CLOSE || message == MSG_ALERT)
        go(s, ST_CLOSED);
    else if (message == MSG_NOTHING) {
        if (s->retries > 8)
            go(s, ST_CLOSED);
        else
            s->retries++;
    }
}

static void on_closed(struct session *s)
{
    reset(s);
}

static void on_resume(struct session *s)
{
    check(s->resuming);
    check(!s->key_exchanged);
    if (__VERIFIER_nondet_int()) {
        go(s, ST_SEND_HELLO);
    } else {
        s->resuming = 0;
        go(s, ST_SEND_HELLO);
    }
}

/* An extension: a sign of life. Only an open session has it. */
static void on_send_heartbeat(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 100);
        return;
    }
    account(s, 8, 1);
    s->pending = 1;
    go(s, ST_WAIT_HEARTBEAT);
}

static void on_wait_heartbeat(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 110);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 8, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

/* An extension: a ticket for resuming. Only an open session has it. */
static void on_send_ticket(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 101);
        return;
    }
    account(s, 9, 1);
    s->pending = 1;
    go(s, ST_WAIT_TICKET);
}

static void on_wait_ticket(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 111);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 9, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

/* An extension: the size of the window. Only an open session has it. */
static void on_send_window(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 102);
        return;
    }
    account(s, 10, 1);
    s->pending = 1;
    go(s, ST_WAIT_WINDOW);
}

static void on_wait_window(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 112);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 10, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

/* An extension: a pause of the data. Only an open session has it. */
static void on_send_pause(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 103);
        return;
    }
    account(s, 11, 1);
    s->pending = 1;
    go(s, ST_WAIT_PAUSE);
}

static void on_wait_pause(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 113);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 11, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

/* An extension: the round trip. Only an open session has it. */
static void on_send_probe(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 104);
        return;
    }
    account(s, 12, 1);
    s->pending = 1;
    go(s, ST_WAIT_PROBE);
}

static void on_wait_probe(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 114);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 12, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

/* An extension: a notice for the user. Only an open session has it. */
static void on_send_notice(struct session *s)
{
    check(s->cipher_on);
    check(s->finished_sent && s->finished_seen);
    check(!s->closing);
    if (s->level == 0) {
        refuse(s, 105);
        return;
    }
    account(s, 13, 1);
    s->pending = 1;
    go(s, ST_WAIT_NOTICE);
}

static void on_wait_notice(struct session *s)
{
    int message = receive();
    check(s->pending);
    check(s->peer_cipher_on);
    switch (message) {
    case MSG_NOTHING:
        if (s->retries > 6) {
            s->pending = 0;
            refuse(s, 115);
            break;
        }
        s->retries++;
        break;
    case MSG_DATA:
        account(s, 13, 0);
        s->pending = 0;
        go(s, ST_OPEN);
        break;
    case MSG_CLOSE:
    case MSG_ALERT:
        s->pending = 0;
        s->closing = 1;
        go(s, ST_SEND_CLOSE);
        break;
    default:
        s->pending = 0;
        refuse(s, 10);
        break;
    }
}

static void step(struct session *s)
{
    switch (s->state) {
    case ST_IDLE:
        on_idle(s);
        break;
    case ST_ACCEPTING:
        on_accepting(s);
        break;
    case ST_SEND_HELLO:
        on_send_hello(s);
        break;
    case ST_WAIT_HELLO:
        on_wait_hello(s);
        break;
    case ST_CHECK_VERSION:
        on_check_version(s);
        break;
    case ST_SEND_CERT:
        on_send_cert(s);
        break;
    case ST_WAIT_CERT:
        on_wait_cert(s);
        break;
    case ST_CHECK_CERT:
        on_check_cert(s);
        break;
    case ST_SEND_KEY:
        on_send_key(s);
        break;
    case ST_WAIT_KEY:
        on_wait_key(s);
        break;
    case ST_DERIVE:
        on_derive(s);
        break;
    case ST_SEND_CIPHER:
        on_send_cipher(s);
        break;
    case ST_WAIT_CIPHER:
        on_wait_cipher(s);
        break;
    case ST_SEND_FINISHED:
        on_send_finished(s);
        break;
    case ST_WAIT_FINISHED:
        on_wait_finished(s);
        break;
    case ST_OPEN:
        on_open(s);
        break;
    case ST_SEND_DATA:
        on_send_data(s);
        break;
    case ST_READ_DATA:
        on_read_data(s);
        break;
    case ST_REKEY_REQUEST:
        on_rekey_request(s);
        break;
    case ST_REKEY_WAIT:
        on_rekey_wait(s);
        break;
    case ST_SEND_ALERT:
        on_send_alert(s);
        break;
    case ST_SEND_CLOSE:
        on_send_close(s);
        break;
    case ST_WAIT_CLOSE:
        on_wait_close(s);
        break;
    case ST_CLOSED:
        on_closed(s);
        break;
    case ST_SEND_HEARTBEAT:
        on_send_heartbeat(s);
        break;
    case ST_WAIT_HEARTBEAT:
        on_wait_heartbeat(s);
        break;
    case ST_SEND_TICKET:
        on_send_ticket(s);
        break;
    case ST_WAIT_TICKET:
        on_wait_ticket(s);
        break;
    case ST_SEND_WINDOW:
        on_send_window(s);
        break;
    case ST_WAIT_WINDOW:
        on_wait_window(s);
        break;
    case ST_SEND_PAUSE:
        on_send_pause(s);
        break;
    case ST_WAIT_PAUSE:
        on_wait_pause(s);
        break;
    case ST_SEND_PROBE:
        on_send_probe(s);
        break;
    case ST_WAIT_PROBE:
        on_wait_probe(s);
        break;
    case ST_SEND_NOTICE:
        on_send_notice(s);
        break;
    case ST_WAIT_NOTICE:
        on_wait_notice(s);
        break;
    case ST_RESUME:
        on_resume(s);
        break;
    default:
        fail();
        break;
    }
}

static void invariants(const struct session *s)
{
    switch (s->state) {
    case ST_OPEN:
        check(s->connected);
        check(s->version_agreed);
        check(s->cipher_on);
        check(s->peer_cipher_on);
        break;
    case ST_REKEY_WAIT:
        check(s->finished_sent);
        break;
    case ST_SEND_KEY:
        check(!s->cipher_on);
        break;
    case ST_WAIT_CERT:
        check(s->cert_sent);
        check(!s->cert_verified || s->pending);
        break;
    case ST_IDLE:
        check(!s->cipher_on);
        check(!s->key_exchanged);
        break;
    default:
        break;
    }
    if (s->finished_seen)
        check(s->peer_cipher_on);
    if (s->cipher_on)
        check(s->version_agreed);
}

int main(void)
{
    reset(&session);
    for (;;) {
        step(&session);
        invariants(&session);
    }
}

