/* A connection in the manner of TCP: three-way handshake, a window of bytes that the receiver advertises, urgent data beside it, FIN in one direction.
 * Source: RFC 9293 (states CLOSED, SYN-SENT, SYN-RECEIVED, ESTABLISHED, FIN-WAIT, CLOSE-WAIT, CLOSED), reduced to one direction of data and one connection after the other.
 * Written from the RFC.
 * Expected: not bounded: the application writes without waiting, and notes about urgent data are not subject to the window: two queues grow. Segments, acknowledgements and what
 * the other side has not read are bounded by handshake and window. Livelock-free with progress at writes, reads and new connections. */
#define WINDOW 2
mtype = { syn, synack, ack, seg, fin, finack, write, note };

chan app     = [2] of { mtype };   /* the application writes */
chan segment = [4] of { mtype };   /* client to server */
chan reply   = [4] of { mtype };   /* server to client */
chan urgent  = [2] of { mtype };   /* out of band */

active proctype application() {
  do
  :: app!write;
progress: skip
  od
}

active proctype client() {
  byte credit;
closed:
end:
  segment!syn;
  reply?synack;
progress_connected:
  segment!ack;
  credit = WINDOW;
end_established:
  do
  :: credit > 0 -> app?write; credit--; segment!seg; if :: urgent!note :: skip fi
  :: credit < WINDOW -> reply?ack; credit++
  :: credit == WINDOW -> segment!fin; reply?finack; goto closed
  od
}

active proctype server() {
listen:
end:
  segment?syn;
  reply!synack;
  segment?ack;
end_established:
  do
  :: segment?seg ->
progress_read:
     reply!ack
  :: segment?fin -> reply!finack; goto listen
  od
}

active proctype reader() {
end:
  do
  :: urgent?note
  od
}
