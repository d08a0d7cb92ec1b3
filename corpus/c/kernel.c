/*
 * A real-time kernel for one processor: tasks with fixed priorities, a ready list kept as a bitmap, delays, counting semaphores,
 * mutexes with a priority ceiling, mailboxes, message queues, event flags, memory partitions, statistics. Tables are of fixed
 * size and nothing is allocated. Every service guards the tables by the kernel lock (on a target: interrupts off), which
 * does not nest: taking it twice stops the machine.
 *
 * Seeded faults, each by a macro of its own:
 *   BUG_MUTEX    releasing a mutex that is someone else's returns with the lock held
 *   BUG_RESUME   resuming a task calls the scheduler, which takes the lock itself, before giving the lock back
 *   BUG_TIMEOUT  a receive that times out gives the lock back twice
 *   BUG_SPIN     the search for a free group of event flags never comes to the next one
 */

#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- the port ---- */

extern void lock(void);
extern void unlock(void);

#define ENTER_CRITICAL() lock()
#define EXIT_CRITICAL()  unlock()

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

/* ---- configuration ---- */

#define PRIORITIES     16
#define IDLE_PRIORITY  (PRIORITIES - 1)
#define STAT_PRIORITY  (PRIORITIES - 2)
#define MAX_TASKS      6
#define MAX_EVENTS     6
#define MAX_QUEUES     2
#define MAX_FLAGS      2
#define MAX_PARTITIONS 2
#define TICKS_PER_SECOND 100

#define SELF           0xff
#define NO_PRIORITY    0xff
#define NEVER          0

typedef uint8_t prio_t;
typedef uint16_t ticks_t;
typedef uint16_t flags_t;
typedef uint16_t rowmap_t;

typedef enum {
    ERR_NONE = 0,
    ERR_NULL,
    ERR_TYPE,
    ERR_FROM_ISR,
    ERR_LOCKED,
    ERR_TIMEOUT,
    ERR_ABORTED,
    ERR_OVERFLOW,
    ERR_FULL,
    ERR_EMPTY,
    ERR_PRIORITY,
    ERR_PRIORITY_USED,
    ERR_NO_TASK,
    ERR_NO_TCB,
    ERR_NO_EVENT,
    ERR_TASKS_WAITING,
    ERR_NOT_OWNER,
    ERR_OPTION,
    ERR_NOT_SUSPENDED,
    ERR_NOT_DELAYED,
    ERR_IDLE,
    ERR_BLOCKS,
    ERR_ARGUMENT
} status_t;

enum { EV_FREE = 0, EV_SEMAPHORE, EV_MUTEX, EV_MAILBOX, EV_QUEUE };

/* Bits of a task's state; 0 is ready. */
enum {
    TASK_READY     = 0x00,
    TASK_SEMAPHORE = 0x01,
    TASK_MAILBOX   = 0x02,
    TASK_QUEUE     = 0x04,
    TASK_SUSPENDED = 0x08,
    TASK_MUTEX     = 0x10,
    TASK_FLAGS     = 0x20,
    TASK_DORMANT   = 0x80
};
#define TASK_WAITING (TASK_SEMAPHORE | TASK_MAILBOX | TASK_QUEUE | TASK_MUTEX | TASK_FLAGS)

enum { FLAG_ALL = 0, FLAG_ANY = 1, FLAG_CONSUME = 2 };
enum { DELETE_IF_UNUSED = 0, DELETE_ALWAYS = 1 };
enum { POST_FIFO = 0, POST_FRONT = 1, POST_BROADCAST = 2 };

struct event;
struct flag_group;

struct task {
    struct task *next;
    struct event *event;
    struct flag_group *group;
    void *message;
    ticks_t delay;
    uint8_t state;
    prio_t prio;
    bool timed_out;
    flags_t wanted;
    flags_t granted;
    uint8_t flag_mode;
    uint32_t switches;
};

struct queue {
    struct queue *next_free;
    void **start;
    uint8_t size;
    uint8_t in;
    uint8_t out;
    uint8_t entries;
};

struct event {
    uint8_t type;
    rowmap_t waiting;          /* one bit for each priority */
    uint16_t count;            /* of a semaphore */
    void *message;             /* of a mailbox */
    struct queue *queue;
    struct task *owner;        /* of a mutex */
    prio_t ceiling;
    prio_t owner_prio;
    struct event *next_free;
};

struct flag_group {
    bool used;
    flags_t flags;
    rowmap_t waiting;
};

struct partition {
    bool used;
    void *free_list;
    uint16_t block_size;
    uint8_t blocks;
    uint8_t free_blocks;
};

struct statistics {
    uint32_t switches;
    uint32_t idle_count;
    uint32_t idle_max;
    uint8_t cpu_usage;
    uint16_t timeouts;
};

/* ---- the kernel's tables ---- */

static struct task task_table[MAX_TASKS];
static struct task *task_by_prio[PRIORITIES];
static struct task *task_list;
static struct task *task_free_list;
static struct task *current;
static rowmap_t ready;

static struct event event_table[MAX_EVENTS];
static struct event *event_free_list;
static struct queue queue_table[MAX_QUEUES];
static struct queue *queue_free_list;
static struct flag_group flag_table[MAX_FLAGS];
static struct partition partition_table[MAX_PARTITIONS];

static bool running;
static uint8_t interrupt_nesting;
static uint8_t scheduler_lock;
static uint32_t now;
static struct statistics stats;

static const uint8_t lowest_bit[16] = { 0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0 };

#define BIT(prio) ((rowmap_t)(1u << (prio)))

/* ---- bitmaps and lists: callers hold the lock ---- */

/* The most urgent priority in a map that is not empty. */
static prio_t first_of(rowmap_t map)
{
    if (map & 0x000f)
        return lowest_bit[map & 0x000f];
    if (map & 0x00f0)
        return (prio_t)(lowest_bit[(map >> 4) & 0x000f] + 4);
    if (map & 0x0f00)
        return (prio_t)(lowest_bit[(map >> 8) & 0x000f] + 8);
    return (prio_t)(lowest_bit[(map >> 12) & 0x000f] + 12);
}

static void make_ready(struct task *t)
{
    ready |= BIT(t->prio);
}

static void make_unready(struct task *t)
{
    ready &= (rowmap_t)~BIT(t->prio);
}

/* Takes a task out of whatever it waits for, without making it ready. */
static void stop_waiting(struct task *t)
{
    if (t->event != NULL) {
        t->event->waiting &= (rowmap_t)~BIT(t->prio);
        t->event = NULL;
    }
    if (t->group != NULL) {
        t->group->waiting &= (rowmap_t)~BIT(t->prio);
        t->group = NULL;
    }
    t->state &= (uint8_t)~TASK_WAITING;
}

static void wait_for(struct event *e, uint8_t why, ticks_t timeout)
{
    current->event = e;
    current->state |= why;
    current->delay = timeout;
    current->timed_out = false;
    e->waiting |= BIT(current->prio);
    make_unready(current);
}

/* Hands an event to the most urgent task that waits for it. */
static struct task *wake_first(struct event *e, void *message, uint8_t why)
{
    prio_t prio = first_of(e->waiting);
    struct task *t = task_by_prio[prio];
    e->waiting &= (rowmap_t)~BIT(prio);
    t->event = NULL;
    t->delay = 0;
    t->message = message;
    t->state &= (uint8_t)~why;
    if (t->state == TASK_READY)
        make_ready(t);
    return t;
}

/* Every task that waits for an event that is going away. */
static void wake_all(struct event *e)
{
    prio_t prio;
    for (prio = 0; prio < PRIORITIES; prio++) {
        struct task *t = task_by_prio[prio];
        if ((e->waiting & BIT(prio)) == 0 || t == NULL)
            continue;
        t->event = NULL;
        t->delay = 0;
        t->message = NULL;
        t->timed_out = true;
        t->state &= (uint8_t)~TASK_WAITING;
        if (t->state == TASK_READY)
            make_ready(t);
    }
    e->waiting = 0;
}

static struct event *event_new(uint8_t type)
{
    struct event *e = event_free_list;
    if (e == NULL)
        return NULL;
    event_free_list = e->next_free;
    e->next_free = NULL;
    e->type = type;
    e->waiting = 0;
    e->count = 0;
    e->message = NULL;
    e->queue = NULL;
    e->owner = NULL;
    return e;
}

static void event_free(struct event *e)
{
    e->type = EV_FREE;
    e->next_free = event_free_list;
    event_free_list = e;
}

/* ---- scheduling ---- */

/*
 * The host's context switch. Other tasks and interrupts run until the caller is due again: somebody has given it what it waits
 * for, or its time is over.
 */
static void context_switch(void)
{
    stats.switches++;
    current->switches++;
    if ((current->state & TASK_WAITING) != 0) {
        if (__VERIFIER_nondet_uchar() > 100) {
            stop_waiting(current);
            current->message = current;
            current->granted = current->wanted;
        } else {
            current->timed_out = true;
        }
        current->delay = 0;
    }
    make_ready(current);
}

/* Takes the lock itself: call it with the lock free. */
static void schedule(void)
{
    ENTER_CRITICAL();
    if (interrupt_nesting == 0 && scheduler_lock == 0 && running) {
        prio_t first = first_of(ready);
        if (task_by_prio[first] != current)
            context_switch();
    }
    EXIT_CRITICAL();
}

void rk_interrupt_enter(void)
{
    if (!running)
        return;
    ENTER_CRITICAL();
    if (interrupt_nesting < 255)
        interrupt_nesting++;
    EXIT_CRITICAL();
}

void rk_interrupt_exit(void)
{
    if (!running)
        return;
    ENTER_CRITICAL();
    if (interrupt_nesting > 0)
        interrupt_nesting--;
    if (interrupt_nesting == 0 && scheduler_lock == 0) {
        if (task_by_prio[first_of(ready)] != current)
            context_switch();
    }
    EXIT_CRITICAL();
}

void rk_scheduler_lock(void)
{
    if (!running)
        return;
    ENTER_CRITICAL();
    if (scheduler_lock < 255)
        scheduler_lock++;
    EXIT_CRITICAL();
}

void rk_scheduler_unlock(void)
{
    if (!running)
        return;
    ENTER_CRITICAL();
    if (scheduler_lock == 0) {
        EXIT_CRITICAL();
        return;
    }
    scheduler_lock--;
    if (scheduler_lock > 0 || interrupt_nesting > 0) {
        EXIT_CRITICAL();
        return;
    }
    EXIT_CRITICAL();
    schedule();
}

/* ---- tasks ---- */

status_t rk_task_create(prio_t prio)
{
    struct task *t;
    if (prio >= PRIORITIES)
        return ERR_PRIORITY;
    ENTER_CRITICAL();
    if (interrupt_nesting > 0) {
        EXIT_CRITICAL();
        return ERR_FROM_ISR;
    }
    if (task_by_prio[prio] != NULL) {
        EXIT_CRITICAL();
        return ERR_PRIORITY_USED;
    }
    t = task_free_list;
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TCB;
    }
    task_free_list = t->next;
    t->next = task_list;
    task_list = t;
    t->prio = prio;
    t->state = TASK_READY;
    t->delay = 0;
    t->event = NULL;
    t->group = NULL;
    t->message = NULL;
    t->switches = 0;
    task_by_prio[prio] = t;
    make_ready(t);
    EXIT_CRITICAL();
    if (running)
        schedule();
    return ERR_NONE;
}

/* Takes a task out of the list of all tasks. */
static void task_unlink(struct task *t)
{
    struct task *before = task_list;
    if (task_list == t) {
        task_list = t->next;
        return;
    }
    while (before != NULL && before->next != t)
        before = before->next;
    if (before != NULL)
        before->next = t->next;
}

status_t rk_task_delete(prio_t prio)
{
    struct task *t;
    if (prio == IDLE_PRIORITY)
        return ERR_IDLE;
    if (prio >= PRIORITIES && prio != SELF)
        return ERR_PRIORITY;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ENTER_CRITICAL();
    t = prio == SELF ? current : task_by_prio[prio];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    stop_waiting(t);
    make_unready(t);
    t->delay = 0;
    t->state = TASK_DORMANT;
    task_by_prio[t->prio] = NULL;
    EXIT_CRITICAL();

    /* The list of all tasks is searched by tasks only, and this one can no longer run. */
    if (scheduler_lock < 255)
        scheduler_lock++;
    task_unlink(t);
    if (scheduler_lock > 0)
        scheduler_lock--;

    ENTER_CRITICAL();
    t->next = task_free_list;
    task_free_list = t;
    EXIT_CRITICAL();
    schedule();
    return ERR_NONE;
}

status_t rk_task_suspend(prio_t prio)
{
    struct task *t;
    bool self;
    if (prio == IDLE_PRIORITY)
        return ERR_IDLE;
    if (prio >= PRIORITIES && prio != SELF)
        return ERR_PRIORITY;
    ENTER_CRITICAL();
    if (prio == SELF)
        prio = current->prio;
    self = prio == current->prio;
    t = task_by_prio[prio];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    make_unready(t);
    t->state |= TASK_SUSPENDED;
    EXIT_CRITICAL();
    if (self)
        schedule();
    return ERR_NONE;
}

status_t rk_task_resume(prio_t prio)
{
    struct task *t;
    if (prio >= IDLE_PRIORITY)
        return ERR_PRIORITY;
    ENTER_CRITICAL();
    t = task_by_prio[prio];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    if ((t->state & TASK_SUSPENDED) == 0) {
        EXIT_CRITICAL();
        return ERR_NOT_SUSPENDED;
    }
    t->state &= (uint8_t)~TASK_SUSPENDED;
    if (t->state == TASK_READY && t->delay == 0) {
        make_ready(t);
#ifdef BUG_RESUME
        schedule();
        EXIT_CRITICAL();
#else
        EXIT_CRITICAL();
        schedule();
#endif
        return ERR_NONE;
    }
    EXIT_CRITICAL();
    return ERR_NONE;
}

status_t rk_task_change_priority(prio_t old, prio_t new)
{
    struct task *t;
    if ((old >= IDLE_PRIORITY && old != SELF) || new >= IDLE_PRIORITY)
        return ERR_PRIORITY;
    ENTER_CRITICAL();
    if (task_by_prio[new] != NULL) {
        EXIT_CRITICAL();
        return ERR_PRIORITY_USED;
    }
    if (old == SELF)
        old = current->prio;
    t = task_by_prio[old];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    task_by_prio[old] = NULL;
    task_by_prio[new] = t;
    if (ready & BIT(old)) {
        ready &= (rowmap_t)~BIT(old);
        ready |= BIT(new);
    } else if (t->event != NULL) {
        t->event->waiting &= (rowmap_t)~BIT(old);
        t->event->waiting |= BIT(new);
    }
    t->prio = new;
    EXIT_CRITICAL();
    if (running)
        schedule();
    return ERR_NONE;
}

status_t rk_task_query(prio_t prio, struct task *copy)
{
    struct task *t;
    if (prio >= PRIORITIES && prio != SELF)
        return ERR_PRIORITY;
    if (copy == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    t = prio == SELF ? current : task_by_prio[prio];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    *copy = *t;
    EXIT_CRITICAL();
    return ERR_NONE;
}

/* ---- time ---- */

/* From the timer's interrupt. The lock is given back between two tasks, so that other interrupts do not wait long. */
void rk_tick(void)
{
    struct task *t;
    ENTER_CRITICAL();
    now++;
    t = task_list;
    EXIT_CRITICAL();
    while (t != NULL) {
        ENTER_CRITICAL();
        if (t->delay > 0 && --t->delay == 0) {
            if ((t->state & TASK_WAITING) != 0) {
                stop_waiting(t);
                t->timed_out = true;
                stats.timeouts++;
            }
            if ((t->state & TASK_SUSPENDED) == 0)
                make_ready(t);
        }
        t = t->next;
        EXIT_CRITICAL();
    }
}

void rk_delay(ticks_t ticks)
{
    if (ticks == 0 || interrupt_nesting > 0 || scheduler_lock > 0)
        return;
    ENTER_CRITICAL();
    make_unready(current);
    current->delay = ticks;
    EXIT_CRITICAL();
    schedule();
}

status_t rk_delay_until(uint8_t minutes, uint8_t seconds, uint16_t milliseconds)
{
    uint32_t ticks;
    if (minutes > 59 || seconds > 59 || milliseconds > 999)
        return ERR_ARGUMENT;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ticks = (minutes * 60u + seconds) * TICKS_PER_SECOND + milliseconds * TICKS_PER_SECOND / 1000u;
    while (ticks > 0xffff) {
        rk_delay(0x8000);
        ticks -= 0x8000;
    }
    rk_delay((ticks_t)ticks);
    return ERR_NONE;
}

status_t rk_delay_resume(prio_t prio)
{
    struct task *t;
    if (prio >= IDLE_PRIORITY)
        return ERR_PRIORITY;
    ENTER_CRITICAL();
    t = task_by_prio[prio];
    if (t == NULL) {
        EXIT_CRITICAL();
        return ERR_NO_TASK;
    }
    if (t->delay == 0) {
        EXIT_CRITICAL();
        return ERR_NOT_DELAYED;
    }
    t->delay = 0;
    if ((t->state & TASK_WAITING) != 0) {
        stop_waiting(t);
        t->timed_out = true;
    }
    if ((t->state & TASK_SUSPENDED) != 0) {
        EXIT_CRITICAL();
        return ERR_NONE;
    }
    make_ready(t);
    EXIT_CRITICAL();
    schedule();
    return ERR_NONE;
}

uint32_t rk_time_get(void)
{
    uint32_t copy;
    ENTER_CRITICAL();
    copy = now;
    EXIT_CRITICAL();
    return copy;
}

void rk_time_set(uint32_t ticks)
{
    ENTER_CRITICAL();
    now = ticks;
    EXIT_CRITICAL();
}

/* ---- semaphores ---- */

struct event *rk_sem_create(uint16_t count)
{
    struct event *e;
    if (interrupt_nesting > 0)
        return NULL;
    ENTER_CRITICAL();
    e = event_new(EV_SEMAPHORE);
    if (e != NULL)
        e->count = count;
    EXIT_CRITICAL();
    return e;
}

uint16_t rk_sem_accept(struct event *e)
{
    uint16_t count;
    if (e == NULL || e->type != EV_SEMAPHORE)
        return 0;
    ENTER_CRITICAL();
    count = e->count;
    if (count > 0)
        e->count--;
    EXIT_CRITICAL();
    return count;
}

status_t rk_sem_wait(struct event *e, ticks_t timeout)
{
    if (e == NULL)
        return ERR_NULL;
    if (e->type != EV_SEMAPHORE)
        return ERR_TYPE;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    if (scheduler_lock > 0)
        return ERR_LOCKED;
    ENTER_CRITICAL();
    if (e->count > 0) {
        e->count--;
        EXIT_CRITICAL();
        return ERR_NONE;
    }
    wait_for(e, TASK_SEMAPHORE, timeout);
    EXIT_CRITICAL();
    schedule();
    ENTER_CRITICAL();
    if (current->timed_out) {
        stop_waiting(current);
        stats.timeouts++;
        EXIT_CRITICAL();
        return ERR_TIMEOUT;
    }
    EXIT_CRITICAL();
    return ERR_NONE;
}

status_t rk_sem_signal(struct event *e)
{
    if (e == NULL)
        return ERR_NULL;
    if (e->type != EV_SEMAPHORE)
        return ERR_TYPE;
    ENTER_CRITICAL();
    if (e->waiting != 0) {
        wake_first(e, NULL, TASK_SEMAPHORE);
        EXIT_CRITICAL();
        schedule();
        return ERR_NONE;
    }
    if (e->count == 65535u) {
        EXIT_CRITICAL();
        return ERR_OVERFLOW;
    }
    e->count++;
    EXIT_CRITICAL();
    return ERR_NONE;
}

status_t rk_sem_delete(struct event *e, int option)
{
    bool waiting;
    if (e == NULL)
        return ERR_NULL;
    if (e->type != EV_SEMAPHORE)
        return ERR_TYPE;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ENTER_CRITICAL();
    waiting = e->waiting != 0;
    switch (option) {
    case DELETE_IF_UNUSED:
        if (waiting) {
            EXIT_CRITICAL();
            return ERR_TASKS_WAITING;
        }
        event_free(e);
        EXIT_CRITICAL();
        return ERR_NONE;
    case DELETE_ALWAYS:
        wake_all(e);
        event_free(e);
        EXIT_CRITICAL();
        if (waiting)
            schedule();
        return ERR_NONE;
    default:
        EXIT_CRITICAL();
        return ERR_OPTION;
    }
}

/* ---- mutexes with a priority ceiling ---- */

struct event *rk_mutex_create(prio_t ceiling, status_t *status)
{
    struct event *e;
    if (interrupt_nesting > 0) {
        *status = ERR_FROM_ISR;
        return NULL;
    }
    if (ceiling >= STAT_PRIORITY) {
        *status = ERR_PRIORITY;
        return NULL;
    }
    ENTER_CRITICAL();
    if (task_by_prio[ceiling] != NULL) {
        EXIT_CRITICAL();
        *status = ERR_PRIORITY_USED;
        return NULL;
    }
    e = event_new(EV_MUTEX);
    if (e == NULL) {
        EXIT_CRITICAL();
        *status = ERR_NO_EVENT;
        return NULL;
    }
    e->ceiling = ceiling;
    e->owner_prio = NO_PRIORITY;
    EXIT_CRITICAL();
    *status = ERR_NONE;
    return e;
}

/* The owner runs at the ceiling while somebody more urgent waits. */
static void raise_owner(struct event *e)
{
    struct task *owner = e->owner;
    if (owner->prio <= current->prio)
        return;
    if (ready & BIT(owner->prio)) {
        ready &= (rowmap_t)~BIT(owner->prio);
        ready |= BIT(e->ceiling);
    } else if (owner->event != NULL) {
        owner->event->waiting &= (rowmap_t)~BIT(owner->prio);
        owner->event->waiting |= BIT(e->ceiling);
    }
    task_by_prio[owner->prio] = NULL;
    owner->prio = e->ceiling;
    task_by_prio[owner->prio] = owner;
}

static void lower_owner(struct event *e)
{
    struct task *owner = e->owner;
    if (owner->prio == e->owner_prio)
        return;
    task_by_prio[owner->prio] = NULL;
    ready &= (rowmap_t)~BIT(owner->prio);
    owner->prio = e->owner_prio;
    task_by_prio[owner->prio] = owner;
    make_ready(owner);
}

status_t rk_mutex_acquire(struct event *e, ticks_t timeout)
{
    if (e == NULL)
        return ERR_NULL;
    if (e->type != EV_MUTEX)
        return ERR_TYPE;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ENTER_CRITICAL();
    if (e->owner == NULL) {
        e->owner = current;
        e->owner_prio = current->prio;
        EXIT_CRITICAL();
        return ERR_NONE;
    }
    raise_owner(e);
    wait_for(e, TASK_MUTEX, timeout);
    EXIT_CRITICAL();
    schedule();
    ENTER_CRITICAL();
    if (current->timed_out) {
        stop_waiting(current);
        stats.timeouts++;
        EXIT_CRITICAL();
        return ERR_TIMEOUT;
    }
    EXIT_CRITICAL();
    return ERR_NONE;
}

status_t rk_mutex_release(struct event *e)
{
    struct task *next;
    if (e == NULL)
        return ERR_NULL;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ENTER_CRITICAL();
    if (e->type != EV_MUTEX) {
        EXIT_CRITICAL();
        return ERR_TYPE;
    }
    if (e->owner != current) {
#ifndef BUG_MUTEX
        EXIT_CRITICAL();
#endif
        return ERR_NOT_OWNER;
    }
    lower_owner(e);
    if (e->waiting == 0) {
        e->owner = NULL;
        e->owner_prio = NO_PRIORITY;
        EXIT_CRITICAL();
        return ERR_NONE;
    }
    next = wake_first(e, NULL, TASK_MUTEX);
    e->owner = next;
    e->owner_prio = next->prio;
    EXIT_CRITICAL();
    schedule();
    return ERR_NONE;
}

status_t rk_mutex_delete(struct event *e, int option)
{
    bool waiting;
    if (e == NULL)
        return ERR_NULL;
    if (interrupt_nesting > 0)
        return ERR_FROM_ISR;
    ENTER_CRITICAL();
    if (e->type != EV_MUTEX) {
        EXIT_CRITICAL();
        return ERR_TYPE;
    }
    waiting = e->waiting != 0;
    if (option == DELETE_IF_UNUSED && (waiting || e->owner != NULL)) {
        EXIT_CRITICAL();
        return ERR_TASKS_WAITING;
    }
    if (e->owner != NULL)
        lower_owner(e);
    wake_all(e);
    event_free(e);
    EXIT_CRITICAL();
    if (waiting)
        schedule();
    return ERR_NONE;
}

/* ---- mailboxes: one message ---- */

struct event *rk_mailbox_create(void *message)
{
    struct event *e;
    if (interrupt_nesting > 0)
        return NULL;
    ENTER_CRITICAL();
    e = event_new(EV_MAILBOX);
    if (e != NULL)
        e->message = message;
    EXIT_CRITICAL();
    return e;
}

void *rk_mailbox_receive(struct event *e, ticks_t timeout, status_t *status)
{
    void *message;
    if (e == NULL) {
        *status = ERR_NULL;
        return NULL;
    }
    if (interrupt_nesting > 0) {
        *status = ERR_FROM_ISR;
        return NULL;
    }
    ENTER_CRITICAL();
    if (e->type != EV_MAILBOX) {
        EXIT_CRITICAL();
        *status = ERR_TYPE;
        return NULL;
    }
    message = e->message;
    if (message != NULL) {
        e->message = NULL;
        EXIT_CRITICAL();
        *status = ERR_NONE;
        return message;
    }
    wait_for(e, TASK_MAILBOX, timeout);
    EXIT_CRITICAL();
    schedule();
    ENTER_CRITICAL();
    message = current->message;
    if (message == NULL) {
        stop_waiting(current);
        EXIT_CRITICAL();
        *status = ERR_TIMEOUT;
        return NULL;
    }
    current->message = NULL;
    EXIT_CRITICAL();
    *status = ERR_NONE;
    return message;
}

status_t rk_mailbox_send(struct event *e, void *message)
{
    status_t status = ERR_NONE;
    bool switch_now = false;
    if (e == NULL || message == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    if (e->type != EV_MAILBOX) {
        status = ERR_TYPE;
    } else if (e->waiting != 0) {
        wake_first(e, message, TASK_MAILBOX);
        switch_now = true;
    } else if (e->message != NULL) {
        status = ERR_FULL;
    } else {
        e->message = message;
    }
    EXIT_CRITICAL();
    if (switch_now)
        schedule();
    return status;
}

/* ---- queues: a ring of messages ---- */

struct event *rk_queue_create(void **start, uint8_t size)
{
    struct event *e;
    struct queue *q;
    if (start == NULL || size == 0 || interrupt_nesting > 0)
        return NULL;
    ENTER_CRITICAL();
    e = event_new(EV_QUEUE);
    if (e == NULL) {
        EXIT_CRITICAL();
        return NULL;
    }
    q = queue_free_list;
    if (q == NULL) {
        event_free(e);
        EXIT_CRITICAL();
        return NULL;
    }
    queue_free_list = q->next_free;
    EXIT_CRITICAL();
    q->start = start;
    q->size = size;
    q->in = 0;
    q->out = 0;
    q->entries = 0;
    e->queue = q;
    return e;
}

static void *ring_get(struct queue *q)
{
    void *message = q->start[q->out];
    q->entries--;
    if (++q->out == q->size)
        q->out = 0;
    return message;
}

static void ring_put(struct queue *q, void *message, bool in_front)
{
    if (in_front) {
        q->out = q->out == 0 ? (uint8_t)(q->size - 1) : (uint8_t)(q->out - 1);
        q->start[q->out] = message;
    } else {
        q->start[q->in] = message;
        if (++q->in == q->size)
            q->in = 0;
    }
    q->entries++;
}

void *rk_queue_receive(struct event *e, ticks_t timeout, status_t *status)
{
    void *message;
    if (e == NULL) {
        *status = ERR_NULL;
        return NULL;
    }
    if (interrupt_nesting > 0) {
        *status = ERR_FROM_ISR;
        return NULL;
    }
    ENTER_CRITICAL();
    if (e->type != EV_QUEUE || e->queue == NULL) {
        EXIT_CRITICAL();
        *status = ERR_TYPE;
        return NULL;
    }
    if (e->queue->entries > 0) {
        message = ring_get(e->queue);
        EXIT_CRITICAL();
        *status = ERR_NONE;
        return message;
    }
    wait_for(e, TASK_QUEUE, timeout);
    EXIT_CRITICAL();
    schedule();
    ENTER_CRITICAL();
    if (current->timed_out) {
        stop_waiting(current);
        stats.timeouts++;
#ifdef BUG_TIMEOUT
        EXIT_CRITICAL();
#endif
        message = NULL;
        *status = ERR_TIMEOUT;
    } else {
        message = current->message;
        current->message = NULL;
        *status = ERR_NONE;
    }
    EXIT_CRITICAL();
    return message;
}

status_t rk_queue_send(struct event *e, void *message, int how)
{
    struct queue *q;
    if (e == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    if (e->type != EV_QUEUE || e->queue == NULL) {
        EXIT_CRITICAL();
        return ERR_TYPE;
    }
    if (e->waiting != 0) {
        if (how & POST_BROADCAST) {
            prio_t prio;
            for (prio = 0; prio < PRIORITIES; prio++)
                if (e->waiting & BIT(prio))
                    wake_first(e, message, TASK_QUEUE);
        } else {
            wake_first(e, message, TASK_QUEUE);
        }
        EXIT_CRITICAL();
        schedule();
        return ERR_NONE;
    }
    q = e->queue;
    if (q->entries >= q->size) {
        EXIT_CRITICAL();
        return ERR_FULL;
    }
    ring_put(q, message, (how & POST_FRONT) != 0);
    EXIT_CRITICAL();
    return ERR_NONE;
}

status_t rk_queue_flush(struct event *e)
{
    if (e == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    if (e->type == EV_QUEUE && e->queue != NULL) {
        e->queue->in = 0;
        e->queue->out = 0;
        e->queue->entries = 0;
        EXIT_CRITICAL();
        return ERR_NONE;
    }
    EXIT_CRITICAL();
    return ERR_TYPE;
}

/* ---- event flags ---- */

/* What of the wanted flags a task may have now; nothing when it must wait. */
static flags_t flags_for(flags_t present, flags_t wanted, uint8_t mode)
{
    flags_t found = present & wanted;
    if ((mode & FLAG_ANY) != 0)
        return found;
    return found == wanted ? found : 0;
}

struct flag_group *rk_flags_create(flags_t initial)
{
    struct flag_group *group = NULL;
    int i;
    if (interrupt_nesting > 0)
        return NULL;
    ENTER_CRITICAL();
    i = 0;
    while (i < MAX_FLAGS && group == NULL) {
        if (flag_table[i].used) {
#ifndef BUG_SPIN
            i++;
#endif
            continue;
        }
        group = &flag_table[i];
    }
    if (group != NULL) {
        group->used = true;
        group->flags = initial;
        group->waiting = 0;
    }
    EXIT_CRITICAL();
    return group;
}

flags_t rk_flags_wait(struct flag_group *group, flags_t wanted, uint8_t mode, ticks_t timeout, status_t *status)
{
    flags_t got;
    if (group == NULL || !group->used) {
        *status = ERR_NULL;
        return 0;
    }
    if (interrupt_nesting > 0) {
        *status = ERR_FROM_ISR;
        return 0;
    }
    ENTER_CRITICAL();
    got = flags_for(group->flags, wanted, mode);
    if (got != 0) {
        if ((mode & FLAG_CONSUME) != 0)
            group->flags &= (flags_t)~got;
        EXIT_CRITICAL();
        *status = ERR_NONE;
        return got;
    }
    current->group = group;
    current->wanted = wanted;
    current->granted = 0;
    current->flag_mode = mode;
    current->delay = timeout;
    current->timed_out = false;
    current->state |= TASK_FLAGS;
    group->waiting |= BIT(current->prio);
    make_unready(current);
    EXIT_CRITICAL();
    schedule();
    ENTER_CRITICAL();
    if ((current->state & TASK_FLAGS) != 0) {
        stop_waiting(current);
        EXIT_CRITICAL();
        *status = ERR_TIMEOUT;
        return 0;
    }
    got = current->granted;
    if ((mode & FLAG_CONSUME) != 0)
        group->flags &= (flags_t)~got;
    EXIT_CRITICAL();
    *status = ERR_NONE;
    return got;
}

status_t rk_flags_post(struct flag_group *group, flags_t flags, bool set)
{
    prio_t prio;
    bool woken = false;
    if (group == NULL || !group->used)
        return ERR_NULL;
    ENTER_CRITICAL();
    if (set)
        group->flags |= flags;
    else
        group->flags &= (flags_t)~flags;
    prio = 0;
    while (group->waiting != 0 && prio < PRIORITIES) {
        struct task *t = task_by_prio[prio];
        flags_t got;
        if (t == NULL || (group->waiting & BIT(prio)) == 0) {
            prio++;
            continue;
        }
        got = flags_for(group->flags, t->wanted, t->flag_mode);
        if (got != 0) {
            stop_waiting(t);
            t->granted = got;
            t->delay = 0;
            if (t->state == TASK_READY)
                make_ready(t);
            woken = true;
        }
        prio++;
    }
    EXIT_CRITICAL();
    if (woken)
        schedule();
    return ERR_NONE;
}

/* ---- memory partitions: blocks of one size, chained through their first words ---- */

struct partition *rk_partition_create(void **memory, uint8_t blocks, uint16_t block_size, status_t *status)
{
    struct partition *p = NULL;
    uint8_t i;
    if (memory == NULL || blocks < 2 || block_size < sizeof(void *)) {
        *status = ERR_BLOCKS;
        return NULL;
    }
    ENTER_CRITICAL();
    for (i = 0; i < MAX_PARTITIONS && p == NULL; i++)
        if (!partition_table[i].used)
            p = &partition_table[i];
    if (p == NULL) {
        EXIT_CRITICAL();
        *status = ERR_ARGUMENT;
        return NULL;
    }
    p->used = true;
    EXIT_CRITICAL();
    for (i = 0; i + 1 < blocks; i++)
        memory[i] = &memory[i + 1];
    memory[blocks - 1] = NULL;
    p->free_list = memory;
    p->blocks = blocks;
    p->free_blocks = blocks;
    p->block_size = block_size;
    *status = ERR_NONE;
    return p;
}

void *rk_block_get(struct partition *p, status_t *status)
{
    void *block = NULL;
    if (p == NULL) {
        *status = ERR_NULL;
        return NULL;
    }
    ENTER_CRITICAL();
    if (p->free_blocks > 0) {
        block = p->free_list;
        p->free_list = *(void **)block;
        p->free_blocks--;
        *status = ERR_NONE;
    } else {
        *status = ERR_EMPTY;
    }
    EXIT_CRITICAL();
    return block;
}

status_t rk_block_put(struct partition *p, void *block)
{
    if (p == NULL || block == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    if (p->free_blocks >= p->blocks) {
        EXIT_CRITICAL();
        return ERR_FULL;
    }
    *(void **)block = p->free_list;
    p->free_list = block;
    p->free_blocks++;
    EXIT_CRITICAL();
    return ERR_NONE;
}

/* ---- statistics ---- */

/* Once a second, from the statistics task. */
void rk_statistics(void)
{
    uint32_t idle;
    uint32_t most;
    ENTER_CRITICAL();
    idle = stats.idle_count;
    stats.idle_count = 0;
    if (idle > stats.idle_max)
        stats.idle_max = idle;
    most = stats.idle_max / 100u;
    EXIT_CRITICAL();
    if (most > 0)
        stats.cpu_usage = (uint8_t)(100u - idle / most);
    else
        stats.cpu_usage = 0;
}

status_t rk_statistics_get(struct statistics *copy)
{
    if (copy == NULL)
        return ERR_NULL;
    ENTER_CRITICAL();
    *copy = stats;
    EXIT_CRITICAL();
    return ERR_NONE;
}

static void idle_once(void)
{
    ENTER_CRITICAL();
    stats.idle_count++;
    EXIT_CRITICAL();
}

/* ---- start ---- */

void rk_init(void)
{
    int i;
    for (i = 0; i < MAX_TASKS; i++) {
        task_table[i].state = TASK_DORMANT;
        task_table[i].next = i + 1 < MAX_TASKS ? &task_table[i + 1] : NULL;
    }
    task_free_list = &task_table[0];
    for (i = 0; i < MAX_EVENTS; i++) {
        event_table[i].type = EV_FREE;
        event_table[i].next_free = i + 1 < MAX_EVENTS ? &event_table[i + 1] : NULL;
    }
    event_free_list = &event_table[0];
    for (i = 0; i < MAX_QUEUES; i++)
        queue_table[i].next_free = i + 1 < MAX_QUEUES ? &queue_table[i + 1] : NULL;
    queue_free_list = &queue_table[0];
    rk_task_create(IDLE_PRIORITY);
    rk_task_create(STAT_PRIORITY);
}

void rk_start(void)
{
    ENTER_CRITICAL();
    if (!running) {
        current = task_by_prio[first_of(ready)];
        running = true;
    }
    EXIT_CRITICAL();
}

/* ---- an application that calls everything, in any order and with any arguments ---- */

#define APP_PRIORITY 4

static void *queue_storage[4];
static void *partition_storage[6];
static int letter;

static struct event *app_semaphore;
static struct event *app_mutex;
static struct event *app_mailbox;
static struct event *app_queue;
static struct flag_group *app_flags;
static struct partition *app_partition;

static struct event *any_event(void)
{
    switch (__VERIFIER_nondet_uchar() & 7) {
    case 0:
        return app_semaphore;
    case 1:
        return app_mutex;
    case 2:
        return app_mailbox;
    case 3:
        return app_queue;
    default:
        return NULL;
    }
}

static void app_create(void)
{
    status_t status;
    rk_task_create(APP_PRIORITY);
    app_semaphore = rk_sem_create(1);
    app_mutex = rk_mutex_create(2, &status);
    app_mailbox = rk_mailbox_create(NULL);
    app_queue = rk_queue_create(queue_storage, 4);
    app_flags = rk_flags_create(0);
    app_partition = rk_partition_create(partition_storage, 6, sizeof(void *), &status);
}

static void call_task_service(void)
{
    struct task copy;
    prio_t prio = __VERIFIER_nondet_uchar();
    switch (__VERIFIER_nondet_uchar()) {
    case 0:
        rk_task_create(prio);
        break;
    case 1:
        if (prio != APP_PRIORITY && prio != SELF)
            rk_task_delete(prio);
        break;
    case 2:
        rk_task_suspend(prio);
        break;
    case 3:
        rk_task_resume(prio);
        break;
    case 4:
        rk_task_change_priority(prio, __VERIFIER_nondet_uchar());
        break;
    case 5:
        rk_task_query(prio, &copy);
        break;
    case 6:
        rk_delay_resume(prio);
        break;
    case 7:
        rk_scheduler_lock();
        break;
    case 8:
        rk_scheduler_unlock();
        break;
    default:
        idle_once();
        break;
    }
}

static void call_event_service(void)
{
    status_t status;
    flags_t flags;
    struct event *e = any_event();
    ticks_t timeout = __VERIFIER_nondet_ushort();
    switch (__VERIFIER_nondet_uchar()) {
    case 0:
        rk_sem_accept(e);
        break;
    case 1:
        rk_sem_wait(e, timeout);
        break;
    case 2:
        rk_sem_signal(e);
        break;
    case 3:
        if (rk_sem_delete(app_semaphore, __VERIFIER_nondet_uchar()) == ERR_NONE)
            app_semaphore = rk_sem_create(3);
        break;
    case 4:
        rk_mutex_acquire(e, timeout);
        break;
    case 5:
        rk_mutex_release(e);
        break;
    case 6:
        if (rk_mutex_delete(app_mutex, DELETE_IF_UNUSED) == ERR_NONE)
            app_mutex = rk_mutex_create(2, &status);
        break;
    case 7:
        rk_mailbox_receive(e, timeout, &status);
        break;
    case 8:
        rk_mailbox_send(e, &letter);
        break;
    case 9:
        rk_queue_receive(e, timeout, &status);
        break;
    case 10:
        rk_queue_send(e, &letter, __VERIFIER_nondet_uchar());
        break;
    case 11:
        rk_queue_flush(e);
        break;
    case 12:
        flags = __VERIFIER_nondet_ushort();
        rk_flags_wait(app_flags, flags, __VERIFIER_nondet_uchar(), timeout, &status);
        break;
    case 13:
        flags = __VERIFIER_nondet_ushort();
        rk_flags_post(app_flags, flags, __VERIFIER_nondet_uchar() & 1);
        break;
    default:
        break;
    }
}

static void call_other_service(void)
{
    struct statistics copy;
    status_t status;
    void *block;
    uint8_t minutes, seconds;
    switch (__VERIFIER_nondet_uchar()) {
    case 0:
        rk_delay(__VERIFIER_nondet_ushort());
        break;
    case 1:
        minutes = __VERIFIER_nondet_uchar();
        seconds = __VERIFIER_nondet_uchar();
        rk_delay_until(minutes, seconds, __VERIFIER_nondet_ushort());
        break;
    case 2:
        rk_time_set(rk_time_get() + 1);
        break;
    case 3:
        block = rk_block_get(app_partition, &status);
        if (status == ERR_NONE)
            rk_block_put(app_partition, block);
        break;
    case 4:
        rk_statistics();
        break;
    case 5:
        rk_statistics_get(&copy);
        break;
    case 6:
        rk_interrupt_enter();
        rk_tick();
        rk_interrupt_exit();
        break;
    case 7:
        rk_flags_create(__VERIFIER_nondet_ushort());
        break;
    default:
        break;
    }
}

void application(void)
{
    rk_init();
    app_create();
    rk_start();
    for (;;) {
        switch (__VERIFIER_nondet_uchar() & 3) {
        case 0:
            call_task_service();
            break;
        case 1:
            call_event_service();
            break;
        default:
            call_other_service();
            break;
        }
    }
}
