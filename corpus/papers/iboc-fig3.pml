/* Messages told apart by a constant, and by a number.
 * Source: [IBOC] Fig. 3 with the receive C?exact,5 of section 3.1; the sender and the bodies are ours.
 * Expected: refuted, the sender floods C. */
mtype = { exact, inexact };
chan C = [2] of { mtype, int };
int kept, dumped;
active proctype P() {
  int x;
  do
  :: C?exact, 5 -> skip
  :: C?exact, x -> kept = x
  :: C?inexact, x -> dumped = x
  od
}
active proctype Sender() {
  int n;
  do
  :: C!exact, 5
  :: C!exact, n; n++
  :: C!inexact, 7
  od
}
