/* Go-back-n between two users: a sender with a window of two and sequence numbers modulo four, a receiver that passes on what comes in order and says again what it has when
 * something else comes. Nothing is lost.
 * Source: the sliding window protocols of A. S. Tanenbaum, "Computer Networks"; G. J. Holzmann, "Design and Validation of Computer Protocols", chapter 7. Written from the
 * descriptions.
 * Expected: not bounded: the user may have more to send than the window lets through, and the other user may be slow to read: the queues at both ends grow. The two
 * channels between sender and receiver are bounded by the window, whatever the ends do. Livelock-free with progress at what is asked for and passed on. */
mtype = { data, ack };

chan todo  = [2] of { mtype };         /* from the user who sends */
chan there = [2] of { mtype, byte };
chan back  = [2] of { mtype, byte };
chan done  = [2] of { mtype };         /* to the user who reads */

active proctype user() {
  do
  :: todo!data;
progress: skip
  od
}

active proctype sender() {
  byte next, oldest, n;
end:
  do
  :: atomic { (next + 4 - oldest) % 4 < 2 && nempty(todo) -> todo?data; there!data(next); next = (next + 1) % 4 }
  :: back?ack(n) -> oldest = (n + 1) % 4
  od
}

active proctype receiver() {
  byte n, expected;
end:
  do
  :: there?data(n) ->
     if
     :: n == expected ->
progress:
        done!data;
        back!ack(n);
        expected = (expected + 1) % 4
     :: else -> back!ack((expected + 3) % 4)
     fi
  od
}

active proctype reader() {
end:
  do
  :: done?data
  od
}
