/*
 * Inter-process communication between the threads of a control system: a sender sends a message and waits for the answer or for a
 * timeout; a receiver waits for the next message or for a timeout, and answers. Messages pass through queues whose tables are guarded
 * by a mutex. When a wait times out the sender withdraws its message, and the receiver must be ready for that. With BROKEN defined it is not.
 */

#define IPC_OK            0
#define IPC_ERR_FULL     -1
#define IPC_ERR_EMPTY    -2
#define IPC_ERR_TIMEOUT  -3
#define IPC_ERR_CLOSED   -4
#define IPC_ERR_ARGUMENT -5

#define IPC_SLOTS   4
#define IPC_CLIENTS 3

extern void mutex_lock(int who);
extern void mutex_unlock(int who);
extern void deliver(void);
extern void withdraw(void);
extern void answer(void);
extern int wait_message(void);
extern int wait_answer(void);
extern int give_answer(void);
extern void log_event(int who);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct ipc_message {
    unsigned char used;
    unsigned char kind;
    unsigned char from;
    unsigned char to;
    unsigned short sequence;
    int payload;
};

struct ipc_statistics {
    unsigned long sent;
    unsigned long received;
    unsigned long answered;
    unsigned long timeouts;
    unsigned long errors;
};

struct ipc_client {
    unsigned char open;
    unsigned char blocked;
    unsigned char pending;
    unsigned short next_sequence;
};

static struct ipc_client clients[IPC_CLIENTS];
static struct ipc_statistics statistics;

static int valid_client(int client)
{
    if (client < 0 || client >= IPC_CLIENTS)
        return 0;
    return clients[client].open != 0;
}

static int open_client(int client)
{
    if (client < 0 || client >= IPC_CLIENTS)
        return IPC_ERR_ARGUMENT;
    clients[client].open = 1;
    clients[client].blocked = 0;
    clients[client].pending = 0;
    clients[client].next_sequence = 1;
    return IPC_OK;
}

static void close_client(int client)
{
    if (valid_client(client)) {
        clients[client].open = 0;
        clients[client].blocked = 0;
        clients[client].pending = 0;
    }
}

static void count_sent(int ok)
{
    if (ok)
        statistics.sent++;
    else
        statistics.errors++;
}

static void count_received(int ok)
{
    if (ok)
        statistics.received++;
    else
        statistics.errors++;
}

/* ---- the point queue: synchronous point-to-point ---- */

static struct ipc_message point_slots[IPC_SLOTS];
static unsigned char point_head;
static unsigned char point_tail;
static unsigned char point_count;
static unsigned char point_closed;

static void point_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        point_slots[i].used = 0;
        point_slots[i].payload = 0;
    }
    point_head = 0;
    point_tail = 0;
    point_count = 0;
    point_closed = 0;
}

static int point_full(void) { return point_count >= IPC_SLOTS; }

static int point_empty(void) { return point_count == 0; }

static int point_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (point_closed)
        return IPC_ERR_CLOSED;
    if (point_full())
        return IPC_ERR_FULL;
    slot = &point_slots[point_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    point_tail = (unsigned char)((point_tail + 1) & (IPC_SLOTS - 1));
    point_count++;
    return IPC_OK;
}

static int point_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (point_empty())
        return point_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &point_slots[point_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    point_head = (unsigned char)((point_head + 1) & (IPC_SLOTS - 1));
    point_count--;
    return IPC_OK;
}

static int point_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (point_slots[i].used && point_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int point_remove(unsigned short sequence)
{
    int at = point_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    point_slots[at].used = 0;
    if (point_count > 0)
        point_count--;
    return IPC_OK;
}

static int point_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (point_slots[i].used && point_slots[i].from == from) {
            point_slots[i].used = 0;
            if (point_count > 0)
                point_count--;
            removed++;
        }
    }
    return removed;
}

static void point_close(void)
{
    point_closed = 1;
    point_purge(0);
    point_purge(1);
    point_head = point_tail;
    point_count = 0;
}

/* ---- the broadcast queue: broadcast ---- */

static struct ipc_message broadcast_slots[IPC_SLOTS];
static unsigned char broadcast_head;
static unsigned char broadcast_tail;
static unsigned char broadcast_count;
static unsigned char broadcast_closed;

static void broadcast_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        broadcast_slots[i].used = 0;
        broadcast_slots[i].payload = 0;
    }
    broadcast_head = 0;
    broadcast_tail = 0;
    broadcast_count = 0;
    broadcast_closed = 0;
}

static int broadcast_full(void) { return broadcast_count >= IPC_SLOTS; }

static int broadcast_empty(void) { return broadcast_count == 0; }

static int broadcast_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (broadcast_closed)
        return IPC_ERR_CLOSED;
    if (broadcast_full())
        return IPC_ERR_FULL;
    slot = &broadcast_slots[broadcast_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    broadcast_tail = (unsigned char)((broadcast_tail + 1) & (IPC_SLOTS - 1));
    broadcast_count++;
    return IPC_OK;
}

static int broadcast_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (broadcast_empty())
        return broadcast_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &broadcast_slots[broadcast_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    broadcast_head = (unsigned char)((broadcast_head + 1) & (IPC_SLOTS - 1));
    broadcast_count--;
    return IPC_OK;
}

static int broadcast_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (broadcast_slots[i].used && broadcast_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int broadcast_remove(unsigned short sequence)
{
    int at = broadcast_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    broadcast_slots[at].used = 0;
    if (broadcast_count > 0)
        broadcast_count--;
    return IPC_OK;
}

static int broadcast_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (broadcast_slots[i].used && broadcast_slots[i].from == from) {
            broadcast_slots[i].used = 0;
            if (broadcast_count > 0)
                broadcast_count--;
            removed++;
        }
    }
    return removed;
}

static void broadcast_close(void)
{
    broadcast_closed = 1;
    broadcast_purge(0);
    broadcast_purge(1);
    broadcast_head = broadcast_tail;
    broadcast_count = 0;
}

/* ---- the topic queue: publish and subscribe ---- */

static struct ipc_message topic_slots[IPC_SLOTS];
static unsigned char topic_head;
static unsigned char topic_tail;
static unsigned char topic_count;
static unsigned char topic_closed;

static void topic_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        topic_slots[i].used = 0;
        topic_slots[i].payload = 0;
    }
    topic_head = 0;
    topic_tail = 0;
    topic_count = 0;
    topic_closed = 0;
}

static int topic_full(void) { return topic_count >= IPC_SLOTS; }

static int topic_empty(void) { return topic_count == 0; }

static int topic_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (topic_closed)
        return IPC_ERR_CLOSED;
    if (topic_full())
        return IPC_ERR_FULL;
    slot = &topic_slots[topic_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    topic_tail = (unsigned char)((topic_tail + 1) & (IPC_SLOTS - 1));
    topic_count++;
    return IPC_OK;
}

static int topic_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (topic_empty())
        return topic_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &topic_slots[topic_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    topic_head = (unsigned char)((topic_head + 1) & (IPC_SLOTS - 1));
    topic_count--;
    return IPC_OK;
}

static int topic_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (topic_slots[i].used && topic_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int topic_remove(unsigned short sequence)
{
    int at = topic_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    topic_slots[at].used = 0;
    if (topic_count > 0)
        topic_count--;
    return IPC_OK;
}

static int topic_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (topic_slots[i].used && topic_slots[i].from == from) {
            topic_slots[i].used = 0;
            if (topic_count > 0)
                topic_count--;
            removed++;
        }
    }
    return removed;
}

static void topic_close(void)
{
    topic_closed = 1;
    topic_purge(0);
    topic_purge(1);
    topic_head = topic_tail;
    topic_count = 0;
}

/* ---- the async queue: asynchronous ---- */

static struct ipc_message async_slots[IPC_SLOTS];
static unsigned char async_head;
static unsigned char async_tail;
static unsigned char async_count;
static unsigned char async_closed;

static void async_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        async_slots[i].used = 0;
        async_slots[i].payload = 0;
    }
    async_head = 0;
    async_tail = 0;
    async_count = 0;
    async_closed = 0;
}

static int async_full(void) { return async_count >= IPC_SLOTS; }

static int async_empty(void) { return async_count == 0; }

static int async_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (async_closed)
        return IPC_ERR_CLOSED;
    if (async_full())
        return IPC_ERR_FULL;
    slot = &async_slots[async_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    async_tail = (unsigned char)((async_tail + 1) & (IPC_SLOTS - 1));
    async_count++;
    return IPC_OK;
}

static int async_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (async_empty())
        return async_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &async_slots[async_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    async_head = (unsigned char)((async_head + 1) & (IPC_SLOTS - 1));
    async_count--;
    return IPC_OK;
}

static int async_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (async_slots[i].used && async_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int async_remove(unsigned short sequence)
{
    int at = async_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    async_slots[at].used = 0;
    if (async_count > 0)
        async_count--;
    return IPC_OK;
}

static int async_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (async_slots[i].used && async_slots[i].from == from) {
            async_slots[i].used = 0;
            if (async_count > 0)
                async_count--;
            removed++;
        }
    }
    return removed;
}

static void async_close(void)
{
    async_closed = 1;
    async_purge(0);
    async_purge(1);
    async_head = async_tail;
    async_count = 0;
}

/* ---- the urgent queue: urgent ---- */

static struct ipc_message urgent_slots[IPC_SLOTS];
static unsigned char urgent_head;
static unsigned char urgent_tail;
static unsigned char urgent_count;
static unsigned char urgent_closed;

static void urgent_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        urgent_slots[i].used = 0;
        urgent_slots[i].payload = 0;
    }
    urgent_head = 0;
    urgent_tail = 0;
    urgent_count = 0;
    urgent_closed = 0;
}

static int urgent_full(void) { return urgent_count >= IPC_SLOTS; }

static int urgent_empty(void) { return urgent_count == 0; }

static int urgent_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (urgent_closed)
        return IPC_ERR_CLOSED;
    if (urgent_full())
        return IPC_ERR_FULL;
    slot = &urgent_slots[urgent_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    urgent_tail = (unsigned char)((urgent_tail + 1) & (IPC_SLOTS - 1));
    urgent_count++;
    return IPC_OK;
}

static int urgent_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (urgent_empty())
        return urgent_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &urgent_slots[urgent_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    urgent_head = (unsigned char)((urgent_head + 1) & (IPC_SLOTS - 1));
    urgent_count--;
    return IPC_OK;
}

static int urgent_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (urgent_slots[i].used && urgent_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int urgent_remove(unsigned short sequence)
{
    int at = urgent_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    urgent_slots[at].used = 0;
    if (urgent_count > 0)
        urgent_count--;
    return IPC_OK;
}

static int urgent_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (urgent_slots[i].used && urgent_slots[i].from == from) {
            urgent_slots[i].used = 0;
            if (urgent_count > 0)
                urgent_count--;
            removed++;
        }
    }
    return removed;
}

static void urgent_close(void)
{
    urgent_closed = 1;
    urgent_purge(0);
    urgent_purge(1);
    urgent_head = urgent_tail;
    urgent_count = 0;
}

/* ---- the reply queue: replies ---- */

static struct ipc_message reply_slots[IPC_SLOTS];
static unsigned char reply_head;
static unsigned char reply_tail;
static unsigned char reply_count;
static unsigned char reply_closed;

static void reply_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        reply_slots[i].used = 0;
        reply_slots[i].payload = 0;
    }
    reply_head = 0;
    reply_tail = 0;
    reply_count = 0;
    reply_closed = 0;
}

static int reply_full(void) { return reply_count >= IPC_SLOTS; }

static int reply_empty(void) { return reply_count == 0; }

static int reply_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (reply_closed)
        return IPC_ERR_CLOSED;
    if (reply_full())
        return IPC_ERR_FULL;
    slot = &reply_slots[reply_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    reply_tail = (unsigned char)((reply_tail + 1) & (IPC_SLOTS - 1));
    reply_count++;
    return IPC_OK;
}

static int reply_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (reply_empty())
        return reply_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &reply_slots[reply_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    reply_head = (unsigned char)((reply_head + 1) & (IPC_SLOTS - 1));
    reply_count--;
    return IPC_OK;
}

static int reply_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (reply_slots[i].used && reply_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int reply_remove(unsigned short sequence)
{
    int at = reply_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    reply_slots[at].used = 0;
    if (reply_count > 0)
        reply_count--;
    return IPC_OK;
}

static int reply_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (reply_slots[i].used && reply_slots[i].from == from) {
            reply_slots[i].used = 0;
            if (reply_count > 0)
                reply_count--;
            removed++;
        }
    }
    return removed;
}

static void reply_close(void)
{
    reply_closed = 1;
    reply_purge(0);
    reply_purge(1);
    reply_head = reply_tail;
    reply_count = 0;
}

/* ---- the trace queue: trace ---- */

static struct ipc_message trace_slots[IPC_SLOTS];
static unsigned char trace_head;
static unsigned char trace_tail;
static unsigned char trace_count;
static unsigned char trace_closed;

static void trace_init(void)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        trace_slots[i].used = 0;
        trace_slots[i].payload = 0;
    }
    trace_head = 0;
    trace_tail = 0;
    trace_count = 0;
    trace_closed = 0;
}

static int trace_full(void) { return trace_count >= IPC_SLOTS; }

static int trace_empty(void) { return trace_count == 0; }

static int trace_put(const struct ipc_message *message)
{
    struct ipc_message *slot;
    if (trace_closed)
        return IPC_ERR_CLOSED;
    if (trace_full())
        return IPC_ERR_FULL;
    slot = &trace_slots[trace_tail & (IPC_SLOTS - 1)];
    *slot = *message;
    slot->used = 1;
    trace_tail = (unsigned char)((trace_tail + 1) & (IPC_SLOTS - 1));
    trace_count++;
    return IPC_OK;
}

static int trace_get(struct ipc_message *message)
{
    struct ipc_message *slot;
    if (trace_empty())
        return trace_closed ? IPC_ERR_CLOSED : IPC_ERR_EMPTY;
    slot = &trace_slots[trace_head & (IPC_SLOTS - 1)];
    *message = *slot;
    slot->used = 0;
    trace_head = (unsigned char)((trace_head + 1) & (IPC_SLOTS - 1));
    trace_count--;
    return IPC_OK;
}

static int trace_find(unsigned short sequence)
{
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (trace_slots[i].used && trace_slots[i].sequence == sequence)
            return i;
    }
    return IPC_ERR_EMPTY;
}

static int trace_remove(unsigned short sequence)
{
    int at = trace_find(sequence);
    if (at < 0)
        return IPC_ERR_EMPTY;
    trace_slots[at].used = 0;
    if (trace_count > 0)
        trace_count--;
    return IPC_OK;
}

static int trace_purge(unsigned char from)
{
    int removed = 0;
    int i;
    for (i = 0; i < IPC_SLOTS; i++) {
        if (trace_slots[i].used && trace_slots[i].from == from) {
            trace_slots[i].used = 0;
            if (trace_count > 0)
                trace_count--;
            removed++;
        }
    }
    return removed;
}

static void trace_close(void)
{
    trace_closed = 1;
    trace_purge(0);
    trace_purge(1);
    trace_head = trace_tail;
    trace_count = 0;
}

/* ---- messages ---- */

static void compose(struct ipc_message *message, int from, int to)
{
    message->used = 0;
    message->kind = __VERIFIER_nondet_uchar() & 3;
    message->from = (unsigned char)from;
    message->to = (unsigned char)to;
    message->sequence = clients[from].next_sequence;
    message->payload = __VERIFIER_nondet_int();
    clients[from].next_sequence++;
}

static int enqueue(const struct ipc_message *message)
{
    switch (message->kind) {
    case 0:
        return point_put(message);
    case 1:
        return broadcast_put(message);
    case 2:
        return topic_put(message);
    default:
        if (message->payload < 0)
            return urgent_put(message);
        return async_put(message);
    }
}

static int dequeue(struct ipc_message *message)
{
    if (!urgent_empty())
        return urgent_get(message);
    if (!point_empty())
        return point_get(message);
    if (!broadcast_empty())
        return broadcast_get(message);
    if (!topic_empty())
        return topic_get(message);
    return async_get(message);
}

static void forget(const struct ipc_message *message)
{
    switch (message->kind) {
    case 0:
        point_remove(message->sequence);
        break;
    case 1:
        broadcast_remove(message->sequence);
        break;
    case 2:
        topic_remove(message->sequence);
        break;
    default:
        urgent_remove(message->sequence);
        async_remove(message->sequence);
        break;
    }
}

static void init_queues(void)
{
    point_init();
    broadcast_init();
    topic_init();
    async_init();
    urgent_init();
    reply_init();
    trace_init();
}

/* ---- sending: blocks until the answer or a timeout ---- */

static int ipc_send(int me, int to)
{
    struct ipc_message message;
    int error;
    if (!valid_client(me))
        return IPC_ERR_ARGUMENT;
    compose(&message, me, to);
    mutex_lock(me);
    error = enqueue(&message);
    if (error != IPC_OK) {
        count_sent(0);
        mutex_unlock(me);
        return error;
    }
    clients[me].blocked = 1;
    clients[me].pending++;
    count_sent(1);
    mutex_unlock(me);
    deliver();
    if (wait_answer()) {
        mutex_lock(me);
        clients[me].blocked = 0;
        if (clients[me].pending > 0)
            clients[me].pending--;
        reply_purge((unsigned char)to);
        statistics.answered++;
        mutex_unlock(me);
        return IPC_OK;
    }
    /* Timed out: clean up, and tell whoever holds the message. */
    mutex_lock(me);
    forget(&message);
    clients[me].blocked = 0;
    if (clients[me].pending > 0)
        clients[me].pending--;
    statistics.timeouts++;
    mutex_unlock(me);
    withdraw();
    return IPC_ERR_TIMEOUT;
}

/* ---- receiving: blocks until a message or a timeout ---- */

static int ipc_receive(int me)
{
    struct ipc_message message;
    int error;
    if (!wait_message()) {
        mutex_lock(me);
        statistics.timeouts++;
        mutex_unlock(me);
        return IPC_ERR_TIMEOUT;
    }
    mutex_lock(me);
    error = dequeue(&message);
    count_received(error == IPC_OK);
    if (error == IPC_OK) {
        trace_put(&message);
        if (trace_full())
            trace_purge(message.from);
    }
    mutex_unlock(me);
#ifdef BROKEN
    answer();
    return IPC_OK;
#else
    if (give_answer()) {
        mutex_lock(me);
        statistics.answered++;
        mutex_unlock(me);
        return IPC_OK;
    }
    mutex_lock(me);
    statistics.errors++;
    mutex_unlock(me);
    return IPC_ERR_CLOSED;
#endif
}

/* ---- the threads ---- */

void sender(int me)
{
    int failures = 0;
    init_queues();
    open_client(me);
    for (;;) {
        if (ipc_send(me, 1) != IPC_OK)
            failures++;
        else
            failures = 0;
        if (failures > 3) {
            close_client(me);
            log_event(me);
            open_client(me);
            failures = 0;
        }
    }
}

void receiver(int me)
{
    int idle = 0;
    init_queues();
    open_client(me);
    for (;;) {
        int result = ipc_receive(me);
        switch (result) {
        case IPC_OK:
            idle = 0;
            break;
        case IPC_ERR_TIMEOUT:
            idle++;
            if (idle > 5) {
                mutex_lock(me);
                point_purge(0);
                broadcast_purge(0);
                topic_purge(0);
                async_purge(0);
                urgent_purge(0);
                mutex_unlock(me);
                log_event(me);
                idle = 0;
            }
            break;
        default:
            log_event(me);
            break;
        }
    }
}
