import { expect, test } from 'vitest';
import type { Expression } from '../../process/expression.ts';
import type { Proctype } from '../../process/program.ts';
import { loadText } from '../../promela/testing.ts';
import { seededPick } from '../../testing/random-semantics.ts';
import { isStutterInvariant } from './stutter.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);

function claim(body: string): Proctype {
  const { program, diagnostics } = loadText(`bool p, q; active proctype P() { p = q }\nnever { ${body} }`);
  if (program === null) throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  return program.claims[0]!;
}

test.each([
  [
    'a response that never comes',
    'S: if :: true -> goto S :: p && !q -> goto accept fi; accept: if :: !q -> goto accept fi',
    true,
  ],
  ['an invariant', 'do :: p :: !p -> break od', true],
  ['an invariant by else', 'do :: p :: else -> break od', true],
  [
    'for ever from some time on',
    'S: if :: true -> goto S :: p -> goto accept fi; accept: if :: p -> goto accept fi',
    true,
  ],
  ['q before p', 'S: if :: !p && !q -> goto S :: p && !q -> goto done fi; done: skip', true],
  ['the second state', 'true; !p', false],
  ['twice in a row', 'do :: true :: p -> break od; p', false],
  ['every other state', 'accept: do :: true -> p od', false],
  ['an assignment of its own', 'byte n; do :: n < 2 -> n++ :: n == 2 -> break od', false],
])('%s', (_, body, expected) => {
  expect(isStutterInvariant(claim(body))).toBe(expected);
});

// Random claims. A claim that passes must not tell apart words that differ in repetitions; the words are lassos over the four letters.
test('random claims: what passes cannot count', { timeout: 0 }, () => {
  let passed = 0;
  for (let seed = 0; seed < Math.max(50, MORE); seed++) {
    const pick = seededPick(seed);
    const states = 1 + pick(4);
    const guard = (): string => ['true', 'p', '!p', 'q', '!q', 'p && q', 'p && !q', 'p || q'][pick(8)]!;
    const name = (state: number): string => `${(seed >> (state % 5)) & 1 ? 'accept' : 'S'}${state}`;
    const body = Array.from({ length: states }, (_, state) => {
      const own = pick(3) > 0 ? [`:: ${guard()} -> goto ${name(state)}`] : [];
      const more = Array.from({ length: 1 + pick(2) }, () => `:: ${guard()} -> goto ${name(pick(states))}`);
      return `${name(state)}: if ${[...own, ...more].join(' ')} fi`;
    }).join(';\n');
    const made = claim(body);
    if (!isStutterInvariant(made)) continue;
    passed++;
    for (let i = 0; i < 60; i++) {
      const stem = Array.from({ length: pick(4) }, () => pick(4));
      const loop = Array.from({ length: 1 + pick(3) }, () => pick(4));
      const repeat = (letters: readonly number[]): number[] =>
        letters.flatMap((letter) => Array.from({ length: 1 + pick(3) }, () => letter));
      const other = { stem: repeat(stem), loop: repeat(loop) };
      expect(accepts(made, other), `seed ${seed} ${body} ${stem}|${loop} ${other.stem}|${other.loop}`).toBe(
        accepts(made, { stem, loop }),
      );
    }
  }
  expect(passed).toBeGreaterThan(5);
});

interface Word {
  readonly stem: readonly number[];
  readonly loop: readonly number[];
}

/** By the definition: a run of the claim over the word that comes by an accepting location for ever, or ends. */
function accepts(made: Proctype, { stem, loop }: Word): boolean {
  const word = [...stem, ...loop];
  const nodes = made.locations.length * word.length;
  const id = (place: number, position: number): number => place * word.length + position;
  const next = (position: number): number => (position + 1 < word.length ? position + 1 : stem.length);
  const targets = (node: number): number[] => {
    const place = Math.floor(node / word.length);
    const position = node % word.length;
    return made.locations[place]!.edges.flatMap((edge) => {
      const { statement, to } = made.edges[edge]!;
      const isTrue = statement.kind === 'condition' && holds(statement.expression, word[position]!);
      return isTrue ? [id(to, next(position))] : [];
    });
  };
  const reach = (starts: readonly number[]): Set<number> => {
    const seen = new Set(starts);
    for (const node of seen) for (const target of targets(node)) seen.add(target);
    return seen;
  };
  const all = reach([id(made.initial, 0)]);
  for (let node = 0; node < nodes; node++) {
    if (!all.has(node)) continue;
    const { isAccept, isFinal } = made.locations[Math.floor(node / word.length)]!;
    if (isFinal || (isAccept && reach(targets(node)).has(node))) return true;
  }
  return false;
}

function holds(expression: Expression, letter: number): boolean {
  switch (expression.kind) {
    case 'constant':
      return expression.value !== 0;
    case 'unary':
      return !holds(expression.operand, letter);
    case 'binary':
      return expression.operator === '&&'
        ? holds(expression.left, letter) && holds(expression.right, letter)
        : holds(expression.left, letter) || holds(expression.right, letter);
    case 'read':
      return ((letter >> expression.cell.variable) & 1) === 1;
    default:
      throw new Error(`not expected in these claims: ${expression.kind}`);
  }
}
