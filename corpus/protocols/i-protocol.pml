/* The i-protocol: a sliding window protocol of GNU UUCP, with window W, negative acknowledgements and a lossy medium.
 * Source: Y. Dong et al., "Fighting livelock in the i-Protocol", TACAS 1999. Written from the published description, window 1 and
 * sequence numbers modulo 2W; synchronous as in the original.
 * Expected: only rendezvous channels, so every queue is bounded trivially; not livelock-free with progress at delivery: the medium may lose
 * every message for ever. */
#define MODULUS 2
mtype = { data, ack, nak };

chan toMedium   = [0] of { mtype, byte };
chan fromMedium = [0] of { mtype, byte };
chan back       = [0] of { mtype, byte };
chan backOut    = [0] of { mtype, byte };

active proctype sender() {
  byte seq = 0, number;
end:
  do
  :: toMedium!data(seq) ->
     if
     :: backOut?ack(number) ->
        if
        :: number == seq -> seq = (seq + 1) % MODULUS
        :: else
        fi
     :: backOut?nak(number)
     :: timeout
     fi
  od
}

active proctype medium() {
  byte n;
end:
  do
  :: toMedium?data(n) -> if :: fromMedium!data(n) :: skip fi
  od
}

active proctype returns() {
  byte n;
  mtype kind;
end:
  do
  :: back?kind(n) -> if :: backOut!kind(n) :: skip fi
  od
}

active proctype receiver() {
  byte expected = 0, n;
end:
  do
  :: fromMedium?data(n) ->
     if
     :: n == expected ->
progress:
        expected = (expected + 1) % MODULUS; back!ack(n)
     :: else -> back!nak(expected)
     fi
  od
}
