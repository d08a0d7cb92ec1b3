// Families of protocols for bench/ecfsm.bench.mjs: one text for Spillway with numbers without limit, and one for SPIN, which needs them finite: sequence
// numbers modulo twice the window, channels as long as the window, faults counted in an int.

export const windows = {
  name: 'sliding window of size n, safe',
  sizes: [1, 2, 4, 6, 8, 16, 64],
  ecfsm: (n) => `
machine S { states s; registers next, acked; init s where next = 0, acked = 0;
  put: s send D(n) when n = next, next < acked + ${n} do next := next + 1;
  ack: s receive A(n) when acked < n, n <= next do acked := n; }
machine R { states r; registers want, told; init r where want = 0, told = 0;
  take: r receive D(n) when n = want do want := want + 1;
  tell: r send A(n) when n = want, want > told do told := want; }
`,
  promela: (n) => `
#define N ${n}
#define M (2 * N)
chan d = [N] of { byte }; chan a = [N] of { byte };
active proctype S() { byte next, acked, m;
  do :: (next - acked + M) % M < N -> d!next; next = (next + 1) % M
     :: a?m -> assert((m - acked + M) % M >= 1 && (m - acked + M) % M <= (next - acked + M) % M); acked = m od }
active proctype R() { byte want, told, m;
  do :: d?m -> assert(m == want); want = (want + 1) % M
     :: want != told -> a!want; told = want od }
`,
};

export const credits = {
  name: 'two kinds of credit, n of each, safe',
  sizes: [2, 3, 4, 8],
  ecfsm: (n) => `
machine A { states s; registers cd, cc; init s where cd = ${n}, cc = ${n};
  data: s send D(n) when n = 0, cd > 0 do cd := cd - 1;
  ctrl: s send C(n) when n = 0, cc > 0 do cc := cc - 1;
  crd: s receive KD(n) do cd := cd + 1;
  crc: s receive KC(n) do cc := cc + 1; }
machine B { states t; registers d, c; init t where d = 0, c = 0;
  td: t receive D(n) when d < ${n} do d := d + 1;
  tc: t receive C(n) when c < ${n} do c := c + 1;
  kd: t send KD(n) when d > 0, n = 0 do d := d - 1;
  kc: t send KC(n) when c > 0, n = 0 do c := c - 1; }
`,
  promela: (n) => `
#define N ${n}
mtype = { D, C, KD, KC };
chan f = [2 * N] of { mtype }; chan b = [2 * N] of { mtype };
active proctype A() { byte cd = N, cc = N;
  do :: cd > 0 -> f!D; cd-- :: cc > 0 -> f!C; cc-- :: b?KD -> cd++ :: b?KC -> cc++ od }
active proctype B() { byte d, c;
  do :: f?D -> assert(d < N); d++ :: f?C -> assert(c < N); c++ :: d > 0 -> b!KD; d-- :: c > 0 -> b!KC; c-- od }
`,
};

export const faults = {
  name: 'a fault at count n, refuted',
  sizes: [100, 1_000, 10_000, 100_000, 1_000_000],
  ecfsm: (n) => `
machine A { states idle, wait; registers x; init idle where x = 0;
  ask: idle -> wait send Q(n) when n = x; got: wait -> idle receive R(n) when n = x do x := x + 1; }
machine B { states idle, busy; registers y; init idle where y = 0;
  take: idle -> busy receive Q(n) when n = y, n < ${n}; answer: busy -> idle send R(n) when n = y do y := y + 1; }
`,
  promela: (n) => `
chan q = [1] of { int }; chan r = [1] of { int };
active proctype A() { int x, m; do :: q!x; r?m -> assert(m == x); x++ od }
active proctype B() { int y, m; do :: q?m -> assert(m == y && m < ${n}); r!y; y++ od }
`,
};

const next = (i, n) => `M${(i + 1) % n}`;
const previous = (i, n) => `M${(i + n - 1) % n}`;

/** M0 begins; each machine passes the token on with the number of the round. */
export const rings = {
  name: 'a token ring of n machines, safe',
  sizes: [3, 4, 6, 8, 12],
  ecfsm: (n) =>
    Array.from({ length: n }, (_, i) =>
      i === 0
        ? `machine M0 { states idle, has; registers r; init has where r = 0;
  pass: has -> idle send T(n) to ${next(0, n)} when n = r;
  get: idle -> has receive T(n) from ${previous(0, n)} when n = r do r := n + 1; }`
        : `machine M${i} { states idle, has; registers r; init idle where r = 0;
  get: idle -> has receive T(n) from ${previous(i, n)} when n = r;
  pass: has -> idle send T(n) to ${next(i, n)} when n = r do r := n + 1; }`,
    ).join('\n'),
  promela: (n) => `
chan c[${n}] = [1] of { byte };
active [${n}] proctype M() { byte r, m;
  if :: _pid == 0 -> c[1 % ${n}]!0 :: else fi;
  do :: c[_pid]?m -> assert(m == r); r = (r + 1) % 4; c[(_pid + 1) % ${n}]!(_pid == 0 -> r : m) od }
`,
};
