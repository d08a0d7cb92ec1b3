/* Channels as arguments.
 * Source: [IBOC] Fig. 5, as printed.
 * Expected: bounded: nothing is ever sent, the queues stay empty. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
chan D = [2] of { mtype };
proctype P(chan X; chan Y) {
  do
  :: X?msg0; Y!msg0; Y!msg0
  od
}
init {
  run P(C, D);
  run P(D, D)
}
