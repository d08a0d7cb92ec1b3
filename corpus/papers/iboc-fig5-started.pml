/* Channels as arguments.
 * Source: [IBOC] Fig. 5, with one message to start it.
 * Expected: refuted: P(D,D) floods D. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
chan D = [2] of { mtype };
proctype P(chan X; chan Y) {
  do
  :: X?msg0; Y!msg0; Y!msg0
  od
}
init {
  C!msg0;
  run P(C, D);
  run P(D, D)
}
