/*
 * Inter-process communication for a control system. Participants attach to one segment of shared memory: a registry of participants,
 * a pool of message slots, and a queue of slot numbers for each participant. A client sends a request and waits for the reply or
 * until its time is over; the server waits for requests and replies; a janitor takes back what participants that have died left behind.
 *
 * What is in shared memory is somebody else's: every value read from it is checked before it is used, and every wait has an end.
 * Three semaphores guard the segment. Whoever needs several takes them in this order:
 *
 *     SEM_REGISTRY, SEM_POOL, SEM_QUEUE
 *
 * Seeded faults, each by a macro of its own:
 *   BUG_ORDER    the janitor takes the pool before the registry
 *   BUG_RELEASE  a push to a full queue returns without giving back its semaphore
 *   BUG_CANCEL   a client that gives up waits for the server with the pool in its hand
 */

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- the operating system ---- */

extern void sem_lock(int sem, int who);
extern void sem_unlock(int sem, int who);

/* Words of the shared segment: others write there too. */
extern uint32_t shm_load(uint32_t word);
extern void shm_store(uint32_t word, uint32_t value);

extern int request(int client);            /* 1: the server has it. 0: it did not take it in time. */
extern int await_reply(int client);        /* 1: the reply is there. 0: the time is over. */
extern void cancel(int client);            /* The server has taken notice. */
extern int await_request(void);            /* The client's number; 0: nobody came in time. */
extern int reply(int client);              /* 1: delivered. 0: the client has cancelled. */
extern int next_sweep(void);               /* 1: it is time to clean up. 0: the system shuts down. */
extern void diagnose(int who, int code);

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define SEM_REGISTRY 0
#define SEM_POOL     1
#define SEM_QUEUE    2

#define SERVER  0
#define JANITOR 3

/* ---- the segment ---- */

#define MAX_PARTICIPANTS 4
#define MAX_SLOTS        8
#define QUEUE_LENGTH     4
#define NO_SLOT          0xffffffffu

#define SEGMENT_MAGIC    0x49504331u
#define SEGMENT_VERSION  3u

/* Layout, in words. */
#define W_MAGIC          0u
#define W_VERSION        1u
#define W_FREE_MAP       2u
#define W_EPOCH          3u
#define W_PARTICIPANTS   16u
#define PARTICIPANT_SIZE 8u
#define P_STATE          0u
#define P_PROCESS        1u
#define P_HEARTBEAT      2u
#define P_QUEUE_HEAD     3u
#define P_QUEUE_COUNT    4u
#define P_DROPPED        5u
#define W_QUEUES         64u
#define W_SLOTS          128u
#define SLOT_SIZE        8u
#define S_STATE          0u
#define S_SENDER         1u
#define S_RECEIVER       2u
#define S_SEQUENCE       3u
#define S_KIND           4u
#define S_LENGTH         5u
#define S_CHECKSUM       6u
#define S_EPOCH          7u

enum participant_state { PART_FREE = 0, PART_JOINING, PART_ACTIVE, PART_LEAVING, PART_DEAD };
enum slot_state { SLOT_FREE = 0, SLOT_FILLING, SLOT_QUEUED, SLOT_TAKEN, SLOT_ANSWERED, SLOT_ABANDONED };
enum message_kind { MSG_REQUEST = 1, MSG_ASYNC, MSG_PUBLISH, MSG_BROADCAST, MSG_CONTROL };

typedef enum {
    IPC_OK = 0,
    IPC_AGAIN,
    IPC_TIMEOUT,
    IPC_NO_SLOT,
    IPC_QUEUE_FULL,
    IPC_QUEUE_EMPTY,
    IPC_NO_PARTICIPANT,
    IPC_DEAD,
    IPC_CORRUPT,
    IPC_VERSION,
    IPC_CLOSED,
    IPC_ARGUMENT
} ipc_status;

enum { DIAG_TIMEOUT = 1, DIAG_CORRUPT = 2, DIAG_RECLAIMED = 3, DIAG_GAVE_UP = 4 };

struct message {
    uint32_t sender;
    uint32_t receiver;
    uint32_t sequence;
    uint32_t kind;
    uint32_t length;
    uint32_t checksum;
};

struct retry {
    uint8_t attempts;
    uint8_t limit;
    uint16_t pause;
    uint16_t longest_pause;
};

struct counters {
    uint32_t sent;
    uint32_t received;
    uint32_t replied;
    uint32_t timeouts;
    uint32_t retries;
    uint32_t dropped;
    uint32_t corrupt;
    uint32_t reclaimed;
};

/* What a participant knows about itself; each process has its own. */
struct handle {
    int who;
    bool attached;
    uint32_t process;
    uint32_t epoch;
    uint32_t next_sequence;
    struct retry retry;
    struct counters counters;
    ipc_status last_error;
};

/* ---- addresses in the segment ---- */

static uint32_t participant_word(uint32_t participant, uint32_t field)
{
    return W_PARTICIPANTS + participant * PARTICIPANT_SIZE + field;
}

static uint32_t slot_word(uint32_t slot, uint32_t field)
{
    return W_SLOTS + slot * SLOT_SIZE + field;
}

static uint32_t queue_word(uint32_t participant, uint32_t position)
{
    return W_QUEUES + participant * QUEUE_LENGTH + position % QUEUE_LENGTH;
}

/* ---- small helpers ---- */

static void set_error(struct handle *h, ipc_status status)
{
    if (status != IPC_OK)
        h->last_error = status;
}

static uint32_t mix(uint32_t sum, uint32_t word)
{
    sum ^= word;
    sum = (sum << 5) | (sum >> 27);
    return sum + 0x9e3779b9u;
}

static uint32_t checksum_of(const struct message *m)
{
    uint32_t sum = SEGMENT_MAGIC;
    sum = mix(sum, m->sender);
    sum = mix(sum, m->receiver);
    sum = mix(sum, m->sequence);
    sum = mix(sum, m->kind);
    return mix(sum, m->length);
}

static bool is_request_like(uint32_t kind)
{
    switch (kind) {
    case MSG_REQUEST:
    case MSG_CONTROL:
        return true;
    case MSG_ASYNC:
    case MSG_PUBLISH:
    case MSG_BROADCAST:
        return false;
    default:
        return false;
    }
}

static void retry_start(struct retry *r, uint8_t limit)
{
    r->attempts = 0;
    r->limit = limit;
    r->pause = 1;
    r->longest_pause = 64;
}

/* False when it is time to give up. The pause between two attempts doubles. */
static bool retry_again(struct retry *r)
{
    if (r->attempts >= r->limit)
        return false;
    r->attempts++;
    if (r->pause < r->longest_pause)
        r->pause = (uint16_t)(r->pause * 2);
    return true;
}

static void handle_init(struct handle *h, int who)
{
    h->who = who;
    h->attached = false;
    h->process = 0;
    h->epoch = 0;
    h->next_sequence = 1;
    h->last_error = IPC_OK;
    h->counters.sent = 0;
    h->counters.received = 0;
    h->counters.replied = 0;
    h->counters.timeouts = 0;
    h->counters.retries = 0;
    h->counters.dropped = 0;
    h->counters.corrupt = 0;
    h->counters.reclaimed = 0;
    retry_start(&h->retry, 3);
}

/* ---- the registry ---- */

static ipc_status check_segment(void)
{
    if (shm_load(W_MAGIC) != SEGMENT_MAGIC)
        return IPC_CORRUPT;
    if (shm_load(W_VERSION) != SEGMENT_VERSION)
        return IPC_VERSION;
    return IPC_OK;
}

static ipc_status attach(struct handle *h, uint32_t process)
{
    const int who = h->who;
    uint32_t state;
    ipc_status status;
    h->process = process;
    h->next_sequence = 1;
    retry_start(&h->retry, 3);
    sem_lock(SEM_REGISTRY, who);
    status = check_segment();
    if (status != IPC_OK) {
        sem_unlock(SEM_REGISTRY, who);
        set_error(h, status);
        return status;
    }
    state = shm_load(participant_word((uint32_t)who, P_STATE));
    switch (state) {
    case PART_ACTIVE:
    case PART_JOINING:
        /* Somebody of that number is there, or was and has died without a word. */
        if (shm_load(participant_word((uint32_t)who, P_HEARTBEAT)) != 0) {
            sem_unlock(SEM_REGISTRY, who);
            return IPC_AGAIN;
        }
        break;
    case PART_LEAVING:
        sem_unlock(SEM_REGISTRY, who);
        return IPC_AGAIN;
    case PART_FREE:
    case PART_DEAD:
        break;
    default:
        sem_unlock(SEM_REGISTRY, who);
        h->counters.corrupt++;
        return IPC_CORRUPT;
    }
    shm_store(participant_word((uint32_t)who, P_STATE), PART_JOINING);
    shm_store(participant_word((uint32_t)who, P_PROCESS), process);
    shm_store(participant_word((uint32_t)who, P_HEARTBEAT), 1);
    /* The queue is emptied under its own semaphore; the order of the three allows it here. */
    sem_lock(SEM_QUEUE, who);
    shm_store(participant_word((uint32_t)who, P_QUEUE_HEAD), 0);
    shm_store(participant_word((uint32_t)who, P_QUEUE_COUNT), 0);
    sem_unlock(SEM_QUEUE, who);
    h->epoch = shm_load(W_EPOCH);
    shm_store(participant_word((uint32_t)who, P_STATE), PART_ACTIVE);
    sem_unlock(SEM_REGISTRY, who);
    h->attached = true;
    return IPC_OK;
}

static void heartbeat(struct handle *h)
{
    uint32_t beats;
    sem_lock(SEM_REGISTRY, h->who);
    beats = shm_load(participant_word((uint32_t)h->who, P_HEARTBEAT));
    shm_store(participant_word((uint32_t)h->who, P_HEARTBEAT), beats + 1);
    sem_unlock(SEM_REGISTRY, h->who);
}

static ipc_status is_alive(struct handle *h, uint32_t participant)
{
    uint32_t state;
    ipc_status status = IPC_OK;
    if (participant >= MAX_PARTICIPANTS)
        return IPC_ARGUMENT;
    sem_lock(SEM_REGISTRY, h->who);
    state = shm_load(participant_word(participant, P_STATE));
    if (state == PART_FREE)
        status = IPC_NO_PARTICIPANT;
    else if (state != PART_ACTIVE)
        status = IPC_DEAD;
    else if (shm_load(W_EPOCH) != h->epoch)
        status = IPC_CLOSED;
    sem_unlock(SEM_REGISTRY, h->who);
    return status;
}

/* ---- the pool of slots ---- */

/* Takes a free slot. The caller holds SEM_POOL. */
static uint32_t slot_from_map(void)
{
    uint32_t map = shm_load(W_FREE_MAP);
    uint32_t slot;
    for (slot = 0; slot < MAX_SLOTS; slot++) {
        if ((map & (1u << slot)) == 0)
            continue;
        if (shm_load(slot_word(slot, S_STATE)) != SLOT_FREE)
            continue;           /* the map lies: the janitor will see to it */
        shm_store(W_FREE_MAP, map & ~(1u << slot));
        return slot;
    }
    return NO_SLOT;
}

static ipc_status slot_alloc(struct handle *h, uint32_t *slot)
{
    uint32_t found;
    sem_lock(SEM_POOL, h->who);
    found = slot_from_map();
    if (found == NO_SLOT) {
        sem_unlock(SEM_POOL, h->who);
        return IPC_NO_SLOT;
    }
    shm_store(slot_word(found, S_STATE), SLOT_FILLING);
    shm_store(slot_word(found, S_SENDER), (uint32_t)h->who);
    shm_store(slot_word(found, S_EPOCH), h->epoch);
    sem_unlock(SEM_POOL, h->who);
    *slot = found;
    return IPC_OK;
}

/* The caller holds SEM_POOL. */
static void slot_to_map(uint32_t slot)
{
    uint32_t map = shm_load(W_FREE_MAP);
    shm_store(slot_word(slot, S_STATE), SLOT_FREE);
    shm_store(W_FREE_MAP, map | (1u << slot));
}

static void slot_free(struct handle *h, uint32_t slot)
{
    if (slot >= MAX_SLOTS)
        return;
    sem_lock(SEM_POOL, h->who);
    if (shm_load(slot_word(slot, S_STATE)) != SLOT_FREE)
        slot_to_map(slot);
    sem_unlock(SEM_POOL, h->who);
}

/* Leaving: nothing that is still in the pool under our number will be missed. */
static void detach(struct handle *h)
{
    uint32_t slot;
    if (!h->attached)
        return;
    sem_lock(SEM_REGISTRY, h->who);
    shm_store(participant_word((uint32_t)h->who, P_STATE), PART_LEAVING);
    shm_store(participant_word((uint32_t)h->who, P_HEARTBEAT), 0);
    sem_lock(SEM_POOL, h->who);
    for (slot = 0; slot < MAX_SLOTS; slot++) {
        if (shm_load(slot_word(slot, S_SENDER)) != (uint32_t)h->who)
            continue;
        if (shm_load(slot_word(slot, S_STATE)) == SLOT_FILLING)
            slot_to_map(slot);
    }
    sem_unlock(SEM_POOL, h->who);
    sem_unlock(SEM_REGISTRY, h->who);
    h->attached = false;
}

static void slot_write(uint32_t slot, const struct message *m)
{
    shm_store(slot_word(slot, S_RECEIVER), m->receiver);
    shm_store(slot_word(slot, S_SEQUENCE), m->sequence);
    shm_store(slot_word(slot, S_KIND), m->kind);
    shm_store(slot_word(slot, S_LENGTH), m->length);
    shm_store(slot_word(slot, S_CHECKSUM), m->checksum);
}

static ipc_status slot_read(uint32_t slot, struct message *m)
{
    if (slot >= MAX_SLOTS)
        return IPC_CORRUPT;
    m->sender = shm_load(slot_word(slot, S_SENDER));
    m->receiver = shm_load(slot_word(slot, S_RECEIVER));
    m->sequence = shm_load(slot_word(slot, S_SEQUENCE));
    m->kind = shm_load(slot_word(slot, S_KIND));
    m->length = shm_load(slot_word(slot, S_LENGTH));
    m->checksum = shm_load(slot_word(slot, S_CHECKSUM));
    if (m->sender >= MAX_PARTICIPANTS || m->receiver >= MAX_PARTICIPANTS)
        return IPC_CORRUPT;
    if (m->kind < MSG_REQUEST || m->kind > MSG_CONTROL)
        return IPC_CORRUPT;
    if (checksum_of(m) != m->checksum)
        return IPC_CORRUPT;
    return IPC_OK;
}

/* ---- queues of slot numbers ---- */

static ipc_status queue_push(struct handle *h, uint32_t receiver, uint32_t slot)
{
    uint32_t head;
    uint32_t count;
    sem_lock(SEM_QUEUE, h->who);
    head = shm_load(participant_word(receiver, P_QUEUE_HEAD));
    count = shm_load(participant_word(receiver, P_QUEUE_COUNT));
    if (head >= QUEUE_LENGTH || count > QUEUE_LENGTH) {
        /* Repair it; what was in it is lost, and its senders will time out. */
        shm_store(participant_word(receiver, P_QUEUE_HEAD), 0);
        shm_store(participant_word(receiver, P_QUEUE_COUNT), 0);
        sem_unlock(SEM_QUEUE, h->who);
        h->counters.corrupt++;
        return IPC_CORRUPT;
    }
    if (count == QUEUE_LENGTH) {
        uint32_t dropped = shm_load(participant_word(receiver, P_DROPPED));
        shm_store(participant_word(receiver, P_DROPPED), dropped + 1);
#ifndef BUG_RELEASE
        sem_unlock(SEM_QUEUE, h->who);
#endif
        h->counters.dropped++;
        return IPC_QUEUE_FULL;
    }
    shm_store(queue_word(receiver, head + count), slot);
    shm_store(participant_word(receiver, P_QUEUE_COUNT), count + 1);
    sem_unlock(SEM_QUEUE, h->who);
    return IPC_OK;
}

static ipc_status queue_pop(struct handle *h, uint32_t *slot)
{
    uint32_t me = (uint32_t)h->who;
    uint32_t head;
    uint32_t count;
    sem_lock(SEM_QUEUE, h->who);
    head = shm_load(participant_word(me, P_QUEUE_HEAD));
    count = shm_load(participant_word(me, P_QUEUE_COUNT));
    if (head >= QUEUE_LENGTH || count > QUEUE_LENGTH) {
        sem_unlock(SEM_QUEUE, h->who);
        h->counters.corrupt++;
        return IPC_CORRUPT;
    }
    if (count == 0) {
        sem_unlock(SEM_QUEUE, h->who);
        return IPC_QUEUE_EMPTY;
    }
    *slot = shm_load(queue_word(me, head));
    shm_store(participant_word(me, P_QUEUE_HEAD), (head + 1) % QUEUE_LENGTH);
    shm_store(participant_word(me, P_QUEUE_COUNT), count - 1);
    sem_unlock(SEM_QUEUE, h->who);
    return *slot < MAX_SLOTS ? IPC_OK : IPC_CORRUPT;
}

/* Takes one slot out of the middle of somebody's queue; the others close up. */
static bool queue_remove(struct handle *h, uint32_t receiver, uint32_t slot)
{
    uint32_t head;
    uint32_t count;
    uint32_t i;
    bool found = false;
    sem_lock(SEM_QUEUE, h->who);
    head = shm_load(participant_word(receiver, P_QUEUE_HEAD));
    count = shm_load(participant_word(receiver, P_QUEUE_COUNT));
    if (head < QUEUE_LENGTH && count <= QUEUE_LENGTH) {
        for (i = 0; i < QUEUE_LENGTH; i++) {
            uint32_t entry;
            if (i >= count)
                break;
            entry = shm_load(queue_word(receiver, head + i));
            if (found)
                shm_store(queue_word(receiver, head + i - 1), entry);
            else if (entry == slot)
                found = true;
        }
        if (found)
            shm_store(participant_word(receiver, P_QUEUE_COUNT), count - 1);
    }
    sem_unlock(SEM_QUEUE, h->who);
    return found;
}

/* ---- sending ---- */

static void compose(struct handle *h, struct message *m, uint32_t receiver, uint32_t kind, uint32_t length)
{
    m->sender = (uint32_t)h->who;
    m->receiver = receiver;
    m->kind = kind;
    m->length = length;
    m->sequence = h->next_sequence++;
    if (h->next_sequence == 0)
        h->next_sequence = 1;
    m->checksum = checksum_of(m);
}

/* A message in a slot, the slot in the receiver's queue. */
static ipc_status enqueue(struct handle *h, const struct message *m, uint32_t *slot)
{
    ipc_status status = slot_alloc(h, slot);
    if (status != IPC_OK)
        return status;
    slot_write(*slot, m);
    shm_store(slot_word(*slot, S_STATE), SLOT_QUEUED);
    status = queue_push(h, m->receiver, *slot);
    if (status != IPC_OK) {
        slot_free(h, *slot);
        *slot = NO_SLOT;
        return status;
    }
    h->counters.sent++;
    return IPC_OK;
}

/* After a wait that came to nothing: the slot is ours again, wherever it had got to. */
static void take_back(struct handle *h, const struct message *m, uint32_t slot)
{
    if (queue_remove(h, m->receiver, slot)) {
        slot_free(h, slot);
        return;
    }
    /* The receiver has it: it will find it abandoned and free it. */
    sem_lock(SEM_POOL, h->who);
    if (shm_load(slot_word(slot, S_STATE)) == SLOT_TAKEN)
        shm_store(slot_word(slot, S_STATE), SLOT_ABANDONED);
    else
        slot_to_map(slot);
    sem_unlock(SEM_POOL, h->who);
}

static ipc_status send_once(struct handle *h, uint32_t length)
{
    struct message m;
    uint32_t slot = NO_SLOT;
    ipc_status status = is_alive(h, SERVER);
    if (status != IPC_OK)
        return status;
    compose(h, &m, SERVER, MSG_REQUEST, length);
    status = enqueue(h, &m, &slot);
    if (status != IPC_OK)
        return status;
    if (!request(h->who)) {
        /* The server did not even look. */
        take_back(h, &m, slot);
        h->counters.timeouts++;
        return IPC_TIMEOUT;
    }
    if (!await_reply(h->who)) {
        /* It is at work on the request, and must learn that nobody waits any more. */
#ifdef BUG_CANCEL
        sem_lock(SEM_POOL, h->who);
        cancel(h->who);
        shm_store(slot_word(slot, S_STATE), SLOT_ABANDONED);
        sem_unlock(SEM_POOL, h->who);
#else
        cancel(h->who);
        take_back(h, &m, slot);
#endif
        h->counters.timeouts++;
        return IPC_TIMEOUT;
    }
    if (shm_load(slot_word(slot, S_SEQUENCE)) != m.sequence) {
        h->counters.corrupt++;
        slot_free(h, slot);
        return IPC_CORRUPT;
    }
    slot_free(h, slot);
    return IPC_OK;
}

/* Synchronous: the reply, or the reason why there is none. */
static ipc_status ipc_call(struct handle *h, uint32_t length)
{
    ipc_status status;
    if (!h->attached)
        return IPC_CLOSED;
    if (length > 4096)
        return IPC_ARGUMENT;
    retry_start(&h->retry, 3);
    for (;;) {
        status = send_once(h, length);
        switch (status) {
        case IPC_OK:
            return IPC_OK;
        case IPC_TIMEOUT:
        case IPC_NO_SLOT:
        case IPC_QUEUE_FULL:
            if (retry_again(&h->retry)) {
                h->counters.retries++;
                heartbeat(h);
                continue;
            }
            diagnose(h->who, DIAG_GAVE_UP);
            return status;
        case IPC_CORRUPT:
            diagnose(h->who, DIAG_CORRUPT);
            return status;
        default:
            set_error(h, status);
            return status;
        }
    }
}

/* Asynchronous: nobody waits for anything. */
static ipc_status ipc_post(struct handle *h, uint32_t receiver, uint32_t kind, uint32_t length)
{
    struct message m;
    uint32_t slot;
    ipc_status status;
    if (!h->attached)
        return IPC_CLOSED;
    if (receiver >= MAX_PARTICIPANTS || receiver == (uint32_t)h->who || is_request_like(kind))
        return IPC_ARGUMENT;
    status = is_alive(h, receiver);
    if (status != IPC_OK)
        return status;
    compose(h, &m, receiver, kind, length);
    return enqueue(h, &m, &slot);
}

/* To everybody who is there; how many it reached. */
static uint32_t ipc_broadcast(struct handle *h, uint32_t length)
{
    uint32_t reached = 0;
    uint32_t receiver;
    for (receiver = 0; receiver < MAX_PARTICIPANTS; receiver++) {
        if (receiver == (uint32_t)h->who || receiver == JANITOR)
            continue;
        if (ipc_post(h, receiver, MSG_BROADCAST, length) == IPC_OK)
            reached++;
    }
    return reached;
}

/* ---- receiving ---- */

static ipc_status take_message(struct handle *h, struct message *m, uint32_t *slot)
{
    uint32_t state;
    ipc_status status = queue_pop(h, slot);
    if (status != IPC_OK)
        return status;
    sem_lock(SEM_POOL, h->who);
    state = shm_load(slot_word(*slot, S_STATE));
    if (state != SLOT_QUEUED) {
        /* The sender has given up between our two looks. */
        if (state == SLOT_ABANDONED)
            slot_to_map(*slot);
        sem_unlock(SEM_POOL, h->who);
        return IPC_AGAIN;
    }
    shm_store(slot_word(*slot, S_STATE), SLOT_TAKEN);
    sem_unlock(SEM_POOL, h->who);
    status = slot_read(*slot, m);
    if (status != IPC_OK) {
        h->counters.corrupt++;
        slot_free(h, *slot);
        return status;
    }
    h->counters.received++;
    return IPC_OK;
}

/* What the application makes of a request; false for one it does not like. */
static bool work_on(struct handle *h, const struct message *m)
{
    uint32_t units = m->length / 16;
    if (m->length > 4096)
        return false;
    if (units > 32)
        units = 32;
    while (units > 0) {
        h->counters.replied += 0;
        units--;
    }
    return m->kind == MSG_REQUEST;
}

/* A client stands at the door: whatever its message looks like, it gets an answer or is told nothing and gives up by itself. */
static void serve(struct handle *h, int client)
{
    struct message m;
    uint32_t slot = NO_SLOT;
    bool good;
    ipc_status status = take_message(h, &m, &slot);
    if (status == IPC_AGAIN || status == IPC_QUEUE_EMPTY)
        status = take_message(h, &m, &slot);
    good = status == IPC_OK && work_on(h, &m);
    if (good) {
        sem_lock(SEM_POOL, h->who);
        if (shm_load(slot_word(slot, S_STATE)) == SLOT_TAKEN)
            shm_store(slot_word(slot, S_STATE), SLOT_ANSWERED);
        sem_unlock(SEM_POOL, h->who);
    } else if (status == IPC_CORRUPT) {
        diagnose(h->who, DIAG_CORRUPT);
    }
    if (reply(client)) {
        h->counters.replied++;
        return;
    }
    /* The client has gone away meanwhile. */
    h->counters.timeouts++;
    if (slot != NO_SLOT) {
        sem_lock(SEM_POOL, h->who);
        if (shm_load(slot_word(slot, S_STATE)) == SLOT_ABANDONED)
            slot_to_map(slot);
        sem_unlock(SEM_POOL, h->who);
    }
}

/* ---- cleaning up after the dead ---- */

/* Both semaphores are held. */
static uint32_t reclaim_slots_of(uint32_t participant)
{
    uint32_t slot;
    uint32_t reclaimed = 0;
    for (slot = 0; slot < MAX_SLOTS; slot++) {
        uint32_t state = shm_load(slot_word(slot, S_STATE));
        switch (state) {
        case SLOT_FREE:
            break;
        case SLOT_FILLING:
        case SLOT_QUEUED:
        case SLOT_ABANDONED:
            if (shm_load(slot_word(slot, S_SENDER)) == participant) {
                slot_to_map(slot);
                reclaimed++;
            }
            break;
        case SLOT_TAKEN:
        case SLOT_ANSWERED:
            if (shm_load(slot_word(slot, S_RECEIVER)) == participant) {
                slot_to_map(slot);
                reclaimed++;
            }
            break;
        default:
            slot_to_map(slot);
            reclaimed++;
            break;
        }
    }
    return reclaimed;
}

static bool is_dead(uint32_t participant)
{
    uint32_t state = shm_load(participant_word(participant, P_STATE));
    uint32_t beats = shm_load(participant_word(participant, P_HEARTBEAT));
    if (state == PART_LEAVING || state == PART_DEAD)
        return true;
    return state == PART_ACTIVE && beats == 0;
}

static void sweep(struct handle *h)
{
    uint32_t participant;
    uint32_t reclaimed = 0;
#ifdef BUG_ORDER
    sem_lock(SEM_POOL, h->who);
    sem_lock(SEM_REGISTRY, h->who);
#else
    sem_lock(SEM_REGISTRY, h->who);
    sem_lock(SEM_POOL, h->who);
#endif
    for (participant = 0; participant < MAX_PARTICIPANTS; participant++) {
        if (participant == JANITOR || !is_dead(participant))
            continue;
        reclaimed += reclaim_slots_of(participant);
        sem_lock(SEM_QUEUE, h->who);
        shm_store(participant_word(participant, P_QUEUE_COUNT), 0);
        sem_unlock(SEM_QUEUE, h->who);
        shm_store(participant_word(participant, P_STATE), PART_FREE);
    }
    sem_unlock(SEM_POOL, h->who);
    sem_unlock(SEM_REGISTRY, h->who);
    h->counters.reclaimed += reclaimed;
    if (reclaimed > 0)
        diagnose(h->who, DIAG_RECLAIMED);
}

/* After a sweep that found much, everybody is made to attach anew. */
static void new_epoch(struct handle *h)
{
    uint32_t epoch;
    sem_lock(SEM_REGISTRY, h->who);
    epoch = shm_load(W_EPOCH);
    shm_store(W_EPOCH, epoch + 1);
    sem_unlock(SEM_REGISTRY, h->who);
}

/* ---- the participants ---- */

static bool attach_patiently(struct handle *h)
{
    struct retry r;
    retry_start(&r, 5);
    do {
        ipc_status status = attach(h, __VERIFIER_nondet_uint());
        if (status == IPC_OK)
            return true;
        if (status != IPC_AGAIN)
            break;
    } while (retry_again(&r));
    diagnose(h->who, DIAG_GAVE_UP);
    return false;
}

void client(int who)
{
    struct handle h;
    uint8_t failures = 0;
    handle_init(&h, who);
    for (;;) {
        ipc_status status;
        if (!h.attached && !attach_patiently(&h))
            continue;
        switch (__VERIFIER_nondet_uchar() & 3) {
        case 0:
            status = ipc_call(&h, __VERIFIER_nondet_uint());
            break;
        case 1:
            status = ipc_post(&h, __VERIFIER_nondet_uchar() & 3, MSG_ASYNC, 64);
            break;
        case 2:
            status = ipc_broadcast(&h, 32) > 0 ? IPC_OK : IPC_NO_PARTICIPANT;
            break;
        default:
            heartbeat(&h);
            status = IPC_OK;
            break;
        }
        if (status == IPC_OK) {
            failures = 0;
            continue;
        }
        if (status == IPC_CLOSED || ++failures > 3) {
            detach(&h);
            failures = 0;
        }
    }
}

void server(void)
{
    struct handle h;
    uint8_t idle = 0;
    handle_init(&h, SERVER);
    while (!attach_patiently(&h))
        ;
    for (;;) {
        int client = await_request();
        if (client > 0) {
            idle = 0;
            serve(&h, client);
            continue;
        }
        h.counters.timeouts++;
        if (++idle < 10)
            continue;
        /* Nothing for a long time: show that we are alive, and look for messages that nobody waits for. */
        idle = 0;
        heartbeat(&h);
        for (;;) {
            struct message m;
            uint32_t slot;
            ipc_status status = take_message(&h, &m, &slot);
            if (status == IPC_AGAIN)
                continue;
            if (status != IPC_OK)
                break;
            if (!is_request_like(m.kind))
                work_on(&h, &m);
            slot_free(&h, slot);
        }
    }
}

void janitor(void)
{
    struct handle h;
    uint8_t sweeps = 0;
    handle_init(&h, JANITOR);
    while (next_sweep()) {
        sweep(&h);
        if (h.counters.reclaimed > 16) {
            new_epoch(&h);
            h.counters.reclaimed = 0;
        }
        if (++sweeps == 100) {
            heartbeat(&h);
            sweeps = 0;
        }
    }
}
