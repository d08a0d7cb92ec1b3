/* Processes that create each other.
 * Source: [IBOC] Fig. 10, started by one P.
 * Expected: bounded, C <= 1: Q waits for a msg1 that only R sends, and only Q starts R. */
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
init { run P() }
