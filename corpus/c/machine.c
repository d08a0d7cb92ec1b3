/*
 * The controller of a charging station for electric vehicles: the station's side of a session protocol with the car, the safety
 * chain (plug, lock, insulation monitor, contactors, emergency button), and the timers. One step handles one thing that happened.
 *
 * Whatever arrives in whatever order, the outputs stay safe: that is what the checks in the output functions and the
 * invariants after each step say.
 *
 * Seeded faults, each by a macro of its own:
 *   BUG_RESUME     a paused session that is taken up again trusts the insulation test of before, though the plug was out
 *   BUG_EMERGENCY  the emergency button during pre-charging leaves the pre-charge relay on
 *   BUG_STOP       a stop in the middle of the welding test lets the plug go at once
 *   BUG_RENEW      renegotiated limits are taken over without looking at what is flowing
 *   BUG_LOGOUT     an authorisation that is taken back while the car is silent is forgotten
 */

#include <stdbool.h>
#include <stdint.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

/* ---- what can happen ---- */

enum event {
    EV_NOTHING = 0,
    EV_MESSAGE,
    EV_TIMER,
    EV_PLUG_IN,
    EV_PLUG_OUT,
    EV_LOCK_FEEDBACK,
    EV_EMERGENCY,
    EV_EMERGENCY_RELEASED,
    EV_BACKEND,
    EV_METER
};

enum message {
    MSG_NONE = 0,
    MSG_HELLO,
    MSG_SESSION_SETUP,
    MSG_SERVICE_DISCOVERY,
    MSG_SERVICE_SELECTION,
    MSG_CERTIFICATE,
    MSG_AUTHORISATION,
    MSG_PARAMETERS,
    MSG_CABLE_CHECK,
    MSG_PRECHARGE,
    MSG_POWER_ON,
    MSG_DEMAND,
    MSG_POWER_OFF,
    MSG_RENEGOTIATE,
    MSG_PAUSE,
    MSG_WELDING_TEST,
    MSG_STOP,
    MSG_LAST = MSG_STOP
};

enum backend { BACKEND_ACCEPT = 1, BACKEND_REJECT, BACKEND_REMOTE_STOP, BACKEND_LIMIT };

/* ---- states ---- */

enum state {
    ST_IDLE = 0x10,
    ST_PLUGGED = 0x11,
    ST_CONNECTED = 0x20,
    ST_SETUP = 0x21,
    ST_SERVICES = 0x22,
    ST_CERTIFICATE = 0x23,
    ST_AUTHORISING = 0x24,
    ST_PARAMETERS = 0x30,
    ST_CABLE_CHECK = 0x31,
    ST_PRECHARGE = 0x32,
    ST_READY = 0x33,
    ST_CHARGING = 0x40,
    ST_RENEGOTIATING = 0x41,
    ST_RAMP_DOWN = 0x42,
    ST_WELDING = 0x43,
    ST_PAUSED = 0x50,
    ST_STOPPING = 0x51,
    ST_FAULT = 0x60,
    ST_UNPLUG_WAIT = 0x61
};

enum response { RSP_OK = 0, RSP_ONGOING, RSP_SEQUENCE_ERROR, RSP_REFUSED, RSP_FAILED };

enum cause {
    CAUSE_NONE = 0,
    CAUSE_TIMEOUT,
    CAUSE_SEQUENCE,
    CAUSE_INSULATION,
    CAUSE_LOCK,
    CAUSE_PLUG,
    CAUSE_EMERGENCY,
    CAUSE_WELDED,
    CAUSE_OVERCURRENT,
    CAUSE_BACKEND
};

#define MAX_RETRIES       3
#define MAX_VOLTAGE       920u
#define MAX_CURRENT       500u
#define SAFE_VOLTAGE      60u
#define PRECHARGE_WINDOW  20u

struct limits {
    uint16_t voltage;
    uint16_t current;
};

struct station {
    int state;
    int before_fault;

    /* inputs, as last seen */
    bool plugged;
    bool lock_feedback;
    bool emergency;

    /* outputs */
    bool lock;
    bool precharge_relay;
    bool contactor;
    uint16_t setpoint;

    /* what has been settled in this session */
    bool secure;
    bool service_chosen;
    bool contract;
    bool authorised;
    bool rejected;
    bool parameters_known;
    bool insulation_ok;
    bool precharged;
    bool welding_checked;
    bool may_resume;

    struct limits car;
    struct limits allowed;
    uint16_t voltage;
    uint16_t current;
    uint8_t retries;
    uint8_t cause;
    uint8_t response;
    uint32_t energy;
    uint32_t sessions;
    uint32_t faults;
};

static struct station station;

static void check(bool condition)
{
    if (!condition)
        reach_error();
}

/* ---- outputs: each checks what must hold before it acts ---- */

static void set_current(struct station *s, uint16_t amperes)
{
    if (amperes > 0) {
        check(s->contactor);
        check(!s->emergency);
        check(amperes <= MAX_CURRENT);
    }
    s->setpoint = amperes;
}

static void close_contactor(struct station *s)
{
    check(s->plugged);
    check(s->lock);
    check(s->authorised);
    check(!s->rejected);
    check(s->insulation_ok);
    check(s->precharged);
    check(!s->emergency);
    s->contactor = true;
    s->welding_checked = false;
}

static void open_contactor(struct station *s)
{
    if (s->setpoint > 0)
        set_current(s, 0);
    s->contactor = false;
    s->precharged = false;
}

static void precharge_on(struct station *s)
{
    check(!s->contactor);
    check(s->insulation_ok);
    check(s->lock);
    s->precharge_relay = true;
}

static void precharge_off(struct station *s)
{
    s->precharge_relay = false;
}

static void lock_plug(struct station *s)
{
    if (s->plugged)
        s->lock = true;
}

static void unlock_plug(struct station *s)
{
    check(!s->contactor);
    check(!s->precharge_relay);
    s->lock = false;
    s->lock_feedback = false;
}

/* ---- parts of sessions ---- */

static void forget_session(struct station *s)
{
    s->secure = false;
    s->service_chosen = false;
    s->contract = false;
    s->authorised = false;
    s->rejected = false;
    s->parameters_known = false;
    s->insulation_ok = false;
    s->precharged = false;
    s->may_resume = false;
    s->retries = 0;
    s->car.voltage = 0;
    s->car.current = 0;
}

static void power_down(struct station *s)
{
    set_current(s, 0);
    open_contactor(s);
    precharge_off(s);
}

/* Everything off; the plug stays locked until the line is known to be free of voltage. */
static void enter_fault(struct station *s, uint8_t cause)
{
    s->before_fault = s->state;
    s->cause = cause;
    s->faults++;
    power_down(s);
    forget_session(s);
    s->state = ST_FAULT;
}

static void answer(struct station *s, uint8_t response)
{
    s->response = response;
}

static void wrong_message(struct station *s)
{
    answer(s, RSP_SEQUENCE_ERROR);
    if (s->retries < MAX_RETRIES) {
        s->retries++;
        return;
    }
    enter_fault(s, CAUSE_SEQUENCE);
}

static void go(struct station *s, int state)
{
    s->state = state;
    s->retries = 0;
    answer(s, RSP_OK);
}

/* The orderly end: the car has said goodbye, or somebody has asked for it. */
static void stop_session(struct station *s)
{
    power_down(s);
    s->state = ST_STOPPING;
    s->retries = 0;
}

static uint16_t smaller(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

static void read_limits(struct limits *l)
{
    l->voltage = __VERIFIER_nondet_ushort();
    l->current = __VERIFIER_nondet_ushort();
    if (l->voltage > MAX_VOLTAGE)
        l->voltage = MAX_VOLTAGE;
    if (l->current > MAX_CURRENT)
        l->current = MAX_CURRENT;
}

static bool is_close(uint16_t a, uint16_t b)
{
    uint16_t difference = a > b ? (uint16_t)(a - b) : (uint16_t)(b - a);
    return difference <= PRECHARGE_WINDOW;
}

/* ---- messages, by state ---- */

static void in_plugged(struct station *s, int message)
{
    switch (message) {
    case MSG_HELLO:
        if (s->emergency) {
            answer(s, RSP_FAILED);
            break;
        }
        s->secure = __VERIFIER_nondet_uchar() > 10;
        go(s, ST_CONNECTED);
        break;
    case MSG_STOP:
        answer(s, RSP_OK);
        break;
    default:
        answer(s, RSP_SEQUENCE_ERROR);
        break;
    }
}

static void in_connected(struct station *s, int message)
{
    switch (message) {
    case MSG_SESSION_SETUP:
        s->sessions++;
        go(s, ST_SETUP);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    case MSG_HELLO:
        /* The car has started over. */
        forget_session(s);
        go(s, ST_CONNECTED);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_setup(struct station *s, int message)
{
    switch (message) {
    case MSG_SERVICE_DISCOVERY:
        go(s, ST_SERVICES);
        break;
    case MSG_SERVICE_SELECTION:
        /* Allowed for cars that know us. */
        s->service_chosen = true;
        go(s, ST_AUTHORISING);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_services(struct station *s, int message)
{
    switch (message) {
    case MSG_SERVICE_DISCOVERY:
        answer(s, RSP_OK);
        break;
    case MSG_SERVICE_SELECTION:
        s->service_chosen = true;
        if (s->secure && __VERIFIER_nondet_uchar() > 128) {
            s->contract = true;
            go(s, ST_CERTIFICATE);
        } else {
            go(s, ST_AUTHORISING);
        }
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_certificate(struct station *s, int message)
{
    check(s->secure);
    switch (message) {
    case MSG_CERTIFICATE:
        if (__VERIFIER_nondet_uchar() < 20) {
            s->contract = false;
            answer(s, RSP_REFUSED);
        }
        go(s, ST_AUTHORISING);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_authorising(struct station *s, int message)
{
    switch (message) {
    case MSG_AUTHORISATION:
        if (s->authorised) {
            go(s, ST_PARAMETERS);
            lock_plug(s);
            break;
        }
        if (s->contract && !s->rejected) {
            /* The contract is enough, as long as the back end has not said otherwise. */
            s->authorised = true;
            lock_plug(s);
            go(s, ST_PARAMETERS);
            break;
        }
        answer(s, RSP_ONGOING);
        if (++s->retries > MAX_RETRIES)
            stop_session(s);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_parameters(struct station *s, int message)
{
    switch (message) {
    case MSG_PARAMETERS:
        read_limits(&s->car);
        if (s->car.voltage < 150) {
            answer(s, RSP_REFUSED);
            break;
        }
        s->allowed.voltage = smaller(s->car.voltage, MAX_VOLTAGE);
        s->allowed.current = smaller(s->car.current, MAX_CURRENT);
        s->parameters_known = true;
        go(s, ST_CABLE_CHECK);
        break;
    case MSG_PAUSE:
        s->may_resume = s->parameters_known;
        s->state = ST_PAUSED;
        answer(s, RSP_OK);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_cable_check(struct station *s, int message)
{
    switch (message) {
    case MSG_CABLE_CHECK:
        if (!s->lock || !s->lock_feedback) {
            answer(s, RSP_ONGOING);
            if (++s->retries > MAX_RETRIES)
                enter_fault(s, CAUSE_LOCK);
            break;
        }
        switch (__VERIFIER_nondet_uchar() & 3) {
        case 0:
            answer(s, RSP_ONGOING);
            break;
        case 1:
            enter_fault(s, CAUSE_INSULATION);
            break;
        default:
            s->insulation_ok = true;
            go(s, ST_PRECHARGE);
            break;
        }
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_precharge(struct station *s, int message)
{
    switch (message) {
    case MSG_PRECHARGE:
        if (!s->precharge_relay)
            precharge_on(s);
        s->voltage = __VERIFIER_nondet_ushort();
        if (is_close(s->voltage, s->car.voltage)) {
            s->precharged = true;
            go(s, ST_READY);
        } else {
            answer(s, RSP_ONGOING);
        }
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_ready(struct station *s, int message)
{
    switch (message) {
    case MSG_POWER_ON:
        if (!s->authorised) {
            answer(s, RSP_REFUSED);
            stop_session(s);
            break;
        }
        close_contactor(s);
        precharge_off(s);
        go(s, ST_CHARGING);
        break;
    case MSG_PRECHARGE:
        /* Once more: the car has lost its voltage. */
        s->precharged = false;
        s->state = ST_PRECHARGE;
        answer(s, RSP_ONGOING);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_charging(struct station *s, int message)
{
    uint16_t wanted;
    switch (message) {
    case MSG_DEMAND:
        wanted = __VERIFIER_nondet_ushort();
        if (!s->authorised) {
            s->state = ST_RAMP_DOWN;
            set_current(s, 0);
            answer(s, RSP_REFUSED);
            break;
        }
        set_current(s, smaller(wanted, s->allowed.current));
        answer(s, RSP_OK);
        break;
    case MSG_RENEGOTIATE:
        if (s->setpoint > 0) {
            answer(s, RSP_REFUSED);
            break;
        }
        go(s, ST_RENEGOTIATING);
        break;
    case MSG_PAUSE:
        power_down(s);
        s->may_resume = true;
        s->state = ST_PAUSED;
        answer(s, RSP_OK);
        break;
    case MSG_POWER_OFF:
        set_current(s, 0);
        go(s, ST_RAMP_DOWN);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_renegotiating(struct station *s, int message)
{
    struct limits wish;
    switch (message) {
    case MSG_PARAMETERS:
        read_limits(&wish);
        if (wish.voltage < 150) {
            answer(s, RSP_REFUSED);
            break;
        }
#ifndef BUG_RENEW
        s->allowed.current = smaller(wish.current, MAX_CURRENT);
#else
        s->allowed.current = (uint16_t)(s->allowed.current + wish.current);
#endif
        go(s, ST_CHARGING);
        break;
    case MSG_POWER_OFF:
        go(s, ST_RAMP_DOWN);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_ramp_down(struct station *s, int message)
{
    switch (message) {
    case MSG_WELDING_TEST:
        open_contactor(s);
        s->voltage = __VERIFIER_nondet_ushort();
        go(s, ST_WELDING);
        break;
    case MSG_POWER_ON:
        if (s->contactor && s->authorised) {
            go(s, ST_CHARGING);
            break;
        }
        answer(s, RSP_FAILED);
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_welding(struct station *s, int message)
{
    switch (message) {
    case MSG_WELDING_TEST:
        s->voltage = __VERIFIER_nondet_ushort();
        if (s->voltage > SAFE_VOLTAGE) {
            answer(s, RSP_ONGOING);
            if (++s->retries > MAX_RETRIES)
                enter_fault(s, CAUSE_WELDED);
            break;
        }
        s->welding_checked = true;
        answer(s, RSP_OK);
        break;
    case MSG_STOP:
#ifdef BUG_STOP
        /* The contactor is open already: let the driver go. */
        unlock_plug(s);
        forget_session(s);
        s->state = ST_UNPLUG_WAIT;
#else
        stop_session(s);
#endif
        break;
    default:
        wrong_message(s);
        break;
    }
}

static void in_paused(struct station *s, int message)
{
    switch (message) {
    case MSG_SESSION_SETUP:
        if (!s->may_resume || !s->authorised) {
            forget_session(s);
            go(s, ST_SETUP);
            break;
        }
        /* Known car, known contract: straight on to the electrical part. */
        s->may_resume = false;
        lock_plug(s);
#ifdef BUG_RESUME
        go(s, s->insulation_ok ? ST_PRECHARGE : ST_CABLE_CHECK);
#else
        s->insulation_ok = false;
        go(s, ST_CABLE_CHECK);
#endif
        break;
    case MSG_STOP:
        stop_session(s);
        break;
    default:
        answer(s, RSP_SEQUENCE_ERROR);
        break;
    }
}

static void in_stopping(struct station *s, int message)
{
    switch (message) {
    case MSG_WELDING_TEST:
        s->voltage = __VERIFIER_nondet_ushort();
        if (s->voltage <= SAFE_VOLTAGE)
            s->welding_checked = true;
        answer(s, RSP_OK);
        break;
    case MSG_STOP:
        answer(s, RSP_OK);
        break;
    default:
        answer(s, RSP_FAILED);
        break;
    }
}

static void on_message(struct station *s)
{
    int message = __VERIFIER_nondet_uchar();
    if (message < MSG_HELLO || message > MSG_LAST)
        return;
    switch (s->state) {
    case ST_PLUGGED:
        in_plugged(s, message);
        break;
    case ST_CONNECTED:
        in_connected(s, message);
        break;
    case ST_SETUP:
        in_setup(s, message);
        break;
    case ST_SERVICES:
        in_services(s, message);
        break;
    case ST_CERTIFICATE:
        in_certificate(s, message);
        break;
    case ST_AUTHORISING:
        in_authorising(s, message);
        break;
    case ST_PARAMETERS:
        in_parameters(s, message);
        break;
    case ST_CABLE_CHECK:
        in_cable_check(s, message);
        break;
    case ST_PRECHARGE:
        in_precharge(s, message);
        break;
    case ST_READY:
        in_ready(s, message);
        break;
    case ST_CHARGING:
        in_charging(s, message);
        break;
    case ST_RENEGOTIATING:
        in_renegotiating(s, message);
        break;
    case ST_RAMP_DOWN:
        in_ramp_down(s, message);
        break;
    case ST_WELDING:
        in_welding(s, message);
        break;
    case ST_PAUSED:
        in_paused(s, message);
        break;
    case ST_STOPPING:
        in_stopping(s, message);
        break;
    case ST_IDLE:
    case ST_FAULT:
    case ST_UNPLUG_WAIT:
        answer(s, RSP_FAILED);
        break;
    default:
        reach_error();
        break;
    }
}

/* ---- timers ---- */

static void on_timer(struct station *s)
{
    switch (s->state) {
    case ST_IDLE:
    case ST_PLUGGED:
        break;
    case ST_PAUSED:
        /* A car may sleep for long, but not for ever. */
        if (++s->retries > MAX_RETRIES)
            stop_session(s);
        break;
    case ST_STOPPING:
        /* The line discharges by itself. */
        s->voltage = __VERIFIER_nondet_ushort();
        if (s->voltage <= SAFE_VOLTAGE)
            s->welding_checked = true;
        if (s->welding_checked) {
            forget_session(s);
            unlock_plug(s);
            s->state = ST_UNPLUG_WAIT;
        }
        break;
    case ST_FAULT:
        s->voltage = __VERIFIER_nondet_ushort();
        if (s->emergency || s->voltage > SAFE_VOLTAGE)
            break;
        s->welding_checked = true;
        unlock_plug(s);
        s->cause = CAUSE_NONE;
        s->state = s->plugged ? ST_UNPLUG_WAIT : ST_IDLE;
        break;
    case ST_UNPLUG_WAIT:
        break;
    case ST_CHARGING:
    case ST_RAMP_DOWN:
        if (s->retries < MAX_RETRIES) {
            s->retries++;
            break;
        }
        enter_fault(s, CAUSE_TIMEOUT);
        break;
    default:
        if (s->retries < MAX_RETRIES) {
            s->retries++;
            break;
        }
        stop_session(s);
        break;
    }
}

/* ---- the safety chain ---- */

static void on_plug_in(struct station *s)
{
    if (s->plugged)
        return;
    s->plugged = true;
    switch (s->state) {
    case ST_IDLE:
        s->state = ST_PLUGGED;
        break;
    case ST_PAUSED:
        lock_plug(s);
        break;
    default:
        break;
    }
}

/* The lock should prevent it; it can still happen, by force or because the plug was not locked yet. */
static void on_plug_out(struct station *s)
{
    if (!s->plugged)
        return;
    s->plugged = false;
    s->lock_feedback = false;
    switch (s->state) {
    case ST_PLUGGED:
    case ST_UNPLUG_WAIT:
        forget_session(s);
        unlock_plug(s);
        s->state = ST_IDLE;
        break;
    case ST_PAUSED:
        /* Nothing is on. The session may go on when the plug is back. */
        unlock_plug(s);
        break;
    case ST_FAULT:
        break;
    default:
        enter_fault(s, CAUSE_PLUG);
        s->lock = false;
        break;
    }
}

static void on_lock_feedback(struct station *s)
{
    bool closed = __VERIFIER_nondet_uchar() > 3;
    if (closed && s->lock) {
        s->lock_feedback = true;
        return;
    }
    if (!s->lock_feedback)
        return;
    s->lock_feedback = false;
    switch (s->state) {
    case ST_PRECHARGE:
    case ST_READY:
    case ST_CHARGING:
    case ST_RENEGOTIATING:
    case ST_RAMP_DOWN:
    case ST_WELDING:
        enter_fault(s, CAUSE_LOCK);
        break;
    default:
        break;
    }
}

static void on_emergency(struct station *s)
{
    s->emergency = true;
    switch (s->state) {
    case ST_IDLE:
    case ST_PLUGGED:
    case ST_UNPLUG_WAIT:
        break;
    case ST_FAULT:
        s->cause = CAUSE_EMERGENCY;
        break;
#ifdef BUG_EMERGENCY
    case ST_PRECHARGE:
        s->cause = CAUSE_EMERGENCY;
        s->faults++;
        forget_session(s);
        s->state = ST_FAULT;
        break;
#endif
    default:
        enter_fault(s, CAUSE_EMERGENCY);
        break;
    }
}

static void on_emergency_released(struct station *s)
{
    s->emergency = false;
    if (s->state == ST_FAULT && s->cause == CAUSE_EMERGENCY)
        s->cause = CAUSE_NONE;
}

/* ---- the back end ---- */

static void on_backend(struct station *s)
{
    struct limits limit;
    switch (__VERIFIER_nondet_uchar()) {
    case BACKEND_ACCEPT:
        if (s->state == ST_AUTHORISING && s->service_chosen) {
            s->authorised = true;
            s->rejected = false;
        }
        break;
    case BACKEND_REJECT:
        s->contract = false;
        s->rejected = true;
        switch (s->state) {
        case ST_AUTHORISING:
            s->authorised = false;
            answer(s, RSP_REFUSED);
            break;
        case ST_PARAMETERS:
        case ST_CABLE_CHECK:
        case ST_PRECHARGE:
        case ST_READY:
        case ST_CHARGING:
        case ST_RENEGOTIATING:
        case ST_RAMP_DOWN:
        case ST_WELDING:
            s->authorised = false;
            stop_session(s);
            break;
        case ST_PAUSED:
#ifndef BUG_LOGOUT
            s->authorised = false;
            s->may_resume = false;
#endif
            break;
        default:
            break;
        }
        break;
    case BACKEND_REMOTE_STOP:
        if (s->state == ST_CHARGING || s->state == ST_RENEGOTIATING || s->state == ST_RAMP_DOWN)
            stop_session(s);
        break;
    case BACKEND_LIMIT:
        /* Less power for everybody. */
        if (!s->parameters_known)
            break;
        read_limits(&limit);
        if (limit.current < s->allowed.current)
            s->allowed.current = limit.current;
        if (s->setpoint > s->allowed.current)
            set_current(s, s->allowed.current);
        break;
    default:
        break;
    }
}

/* ---- the meter ---- */

static void on_meter(struct station *s)
{
    s->current = __VERIFIER_nondet_ushort();
    if (!s->contactor) {
        /* Current without a closed contactor: it is welded. */
        if (s->current > 5 && s->state != ST_FAULT && s->state != ST_IDLE)
            enter_fault(s, CAUSE_WELDED);
        return;
    }
    s->energy += (uint32_t)s->current * 4u;
    if (s->current > MAX_CURRENT + 20u)
        enter_fault(s, CAUSE_OVERCURRENT);
}

/* ---- what always holds ---- */

static bool is_electrical(int state)
{
    switch (state) {
    case ST_PRECHARGE:
    case ST_READY:
    case ST_CHARGING:
    case ST_RENEGOTIATING:
    case ST_RAMP_DOWN:
        return true;
    default:
        return false;
    }
}

static void invariants(const struct station *s)
{
    if (s->contactor) {
        check(s->plugged);
        check(s->lock);
        check(is_electrical(s->state));
    }
    if (s->setpoint > 0) {
        check(s->contactor);
        check(s->state == ST_CHARGING);
        check(s->authorised);
    }
    if (s->precharge_relay)
        check(s->state == ST_PRECHARGE || s->state == ST_READY);
    if (s->emergency && s->state != ST_IDLE && s->state != ST_PLUGGED && s->state != ST_UNPLUG_WAIT)
        check(!s->contactor && s->setpoint == 0);
    if (s->state == ST_CHARGING || s->state == ST_RENEGOTIATING)
        check(s->parameters_known);
    if (s->state == ST_IDLE)
        check(!s->lock);
    if (s->state == ST_UNPLUG_WAIT)
        check(s->welding_checked);
    if (is_electrical(s->state))
        check(s->insulation_ok);
}

static void start(struct station *s)
{
    s->state = ST_IDLE;
    s->before_fault = ST_IDLE;
    s->plugged = false;
    s->emergency = false;
    s->lock = false;
    s->lock_feedback = false;
    s->precharge_relay = false;
    s->contactor = false;
    s->setpoint = 0;
    s->welding_checked = true;
    s->allowed.voltage = 0;
    s->allowed.current = 0;
    s->cause = CAUSE_NONE;
    s->energy = 0;
    forget_session(s);
}

static void step(struct station *s, int event)
{
    switch (event) {
    case EV_MESSAGE:
        on_message(s);
        break;
    case EV_TIMER:
        on_timer(s);
        break;
    case EV_PLUG_IN:
        on_plug_in(s);
        break;
    case EV_PLUG_OUT:
        on_plug_out(s);
        break;
    case EV_LOCK_FEEDBACK:
        on_lock_feedback(s);
        break;
    case EV_EMERGENCY:
        on_emergency(s);
        break;
    case EV_EMERGENCY_RELEASED:
        on_emergency_released(s);
        break;
    case EV_BACKEND:
        on_backend(s);
        break;
    case EV_METER:
        on_meter(s);
        break;
    case EV_NOTHING:
    default:
        break;
    }
}

int main(void)
{
    start(&station);
    for (;;) {
        step(&station, __VERIFIER_nondet_uchar());
        invariants(&station);
    }
}
