/* A channel assignment after the loop.
 * Source: [IBOC] Fig. 7, as printed.
 * Expected: bounded: nothing is ever sent, the queues stay empty. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
chan D = [2] of { mtype };
active proctype P() {
  do
  :: C?msg0; D!msg0; D!msg0
  od;
  C = D;
}
