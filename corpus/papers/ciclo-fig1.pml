/* Two clients and a server.
 * Source: [Ciclo] Fig. 1, as printed.
 * Expected: bounded, ts[i] <= 2 and tc[i] <= 1. With progress at client(0)'s receipt of ack it is not livelock-free: client(1)
 * and the server can go on for ever. */
mtype = { req, ack, rel };
chan ts[2] = [1] of { mtype };
chan tc[2] = [1] of { mtype };
init {
  byte i = 0;
  do
  :: i < 2 -> run client(i); i++;
  :: else -> break;
  od;
  run server();
}
proctype client(byte id) {
  do
  :: ts[id]!req; tc[id]?ack -> ts[id]!rel;
  od
}
proctype server() {
  do
  :: ts[0]?req -> tc[0]!ack; ts[0]?rel;
  :: ts[1]?req -> tc[1]!ack; ts[1]?rel;
  od
}
