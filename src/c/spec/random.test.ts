// Random systems of small threads: the verdict on the C text against the composition of their exact transition systems.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkDeadlock } from '../../deadlock/deadlock.ts';
import { modelCheck } from '../../kripke/model-check.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { KripkeBuilder } from '../../kripke/structure.ts';
import { compose } from '../../kripke/system.ts';
import { vocabularyOf } from '../../kripke/vocabulary.ts';
import { parseText } from '../../ltl/parser.ts';
import { checkSpec } from './check.ts';

type Statement =
  | { kind: 'event'; name: string }
  | { kind: 'set'; value: number }
  | { kind: 'next' }
  | { kind: 'if'; value: number; yes: Statement[]; no: Statement[] }
  | { kind: 'choice'; yes: Statement[]; no: Statement[] };

const EVENTS = ['a', 'b', 'c'];
const { list } = fc.letrec<{ statement: Statement; list: Statement[] }>((tie) => ({
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...EVENTS).map((name): Statement => ({ kind: 'event', name })),
    fc.integer({ min: 0, max: 2 }).map((value): Statement => ({ kind: 'set', value })),
    fc.constant<Statement>({ kind: 'next' }),
    fc
      .tuple(fc.integer({ min: 0, max: 2 }), tie('list'), tie('list'))
      .map(([value, yes, no]): Statement => ({ kind: 'if', value, yes, no })),
    fc.tuple(tie('list'), tie('list')).map(([yes, no]): Statement => ({ kind: 'choice', yes, no })),
  ),
  list: fc.array(tie('statement'), { minLength: 0, maxLength: 3 }),
}));

function toC(body: readonly Statement[]): string {
  return body
    .map((node): string => {
      switch (node.kind) {
        case 'event':
          return `${node.name}();`;
        case 'set':
          return `x = ${node.value};`;
        case 'next':
          return 'x = (x + 1) % 3;';
        case 'if':
          return `if (x == ${node.value}) { ${toC(node.yes)} } else { ${toC(node.no)} }`;
        case 'choice':
          return `if (__VERIFIER_nondet_int() > 7) { ${toC(node.yes)} } else { ${toC(node.no)} }`;
        default:
          return '';
      }
    })
    .join(' ');
}

const eventsOf = (body: readonly Statement[]): string[] =>
  body.flatMap((node) =>
    node.kind === 'event' ? [node.name] : 'yes' in node ? [...eventsOf(node.yes), ...eventsOf(node.no)] : [],
  );

/** The exact system of `for (;;) body` with x = 0 at the start. */
function exact(name: string, body: readonly Statement[], alphabet: readonly string[]): Kripke {
  const builder = new KripkeBuilder(name);
  for (const event of alphabet) builder.event(event);
  const ids = new Map<string, number>();
  const todo: { rest: readonly Statement[]; x: number; id: number }[] = [];
  const idOf = (rest: readonly Statement[], x: number): number => {
    const key = JSON.stringify([rest, x]);
    let id = ids.get(key);
    if (id === undefined) {
      id = builder.state(key, x === 2 ? [`two_${name}`] : []);
      ids.set(key, id);
      todo.push({ rest, x, id });
    }
    return id;
  };
  builder.proposition(`two_${name}`);
  builder.initial(idOf([], 0));
  for (const { rest, x, id } of todo) {
    const [first, ...after] = rest;
    const step = (event: string, next: readonly Statement[], value: number) =>
      builder.edge(id, event, idOf(next, value));
    if (first === undefined) step(`${name}.step`, body, x);
    else if (first.kind === 'event') step(first.name, after, x);
    else if (first.kind === 'set') step(`${name}.step`, after, first.value);
    else if (first.kind === 'next') step(`${name}.step`, after, (x + 1) % 3);
    else if (first.kind === 'if')
      step(`${name}.step`, [...(x === first.value ? first.yes : first.no), ...after], x);
    else for (const branch of [first.yes, first.no]) step(`${name}.step`, [...branch, ...after], x);
  }
  return builder.build()!;
}

/** Zero in a way that is no constant: otherwise calls that cannot happen would not count as events of the thread. */
const ZERO = '__VERIFIER_nondet_int(); __VERIFIER_assume(x == 0);';
const FORMULAS = ['G !(two_P && two_Q)', 'G (a -> F b)', 'F two_P', 'G (two_Q -> F !two_Q)'];
const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 30);

test(`${RUNS} random systems agree with their exact compositions`, { timeout: 0 }, async () => {
  const counts: Record<string, number> = { proved: 0, refuted: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(list, list, fc.constantFrom(...FORMULAS), async (p, q, formula) => {
      const used = [...new Set([...eventsOf(p), ...eventsOf(q)])];
      const text =
        formula.includes('a ->') && !(used.includes('a') && used.includes('b')) ? FORMULAS[0]! : formula;
      const files: Record<string, string> = {
        'm.c': `extern void a(void), b(void), c(void); extern int __VERIFIER_nondet_int(void);
          extern void __VERIFIER_assume(int);
          void p(void) { int x = ${ZERO} for (;;) { ${toC(p)} } } void q(void) { int x = ${ZERO} for (;;) { ${toC(q)} } }`,
        'm.spec': `use "m.c"; ${used.length > 0 ? `event ${used.join(', ')};` : ''} thread P = p(); thread Q = q();
          predicate two_P in P: x == 2; predicate two_Q in Q: x == 2; deadlock-free; ltl f { ${text} }`,
      };
      const report = await checkSpec({
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
      const system = compose([exact('P', p, eventsOf(p)), exact('Q', q, eventsOf(q))]);
      const deadlock = await checkDeadlock(system, 'monolithic', UNLIMITED, SILENT);
      const syntax = parseText(text, vocabularyOf(system)).formula!;
      const holds = modelCheck(system, syntax, { monolithic: true }, UNLIMITED, SILENT).kind === 'holds';
      const expected = [deadlock.kind === 'free', holds].map((good) => (good ? 'proved' : 'refuted'));
      report.properties.forEach(({ verdict, evidence, reasonCode }, i) => {
        counts[verdict]!++;
        if (verdict === 'proved') expect(evidence?.kind).toBe('certificate');
        expect(reasonCode).not.toBe('no-certificate');
        if (verdict !== 'unknown') expect(verdict).toBe(expected[i]);
      });
    }),
    { numRuns: RUNS, seed: Number(process.env['SPILLWAY_SEED'] ?? 11) },
  );
  console.log(`random systems of C threads: ${JSON.stringify(counts)}`);
  expect(counts['unknown']).toBeLessThanOrEqual(RUNS / 5);
});
