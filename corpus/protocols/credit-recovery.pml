/* Termination detection by credit recovery: the environment starts with all the credit, every message carries a share of it, a node that
 * becomes passive sends its share back; when all has come back, the computation is over.
 * Source: F. Mattern, "Global quiescence detection based on credit distribution and recovery", IPL 30 (1989); M. Ben-Ari, "Principles of Concurrent and
 * Distributed Programming". Written from these descriptions, with credit in whole units.
 * Expected: bounded: every message carries a unit of credit of which there are finitely many; livelock-free with progress at the environment. */
#define NODES 3
#define CREDIT 4
mtype = { work, credit };

chan inbox[NODES] = [CREDIT] of { mtype };
chan home = [CREDIT] of { mtype };

proctype node(byte me) {
end:
  do
  :: inbox[me]?work ->
     /* Passive again: the credit goes home, or one more node is given the work together with the credit, but only onwards. */
     if
     :: home!credit
     :: me < NODES - 1 -> inbox[me + 1]!work
     fi
  od
}

active proctype environment() {
  byte left = CREDIT, out = 0;
  do
  :: left > 0 -> left--; inbox[0]!work; out++
  :: home?credit ->
progress:
     out--
  :: left == 0 && out == 0 -> break
  od
}

init { atomic { run node(0); run node(1); run node(2) } }
