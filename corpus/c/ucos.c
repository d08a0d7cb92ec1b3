/*
 * Applications over a small kernel, in the manner of UCOSD-n and UCOSN-n of [MAGIC] Fig. 10: n tasks call services of a kernel whose tables are guarded
 * by one lock, and use two devices that are guarded by semaphores. The lock and the semaphores are threads of their own; a task meets them in
 * events. Every task has a table of its own for what it waits for, so that threads share no memory.
 *
 * With CROSSED the odd tasks take the devices in the other order: two tasks can wait for each other for ever.
 */

#include <assert.h>

/* ---- events ---- */

extern void enter(int task);
extern void leave(int task);
extern void pend(int device, int task);
extern void post(int device, int task);

/* ---- from outside ---- */

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int wait_enter(void);
extern void wait_leave(int task);
extern int wait_pend(int device);
extern void wait_post(int device, int task);

#define PRIORITIES 8
#define BOTH 3

enum state { READY, PENDING, DELAYED, SUSPENDED };
enum status { OK, BAD_ARGUMENT, NOT_OWNER };

struct task {
    enum state state;
    unsigned char priority;
    unsigned char delay;
    unsigned char owned;        /* a bit for each device */
    unsigned char inside;       /* between enter and leave */
};

/* ---- the kernel: who is inside ---- */

void kernel_lock(void)
{
    for (;;) {
        int running = wait_enter();
        assert(running >= 1 && running <= N);
        wait_leave(running);
    }
}

/* A semaphore of one unit: it knows who has it. */
void semaphore(int device)
{
    for (;;) {
        int owner = wait_pend(device);
        assert(owner >= 1 && owner <= N);
        wait_post(device, owner);
    }
}

/* ---- services ---- */

static void enter_critical(struct task *t, int me)
{
    assert(!t->inside);
    enter(me);
    t->inside = 1;
}

static void leave_critical(struct task *t, int me)
{
    assert(t->inside);
    t->inside = 0;
    leave(me);
}

static enum status os_pend(struct task *t, int me, int device)
{
    if (device < 0 || device > 1)
        return BAD_ARGUMENT;
    enter_critical(t, me);
    t->state = PENDING;
    leave_critical(t, me);
    pend(device, me);
    enter_critical(t, me);
    t->state = READY;
    t->owned |= 1 << device;
    leave_critical(t, me);
    return OK;
}

static enum status os_post(struct task *t, int me, int device)
{
    if (device < 0 || device > 1)
        return BAD_ARGUMENT;
    enter_critical(t, me);
    if (!(t->owned & (1 << device))) {
        leave_critical(t, me);
        return NOT_OWNER;
    }
    t->owned &= ~(1 << device);
    leave_critical(t, me);
    post(device, me);
    return OK;
}

static enum status os_delay(struct task *t, int me, unsigned char ticks)
{
    if (ticks == 0)
        return BAD_ARGUMENT;
    enter_critical(t, me);
    t->state = DELAYED;
    t->delay = ticks > 2 ? 2 : ticks;
    leave_critical(t, me);
    while (t->delay > 0)
        t->delay--;
    enter_critical(t, me);
    t->state = READY;
    leave_critical(t, me);
    return OK;
}

static enum status os_change_priority(struct task *t, int me, unsigned char priority)
{
    if (priority >= PRIORITIES)
        return BAD_ARGUMENT;
    enter_critical(t, me);
    t->priority = priority;
    leave_critical(t, me);
    return OK;
}

/* ---- tasks ---- */

static void use_devices(struct task *t, int me, int first, int second)
{
    os_pend(t, me, first);
    os_pend(t, me, second);
    assert(t->owned == BOTH);
    os_post(t, me, second);
    os_post(t, me, first);
    assert(t->owned == 0);
}

void task(int me)
{
    struct task self = { READY, 0, 0, 0, 0 };
    int first = 0, second = 1;
#ifdef CROSSED
    if (me % 2 == 1) {
        first = 1;
        second = 0;
    }
#endif
    for (;;) {
        switch (__VERIFIER_nondet_uchar() & 3) {
        case 0:
            os_delay(&self, me, __VERIFIER_nondet_uchar());
            break;
        case 1:
            os_change_priority(&self, me, __VERIFIER_nondet_uchar());
            break;
        default:
            use_devices(&self, me, first, second);
            break;
        }
    }
}
