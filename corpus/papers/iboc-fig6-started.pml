/* A channel assignment before the loop.
 * Source: [IBOC] Fig. 6, with one message to start it.
 * Expected: refuted: after C = D the loop floods D. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
chan D = [2] of { mtype };
active proctype P() {
  D!msg0;
  C = D;
  do
  :: C?msg0; D!msg0; D!msg0
  od
}
