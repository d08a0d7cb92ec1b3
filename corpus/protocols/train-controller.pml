/* A railway crossing: trains announce themselves to a controller, which closes the gate and lets them pass one at a time.
 * Source: the train-gate example in the literature on real-time systems (N. G. Leveson, J. L. Stolzy, "Safety analysis using Petri nets", IEEE TSE 13, 1987).
 * Written from the description, without clocks.
 * Expected: bounded: a train announces itself again only after it has left; livelock-free with progress when a train passes. */
#ifndef TRAINS
#define TRAINS 3
#endif
mtype = { approach, pass, left, lower, raise, down, up };

chan toController = [2 * TRAINS] of { mtype, byte };
chan signal[TRAINS] = [1] of { mtype };
chan gate = [1] of { mtype };
chan gateDone = [1] of { mtype };

proctype train(byte me) {
  do
  :: toController!approach(me);
     signal[me]?pass;
progress:
     toController!left(me)
  od
}

active proctype gatekeeper() {
end:
  do
  :: gate?lower -> gateDone!down
  :: gate?raise -> gateDone!up
  od
}

active proctype controller() {
  byte who, waiting = 0;
  bool closed = false, busy = false;
  chan queue = [TRAINS] of { byte };
end:
  do
  :: toController?approach(who) -> queue!who
  :: toController?left(_) -> busy = false
  :: atomic { !busy && nempty(queue) -> queue?who };
     if
     :: closed
     :: else -> gate!lower; gateDone?down; closed = true
     fi;
     signal[who]!pass; busy = true
  :: !busy && closed && empty(queue) -> gate!raise; gateDone?up; closed = false
  od
}

init {
  byte i = 0;
  atomic {
    do
    :: i < TRAINS -> run train(i); i++
    :: i == TRAINS -> break
    od
  }
}
