/* Groupware in the Model-View-Controller-Clock style: users act on views; their controllers send input to the clock of the shared model; an
 * updater processes one input at a time and broadcasts the update to all views.
 * Source: T. C. N. Graham, T. Urnes, R. Nejabi, "Efficient distributed implementation of semi-replicated synchronous groupware", UIST 1996 (the
 * Clock architecture); [Ciclo] describes the flag canProcessInput. Written from these descriptions.
 * Expected: not bounded: users may act faster than the updater works, and the input queue grows; livelock-free with progress
 * wherever a user acts or a view is redrawn. */
#ifndef USERS
#define USERS 2
#endif
mtype = { input, update, drawn };

chan inputs = [8] of { mtype, byte };
chan view[USERS] = [8] of { mtype };
chan acks = [8] of { mtype };
bool canProcessInput = true;

proctype user(byte me) {
  do
  :: inputs!input(me);
progress: skip
  od
}

proctype display(byte me) {
end:
  do
  :: view[me]?update -> acks!drawn
  od
}

active proctype updater() {
  byte who, i, waiting = 0;
end:
  do
  :: canProcessInput ->
end_idle:
     atomic { inputs?input(who); canProcessInput = false };
     i = 0;
     do
     :: i < USERS -> view[i]!update; i++
     :: i == USERS -> break
     od;
     waiting = USERS
  :: !canProcessInput ->
     acks?drawn;
     waiting--;
     if
     :: waiting == 0 -> canProcessInput = true
     :: else
     fi
  od
}

init {
  byte i = 0;
  atomic {
    do
    :: i < USERS -> run user(i); run display(i); i++
    :: i == USERS -> break
    od
  }
}
