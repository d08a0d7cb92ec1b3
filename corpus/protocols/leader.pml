/* Leader election in a unidirectional ring of N nodes.
 * Source: D. Dolev, M. Klawe, M. Rodeh, "An O(n log n) unidirectional distributed algorithm for extrema finding in a
 * circle", J. Algorithms 3 (1982). Written from the published algorithm.
 * Expected: bounded; livelock-free with progress where a node becomes passive or a winner is announced. */
#ifndef N
#define N 4
#endif
mtype = { first, second, winner };
chan link[N] = [2 * N] of { mtype, byte };

proctype node(chan left, right; byte mine) {
  byte number, maximum, neighbour;
  bool active_ = true, know_winner = false;
  xr left; xs right;
  maximum = mine;
  right!first(mine);
end:
  do
  :: left?first(number) ->
     if
     :: active_ ->
        if
        :: number != maximum -> right!second(number); neighbour = number
        :: else -> know_winner = true; right!winner(number)
        fi
     :: else -> right!first(number)
     fi
  :: left?second(number) ->
     if
     :: active_ ->
        if
        :: neighbour > number && neighbour > maximum -> maximum = neighbour; right!first(neighbour)
        :: else ->
progress_passive:
           active_ = false
        fi
     :: else -> right!second(number)
     fi
  :: left?winner(number) ->
     if
     :: know_winner
     :: else -> right!winner(number)
     fi;
progress_known:
     break
  od
}

init {
  byte i = 1;
  atomic {
    do
    :: i <= N -> run node(link[i - 1], link[i % N], (N + 2 - i) % N + 1); i++
    :: i > N -> break
    od
  }
}
