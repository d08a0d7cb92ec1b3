/*
 * A small real-time kernel: tasks, semaphores, mutexes, mailboxes, queues, event flags, memory partitions, time. Every service
 * protects the kernel's tables by one lock, taken and given back by the two events below. With BUG defined, one error path
 * of one service forgets to give it back.
 */

extern void lock(void);
extern void unlock(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define OS_ENTER_CRITICAL() lock()
#define OS_EXIT_CRITICAL()  unlock()

#define OS_MAX_TASKS   8
#define OS_MAX_EVENTS  6
#define OS_MAX_QS      4
#define OS_Q_SIZE      4
#define OS_MAX_MEM     3
#define OS_LOWEST_PRIO 7
#define OS_PRIO_SELF   255

enum os_error {
    OS_NO_ERR = 0,
    OS_ERR_EVENT_TYPE,
    OS_ERR_PEVENT_NULL,
    OS_ERR_PEND_ISR,
    OS_TIMEOUT,
    OS_TASK_NOT_EXIST,
    OS_PRIO_EXIST,
    OS_PRIO_INVALID,
    OS_SEM_OVF,
    OS_MBOX_FULL,
    OS_Q_FULL,
    OS_Q_EMPTY,
    OS_TASK_DEL_IDLE,
    OS_TASK_DEL_ERR,
    OS_TASK_RESUME_PRIO,
    OS_TASK_NOT_SUSPENDED,
    OS_TASK_SUSPEND_IDLE,
    OS_MEM_INVALID_BLKS,
    OS_MEM_NO_FREE_BLKS,
    OS_MEM_FULL,
    OS_FLAG_WAIT_TYPE,
    OS_FLAG_NOT_RDY,
    OS_TIME_ZERO,
    OS_TIME_INVALID,
    OS_ERR_NOT_OWNER
};

enum os_event_type { OS_UNUSED = 0, OS_SEM, OS_MUTEX, OS_MBOX, OS_QUEUE, OS_FLAG };
enum os_status { OS_STAT_RDY = 0, OS_STAT_SEM = 1, OS_STAT_MBOX = 2, OS_STAT_Q = 4, OS_STAT_SUSPEND = 8, OS_STAT_MUTEX = 16, OS_STAT_FLAG = 32 };

struct os_tcb {
    unsigned char used;
    unsigned char prio;
    unsigned char status;
    unsigned short delay;
    int event;
};

struct os_event {
    unsigned char type;
    unsigned char waiting;
    unsigned short count;
    unsigned char owner;
    int message;
};

struct os_q {
    int slots[OS_Q_SIZE];
    unsigned char in;
    unsigned char out;
    unsigned char entries;
};

struct os_mem {
    unsigned char used;
    unsigned char free_blocks;
    unsigned char blocks;
};

static struct os_tcb tasks[OS_MAX_TASKS];
static struct os_event events[OS_MAX_EVENTS];
static struct os_q queues[OS_MAX_QS];
static struct os_mem partitions[OS_MAX_MEM];
static unsigned char ready_group;
static unsigned char nesting;
static unsigned char running;
static unsigned char current_prio = 3;
static unsigned long ticks;
static unsigned long context_switches;

/* ---- scheduling, called with the lock held ---- */

static int highest_ready(void)
{
    int i;
    for (i = 0; i < OS_MAX_TASKS; i++) {
        if (tasks[i].used && tasks[i].status == OS_STAT_RDY && tasks[i].delay == 0)
            return i;
    }
    return OS_LOWEST_PRIO;
}

static void make_ready(int prio)
{
    if (prio >= 0 && prio < OS_MAX_TASKS) {
        tasks[prio].status = OS_STAT_RDY;
        ready_group |= (unsigned char)(1 << prio);
    }
}

static void make_waiting(int prio, unsigned char why)
{
    if (prio >= 0 && prio < OS_MAX_TASKS) {
        tasks[prio].status |= why;
        ready_group &= (unsigned char)~(1 << prio);
    }
}

/* Takes and gives back the lock itself: call it with the lock free. */
static void OSSched(void)
{
    int next;
    OS_ENTER_CRITICAL();
    if (nesting == 0) {
        next = highest_ready();
        if (next != current_prio) {
            current_prio = (unsigned char)next;
            context_switches++;
        }
    }
    OS_EXIT_CRITICAL();
}

void OSIntEnter(void)
{
    OS_ENTER_CRITICAL();
    if (nesting < 255)
        nesting++;
    OS_EXIT_CRITICAL();
}

void OSIntExit(void)
{
    OS_ENTER_CRITICAL();
    if (nesting > 0)
        nesting--;
    if (nesting == 0) {
        int next = highest_ready();
        if (next != current_prio)
            current_prio = (unsigned char)next;
    }
    OS_EXIT_CRITICAL();
}

static int valid_event(int event, unsigned char type)
{
    if (event < 0 || event >= OS_MAX_EVENTS)
        return OS_ERR_PEVENT_NULL;
    if (events[event].type != type)
        return OS_ERR_EVENT_TYPE;
    return OS_NO_ERR;
}

/* ---- sem ---- */

int OSSemCreate(int count)
{
    int i;
    if (nesting > 0)
        return -1;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_EVENTS; i++) {
        if (events[i].type == OS_UNUSED) {
            events[i].type = OS_SEM;
            events[i].count = (unsigned short)count;
            events[i].waiting = 0;
            events[i].owner = OS_PRIO_SELF;
            events[i].message = 0;
            OS_EXIT_CRITICAL();
            return i;
        }
    }
    OS_EXIT_CRITICAL();
    return -1;
}

int OSSemAccept(int event)
{
    int result = 0;
    OS_ENTER_CRITICAL();
    if (valid_event(event, OS_SEM) == OS_NO_ERR) {
        if (events[event].count > 0) {
            events[event].count--;
            result = 1;
        }
    }
    OS_EXIT_CRITICAL();
    return result;
}

int OSSemPend(int event, unsigned short timeout, int *error)
{
    int result = 0;
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return 0;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_SEM);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return 0;
    }
        if (events[event].count > 0) {
            events[event].count--;
            result = 1;
        }
    if (result) {
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return result;
    }
    make_waiting(current_prio, OS_STAT_SEM);
    events[event].waiting++;
    tasks[current_prio & 7].delay = timeout;
    tasks[current_prio & 7].event = event;
    OS_EXIT_CRITICAL();
    OSSched();
    OS_ENTER_CRITICAL();
    if (tasks[current_prio & 7].status & OS_STAT_SEM) {
        tasks[current_prio & 7].status &= (unsigned char)~OS_STAT_SEM;
        if (events[event].waiting > 0)
            events[event].waiting--;
        OS_EXIT_CRITICAL();
        *error = OS_TIMEOUT;
        return 0;
    }
    tasks[current_prio & 7].event = -1;
    result = 1;
    OS_EXIT_CRITICAL();
    *error = OS_NO_ERR;
    return result;
}

int OSSemPost(int event, int message)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_SEM);
    if (error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return error;
    }
    if (events[event].waiting > 0) {
        int i;
        for (i = 0; i < OS_MAX_TASKS; i++) {
            if (tasks[i].used && (tasks[i].status & OS_STAT_SEM) && tasks[i].event == event) {
                make_ready(i);
                events[event].waiting--;
                break;
            }
        }
        OS_EXIT_CRITICAL();
        OSSched();
        return OS_NO_ERR;
    }
    if (events[event].count == 65535) {
        OS_EXIT_CRITICAL();
        return OS_SEM_OVF;
    }
    events[event].count++;
    events[event].message = message;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

int OSSemDel(int event, int force, int *error)
{
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return event;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_SEM);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return event;
    }
    if (events[event].waiting > 0 && !force) {
        OS_EXIT_CRITICAL();
        *error = OS_TASK_DEL_ERR;
        return event;
    }
    events[event].waiting = 0;
    events[event].type = OS_UNUSED;
    OS_EXIT_CRITICAL();
    OSSched();
    return -1;
}

int OSSemQuery(int event, struct os_event *copy)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_SEM);
    if (error == OS_NO_ERR)
        *copy = events[event];
    OS_EXIT_CRITICAL();
    return error;
}

/* ---- mutex ---- */

int OSMutexCreate(int count)
{
    int i;
    if (nesting > 0)
        return -1;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_EVENTS; i++) {
        if (events[i].type == OS_UNUSED) {
            events[i].type = OS_MUTEX;
            events[i].count = (unsigned short)count;
            events[i].waiting = 0;
            events[i].owner = OS_PRIO_SELF;
            events[i].message = 0;
            OS_EXIT_CRITICAL();
            return i;
        }
    }
    OS_EXIT_CRITICAL();
    return -1;
}

int OSMutexAccept(int event)
{
    int result = 0;
    OS_ENTER_CRITICAL();
    if (valid_event(event, OS_MUTEX) == OS_NO_ERR) {
        if (events[event].owner == OS_PRIO_SELF) {
            events[event].owner = current_prio;
            result = 1;
        }
    }
    OS_EXIT_CRITICAL();
    return result;
}

int OSMutexPend(int event, unsigned short timeout, int *error)
{
    int result = 0;
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return 0;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_MUTEX);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return 0;
    }
        if (events[event].owner == OS_PRIO_SELF) {
            events[event].owner = current_prio;
            result = 1;
        }
    if (result) {
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return result;
    }
    make_waiting(current_prio, OS_STAT_MUTEX);
    events[event].waiting++;
    tasks[current_prio & 7].delay = timeout;
    tasks[current_prio & 7].event = event;
    OS_EXIT_CRITICAL();
    OSSched();
    OS_ENTER_CRITICAL();
    if (tasks[current_prio & 7].status & OS_STAT_MUTEX) {
        tasks[current_prio & 7].status &= (unsigned char)~OS_STAT_MUTEX;
        if (events[event].waiting > 0)
            events[event].waiting--;
        OS_EXIT_CRITICAL();
        *error = OS_TIMEOUT;
        return 0;
    }
    tasks[current_prio & 7].event = -1;
    events[event].owner = current_prio;
    result = 1;
    OS_EXIT_CRITICAL();
    *error = OS_NO_ERR;
    return result;
}

int OSMutexPost(int event, int message)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_MUTEX);
    if (error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return error;
    }
    if (events[event].waiting > 0) {
        int i;
        for (i = 0; i < OS_MAX_TASKS; i++) {
            if (tasks[i].used && (tasks[i].status & OS_STAT_MUTEX) && tasks[i].event == event) {
                make_ready(i);
                events[event].waiting--;
                break;
            }
        }
        OS_EXIT_CRITICAL();
        OSSched();
        return OS_NO_ERR;
    }
    if (events[event].owner != current_prio) {
        OS_EXIT_CRITICAL();
        return OS_ERR_NOT_OWNER;
    }
    events[event].owner = OS_PRIO_SELF;
    events[event].message = message;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

int OSMutexDel(int event, int force, int *error)
{
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return event;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_MUTEX);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return event;
    }
    if (events[event].waiting > 0 && !force) {
        OS_EXIT_CRITICAL();
        *error = OS_TASK_DEL_ERR;
        return event;
    }
    events[event].waiting = 0;
    events[event].type = OS_UNUSED;
    OS_EXIT_CRITICAL();
    OSSched();
    return -1;
}

int OSMutexQuery(int event, struct os_event *copy)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_MUTEX);
    if (error == OS_NO_ERR)
        *copy = events[event];
    OS_EXIT_CRITICAL();
    return error;
}

/* ---- mbox ---- */

int OSMboxCreate(int count)
{
    int i;
    if (nesting > 0)
        return -1;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_EVENTS; i++) {
        if (events[i].type == OS_UNUSED) {
            events[i].type = OS_MBOX;
            events[i].count = (unsigned short)count;
            events[i].waiting = 0;
            events[i].owner = OS_PRIO_SELF;
            events[i].message = 0;
            OS_EXIT_CRITICAL();
            return i;
        }
    }
    OS_EXIT_CRITICAL();
    return -1;
}

int OSMboxAccept(int event)
{
    int result = 0;
    OS_ENTER_CRITICAL();
    if (valid_event(event, OS_MBOX) == OS_NO_ERR) {
        if (events[event].message != 0) {
            result = events[event].message;
            events[event].message = 0;
        }
    }
    OS_EXIT_CRITICAL();
    return result;
}

int OSMboxPend(int event, unsigned short timeout, int *error)
{
    int result = 0;
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return 0;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_MBOX);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return 0;
    }
        if (events[event].message != 0) {
            result = events[event].message;
            events[event].message = 0;
        }
    if (result) {
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return result;
    }
    make_waiting(current_prio, OS_STAT_MBOX);
    events[event].waiting++;
    tasks[current_prio & 7].delay = timeout;
    tasks[current_prio & 7].event = event;
    OS_EXIT_CRITICAL();
    OSSched();
    OS_ENTER_CRITICAL();
    if (tasks[current_prio & 7].status & OS_STAT_MBOX) {
        tasks[current_prio & 7].status &= (unsigned char)~OS_STAT_MBOX;
        if (events[event].waiting > 0)
            events[event].waiting--;
        OS_EXIT_CRITICAL();
        *error = OS_TIMEOUT;
        return 0;
    }
    tasks[current_prio & 7].event = -1;
    result = events[event].message;
    events[event].message = 0;
    OS_EXIT_CRITICAL();
    *error = OS_NO_ERR;
    return result;
}

int OSMboxPost(int event, int message)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_MBOX);
    if (error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return error;
    }
    if (events[event].waiting > 0) {
        int i;
        for (i = 0; i < OS_MAX_TASKS; i++) {
            if (tasks[i].used && (tasks[i].status & OS_STAT_MBOX) && tasks[i].event == event) {
                make_ready(i);
                events[event].waiting--;
                break;
            }
        }
        OS_EXIT_CRITICAL();
        OSSched();
        return OS_NO_ERR;
    }
    if (events[event].message != 0) {
        OS_EXIT_CRITICAL();
        return OS_MBOX_FULL;
    }
    events[event].message = message;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

int OSMboxDel(int event, int force, int *error)
{
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return event;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_MBOX);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return event;
    }
    if (events[event].waiting > 0 && !force) {
        OS_EXIT_CRITICAL();
        *error = OS_TASK_DEL_ERR;
        return event;
    }
    events[event].waiting = 0;
    events[event].type = OS_UNUSED;
    OS_EXIT_CRITICAL();
    OSSched();
    return -1;
}

int OSMboxQuery(int event, struct os_event *copy)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_MBOX);
    if (error == OS_NO_ERR)
        *copy = events[event];
    OS_EXIT_CRITICAL();
    return error;
}

/* ---- q ---- */

int OSQCreate(int count)
{
    int i;
    if (nesting > 0)
        return -1;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_EVENTS; i++) {
        if (events[i].type == OS_UNUSED) {
            events[i].type = OS_QUEUE;
            events[i].count = (unsigned short)count;
            events[i].waiting = 0;
            events[i].owner = OS_PRIO_SELF;
            events[i].message = 0;
            OS_EXIT_CRITICAL();
            return i;
        }
    }
    OS_EXIT_CRITICAL();
    return -1;
}

int OSQAccept(int event)
{
    int result = 0;
    OS_ENTER_CRITICAL();
    if (valid_event(event, OS_QUEUE) == OS_NO_ERR) {
        if (queues[event & 3].entries > 0) {
            struct os_q *q = &queues[event & 3];
            result = q->slots[q->out & 3];
            q->out = (unsigned char)((q->out + 1) & 3);
            q->entries--;
        }
    }
    OS_EXIT_CRITICAL();
    return result;
}

int OSQPend(int event, unsigned short timeout, int *error)
{
    int result = 0;
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return 0;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_QUEUE);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return 0;
    }
        if (queues[event & 3].entries > 0) {
            struct os_q *q = &queues[event & 3];
            result = q->slots[q->out & 3];
            q->out = (unsigned char)((q->out + 1) & 3);
            q->entries--;
        }
    if (result) {
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return result;
    }
    make_waiting(current_prio, OS_STAT_Q);
    events[event].waiting++;
    tasks[current_prio & 7].delay = timeout;
    tasks[current_prio & 7].event = event;
    OS_EXIT_CRITICAL();
    OSSched();
    OS_ENTER_CRITICAL();
    if (tasks[current_prio & 7].status & OS_STAT_Q) {
        tasks[current_prio & 7].status &= (unsigned char)~OS_STAT_Q;
        if (events[event].waiting > 0)
            events[event].waiting--;
        OS_EXIT_CRITICAL();
        *error = OS_TIMEOUT;
        return 0;
    }
    tasks[current_prio & 7].event = -1;
    if (queues[event & 3].entries > 0) {
        queues[event & 3].entries--;
        result = queues[event & 3].slots[0];
    }
    OS_EXIT_CRITICAL();
    *error = OS_NO_ERR;
    return result;
}

int OSQPost(int event, int message)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_QUEUE);
    if (error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return error;
    }
    if (events[event].waiting > 0) {
        int i;
        for (i = 0; i < OS_MAX_TASKS; i++) {
            if (tasks[i].used && (tasks[i].status & OS_STAT_Q) && tasks[i].event == event) {
                make_ready(i);
                events[event].waiting--;
                break;
            }
        }
        OS_EXIT_CRITICAL();
        OSSched();
        return OS_NO_ERR;
    }
    if (queues[event & 3].entries >= OS_Q_SIZE) {
        OS_EXIT_CRITICAL();
        return OS_Q_FULL;
    }
    queues[event & 3].slots[queues[event & 3].in & 3] = message;
    queues[event & 3].in = (unsigned char)((queues[event & 3].in + 1) & 3);
    queues[event & 3].entries++;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

int OSQDel(int event, int force, int *error)
{
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return event;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_QUEUE);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return event;
    }
    if (events[event].waiting > 0 && !force) {
        OS_EXIT_CRITICAL();
        *error = OS_TASK_DEL_ERR;
        return event;
    }
    events[event].waiting = 0;
    events[event].type = OS_UNUSED;
    OS_EXIT_CRITICAL();
    OSSched();
    return -1;
}

int OSQQuery(int event, struct os_event *copy)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_QUEUE);
    if (error == OS_NO_ERR)
        *copy = events[event];
    OS_EXIT_CRITICAL();
    return error;
}

/* ---- flag ---- */

int OSFlagCreate(int count)
{
    int i;
    if (nesting > 0)
        return -1;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_EVENTS; i++) {
        if (events[i].type == OS_UNUSED) {
            events[i].type = OS_FLAG;
            events[i].count = (unsigned short)count;
            events[i].waiting = 0;
            events[i].owner = OS_PRIO_SELF;
            events[i].message = 0;
            OS_EXIT_CRITICAL();
            return i;
        }
    }
    OS_EXIT_CRITICAL();
    return -1;
}

int OSFlagAccept(int event)
{
    int result = 0;
    OS_ENTER_CRITICAL();
    if (valid_event(event, OS_FLAG) == OS_NO_ERR) {
        if (events[event].count & 1) {
            events[event].count &= (unsigned short)~1;
            result = 1;
        }
    }
    OS_EXIT_CRITICAL();
    return result;
}

int OSFlagPend(int event, unsigned short timeout, int *error)
{
    int result = 0;
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return 0;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_FLAG);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return 0;
    }
        if (events[event].count & 1) {
            events[event].count &= (unsigned short)~1;
            result = 1;
        }
    if (result) {
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return result;
    }
    make_waiting(current_prio, OS_STAT_FLAG);
    events[event].waiting++;
    tasks[current_prio & 7].delay = timeout;
    tasks[current_prio & 7].event = event;
    OS_EXIT_CRITICAL();
    OSSched();
    OS_ENTER_CRITICAL();
    if (tasks[current_prio & 7].status & OS_STAT_FLAG) {
        tasks[current_prio & 7].status &= (unsigned char)~OS_STAT_FLAG;
        if (events[event].waiting > 0)
            events[event].waiting--;
        OS_EXIT_CRITICAL();
        *error = OS_TIMEOUT;
        return 0;
    }
    tasks[current_prio & 7].event = -1;
    result = (int)events[event].count;
    OS_EXIT_CRITICAL();
    *error = OS_NO_ERR;
    return result;
}

int OSFlagPost(int event, int message)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_FLAG);
    if (error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return error;
    }
    if (events[event].waiting > 0) {
        int i;
        for (i = 0; i < OS_MAX_TASKS; i++) {
            if (tasks[i].used && (tasks[i].status & OS_STAT_FLAG) && tasks[i].event == event) {
                make_ready(i);
                events[event].waiting--;
                break;
            }
        }
        OS_EXIT_CRITICAL();
        OSSched();
        return OS_NO_ERR;
    }
    if (message == 0) {
        OS_EXIT_CRITICAL();
        return OS_FLAG_NOT_RDY;
    }
    events[event].count |= (unsigned short)message;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

int OSFlagDel(int event, int force, int *error)
{
    if (nesting > 0) {
        *error = OS_ERR_PEND_ISR;
        return event;
    }
    OS_ENTER_CRITICAL();
    *error = valid_event(event, OS_FLAG);
    if (*error != OS_NO_ERR) {
        OS_EXIT_CRITICAL();
        return event;
    }
    if (events[event].waiting > 0 && !force) {
        OS_EXIT_CRITICAL();
        *error = OS_TASK_DEL_ERR;
        return event;
    }
    events[event].waiting = 0;
    events[event].type = OS_UNUSED;
    OS_EXIT_CRITICAL();
    OSSched();
    return -1;
}

int OSFlagQuery(int event, struct os_event *copy)
{
    int error;
    OS_ENTER_CRITICAL();
    error = valid_event(event, OS_FLAG);
    if (error == OS_NO_ERR)
        *copy = events[event];
    OS_EXIT_CRITICAL();
    return error;
}

/* ---- memory partitions ---- */

int OSMemCreate(unsigned char blocks)
{
    int i;
    if (blocks < 2)
        return -OS_MEM_INVALID_BLKS;
    OS_ENTER_CRITICAL();
    for (i = 0; i < OS_MAX_MEM; i++) {
        if (!partitions[i].used) {
            partitions[i].used = 1;
            partitions[i].blocks = blocks;
            partitions[i].free_blocks = blocks;
            break;
        }
    }
    OS_EXIT_CRITICAL();
    return i < OS_MAX_MEM ? i : -1;
}

int OSMemGet(int partition, int *error)
{
    if (partition < 0 || partition >= OS_MAX_MEM) {
        *error = OS_MEM_INVALID_BLKS;
        return 0;
    }
    OS_ENTER_CRITICAL();
    if (partitions[partition].free_blocks > 0) {
        partitions[partition].free_blocks--;
        OS_EXIT_CRITICAL();
        *error = OS_NO_ERR;
        return 1;
    }
    OS_EXIT_CRITICAL();
    *error = OS_MEM_NO_FREE_BLKS;
    return 0;
}

int OSMemPut(int partition)
{
    if (partition < 0 || partition >= OS_MAX_MEM)
        return OS_MEM_INVALID_BLKS;
    OS_ENTER_CRITICAL();
    if (partitions[partition].free_blocks >= partitions[partition].blocks) {
#ifndef BUG
        OS_EXIT_CRITICAL();
#endif
        return OS_MEM_FULL;
    }
    partitions[partition].free_blocks++;
    OS_EXIT_CRITICAL();
    return OS_NO_ERR;
}

/* ---- tasks ---- */

int OSTaskCreate(int prio)
{
    if (prio < 0 || prio > OS_LOWEST_PRIO)
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (tasks[prio].used) {
        OS_EXIT_CRITICAL();
        return OS_PRIO_EXIST;
    }
    tasks[prio].used = 1;
    tasks[prio].prio = (unsigned char)prio;
    tasks[prio].status = OS_STAT_RDY;
    tasks[prio].delay = 0;
    tasks[prio].event = -1;
    ready_group |= (unsigned char)(1 << prio);
    OS_EXIT_CRITICAL();
    if (running)
        OSSched();
    return OS_NO_ERR;
}

int OSTaskDel(int prio)
{
    if (nesting > 0)
        return OS_TASK_DEL_ERR;
    if (prio == OS_LOWEST_PRIO)
        return OS_TASK_DEL_IDLE;
    if (prio < 0 || prio > OS_LOWEST_PRIO)
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (!tasks[prio].used) {
        OS_EXIT_CRITICAL();
        return OS_TASK_NOT_EXIST;
    }
    if (tasks[prio].event >= 0 && tasks[prio].event < OS_MAX_EVENTS) {
        if (events[tasks[prio].event].waiting > 0)
            events[tasks[prio].event].waiting--;
    }
    tasks[prio].used = 0;
    tasks[prio].status = OS_STAT_RDY;
    ready_group &= (unsigned char)~(1 << prio);
    OS_EXIT_CRITICAL();
    OSSched();
    return OS_NO_ERR;
}

int OSTaskSuspend(int prio)
{
    int self = 0;
    if (prio == OS_LOWEST_PRIO)
        return OS_TASK_SUSPEND_IDLE;
    if (prio < 0 || (prio > OS_LOWEST_PRIO && prio != OS_PRIO_SELF))
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (prio == OS_PRIO_SELF) {
        prio = current_prio & 7;
        self = 1;
    } else if (prio == current_prio) {
        self = 1;
    }
    if (!tasks[prio].used) {
        OS_EXIT_CRITICAL();
        return OS_TASK_NOT_EXIST;
    }
    make_waiting(prio, OS_STAT_SUSPEND);
    OS_EXIT_CRITICAL();
    if (self)
        OSSched();
    return OS_NO_ERR;
}

int OSTaskResume(int prio)
{
    if (prio < 0 || prio > OS_LOWEST_PRIO)
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (!tasks[prio].used) {
        OS_EXIT_CRITICAL();
        return OS_TASK_RESUME_PRIO;
    }
    if ((tasks[prio].status & OS_STAT_SUSPEND) == 0) {
        OS_EXIT_CRITICAL();
        return OS_TASK_NOT_SUSPENDED;
    }
    tasks[prio].status &= (unsigned char)~OS_STAT_SUSPEND;
    if (tasks[prio].status == OS_STAT_RDY && tasks[prio].delay == 0) {
        make_ready(prio);
        OS_EXIT_CRITICAL();
        OSSched();
    } else {
        OS_EXIT_CRITICAL();
    }
    return OS_NO_ERR;
}

int OSTaskChangePrio(int old, int new)
{
    if (old < 0 || new < 0 || old > OS_LOWEST_PRIO || new > OS_LOWEST_PRIO)
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (tasks[new].used) {
        OS_EXIT_CRITICAL();
        return OS_PRIO_EXIST;
    }
    if (!tasks[old].used) {
        OS_EXIT_CRITICAL();
        return OS_TASK_NOT_EXIST;
    }
    tasks[new] = tasks[old];
    tasks[new].prio = (unsigned char)new;
    tasks[old].used = 0;
    OS_EXIT_CRITICAL();
    OSSched();
    return OS_NO_ERR;
}

/* ---- time ---- */

void OSTimeDly(unsigned short delay)
{
    if (delay > 0) {
        OS_ENTER_CRITICAL();
        tasks[current_prio & 7].delay = delay;
        ready_group &= (unsigned char)~(1 << (current_prio & 7));
        OS_EXIT_CRITICAL();
        OSSched();
    }
}

int OSTimeDlyResume(int prio)
{
    if (prio < 0 || prio >= OS_LOWEST_PRIO)
        return OS_PRIO_INVALID;
    OS_ENTER_CRITICAL();
    if (!tasks[prio].used) {
        OS_EXIT_CRITICAL();
        return OS_TASK_NOT_EXIST;
    }
    if (tasks[prio].delay == 0) {
        OS_EXIT_CRITICAL();
        return OS_TIME_ZERO;
    }
    tasks[prio].delay = 0;
    if ((tasks[prio].status & OS_STAT_SUSPEND) == 0) {
        make_ready(prio);
        OS_EXIT_CRITICAL();
        OSSched();
    } else {
        OS_EXIT_CRITICAL();
    }
    return OS_NO_ERR;
}

void OSTimeTick(void)
{
    int i;
    OS_ENTER_CRITICAL();
    ticks++;
    OS_EXIT_CRITICAL();
    for (i = 0; i < OS_MAX_TASKS; i++) {
        OS_ENTER_CRITICAL();
        if (tasks[i].used && tasks[i].delay != 0) {
            tasks[i].delay--;
            if (tasks[i].delay == 0 && (tasks[i].status & OS_STAT_SUSPEND) == 0)
                make_ready(i);
        }
        OS_EXIT_CRITICAL();
    }
}

unsigned long OSTimeGet(void)
{
    unsigned long now;
    OS_ENTER_CRITICAL();
    now = ticks;
    OS_EXIT_CRITICAL();
    return now;
}

void OSTimeSet(unsigned long now)
{
    OS_ENTER_CRITICAL();
    ticks = now;
    OS_EXIT_CRITICAL();
}

/* ---- a task that may call any service, and an interrupt that may come between ---- */

void application(void)
{
    int error = 0;
    int event = 0;
    struct os_event copy;
    running = 1;
    for (;;) {
        event = __VERIFIER_nondet_int();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            OSSemCreate(1);
            break;
        case 1:
            OSSemAccept(event);
            break;
        case 2:
            OSSemPend(event, 5, &error);
            break;
        case 3:
            OSSemPost(event, 1);
            break;
        case 4:
            OSSemDel(event, 0, &error);
            break;
        case 5:
            OSSemQuery(event, &copy);
            break;
        case 6:
            OSMutexCreate(1);
            break;
        case 7:
            OSMutexAccept(event);
            break;
        case 8:
            OSMutexPend(event, 5, &error);
            break;
        case 9:
            OSMutexPost(event, 1);
            break;
        case 10:
            OSMutexDel(event, 0, &error);
            break;
        case 11:
            OSMutexQuery(event, &copy);
            break;
        case 12:
            OSMboxCreate(1);
            break;
        case 13:
            OSMboxAccept(event);
            break;
        case 14:
            OSMboxPend(event, 5, &error);
            break;
        case 15:
            OSMboxPost(event, 1);
            break;
        case 16:
            OSMboxDel(event, 0, &error);
            break;
        case 17:
            OSMboxQuery(event, &copy);
            break;
        case 18:
            OSQCreate(1);
            break;
        case 19:
            OSQAccept(event);
            break;
        case 20:
            OSQPend(event, 5, &error);
            break;
        case 21:
            OSQPost(event, 1);
            break;
        case 22:
            OSQDel(event, 0, &error);
            break;
        case 23:
            OSQQuery(event, &copy);
            break;
        case 24:
            OSFlagCreate(1);
            break;
        case 25:
            OSFlagAccept(event);
            break;
        case 26:
            OSFlagPend(event, 5, &error);
            break;
        case 27:
            OSFlagPost(event, 1);
            break;
        case 28:
            OSFlagDel(event, 0, &error);
            break;
        case 29:
            OSFlagQuery(event, &copy);
            break;
        case 30:
            OSMemCreate(4);
            break;
        case 31:
            OSMemGet(event, &error);
            break;
        case 32:
            OSMemPut(event);
            break;
        case 33:
            OSTaskCreate(event);
            break;
        case 34:
            OSTaskDel(event);
            break;
        case 35:
            OSTaskSuspend(event);
            break;
        case 36:
            OSTaskResume(event);
            break;
        case 37:
            OSTaskChangePrio(event, 2);
            break;
        case 38:
            OSTimeDly(3);
            break;
        case 39:
            OSTimeDlyResume(event);
            break;
        case 40:
            OSTimeTick();
            break;
        case 41:
            OSTimeGet();
            break;
        case 42:
            OSTimeSet(0);
            break;
        case 43:
            OSIntEnter();
            break;
        case 44:
            OSIntExit();
            break;
        default:
            break;
        }
    }
}
