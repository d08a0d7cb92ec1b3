// C programs: time, rounds, predicates, followed variables and states for every example; state/event against state-only formulas
// ([MAGIC] Fig. 9); compositional against monolithic deadlock checks ([MAGIC] Fig. 10); families with growing n beside what the tool could do before; loops that
// end or do not; threads with shared memory.
// Run: node bench/c.bench.mjs [SECTION…], sections: locks, terminates, recursion, examples, handshake, deadlock, formulas, threads (default: all)
import { readFileSync } from 'node:fs';
import { secondsEach } from './seconds.mjs';
import { importSource } from './source.mjs';

const { checkModel } = await importSource('check/check.ts');
const FOLDER = new URL('../corpus/c/', import.meta.url).pathname;
/** Programs that are made here. */
const made = new Map();
const read = (path) => {
  if (made.has(path)) return made.get(path);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

async function check(file, defines = [], properties = [], extra = {}, limit = secondsEach()) {
  const end = performance.now() + limit * 1000;
  const report = await checkModel({
    paths: [FOLDER + file],
    files: { read },
    properties,
    options: { defines, ...extra },
    budget: {
      timeLeft: () => performance.now() < end,
      remaining: () => Math.max(0, end - performance.now()),
      maxStates: 10_000_000,
      maxMemory: 2 ** 31,
    },
    observer: { stage: () => {}, progress: () => {}, now: () => performance.now() },
  });
  return report.properties;
}

/** Processor time of this process besides the clock's: the machine may be busy. (The solver is a process of its own and not counted.) */
async function measured(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpu: (user + system) / 1000 };
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const cell = (value, width) => String(value).padStart(width);
const row = (name, columns) => console.log(name.padEnd(40) + columns.map((c) => cell(c, 11)).join(''));
const head = (first) => row(first, ['verdict', 'time', 'cpu', 'rounds', 'predicates', 'variables', 'states']);

/** The limit of every run below: what does not finish in it shows as *. */
const FEW_SECONDS = Math.min(10, secondsEach());

const shown = ({ verdict, stats }) =>
  verdict === 'unknown' ? '*' : `${Math.round(stats.milliseconds.check)} ms`;

/** n locks, each taken and given back when its input says so; an assertion for each. */
function locksProgram(n) {
  const each = (line) => Array.from({ length: n }, (_, i) => line(i)).join('\n');
  return `extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
${each((i) => `int p${i} = __VERIFIER_nondet_int(), l${i};`)}
while (__VERIFIER_nondet_int()) {
${each((i) => `l${i} = 0;`)}
${each((i) => `if (p${i}) l${i} = 1;`)}
${each((i) => `if (p${i}) { if (l${i} != 1) reach_error(); l${i} = 0; }`)}
}
return 0; }`;
}

async function locks() {
  console.log('locks: proved by invariants in large blocks; before: by the abstraction alone');
  row('locks', ['verdict', 'cpu', 'before']);
  for (const n of [5, 8, 11, 15, 25, 40]) {
    made.set(`${FOLDER}locks${n}.c`, locksProgram(n));
    const { result, cpu } = await measured(() => check(`locks${n}.c`, [], ['assertions'], {}, 60));
    row(`n = ${n}`, [result[0].verdict, seconds(cpu), n === 11 ? '47,106 states' : '']);
  }
}

/** What the tool said before measures were fitted and sets were looked for: proved (P), refuted (R), unknown (U). */
const LOOPS = [
  ['up to n', 'int n = I; for (int i = 0; i < n; i++) ;', 'P'],
  ['up to and with n', 'int n = I; for (int i = 0; i <= n; i++) ;', 'U'],
  ['divided', 'int n = I; while (n != 0) n /= 3;', 'U'],
  ['shifted out', 'unsigned n = I; while (n) n <<= 1;', 'U'],
  [
    'Euclid, by differences',
    'int a = I, b = I; if (a > 0 && b > 0) while (a != b) { if (a > b) a -= b; else b -= a; }',
    'P',
  ],
  ['nested', 'int n = I, m = I; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ;', 'P'],
  [
    '5x + 2y',
    'int x = I, y = I; while (x > 0 && x < 1000 && y > 2 && y < 1000) if (I) { x--; y += 2; } else { y -= 3; x++; }',
    'U',
  ],
  ['odd, by two', 'int n = I; while (n != 0) n -= 2;', 'U'],
  ['never equal', 'int n = I, m = I; while (n != m) { n++; m++; }', 'U'],
  ['Euclid, by remainders', 'unsigned a = I, b = I; while (b) { unsigned t = a % b; a = b; b = t; }', 'U'],
  ['x += y; y--', 'int x = I, y = I; if (x < 1000 && y < 1000) while (x > 0) { x += y; y--; }', 'U'],
];

/** Functions that call themselves as deep as inputs say; before: followed 320 deep, and unknown beyond. */
const RECURSIONS = [
  [
    "McCarthy's 91",
    'int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }',
    'int n = I, r = f(n); assert(r == 91 || n > 101);',
  ],
  [
    'sum by ones',
    'int add(int m, int n) { return n == 0 ? m : n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1); }',
    'int m = I, n = I; assert(add(m, n) == m + n);',
  ],
  [
    'parity',
    'int odd(int n); int even(int n) { return n == 0 || odd(n - 1); } int odd(int n) { return n != 0 && even(n - 1); }',
    'int n = I; if (n >= 0) { int r = even(n); assert(r == 0 || n % 2 == 0); }',
  ],
  [
    'Fibonacci, bounded',
    'int fib(int n) { return n < 2 ? n == 1 : (fib(n - 1) + fib(n - 2)) & 0xffff; }',
    'assert(fib(I) >= 0);',
  ],
  [
    'Ackermann, bounded',
    'int ack(int m, int n) { if (m == 0) return n < 1000000 ? n + 1 : n; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }',
    'int m = I, n = I; if (m >= 0 && n >= 0) assert(ack(m, n) > 0);',
  ],
  [
    'Euclid, by differences',
    'int gcd(int a, int b) { if (a <= 0 || b <= 0) return 0; return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }',
    'int a = I, b = I, g = gcd(a, b); assert(a <= 0 || g <= a);',
  ],
  [
    'a variable',
    'int depth, most; void down(int n) { if (depth > most) most = depth; if (n > 0 && depth < 50) { depth++; down(n - 1); depth--; } }',
    'down(I); assert(most <= 50);',
  ],
  [
    'a sum that is wrong',
    'int add(int m, int n) { return n == 0 ? m : n > 0 ? add(m + 1, n - 1) : add(m - 1, n + 1); }',
    'int m = I, n = I; assert(add(m, n) != 77777);',
  ],
];

async function recursion() {
  console.log('\nfunctions that call themselves (limit 60 s)');
  row('program', ['verdict', 'cpu', 'by']);
  for (const [name, functions, body] of RECURSIONS) {
    const text = `extern int __VERIFIER_nondet_int(void);\n#define I __VERIFIER_nondet_int()\n${functions}\nint main(void) { ${body} return 0; }`;
    made.set(`${FOLDER}recursion.c`, text);
    const { result, cpu } = await measured(() => check('recursion.c', [], ['assertions'], {}, 60));
    const [{ verdict, evidence }] = result;
    row(name, [verdict, seconds(cpu), evidence?.certificate?.kind.replace('c-', '') ?? '']);
  }
}

async function terminates() {
  console.log(`\nloops: terminates (limit ${FEW_SECONDS} s)`);
  row('loop', ['verdict', 'cpu', 'before']);
  for (const [name, body, before] of LOOPS) {
    const text = `extern int __VERIFIER_nondet_int(void);\n#define I __VERIFIER_nondet_int()\nint main(void) { ${body} return 0; }`;
    made.set(`${FOLDER}loop.c`, text);
    const { result, cpu } = await measured(() => check('loop.c', [], ['terminates'], {}, FEW_SECONDS));
    row(name, [result[0].verdict, seconds(cpu), before]);
  }
}

async function examples() {
  head('examples');
  for (const [file, bugs, properties] of [
    ['machine.c', ['', 'BUG_RESUME', 'BUG_EMERGENCY', 'BUG_STOP', 'BUG_RENEW', 'BUG_LOGOUT'], ['assertions']],
    ['kernel.spec', ['', 'BUG_MUTEX', 'BUG_RESUME', 'BUG_TIMEOUT'], ['conforms:Task']],
    ['kernel.spec', ['', 'BUG_MUTEX', 'BUG_SPIN'], ['ltl:released']],
    ['ipc.spec', ['', 'BUG_ORDER', 'BUG_RELEASE', 'BUG_CANCEL'], ['deadlock-free']],
    ['ipc.spec', ['', 'BUG_CANCEL'], ['conforms:Client(1)']],
    ['rw.spec', ['', 'BROKEN'], ['deadlock-free', 'ltl:exclusion', 'ltl:alone']],
  ])
    for (const bug of bugs)
      for (const property of properties) {
        const defines = bug === '' ? [] : [bug];
        const { result, cpu } = await measured(() => check(file, defines, [property], {}, 5 * secondsEach()));
        const { verdict, stats } = result[0];
        row(`${file} ${bug === '' ? '' : `-D${bug} `}${property}`, [
          verdict,
          seconds(stats.milliseconds?.check ?? 0),
          seconds(cpu),
          stats.refinements ?? stats.iterations,
          stats.predicates,
          stats.trackedVariables,
          stats.states ?? stats.statesPerThread?.reduce((a, b) => a + b, 0),
        ]);
      }
}

async function handshake() {
  console.log(
    '\nstates alone (ss) against states and events (se), the handshake; product: configurations, Büchi: states',
  );
  row('property', ['verdict', 'time', 'rounds', 'predicates', 'product', 'Büchi']);
  for (const { id, verdict, stats } of await check('ssl.spec', [], [], {}, 5 * secondsEach())) {
    if (!id.startsWith('ltl:')) continue;
    row(id.slice(4), [
      verdict,
      shown({ verdict, stats }),
      stats.refinements,
      stats.predicates,
      stats.largestProduct,
      stats.automatonStates,
    ]);
  }
}

async function deadlock() {
  console.log(
    `\ndeadlock ([MAGIC] Fig. 10): portfolio, compositional refinement, whole product (limit ${FEW_SECONDS} s)`,
  );
  row('system', ['verdict', 'portfolio', 'composit.', 'monolithic']);
  for (const [family, sizes] of [
    ['rw.spec', [2, 3, 4, 5]],
    ['dpn.spec', [3, 4, 5, 6]],
    ['dpd.spec', [3, 5, 7]],
    ['ucosn.spec', [2, 4, 6, 16]],
    ['ucosd.spec', [2, 3, 6, 16]],
  ]) {
    for (const n of sizes) {
      const times = [];
      let verdict = '';
      for (const extra of [{}, { strategy: 'compositional' }, { monolithic: true }]) {
        const [result] = await check(family, [`N=${n}`], ['deadlock-free'], extra, FEW_SECONDS);
        if (result.verdict !== 'unknown') verdict = result.verdict;
        times.push(shown(result));
      }
      row(`${family} n = ${n}`, [verdict, ...times]);
    }
  }
}

async function formulas() {
  console.log(`\nformulas and assertions: quotients first, whole product only (limit ${FEW_SECONDS} s)`);
  row('system', ['verdict', 'quotients', 'product', 'before']);
  for (const property of ['assertions', 'ltl:bounded', 'ltl:nothing_from_nothing'])
    for (const n of [2, 4, 8, 16]) {
      const [first] = await check('pc.spec', [`N=${n}`], [property], {}, FEW_SECONDS);
      const [product] = await check('pc.spec', [`N=${n}`], [property], { monolithic: true }, FEW_SECONDS);
      row(`pc.spec n = ${n} ${property}`, [
        first.verdict,
        shown(first),
        shown(product),
        n === 16 ? '* (28 s)' : '',
      ]);
    }
}

async function threads() {
  console.log('\nthreads with shared memory: all interleavings');
  row('program', ['verdicts', 'time', 'states', 'steps']);
  for (const [file, defines] of [
    ['counter.c', []],
    ['counter.c', ['LOCKED']],
    ['buffer.c', []],
    ['peterson.c', []],
    ['meeting.c', []],
    ...[2, 3, 4].map((n) => ['philosophers.c', [`N=${n}`, 'ORDERED']]),
    ...[2, 3, 4].map((n) => ['philosophers.c', [`N=${n}`]]),
  ]) {
    const results = await check(`threads/${file}`, defines, [], {}, 60);
    const { stats } = results.find((one) => one.stats?.milliseconds !== undefined) ?? results[0];
    const verdicts = results.map(({ verdict }) => verdict[0].toUpperCase()).join('');
    row([file, ...defines].join(' -D'), [
      verdicts,
      seconds(stats?.milliseconds?.check ?? 0),
      stats?.states ?? '',
      stats?.transitions ?? '',
    ]);
  }
}

const SECTIONS = { locks, terminates, recursion, formulas, deadlock, threads, handshake, examples };
const wanted = process.argv.slice(2).filter((name) => name in SECTIONS);
const start = performance.now();
for (const name of wanted.length > 0 ? wanted : Object.keys(SECTIONS)) {
  await SECTIONS[name]();
  console.log(`(${name}: after ${seconds(performance.now() - start)})`);
}
