/* A snooping cache: two processors with private caches on a shared bus; a line is invalid, shared or modified.
 * A cache that misses asks the bus; the bus asks the other cache to invalidate or to hand its copy over.
 * Source: J. R. Goodman, "Using cache memory to reduce processor-memory traffic", ISCA 1983 (write-invalidate snooping).
 * Written from the protocol's description.
 * Expected: bounded; not livelock-free: one processor may be served for ever while the other's accesses never count as progress. */
mtype = { read, write, done, grant, invalidate, flush, answer };
mtype:line = { invalid, shared, modified };

chan cpu[2]   = [1] of { mtype };
chan ready[2] = [1] of { mtype };
chan request  = [2] of { mtype, byte };
chan reply[2] = [1] of { mtype };
chan snoop[2] = [1] of { mtype };
chan snooped  = [1] of { mtype };

active proctype cpu0() {
  do
  :: cpu[0]!read; ready[0]?done
  :: cpu[0]!write; ready[0]?done;
progress: skip
  od
}

active proctype cpu1() {
  do
  :: cpu[1]!read; ready[1]?done
  :: cpu[1]!write; ready[1]?done
  od
}

proctype cache(byte me) {
  mtype:line state = invalid;
end:
  do
  :: cpu[me]?read ->
     if
     :: state != invalid
     :: else -> request!read(me);
        do
        :: reply[me]?grant -> state = shared; break
        :: snoop[me]?invalidate -> state = invalid; snooped!answer
        :: snoop[me]?flush -> state = (state == modified -> shared : state); snooped!answer
        od
     fi;
     ready[me]!done
  :: cpu[me]?write ->
     if
     :: state == modified
     :: else -> request!write(me);
        do
        :: reply[me]?grant -> state = modified; break
        :: snoop[me]?invalidate -> state = invalid; snooped!answer
        :: snoop[me]?flush -> state = (state == modified -> shared : state); snooped!answer
        od
     fi;
     ready[me]!done
  :: snoop[me]?invalidate -> state = invalid; snooped!answer
  :: snoop[me]?flush -> state = (state == modified -> shared : state); snooped!answer
  od
}

active proctype bus() {
  byte who;
end:
  do
  :: request?read(who) -> snoop[1 - who]!flush; snooped?answer; reply[who]!grant
  :: request?write(who) -> snoop[1 - who]!invalidate; snooped?answer; reply[who]!grant
  od
}

init { atomic { run cache(0); run cache(1) } }
