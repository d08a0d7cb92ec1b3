/* Two processes on one channel.
 * Source: [IBOC] Fig. 2, as printed.
 * Expected: bounded, C <= 2. */
mtype = { msg0, msg1 };
chan C = [2] of { mtype };
active proctype P() {
  C!msg0;
  do
  :: C?msg1 -> C!msg0
  od
}
active proctype Q() {
  C!msg1;
  do
  :: C?msg0 -> C!msg1
  od
}
