// Random systems of small threads: the verdict on the C text against the composition of their exact transition systems, which are made
// from the statements themselves. SPILLWAY_FUZZ=N runs N systems, SPILLWAY_SEED=S others.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';
import { checkDeadlock } from '../../deadlock/deadlock.ts';
import { modelCheck } from '../../kripke/model-check.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { eachEdge, KripkeBuilder } from '../../kripke/structure.ts';
import { compose } from '../../kripke/system.ts';
import { vocabularyOf } from '../../kripke/vocabulary.ts';
import { parseText } from '../../ltl/parser.ts';

/** Threads have a local int x and a global unsigned char y of their own. */
type Statement =
  | { kind: 'event'; name: string }
  | { kind: 'set'; value: number }
  | { kind: 'next' | 'wrap' | 'copy' | 'reset' | 'either' | 'tell' | 'any' | 'return' }
  | { kind: 'assume' | 'assert'; value: number }
  | { kind: 'if'; value: number; yes: Statement[]; no: Statement[] }
  | { kind: 'same' | 'choice'; yes: Statement[]; no: Statement[] };

const EVENTS = ['a', 'b', 'c', 'd'];
const TOLD = ['tell[0]', 'tell[1]', 'tell[2]'];
const value = fc.integer({ min: 0, max: 2 });
const { list } = fc.letrec<{ statement: Statement; list: Statement[] }>((tie) => {
  const two = fc.tuple(tie('list'), tie('list'));
  return {
    statement: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 5,
        arbitrary: fc.constantFrom(...EVENTS).map((name): Statement => ({ kind: 'event', name })),
      },
      { weight: 2, arbitrary: value.map((v): Statement => ({ kind: 'set', value: v })) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom('next', 'wrap', 'copy', 'reset', 'either', 'tell', 'any' as const)
          .map((kind) => ({ kind }) as Statement),
      },
      { weight: 1, arbitrary: fc.constant<Statement>({ kind: 'return' }) },
      { weight: 1, arbitrary: value.map((v): Statement => ({ kind: 'assume', value: v })) },
      { weight: 1, arbitrary: value.map((v): Statement => ({ kind: 'assert', value: v })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(value, two)
          .map(([v, [yes, no]]): Statement => ({ kind: 'if', value: v, yes, no })),
      },
      { weight: 1, arbitrary: two.map(([yes, no]): Statement => ({ kind: 'same', yes, no })) },
      { weight: 2, arbitrary: two.map(([yes, no]): Statement => ({ kind: 'choice', yes, no })) },
    ),
    list: fc.array(tie('statement'), { minLength: 0, maxLength: 3 }),
  };
});

interface Thread {
  readonly body: Statement[];
  readonly loops: boolean;
}
const thread = fc.record({
  body: list,
  loops: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
});

const toC = (body: readonly Statement[], y: string): string =>
  body.map((node) => statementToC(node, y)).join(' ');

function statementToC(node: Statement, y: string): string {
  switch (node.kind) {
    case 'event':
      return `${node.name}();`;
    case 'set':
      return `x = ${node.value} + zero;`;
    case 'next':
      return 'next(&x);';
    case 'wrap':
      return `${y} += 128;`;
    case 'copy':
      return `{ unsigned char *p = x > 1 ? &${y} : 0; if (p) *p = x; }`;
    case 'reset':
      return `${y} = zero;`;
    case 'either':
      return 'x = either();';
    // An event that the value names, and any value.
    case 'tell':
      return 'tell(x);';
    case 'any':
      return 'x = (unsigned)__VERIFIER_nondet_int() % 3;';
    case 'return':
      return 'return;';
    case 'assume':
      return `__VERIFIER_assume(x != ${node.value});`;
    case 'assert':
      return `assert(x != ${node.value});`;
    case 'if':
      return `if (x == ${node.value}) { ${toC(node.yes, y)} } else { ${toC(node.no, y)} }`;
    case 'same':
      return `if (${y} >= 128) { ${toC(node.yes, y)} } else { ${toC(node.no, y)} }`;
    case 'choice':
      return `if (__VERIFIER_nondet_int() > 7) { ${toC(node.yes, y)} } else { ${toC(node.no, y)} }`;
  }
}

/** The events in code that can be reached whatever the variables are, and whether its end can. */
function eventsOf(body: readonly Statement[]): { events: string[]; ends: boolean } {
  const events: string[] = [];
  for (const node of body) {
    if (node.kind === 'return') return { events, ends: false };
    if (node.kind === 'event') events.push(node.name);
    if (node.kind === 'either') events.push('a', 'b');
    if (node.kind === 'tell') events.push(...TOLD);
    if (!('yes' in node)) continue;
    const sides = [eventsOf(node.yes), eventsOf(node.no)];
    events.push(...sides.flatMap((side) => side.events));
    if (sides.every(({ ends }) => !ends)) return { events, ends: false };
  }
  return { events, ends: true };
}

type Asked = 'errors' | 'deadlock' | 'runs';

/** The exact system of a thread with x = y = 0 at the start: one step for each statement. */
function exact(name: string, { body, loops }: Thread, asked: Asked): Kripke {
  const builder = new KripkeBuilder(name);
  for (const event of [...eventsOf(body).events, 'threads.end']) builder.event(event);
  builder.proposition(`two_${name}`);
  builder.proposition(`failed_${name}`);
  interface State {
    readonly rest: readonly Statement[] | 'failed' | 'ended';
    readonly x: number;
    readonly y: number;
  }
  const states: State[] = [];
  const out: { event: string; to: number }[][] = [];
  const waits: boolean[] = [];
  const ids = new Map<string, number>();
  const idOf = (rest: State['rest'], x: number, y: number): number => {
    const key = JSON.stringify([rest, x, y]);
    let id = ids.get(key);
    if (id === undefined) {
      id = states.push({ rest, x, y }) - 1;
      ids.set(key, id);
      out.push([]);
      waits.push(false);
    }
    return id;
  };
  const own = `${name}.step`;
  idOf(body, 0, 0);
  for (let i = 0; i < states.length; i++) {
    const { rest, x, y } = states[i]!;
    const step = (event: string, next: State['rest'], nextX: number, nextY: number) =>
      void out[i]!.push({ event, to: idOf(next, nextX, nextY) });
    if (rest === 'failed') step(own, 'failed', x, y);
    else if (rest === 'ended') step('threads.end', 'ended', x, y);
    else {
      const [first, ...after] = rest;
      waits[i] = first?.kind === 'event' || first?.kind === 'either' || first?.kind === 'tell';
      switch (first?.kind) {
        case undefined:
          step(own, loops ? body : 'ended', x, y);
          break;
        case 'event':
          step(first.name, after, x, y);
          break;
        case 'set':
          step(own, after, first.value, y);
          break;
        case 'next':
          step(own, after, (x + 1) % 3, y);
          break;
        case 'wrap':
          step(own, after, x, (y + 128) & 255);
          break;
        case 'copy':
          step(own, after, x, x > 1 ? x : y);
          break;
        case 'reset':
          step(own, after, x, 0);
          break;
        case 'either':
          step('a', after, 1, y);
          step('b', after, 2, y);
          break;
        case 'tell':
          step(TOLD[x]!, after, x, y);
          break;
        case 'any':
          for (const any of [0, 1, 2]) step(own, after, any, y);
          break;
        case 'return':
          step(own, 'ended', x, y);
          break;
        case 'assume':
          if (x !== first.value) step(own, after, x, y);
          break;
        case 'assert':
          step(own, x === first.value ? 'failed' : after, x, y);
          break;
        case 'if':
          step(own, [...(x === first.value ? first.yes : first.no), ...after], x, y);
          break;
        case 'same':
          step(own, [...(y >= 128 ? first.yes : first.no), ...after], x, y);
          break;
        case 'choice':
          step(own, [...first.yes, ...after], x, y);
          step(own, [...first.no, ...after], x, y);
      }
    }
  }
  const lost = out.map((steps, i) => steps.length === 0 && !waits[i]);
  if (asked === 'runs')
    for (let changed = true; changed; ) {
      changed = false;
      out.forEach((steps, i) => {
        if (lost[i] || waits[i] || !steps.every(({ to }) => lost[to])) return;
        lost[i] = true;
        changed = true;
      });
    }
  states.forEach(({ rest, x }, i) => {
    const labels = [...(x === 2 ? [`two_${name}`] : []), ...(rest === 'failed' ? [`failed_${name}`] : [])];
    builder.state(String(i), labels);
    if (lost[i] && asked === 'deadlock') builder.edge(i, own, i);
    for (const { event, to } of out[i]!) if (asked !== 'runs' || !lost[to]) builder.edge(i, event, to);
  });
  builder.initial(0);
  return builder.build()!;
}

/** `component Turn` of the specification: every b after an a, never two of them. */
const TURN = 'component Turn { Free = ( a -> Held ). Held = ( b -> Free ). }';
const LOOSE = 'component Loose { S = ( a -> T | c -> S ). T = ( b -> S | a -> T | a -> S ). }';

function turn(): Kripke {
  const builder = new KripkeBuilder('Turn');
  const [free, held] = [builder.state('Free'), builder.state('Held')];
  builder.initial(free);
  builder.edge(free, 'a', held);
  builder.edge(held, 'b', free);
  return builder.build()!;
}

/** By the definition of Loose: which of its states are possible after the events so far. */
function conformsToLoose(thread: Kripke): boolean {
  const seen = new Set<string>();
  const open: [number, string][] = thread.initial.map((state) => [state, 'S']);
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const [state, possible] = top;
    if (seen.has(top.join())) continue;
    seen.add(top.join());
    let fails = false;
    eachEdge(thread, state, (event, to) => {
      const name = thread.events[event]!;
      let next = possible;
      if (name === 'a') next = possible.includes('T') ? 'ST' : 'T';
      if (name === 'b') next = possible.includes('T') ? 'S' : '';
      if (name === 'c') next = possible.includes('S') ? 'S' : '';
      if (next === '') fails = true;
      else open.push([to, next]);
    });
    if (fails) return false;
  }
  return true;
}

/** Zero in a way that is no constant: otherwise calls that cannot happen would not count as events of the thread. */
const ZERO = '__VERIFIER_nondet_int(); __VERIFIER_assume(x == 0);';
const FORMULAS = [
  'G !(two_P && two_Q)',
  'G (a -> F b)',
  'F two_P',
  'G (two_Q -> F !two_Q)',
  '(!a U b) || G !a',
  'G (a -> (!c U b))',
  'G (tell[2] -> F tell[0]) || F G !tell[1]',
  'G F a -> G F two_P',
  'F G !a || G F (b || two_Q)',
  '!(true U (two_P && (two_P U two_Q)))',
];
const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 6);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 11);

const functionOf = (name: string, { body, loops }: Thread): string => {
  const y = `y${name}`;
  const start = `int x = ${ZERO} int zero = x; ${y} = __VERIFIER_nondet_int(); __VERIFIER_assume(${y} == 0);`;
  return `unsigned char ${y}; void ${name}(void) { ${start} ${loops ? 'for (;;)' : ''} { ${toC(body, y)} } }`;
};

test(`${RUNS} random systems agree with their exact compositions`, { timeout: 0 }, async () => {
  const counts: Record<string, number> = { proved: 0, refuted: 0, unknown: 0, skipped: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(thread, { minLength: 2, maxLength: 3 }),
      fc.constantFrom(...FORMULAS),
      fc.boolean(),
      async (threads, formula, withTurn) => {
        const names = ['P', 'Q', 'R'].slice(0, threads.length);
        const used = new Set(threads.flatMap(({ body }) => eventsOf(body).events));
        if (withTurn) for (const event of ['a', 'b']) used.add(event);
        const atoms = formula.match(/\b[abc]\b|tell\[\d\]/g) ?? [];
        const text = atoms.every((event) => used.has(event)) ? formula : FORMULAS[0]!;
        const files: Record<string, string> = {
          'm.c': `extern void a(void), b(void), c(void), d(void), tell(int); extern int __VERIFIER_nondet_int(void), either(void);
            extern void __VERIFIER_assume(int); void next(int *p) { *p = (*p + 1) % 3; }
            ${threads.map((one, i) => functionOf(names[i]!, one)).join('\n')}`,
          'm.spec': `use "m.c"; ${used.size > 0 ? `event ${[...new Set([...used].map((event) => event.replace(/\[.*/, '(0..2)')))].join(', ')};` : ''}
            procedure either { W = ( a -> One | b -> Two ). One {return[1]} = STOP. Two {return[2]} = STOP. }
            ${names.map((name) => `thread ${name} = ${name}(); predicate two_${name} in ${name}: x == 2;`).join('\n')}
            ${withTurn ? TURN : ''} ${LOOSE} deadlock-free; assertions; conforms P to Loose; ltl f { ${text} }`,
        };
        const report = await checkC({
          path: 'm.spec',
          files: { read: (path) => files[path] ?? null },
          defines: [],
          includes: [],
          properties: [],
          monolithic: false,
          strategy: undefined,
          budget: UNLIMITED,
          observer: SILENT,
        });
        expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        const system = (asked: Asked) =>
          compose([...threads.map((one, i) => exact(names[i]!, one, asked)), ...(withTurn ? [turn()] : [])]);
        const budget = { ...UNLIMITED, maxStates: 100_000 };
        const holds = (asked: Asked, what: string): boolean | null => {
          const composed = system(asked);
          const syntax = parseText(what, vocabularyOf(composed)).formula!;
          const result = modelCheck(composed, syntax, { monolithic: true }, budget, SILENT);
          return result.kind === 'limit' ? null : result.kind === 'holds';
        };
        const deadlock = await checkDeadlock(system('deadlock'), 'monolithic', budget, SILENT);
        const expected: Record<string, boolean | null> = {
          'deadlock-free': deadlock.kind === 'unknown' ? null : deadlock.kind === 'free',
          assertions: holds('errors', names.map((name) => `G !failed_${name}`).join(' && ')),
          'conforms:P': conformsToLoose(exact('P', threads[0]!, 'errors')),
          'ltl:f': holds('runs', text),
        };
        for (const { id, verdict, evidence, reasonCode } of report.properties) {
          const truth = expected[id]!;
          counts[truth === null ? 'skipped' : verdict]!++;
          if (verdict === 'proved') expect([id, evidence?.kind]).toEqual([id, 'certificate']);
          expect(reasonCode).not.toBe('no-certificate');
          if (verdict !== 'unknown' && truth !== null)
            expect(`${id} ${verdict}`).toBe(`${id} ${truth ? 'proved' : 'refuted'}`);
        }
      },
    ),
    { numRuns: RUNS, seed: SEED },
  );
  console.log(`random systems of C threads: ${JSON.stringify(counts)}`);
  expect(counts['unknown']).toBeLessThanOrEqual(RUNS / 2);
});
