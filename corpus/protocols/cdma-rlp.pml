/* The radio link protocol of CDMA: a base station sends frames to a mobile over a radio channel that erases some of them. Every slot each side sends one frame, so that
 * an erased frame is noticed; the mobile asks for what is missing with negative acknowledgements, once in the first round, twice in the second, three times in the
 * third, and then gives it up. Frames are numbered; both sides begin with a handshake (SYNC, SYNC/ACK, ACK) and begin again when they have lost step.
 * Source: TIA/EIA IS-707-A (radio link protocol type 1), in the manner of the model that [Ciclo] cites. Written from the description: sequence
 * numbers modulo 4, at most one frame missing at a time, the base's copies of sent frames are its numbers.
 * Expected: bounded: one frame of each side is on its way, and one timer runs; livelock-free with progress at every frame that is passed on or given up, at every
 * erasure and wherever there is nothing to send. */
#define MODULUS 4
#define ROUNDS 3
mtype = { sync, syncack, ack, data, idle, nak, erased, expire };

chan forward = [2] of { mtype, byte };   /* base to mobile */
chan reverse = [2] of { mtype, byte };   /* mobile to base */
chan timer   = [1] of { mtype };         /* the mobile's timer of retransmission */

active proctype base() {
  byte next = 0, asked = 0, n;
  bool repeat = false;

reset:
  forward!sync(0);
  do
  :: reverse?syncack(_) -> forward!ack(0); break
  :: reverse?erased(_) ->
progress_handshake:
     forward!sync(0)
  :: reverse?idle(_) -> forward!sync(0)
  :: reverse?nak(_) -> forward!sync(0)
  :: reverse?sync(_) -> forward!sync(0)
  od;
  next = 0;
  repeat = false;

end:
  do
  :: reverse?idle(_) ->
     if
     :: repeat -> forward!data(asked); repeat = false
     :: !repeat -> forward!data(next); next = (next + 1) % MODULUS
     :: !repeat ->
progress_idle:
        forward!idle(next)
     :: forward!erased(0); if :: !repeat -> next = (next + 1) % MODULUS :: true fi
     fi
  :: reverse?nak(n) ->
     asked = n;
     if
     :: forward!data(asked)
     :: forward!erased(0); repeat = true
     fi
  :: reverse?erased(_) ->
progress_erased:
     if
     :: forward!idle(next)
     :: forward!erased(0)
     fi
  :: reverse?sync(_) -> goto reset
  :: reverse?syncack(_) -> forward!ack(0)
  od
}

active proctype mobile() {
  byte expected = 0, n, round = 0, left = 0;
  bool missing = false;

reset:
  do
  :: forward?sync(_) ->
     if
     :: reverse!syncack(0)
     :: reverse!erased(0)
     fi
  :: forward?ack(_) -> reverse!idle(0); break
  :: forward?erased(_) -> reverse!sync(0)
  :: forward?data(_) -> reverse!sync(0)
  :: forward?idle(_) -> reverse!sync(0)
  od;
  expected = 0;
  if
  :: missing -> timer?expire; missing = false
  :: !missing
  fi;
  round = 0;
  left = 0;

end:
  do
  :: forward?data(n) ->
     if
     :: n == expected && !missing ->
progress_passed:
        expected = (expected + 1) % MODULUS
     :: n == expected && missing ->
        timer?expire;
        missing = false;
        left = 0;
progress_repaired:
        expected = (expected + 1) % MODULUS
     :: n != expected && !missing ->
        /* A hole: the frames behind it wait. */
        missing = true;
        timer!expire;
        round = 1;
        left = 1
     :: n != expected && missing
     fi;
     goto answer
  :: forward?idle(_) -> goto answer
  :: forward?erased(_) ->
progress_erased:
     goto answer
  :: forward?ack(_) -> goto answer
  :: forward?sync(_) -> reverse!syncack(0); goto reset
  :: missing && left == 0 ->
     /* The timer of this round is over. */
     timer?expire;
     if
     :: round < ROUNDS -> round++; left = round; timer!expire
     :: round == ROUNDS ->
progress_abandoned:
        missing = false; expected = (expected + 1) % MODULUS
     fi
  od;

answer:
  if
  :: missing && left > 0 -> reverse!nak(expected); left--
  :: left == 0 -> reverse!idle(0)
  :: reverse!erased(0)
  fi;
  goto end
}
