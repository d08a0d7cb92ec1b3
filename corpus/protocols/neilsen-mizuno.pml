/* Neilsen-Mizuno: mutual exclusion with a token that travels along a dynamic spanning tree.
 * Source: M. L. Neilsen, M. Mizuno, "A DAG-based algorithm for distributed mutual exclusion", ICDCS 1991; M. Ben-Ari, "Principles of Concurrent and
 * Distributed Programming". Written from these descriptions.
 * Expected: bounded: a node asks again only after it has had the token, and there is one token;
 * livelock-free with progress in the critical section. */
#define NODES 3
#define NONE 255
mtype = { request };

chan requests[NODES] = [NODES] of { mtype, byte, byte };  /* request(sender, originator) */
chan token[NODES] = [1] of { bool };
byte parent[NODES];
byte deferred[NODES];
bool holding[NODES];

proctype main(byte me) {
  bool waiting = false;
  do
  :: atomic {
       if
       :: holding[me] -> holding[me] = false
       :: else ->
          requests[parent[me]]!request(me, me);
          parent[me] = NONE;
          waiting = true
       fi
     };
     if
     :: waiting -> token[me]?_; waiting = false
     :: !waiting
     fi;
progress:
     skip;
     atomic {
       if
       :: deferred[me] != NONE -> token[deferred[me]]!true; deferred[me] = NONE
       :: else -> holding[me] = true
       fi
     }
  od
}

proctype receive(byte me) {
  byte source, originator;
end:
  do
  :: requests[me]?request(source, originator) ->
     atomic {
       if
       :: parent[me] == NONE ->
          if
          :: holding[me] -> token[originator]!true; holding[me] = false
          :: else -> deferred[me] = originator
          fi
       :: else -> requests[parent[me]]!request(me, originator)
       fi;
       parent[me] = source
     }
  od
}

init {
  byte i = 0;
  atomic {
    do
    :: i < NODES ->
       deferred[i] = NONE;
       parent[i] = (i == 0 -> NONE : i - 1);
       holding[i] = (i == 0 -> true : false);
       i++
    :: i == NODES -> break
    od;
    i = 0;
    do
    :: i < NODES -> run main(i); run receive(i); i++
    :: i == NODES -> break
    od
  }
}
