// How long the Promela front end takes: a generated model of 5,000 lines, and the examples of Debian's SPIN package
// where they are installed. Run: node bench/parse.bench.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from './source.mjs';

const { loadPromela } = await importSource('promela/load.ts');
const LINES = 5000;
const EXAMPLES = '/usr/share/doc/spin/examples';

const text = generate(LINES);
const first = measure(() => load({ 'model.pml': text }, 'model.pml'), 1);
const warm = measure(() => load({ 'model.pml': text }, 'model.pml'), 10);
const { program } = load({ 'model.pml': text }, 'model.pml');
const edges = program.proctypes.reduce((sum, proctype) => sum + proctype.edges.length, 0);
console.log(`${text.split('\n').length} lines, ${program.proctypes.length} proctypes, ${edges} transitions`);
console.log(
  `first run ${first.toFixed(0)} ms of processor time (half of it the compiler of Node), then ${warm.toFixed(0)} ms`,
);

if (existsSync(EXAMPLES)) {
  const paths = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pml'))
    .map((name) => join(EXAMPLES, name));
  const files = { read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null) };
  const all = measure(() => paths.map((path) => loadPromela(path, files)), 3);
  console.log(`${paths.length} example models of SPIN: ${all.toFixed(0)} ms together`);
} else console.log("SPIN's examples are not installed: not measured");

function load(contents, path) {
  const result = loadPromela(path, { read: (name) => contents[name] ?? null });
  if (result.program === null) throw new Error(result.diagnostics[0].message);
  return result;
}

/** The best of several runs, in milliseconds of processor time: other work on the machine does not count. */
function measure(work, runs) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; i++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Servers and clients with choices, messages, macros and inlines, until there are enough lines. */
function generate(lines) {
  const parts = [
    '#define N 4',
    '#define NEXT(x) ((x + 1) % N)',
    'mtype = { request, grant, release, data };',
    'chan link[N] = [2] of { mtype, byte, byte };',
    'byte shared[N];',
    'inline put(to, what, value) { atomic { shared[to] = value; link[to]!what(value, _pid) } }',
  ];
  for (let i = 0; parts.length < lines; i++) {
    parts.push(
      `proctype station${i}(byte me) {`,
      '  byte from, value, round;',
      '  mtype kind;',
      'end: do',
      '  :: link[me]?kind(value, from) ->',
      '     if',
      '     :: kind == request && value < 3 ->',
      '        put(NEXT(me), grant, value + 1)',
      '     :: kind == grant -> atomic {',
      '        round = (round < 7 -> round + 1 : 0);',
      '        put(from % N, release, round)',
      '       }',
      '     :: else -> skip',
      '     fi',
      '  :: round == 3 ->',
      '     put(NEXT(me), request, 0);',
      '     d_step { round = 0; value = NEXT(value) }',
      '  :: timeout -> break',
      '  od unless { shared[me] == 9 };',
      `progress${i}: printf("station %d stops\\n", me)`,
      '}',
    );
  }
  parts.push('init { run station0(0) }');
  return `${parts.join('\n')}\n`;
}
