/* Readers and writers: a controller admits readers together, a writer alone. Threads meet in the events below. */

extern void start_read(int reader);
extern void stop_read(int reader);
extern void start_write(int writer);
extern void stop_write(int writer);
extern int next_request(void);

#define READ_STARTED 1
#define READ_STOPPED 2
#define WRITE_STARTED 3

/* The data itself travels with the events. */
static unsigned char mix(unsigned char value) { return (unsigned char)(value ^ 0x5a); }

void reader(int me)
{
    unsigned char last = 0;
    unsigned char seen;
    for (;;) {
        start_read(me);
        seen = mix(last);
        if (seen != last)
            last = seen;
        stop_read(me);
    }
}

void writer(int me)
{
    unsigned char value = (unsigned char)me;
    for (;;) {
        start_write(me);
        value = mix(value);
        stop_write(me);
    }
}

/* What the controller lets happen next: which of them is the procedure of the specification. */
extern int let_in(void);
extern int let_out(void);
extern void let_writer_out(void);

void controller(void)
{
    int readers = 0;
    int writing = 0;
    for (;;) {
        int request;
        if (writing) {
            let_writer_out();
            writing = 0;
            continue;
        }
#ifdef BROKEN
        /* One reader is overlooked. */
        if (readers <= 1)
#else
        if (readers == 0)
#endif
            request = let_in();
        else if (readers < N)
            request = let_out();
        else
            request = next_request();
        switch (request) {
        case READ_STARTED:
            readers++;
            break;
        case READ_STOPPED:
            readers--;
            break;
        case WRITE_STARTED:
            writing = 1;
            break;
        }
    }
}
