/* SIP call set-up: callers, created one after the other without limit, invite a callee through a proxy; each call is a process of its own.
 * Source: RFC 3261 (INVITE, 180 Ringing, 200 OK, ACK, BYE). Written from the RFC's basic call flow.
 * Expected: bounded: a new call is started only when the last one is over; livelock-free with progress at ACK. */
mtype = { invite, ringing, ok, ack, bye, over };

chan toProxy   = [3] of { mtype };
chan toCaller  = [3] of { mtype };
chan toCallee  = [3] of { mtype };
chan fromCallee = [3] of { mtype };
chan finished  = [1] of { mtype };

proctype caller() {
  toProxy!invite;
  do
  :: toCaller?ringing
  :: toCaller?ok -> break
  od;
  toProxy!ack;
  toProxy!bye;
  toCaller?over;
  finished!over
}

active proctype proxy() {
end:
  do
  :: toProxy?invite -> toCallee!invite
  :: toProxy?ack -> toCallee!ack
  :: toProxy?bye -> toCallee!bye
  :: fromCallee?ringing -> toCaller!ringing
  :: fromCallee?ok -> toCaller!ok
  :: fromCallee?over -> toCaller!over
  od
}

active proctype callee() {
end:
  do
  :: toCallee?invite -> fromCallee!ringing; fromCallee!ok
  :: toCallee?ack ->
progress: skip
  :: toCallee?bye -> fromCallee!over
  od
}

init {
  do
  :: run caller(); finished?over
  od
}
