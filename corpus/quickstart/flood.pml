/* A client that does not wait: the server's queue grows without limit. */
mtype = { request, reply };
chan requests = [4] of { mtype };
chan replies = [4] of { mtype };

active proctype client() {
  do
  :: requests!request
  :: replies?reply
  od
}

active proctype server() {
  do
  :: requests?request -> replies!reply
  od
}
