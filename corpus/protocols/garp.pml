/* GARP, the Generic Attribute Registration Protocol: applicants join and leave a group through a shared medium; the registrar keeps the
 * attribute as long as somebody has joined; a leave-all timer makes applicants join again.
 * Source: IEEE 802.1D, clause 12; state machines in the manner of T. Nakatani, "Verification of Group Address Registration Protocol using PROMELA and
 * SPIN", SPIN 1997. Written from the description.
 * Expected: bounded: the medium is only used when it is empty; livelock-free with progress at the registrar. */
#define APPLICANTS 2
mtype = { join, leave, leaveall };

chan toRegistrar = [4] of { mtype, byte };
chan toApplicant[APPLICANTS] = [2] of { mtype };

proctype applicant(byte me) {
  bool member = false;
end:
  do
  :: atomic { !member && empty(toRegistrar) -> toRegistrar!join(me); member = true }
  :: atomic { member && empty(toRegistrar) -> toRegistrar!leave(me); member = false }
  :: toApplicant[me]?leaveall -> member = false
  od
}

active proctype registrar() {
  byte who, members = 0;
  byte i;
end:
  do
  :: toRegistrar?join(who) ->
progress_join:
     members = members | (1 << who)
  :: toRegistrar?leave(who) ->
progress_leave:
     members = members & (255 ^ (1 << who))
  :: members != 0 && empty(toApplicant[0]) && empty(toApplicant[1]) ->
     /* The leave-all timer fires. */
progress_leaveall:
     members = 0;
     i = 0;
     do
     :: i < APPLICANTS -> toApplicant[i]!leaveall; i++
     :: i == APPLICANTS -> break
     od
  od
}

init { atomic { run applicant(0); run applicant(1) } }
