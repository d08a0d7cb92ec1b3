/* A multipoint conference: the ITU-T multipoint communication service. Providers form a tree; users attach to the providers at the leaves; requests to attach, to join a
 * channel and to send go up to the top provider, which grants them and sends confirms and data down to everybody who has joined.
 * Source: ITU-T T.122 and T.125; in the manner of P. Merino, J. M. Troya, "Modeling and verification of the ITU-T multipoint communication service with SPIN", SPIN 1996.
 * Written from the recommendations: two leaves with two users each, one channel, uniform send (the sender gets its own data as well), detach.
 * Expected: not bounded: nothing makes a sender wait for the slowest member of the channel, nor for the slowest leaf: their queues
 * grow, all others are bounded, because a user has one request under way at a time. Livelock-free with progress at every indication and confirm that a user takes. */
#define LEAVES 2
#define USERS 4
#define LEAF_OF(u) (u / 2)
mtype = { attach, join, send, detach };

chan request[LEAVES] = [2] of { mtype, byte };   /* users to their leaf */
chan up              = [4] of { mtype, byte };   /* leaves to the top */
chan down[LEAVES]    = [8] of { mtype, byte };   /* top to the leaves */
chan user[USERS]     = [4] of { mtype, byte };   /* a leaf to its users */

proctype member(byte me) {
  byte from;
  request[LEAF_OF(me)]!attach(me);
  user[me]?attach(from);
progress_attached:
  request[LEAF_OF(me)]!join(me);
  do
  :: user[me]?join(from) -> break
  :: user[me]?send(from)
  od;
progress_joined:
end:
  do
  :: request[LEAF_OF(me)]!send(me);
     do
     :: user[me]?send(from) ->
progress_indication:
        if
        :: from == me -> break
        :: else
        fi
     od
  :: user[me]?send(from) ->
progress_other:
     skip
  :: request[LEAF_OF(me)]!detach(me);
     do
     :: user[me]?send(from)
     :: user[me]?detach(from) -> goto gone
     od
  od;
gone:
  skip
}

proctype leaf(byte here) {
  byte u, i;
  bool here_joined[USERS];
end:
  do
  :: request[here]?attach(u) -> up!attach(u)
  :: request[here]?join(u) -> up!join(u)
  :: request[here]?send(u) -> up!send(u)
  :: request[here]?detach(u) -> up!detach(u)
  :: down[here]?attach(u) -> user[u]!attach(u)
  :: down[here]?join(u) -> here_joined[u] = true; user[u]!join(u)
  :: down[here]?detach(u) -> here_joined[u] = false; user[u]!detach(u)
  :: down[here]?send(u) ->
     i = 2 * here;
     do
     :: i < 2 * here + 2 ->
        if
        :: here_joined[i] -> user[i]!send(u)
        :: else
        fi;
        i++
     :: else -> break
     od
  od
}

active proctype top() {
  byte u;
end:
  do
  :: up?attach(u) -> down[LEAF_OF(u)]!attach(u)
  :: up?join(u) -> down[LEAF_OF(u)]!join(u)
  :: up?detach(u) -> down[LEAF_OF(u)]!detach(u)
  :: up?send(u) -> down[0]!send(u); down[1]!send(u)
  od
}

init {
  byte i = 0;
  atomic {
    run leaf(0);
    run leaf(1);
    do
    :: i < USERS -> run member(i); i++
    :: i == USERS -> break
    od
  }
}
