/* Processes that create each other.
 * Source: [IBOC] Fig. 10, as printed, which starts no process: with an init that does nothing.
 * Expected: bounded: nothing is ever sent. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
proctype P() {
  C!msg0;
  run Q()
}
proctype Q() {
  C?msg1;
  run R()
}
proctype R() {
  C!msg1;
  run P()
}
init { skip }
