/* HTTPR, pull: an agent fetches messages from a server's outbox by HTTP, each exactly once although both sides may crash and exchanges may fail. The agent's PULL names the
 * last transaction that it has stored; the server answers with the next batch and forgets a batch only when a later PULL or a REPORT shows that it arrived. After a crash each side
 * goes on from what it had on stable storage; after a failed exchange the agent asks for a report of the transaction's state and repeats.
 * Source: S. Todd, F. Parr, M. H. Conner, "A primer for HTTPR: an overview of the reliable HTTP protocol" (IBM, 2001/2002), commands PULL, REPORT and their responses.
 * Written from the description: transactions modulo 2, batches of one message, at most two crashes of each side; an exchange fails when the server
 * crashes before it has answered.
 * Expected: bounded: there is one exchange at a time, and each crash starts one more; livelock-free with progress at every message that is delivered or fetched in vain. */
#define CRASHES 2
mtype = { pull, report, batch, nothing, state, put, take };

chan request  = [4] of { mtype, bit };   /* HTTP requests: PULL, REPORT with the last transaction stored */
chan response = [4] of { mtype, bit };   /* HTTP responses: a batch, nothing to fetch, the state of a transaction */
chan outbox   = [1] of { mtype };        /* the application that sends */
chan inbox    = [1] of { mtype };        /* the application that receives */
chan taken    = [1] of { mtype };        /* … has taken it */

active proctype source() {
end:
  do
  :: outbox!put;
     taken?take
  od
}

active proctype server() {
  bit sent = 0;          /* on stable storage: the transaction of the batch that waits */
  bool waiting = false;  /* on stable storage: is there one */
  bit known;
  byte crashes = 0;

end:
  do
  :: !waiting -> atomic { outbox?put; waiting = true; sent = 1 - sent }
  :: request?pull(known) ->
     if
     :: waiting && known == sent -> atomic { waiting = false; taken!take }; response!nothing(sent)
     :: waiting && known != sent -> response!batch(sent)
     :: !waiting -> response!nothing(sent)
     fi
  :: request?report(known) ->
     if
     :: waiting && known == sent -> atomic { waiting = false; taken!take }
     :: waiting && known != sent
     :: !waiting
     fi;
     response!state(sent)
  :: atomic { crashes < CRASHES && nempty(request) -> request?_(known); crashes++ }    /* crashed before it answered */
  od
}

active proctype agent() {
  bit stored = 0;        /* on stable storage: the last transaction that was delivered */
  bit number;
  byte crashes = 0;

fetch:
  if
  :: request!pull(stored)
  :: request!report(stored)
  fi;
  do
  :: response?batch(number) ->
     if
     :: number != stored ->
        atomic { empty(inbox) -> inbox!put; stored = number };
progress_delivered:
        skip
     :: number == stored                                   /* a copy of what is known */
     fi;
     break
  :: response?nothing(number) ->
progress_in_vain:
     break
  :: response?state(number) ->
progress_state:
     break
  :: crashes < CRASHES -> crashes++; break                 /* what was under way is forgotten */
  :: timeout -> break                                      /* the exchange failed */
  od;
  goto fetch
}

active proctype sink() {
end:
  do
  :: inbox?put
  od
}
