/* Mobile handover: a car talks through one of two base stations; the centre moves it from one to the other by handing it the
 * new station's channel.
 * Source: F. Orava, J. Parrow, "An algebraic verification of a mobile network", Formal Aspects of Computing 4 (1992).
 * Written from the published description; synchronous as in the original.
 * Expected: only rendezvous channels, so every queue is bounded trivially; not livelock-free: the centre may hand the car over for
 * ever and no data is ever delivered. */
mtype = { data, ho_cmd, ho_com, ho_acc, ho_fail, ch_rel, talk };

chan outside = [0] of { mtype };
chan deliver = [0] of { mtype };
chan link[2] = [0] of { mtype, chan };
chan air[2]  = [0] of { mtype, chan };

active proctype sender() { do :: outside!data od }

active proctype centre() {
  byte here = 0;
  chan nothing;
  do
  :: outside?data -> link[here]!data(0)
  :: link[here]!ho_cmd(air[1 - here]) ->
     if
     :: link[1 - here]?ho_com(_) -> link[here]!ch_rel(0); here = 1 - here
     :: link[here]?ho_fail(_)
     fi
  od
}

proctype station(byte me; bool busy) {
  chan channel;
end:
  do
  :: busy ->
end_busy:
     if
     :: link[me]?data(_) -> air[me]!talk(0)
     :: link[me]?ho_cmd(channel) ->
        air[me]!ho_cmd(channel);
        if
        :: link[me]?ch_rel(_) -> busy = false
        :: air[me]?ho_fail(_) -> link[me]!ho_fail(0)
        fi
     fi
  :: !busy ->
end_idle:
     air[me]?ho_acc(_); link[me]!ho_com(0); busy = true
  od
}

active proctype car() {
  chan channel, other;
  channel = air[0];
end:
  do
  :: channel?talk(_) -> deliver!data
  :: channel?ho_cmd(other) ->
     if
     :: other!ho_acc(0); channel = other
     :: channel!ho_fail(0)
     fi
  od
}

active proctype receiver() {
end:
  do
  :: deliver?data;
progress: skip
  od
}

init { atomic { run station(0, true); run station(1, false) } }
