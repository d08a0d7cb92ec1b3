/* A medium that forwards what it receives.
 * Source: [Ciclo] Fig. 4 prints the medium; the server and the client around it are ours.
 * Expected: bounded. The server sends one rej and then only acks; a client that gets a rej asks twice. If the medium could
 * turn an ack into a rej, requests would multiply. */
mtype = { ack, rej, req };
chan c2s = [4] of { mtype };
chan s2m = [4] of { mtype };
chan m2c = [4] of { mtype };
active proctype Server() {
  c2s?req; s2m!rej;
  do
  :: c2s?req -> s2m!ack
  od
}
active proctype Medium() {
  mtype msg;
  do
  :: s2m?msg -> m2c!msg
  od
}
active proctype Client() {
  c2s!req;
  do
  :: m2c?ack -> c2s!req
  :: m2c?rej -> c2s!req; c2s!req
  od
}
