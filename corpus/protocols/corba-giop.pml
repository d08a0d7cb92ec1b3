/* CORBA GIOP: users send requests through a client-side agent to a server-side agent; request identifiers are reused only when
 * the reply has come; a server may close an idle connection, and the client then resends.
 * Source: Object Management Group, General Inter-ORB Protocol 1.0; the state machines as sketched in M. Kamel, S. Leue,
 * "Formalization and validation of the General Inter-ORB Protocol (GIOP) using Promela and Spin", STTT 2 (2000). Written from the description.
 * Expected: bounded, because a request identifier is in use until its reply has come (a table in an array);
 * livelock-free with progress at the user's receipt of a reply is refuted when the server closes and the client resends for ever. */
#define USERS 2
#define IDS 2
mtype = { request, reply, close };

chan ask[USERS]    = [1] of { byte };
chan answer[USERS] = [1] of { mtype };
chan toServer = [4] of { mtype, byte };
chan toClient = [4] of { mtype, byte };

proctype user(byte me) {
  do
  :: ask[me]!me;
     answer[me]?reply;
progress: skip
  od
}

active proctype client() {
  bool used[IDS];
  byte owner[IDS];
  byte id, i;
end:
  do
  :: atomic { !used[0] && nempty(ask[0]) -> ask[0]?id; used[0] = true; owner[0] = 0; toServer!request(0) }
  :: atomic { !used[1] && nempty(ask[1]) -> ask[1]?id; used[1] = true; owner[1] = 1; toServer!request(1) }
  :: toClient?reply(i) ->
     if
     :: used[i] -> used[i] = false; answer[owner[i]]!reply
     :: else
     fi
  :: toClient?close(_) ->
     /* The connection was closed: what is outstanding is sent again. */
     i = 0;
     do
     :: i < IDS && used[i] -> toServer!request(i); i++
     :: i < IDS && !used[i] -> i++
     :: i == IDS -> break
     od
  od
}

active proctype server() {
  byte id;
end:
  do
  :: toServer?request(id) -> toClient!reply(id)
  :: empty(toServer) && empty(toClient) -> toClient!close(0)
  od
}

init { atomic { run user(0); run user(1) } }
