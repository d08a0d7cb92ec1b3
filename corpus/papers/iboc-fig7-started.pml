/* A channel assignment after the loop.
 * Source: [IBOC] Fig. 7, with one message to start it.
 * Expected: bounded, D <= 2: in the loop C and D are two queues. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
chan D = [2] of { mtype };
active proctype P() {
  C!msg0;
  do
  :: C?msg0; D!msg0; D!msg0
  od;
  C = D;
}
