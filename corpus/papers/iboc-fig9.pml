/* A process that creates itself.
 * Source: [IBOC] Fig. 9, as printed.
 * Expected: refuted: every P sends one more msg0. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
active proctype P() {
  C!msg0;
  run P()
}
