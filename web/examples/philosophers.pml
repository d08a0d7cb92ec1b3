/* Two philosophers, two forks, each fork taken by a handshake: each takes the fork at hand first. */
mtype = { take, put };
chan fork[2] = [0] of { mtype };

proctype Fork(byte me) {
end:
  do
  :: fork[me]?take -> fork[me]?put
  od
}

proctype phil(byte first; byte second) {
end:
  do
  :: fork[first]!take;
     fork[second]!take;
     fork[first]!put;
     fork[second]!put
  od
}

init {
  atomic {
    run Fork(0); run Fork(1);
    run phil(0, 1); run phil(1, 0)
  }
}
