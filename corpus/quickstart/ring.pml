/* A token ring: four stations pass a token round; who has it may send one job to its neighbour, which answers. */
#define N 4
mtype = { token, job, answer };
chan link[N] = [2] of { mtype };
chan back[N] = [1] of { mtype };

proctype station(byte me) {
end:
  do
  :: link[me]?token ->
     if
     :: link[(me + 1) % N]!job; back[me]?answer
     :: skip
     fi;
     link[(me + 1) % N]!token
  :: link[me]?job -> back[(me + N - 1) % N]!answer
  od
}

init {
  byte i = 0;
  atomic {
    do
    :: i < N -> run station(i); i++
    :: i == N -> break
    od
  };
  link[0]!token
}
