/* Conway's problem: records are read character by character, runs of equal characters are compressed
 * to a digit and the character, and a newline is inserted after every K characters.
 * Source: M. E. Conway, "Design of a separable transition-diagram compiler" (1963); as a concurrent program in
 * M. Ben-Ari, "Principles of Concurrent and Distributed Programming". Written from these descriptions.
 * Expected: bounded; livelock-free with progress at the consumer. */
#define LENGTH 12
#define MAXRUN 9
#define K 4
mtype = { letter, digit, newline, done };

chan in   = [4] of { mtype, byte };
chan pipe = [4] of { mtype, byte };
chan out  = [4] of { mtype, byte };

active proctype producer() {
  byte i = 0;
  do
  :: i < LENGTH -> if :: in!letter(1) :: in!letter(2) fi; i++
  :: i == LENGTH -> in!done(0); break
  od
}

active proctype compress() {
  byte previous, c, n = 0;
  mtype kind;
  in?kind(previous);
  do
  :: kind == letter ->
     in?kind(c);
     if
     :: kind == letter && c == previous && n < MAXRUN - 1 -> n++
     :: else ->
        if
        :: n > 0 -> pipe!digit(n + 1); n = 0
        :: else
        fi;
        pipe!letter(previous);
        previous = c
     fi
  :: kind == done -> pipe!done(0); break
  od
}

active proctype format() {
  byte c, m = 0;
  mtype kind;
  do
  :: pipe?kind(c) ->
     if
     :: kind == done -> out!done(0); break
     :: else ->
        out!kind(c); m++;
        if
        :: m >= K -> out!newline(0); m = 0
        :: m < K
        fi
     fi
  od
}

active proctype consumer() {
  byte c;
  mtype kind;
  do
  :: out?kind(c) ->
progress:
     if
     :: kind == done -> break
     :: else
     fi
  od
}
