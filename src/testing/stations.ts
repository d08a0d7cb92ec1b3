// A model with as many different processes as wanted: a token goes round, every station also writes to a log that nobody reads.
// Each process has a graph of its own and its place in the run, which is the worst a report has to show.

export function ringOfStations(count: number): string {
  const station = (i: number): string => `active proctype station${i}() {
  byte x, seen;
  ${i === 0 ? 'link[0]!token(0);' : 'skip;'}
end:
  do
  :: link[${i}]?token(x) ->
     log!${i};
     if
     :: x % 2 == 0 -> seen = 1
     :: else -> seen = 0
     fi;
     link[${(i + 1) % count}]!token(x)
  :: link[${i}]?note(x) -> skip
  od
}
`;
  const head = `mtype = { token, note };\nchan link[${count}] = [2] of { mtype, byte };\nchan log = [4] of { byte };\n\n`;
  return head + Array.from({ length: count }, (_, i) => station(i)).join('\n');
}
