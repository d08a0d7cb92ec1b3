import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { hasErrors, render } from '../source/diagnostic.ts';
import { startOf } from '../source/source.ts';
import { printAut } from './aut.ts';
import { loadText } from './corpus.fuzz.ts';
import { resolveFormula } from './formulas.ts';
import { loadModel } from './load.ts';
import { printLks } from './print-lks.ts';
import { Product } from './product.ts';
import { build, recipes } from './random.fuzz.ts';
import { breadthFirst } from './search.ts';
import type { Kripke } from './structure.ts';
import { compose, initialCount } from './system.ts';
import { TupleTable } from './tuples.ts';

/** The first diagnostic as CODE line:column, over one or several files. */
function complaint(files: Record<string, string>, defines: readonly string[] = [], formula?: string): string {
  const { model, diagnostics } = loadModel(
    Object.keys(files),
    { read: (path) => files[path] ?? null },
    defines,
  );
  const all = [...diagnostics];
  if (model !== null && formula !== undefined) resolveFormula(model, compose(model.components), formula, all);
  for (const diagnostic of all) expect(render(diagnostic)).toContain(diagnostic.message);
  const [first] = all;
  if (first === undefined) return 'nothing';
  const place = first.span === null ? '' : ` ${startOf(first.span).line}:${startOf(first.span).column}`;
  return `${first.code} ${first.severity}${place}`;
}

const lks = (text: string): Record<string, string> => ({ 'm.lks': text });

test.each([
  ['a stray character', 'component P { A = ( a -> A ). } $', 'SPW3001 error 1:33'],
  ['a missing full stop', 'component P { A = ( a -> A ) }', 'SPW3002 error 1:30'],
  ['a missing bracket', 'component P { A = a -> A. }', 'SPW3002 error 1:21'],
  ['an unknown item', 'componnt P { }', 'SPW3002 error 1:1'],
  ['an open component', 'component P { A = ( a -> A ).', 'SPW3002 error 1:30'],
  ['an open comment', 'component P { A = ( a -> A ). } /* never', 'SPW3003 error 1:33'],
  ['an open formula', 'component P { A = ( a -> A ). }\nltl f { G a', 'SPW3003 error 2:7'],
  ['an unknown constant', 'component P { A[N] = ( a -> A[N] ). }', 'SPW3004 error 1:17'],
  ['a division by zero', 'const N = 1 / 0;', 'SPW3005 error 1:11'],
  ['a huge number', 'const N = 99999999999999999999;', 'SPW3005 error 1:11'],
  ['a state twice', 'component P { A = ( a -> A ). A = ( b -> A ). }', 'SPW3006 error 1:31'],
  [
    'a component twice',
    'component P { A = ( a -> A ). } component P { A = ( a -> A ). }',
    'SPW3006 error 1:43',
  ],
  ['an unknown component', 'component P { A = ( a -> A ). } system = Q;', 'SPW3007 error 1:42'],
  ['a wrong number of arguments', 'component P(i) { A = ( a -> A ). } system = P;', 'SPW3008 error 1:45'],
  ['an unknown state', 'component P { Alpha = ( a -> Alfa ). }', 'SPW3009 error 1:30'],
  ['an unknown initial state', 'component P { init B; A = ( a -> A ). }', 'SPW3009 error 1:20'],
  ['an empty structure', 'component P { }', 'SPW3010 error 1:11'],
  ['a state nobody reaches', 'component P { A = ( a -> A ). B = ( b -> A ). }', 'SPW3011 error 1:31'],
  [
    'shared propositions',
    'component P { A {p} = ( a -> A ). }\ncomponent Q { B {p} = ( b -> B ). }',
    'SPW3012 error 2:11',
  ],
  [
    'replicated propositions',
    'component P(i) { A {p} = ( a -> A ). } system = for i in 1..2: P(i);',
    'SPW3012 error 1:64',
  ],
  ['no component', 'const N = 1;', 'SPW3013 error'],
  [
    'an empty range',
    'component P(i) { A = ( a -> A ). } system = for i in 1..0: P(i);',
    'SPW3017 warning 1:11',
  ],
  ['parameters without a system', 'component P(i) { A = ( a -> A ). }', 'SPW3014 error 1:11'],
  [
    'a range without end',
    'component P { for i in 1..999999999: A[i] = ( a -> A[i] ). }',
    'SPW3015 error 1:38',
  ],
  [
    'too many components',
    'component P { A = ( a -> A ). } system = for i in 1..50000: P;',
    'SPW3015 error 1:61',
  ],
  [
    'a component left out',
    'component P { A = ( a -> A ). } component Q { A = ( a -> A ). } system = P;',
    'SPW3017 warning 1:43',
  ],
])('%s', (_, text, expected) => {
  expect(complaint(lks(text))).toBe(expected);
});

test.each([
  ['an unknown event', 'G (b -> F a)', 'SPW3206 error 1:4'],
  ['an index out of range', 'forall i in 1..2: G !e[i]', 'SPW3206 error 1:22'],
  ['a quantifier without a range', 'forall i: e[i]', 'SPW3002 error 1:9'],
])('in a formula: %s', (_, formula, expected) => {
  const text = 'component P { A = ( a -> A | e[1] -> A ). }';
  expect(complaint(lks(text), [], formula).replace(/^SPW32\d\d/, 'SPW3206')).toBe(expected);
});

test('a formula of the file is blamed where it stands', () => {
  const text = 'component P { A = ( a -> A ). }\nltl f {\n  G (forall i in 1..2: bee[i])\n}';
  const { model } = loadModel(['m.lks'], { read: () => text }, []);
  const found: Parameters<typeof resolveFormula>[3] = [];
  resolveFormula(model!, compose(model!.components), 'f', found);
  expect(found.map(({ span }) => startOf(span!))).toEqual([{ file: 'm.lks', line: 3, column: 24 }]);
});

test('definitions on the command line', () => {
  const text = 'const N = 2;\ncomponent P { for i in 1..N: A[i] = ( a -> A[i % N + 1] ). }';
  expect(loadText(text, ['N=5']).model.components[0]!.stateNames).toHaveLength(5);
  expect(complaint(lks(text), ['M=5'])).toBe('SPW3016 error');
  expect(complaint(lks(text), ['N=five'])).toBe('SPW3016 error');
  expect(complaint(lks(text), ['N'])).toBe('SPW3016 error');
});

test.each([
  ['no header', 'hello', 'SPW3020 error 1:1'],
  ['an empty file', '', 'SPW3020 error 1:1'],
  ['a broken line', 'des (0, 1, 2)\n(0, "a" 1)', 'SPW3021 error 2:1'],
  ['no label', 'des (0, 1, 2)\n(0, , 1)', 'SPW3021 error 2:1'],
  ['a state out of range', 'des (0, 1, 2)\n(0, "a", 7)', 'SPW3022 error 2:1'],
  ['an initial state out of range', 'des (4, 1, 2)\n(0, "a", 1)', 'SPW3022 error 1:1'],
  ['a wrong count', 'des (0, 2, 2)\n(0, "a", 1)', 'SPW3023 error 1:1'],
  ['no states', 'des (0, 0, 0)', 'SPW3010 error 1:1'],
  ['a state nobody reaches', 'des (0, 1, 3)\n(0, "a", 1)', 'SPW3011 warning 1:1'],
  ['too many states', 'des (0, 0, 99999999999)', 'SPW3015 error 1:1'],
])('.aut: %s', (_, text, expected) => {
  expect(complaint({ 'm.aut': text })).toBe(expected);
});

test('.aut: labels with and without quotes, the internal event, and back', () => {
  const text = 'des (1, 3, 2)\n(1, PUT !3, 0)\n(0, "say \\"hi\\", all", 1)\n(0, i, 0)\n';
  const { model } = loadModel(['x.aut', 'y.aut'], { read: () => text }, []);
  expect(model!.components.map(({ events }) => events)).toEqual([
    ['PUT !3', 'say "hi", all', 'x.i'],
    ['PUT !3', 'say "hi", all', 'y.i'],
  ]);
  expect(printAut(model!.components[0]!)).toBe(
    'des (1, 3, 2)\n(0, "say \\"hi\\", all", 1)\n(0, "x.i", 0)\n(1, "PUT !3", 0)\n',
  );
});

test('.aut: internal events synchronise with nobody, whatever the other files are called and say', () => {
  const texts: Record<string, string> = {
    'x.aut': 'des (0, 2, 2)\n(0, i, 1)\n(1, "c", 0)\n',
    'd/x.aut': 'des (0, 3, 3)\n(0, "c", 1)\n(1, i, 2)\n(2, tau, 0)\n',
    'x#2.aut': 'des (0, 2, 1)\n(0, "x.i", 0)\n(0, "x#2.i", 0)\n',
  };
  const eventsOf = (...paths: string[]) =>
    loadModel(paths, { read: (path) => texts[path]! }, []).model!.components.map(({ events }) => events);
  expect(eventsOf('x.aut', 'd/x.aut')).toEqual([
    ['x.i', 'c'],
    ['c', 'x#2.i', 'x.tau'],
  ]);
  expect(eventsOf('x.aut', 'x.aut', 'x.aut').map(([i]) => i)).toEqual(['x.i', 'x#2.i', 'x#3.i']);
  const all = eventsOf('x.aut', 'd/x.aut', 'x#2.aut').flat();
  const shared = new Set(all.filter((event, i) => all.indexOf(event) !== i));
  expect(shared).toEqual(new Set(['c']));
});

test('prefixes, event sets, nested choices, guards and STOP', () => {
  const { model } = loadText(
    `
    const N = 3;
    component P {
      init Q[1], Q[2];
      alphabet never, for i in 1..2: silent[i];
      for k in 1..N: Q[k] {big when_, for i in 1..k: at_least[i]} = ( when (k < N) up -> Q[k+1] | {x, y} -> down -> Q[1] ).
    }`.replace('{big when_, ', '{'),
  );
  const [p] = model.components;
  expect(p!.events).toEqual(['never', 'silent[1]', 'silent[2]', 'up', 'x', 'y', 'down']);
  expect(p!.initial).toEqual([0, 1]);
  expect(p!.stateNames).toEqual(['Q[1]', 'Q[2]', 'Q[3]', '_1', '_2', '_3']);
  expect(p!.labels[2]!.map((id) => p!.propositions[id])).toEqual([
    'at_least[1]',
    'at_least[2]',
    'at_least[3]',
  ]);
  const nested = loadText('component P { A = ( a -> ( b -> A | c -> STOP ) ). }').model.components[0]!;
  expect(nested.stateNames).toEqual(['A', '_1', 'STOP']);
});

/** What matters of a structure, whatever the order of its events. */
const shape = (structure: Kripke): unknown => ({
  states: structure.stateNames.length,
  initial: structure.initial,
  labels: structure.labels.map((ids) => ids.map((id) => structure.propositions[id]).sort()),
  events: [...structure.events].sort(),
  edges: structure.stateNames
    .flatMap((_, state) => {
      const { first, event, target } = structure.edges;
      const texts = [];
      for (let i = first[state]!; i < first[state + 1]!; i++)
        texts.push(`${state} ${structure.events[event[i]!]} ${target[i]}`);
      return texts;
    })
    .sort(),
});

test('what is printed as .lks reads back as it was', () => {
  fc.assert(
    fc.property(recipes(3, 4), (all) => {
      const structures = build(all);
      const again = loadText(printLks(structures, [], false)).model.components;
      expect(again.map(shape)).toEqual(structures.map(shape));
    }),
    { numRuns: 40, seed: 20264 },
  );
});

test('a system with too many initial configurations is not begun', () => {
  const { system } = loadText(
    'component P(i) { init A, B; A = ( a[i] -> B ). B = ( a[i] -> A ). } system = for i in 1..64: P(i);',
  );
  expect(initialCount(system)).toBe(2 ** 64);
  expect(breadthFirst(new Product(system), UNLIMITED, () => true)).toMatchObject({
    kind: 'limit',
    limit: 'states',
  });
});

test('tuples of any width are numbered in the order they come', () => {
  for (const width of [1, 3, 40_000, 100_000]) {
    const table = new TupleTable(width);
    const tuple = (n: number): Int32Array => new Int32Array(width).fill(n * 7919);
    const many = width < 10 ? 70_000 : 40;
    const wrong: number[] = [];
    for (let n = 0; n < many; n++) if (table.intern(tuple(n)) !== n) wrong.push(n);
    for (let n = 0; n < many; n += 13) if (table.intern(tuple(n)) !== n) wrong.push(n);
    expect(wrong).toEqual([]);
    expect([table.size, table.get(many - 1)[width - 1]]).toEqual([many, (many - 1) * 7919]);
  }
});

test('no text makes the loader fail', () => {
  const pieces =
    'component|P|(|)|{|}|=|.|;|,|->|for|i|in|1|..|N|when|STOP|||ltl|f|system|const|[|]|deadlock-free|init|-|/|$|||'.split(
      '|',
    );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, '|', '||', '\n'), { maxLength: 60 }), (words) => {
      for (const text of [words.join(' '), words.join('')]) {
        const { model, diagnostics } = loadModel(['m.lks'], { read: () => text }, []);
        expect(model === null).toBe(hasErrors(diagnostics));
      }
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 50), seed: 20265 },
  );
});

test('events in quotes, and conditions before ranges', () => {
  const text = `const N = 3;
component P { A = ( "send !1" -> B | when (N > 2) for i in 1..2: when (i != N) e[i] -> A ). B = ( "for" -> A | "say \\"}\\"" -> A ). }
ltl sent { G ("send !1" -> F ("for" || "say \\"}\\"")) }`;
  const { model, system } = loadText(text);
  expect(system.events).toEqual(['send !1', 'e[1]', 'e[2]', 'for', 'say "}"']);
  const printed = printLks(model.components, [{ name: 'sent', text: 'true' }], false);
  expect(printed).toContain('"send !1" -> B');
  expect(printed).not.toContain('left out');
  expect(loadText(printed).system.events).toEqual(system.events);
});

test('an event that one component has alone while its siblings are shared gets a warning', () => {
  const text = (n: string) => `const N = 3;
component P(i) { A = ( go[i] -> B ). B = ( back[i] -> A ). }
component C { X = ( for i in 1..${n}: go[i] -> X | for i in 1..N: back[i] -> X ). }
system = C || for i in 1..N: P(i);`;
  const warnings = (source: string) =>
    loadModel(['m.lks'], { read: () => source }, []).diagnostics.map(
      ({ code, message }) => `${code} ${message}`,
    );
  expect(warnings(text('N'))).toEqual([]);
  expect(warnings(text('N-1'))).toEqual(['SPW3018 only P(3) knows go[3], while go[1] and 1 more are shared']);
});

test('formulas name labels with quotes, and the internal label of an .aut file', () => {
  const text = 'des (0, 3, 2)\n(0, "i", 1)\n(1, "say \\"hi\\"", 0)\n(1, "i", 1)\n';
  const { model } = loadModel(['m.aut'], { read: () => text }, []);
  const system = compose(model!.components);
  for (const formula of ['G F i', 'G F "i"', 'G F "m.i"', 'G F "say \\"hi\\""'])
    expect(resolveFormula(model!, system, formula, []), formula).not.toBeNull();
});
