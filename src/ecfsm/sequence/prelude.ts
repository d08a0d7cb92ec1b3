// The predicates and functions every .ecfsm file knows, written in the language that users define their own in.
// [QLive] Table 3 has step1, st-inc, firstp and lastp; the others are ours. All lemmas here are proved by the tests, like a user's.

export const PRELUDE_NAME = '<built in>';

export const PRELUDE = `
function len(s) {
  len([]) = 0;
  len([x]) = 1;
  len(s . x) = len(s) + 1;
  len(x . s) = len(s) + 1;
  lemma len(s) >= 1;
}
function firstp(s) {
  firstp([x]) = x;
  firstp(s . x) = firstp(s);
  firstp(x . s) = x;
  lemma firstp(s) >= 0;
}
function lastp(s) {
  lastp([x]) = x;
  lastp(s . x) = x;
  lastp(x . s) = lastp(s);
  lemma lastp(s) >= 0;
  lemma len(s) <= 1 => lastp(s) = firstp(s);
}
function sump(s) {
  sump([]) = 0;
  sump([x]) = x;
  sump(s . x) = sump(s) + x;
  sump(x . s) = sump(s) + x;
  lemma sump(s) >= 0;
}
function minp(s) {
  minp([x]) = x;
  minp(s . x) = x if x <= minp(s);
  minp(s . x) = minp(s) if x > minp(s);
  minp(x . s) = x if x <= minp(s);
  minp(x . s) = minp(s) if x > minp(s);
  lemma 0 <= minp(s);
  lemma minp(s) <= firstp(s);
  lemma minp(s) <= lastp(s);
}
function maxp(s) {
  maxp([x]) = x;
  maxp(s . x) = x if x >= maxp(s);
  maxp(s . x) = maxp(s) if x < maxp(s);
  maxp(x . s) = x if x >= maxp(s);
  maxp(x . s) = maxp(s) if x < maxp(s);
  lemma firstp(s) <= maxp(s);
  lemma lastp(s) <= maxp(s);
  lemma minp(s) <= maxp(s);
}
predicate step1(s) {
  step1(s . x) = step1(s), x = lastp(s) + 1;
  step1(x . s) = step1(s), firstp(s) = x + 1;
  lemma step1(s) => lastp(s) >= firstp(s);
  lemma step1(s), len(s) >= 2 => lastp(s) >= firstp(s) + 1;
  lemma step1(s) => minp(s) = firstp(s);
  lemma step1(s) => maxp(s) = lastp(s);
}
predicate st-inc(s) {
  st-inc(s . x) = st-inc(s), x > lastp(s);
  st-inc(x . s) = st-inc(s), firstp(s) > x;
  lemma st-inc(s) => lastp(s) >= firstp(s);
  lemma st-inc(s), len(s) >= 2 => lastp(s) >= firstp(s) + 1;
  lemma st-inc(s) => minp(s) = firstp(s);
  lemma st-inc(s) => maxp(s) = lastp(s);
}
predicate inc(s) {
  inc(s . x) = inc(s), x >= lastp(s);
  inc(x . s) = inc(s), firstp(s) >= x;
  lemma inc(s) => lastp(s) >= firstp(s);
  lemma inc(s) => minp(s) = firstp(s);
  lemma inc(s) => maxp(s) = lastp(s);
}
predicate const(s) {
  const(s . x) = const(s), x = lastp(s);
  const(x . s) = const(s), firstp(s) = x;
  lemma const(s) => lastp(s) = firstp(s);
  lemma const(s) => minp(s) = firstp(s);
  lemma const(s) => maxp(s) = firstp(s);
}
`;
