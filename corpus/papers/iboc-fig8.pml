/* Processes created in a loop.
 * Source: [IBOC] Fig. 8, as printed.
 * Expected: refuted: every new Q sends one more msg0. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
proctype Q() {
  C!msg0;
  C?msg1;
}
active proctype P() {
  do
  :: run Q()
  od;
}
