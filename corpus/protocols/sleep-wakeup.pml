/* Sleep and wake-up in a kernel: a client sleeps when a resource is taken, the server wakes it up; wake-ups are messages to the scheduler.
 * Source: the sleep/wakeup routines of Plan 9 as discussed in G. J. Holzmann, "Process sleep and wakeup on a shared-memory multiprocessor" (with R. Pike et al.,
 * 1991). Written from the description, reduced to the queue of wake-ups.
 * Expected: not bounded: the interrupt may fire again and again before the scheduler runs; livelock-free with progress at every interrupt. */
mtype = { wakeup };
chan run_queue = [2] of { mtype };
bool wanted = false;

active proctype client() {
  do
  :: wanted = true;
     run_queue?wakeup;
     wanted = false
  od
}

active proctype interrupt() {
  do
  :: run_queue!wakeup;
progress: skip
  od
}
