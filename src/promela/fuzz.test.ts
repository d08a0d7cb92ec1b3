import { expect, test } from 'vitest';
import { Random as Generator } from '../base/random.ts';
import { lex } from '../cpp/lex.ts';
import { SourceFile } from '../source/source.ts';
import { PROMELA } from './dialect.ts';
import { CASES } from './testing/cases.ts';
import { diskFiles, exampleModels } from './testing/spin-automata.fuzz.ts';
import { loadText } from './testing.ts';

// No input, however broken, may crash or hang the front end: every mutant must give a program or errors.
// SPILLWAY_FUZZ=N runs N mutants instead of the usual few thousand.

const MUTANTS = Number(process.env['SPILLWAY_FUZZ'] ?? 250);

/** A small generator with a fixed seed: the same mutants in every run. */
function generator(seed: number): (below: number) => number {
  const generator = new Generator(seed);
  return (below) => generator.below(below);
}

type Mutation = (text: string, tokens: string[], random: (below: number) => number) => string;

const WORDS =
  '{ } ( ) [ ] ; -> :: if fi do od atomic d_step unless else break goto L: run x q ! ? !! ?? < > = == , . .. 1 " \' /* #if #define inline f( byte chan mtype typedef proctype active never ltl @ -- ++ \\ $ for select'.split(
    ' ',
  );

const MUTATIONS: readonly Mutation[] = [
  (_, tokens, random) => without(tokens, random(tokens.length), 1 + random(3)),
  (_, tokens, random) => {
    const at = random(tokens.length);
    return [...tokens.slice(0, at), tokens[random(tokens.length)] ?? '', ...tokens.slice(at)].join('');
  },
  (_, tokens, random) => {
    const copy = [...tokens];
    const a = random(copy.length);
    const b = random(copy.length);
    [copy[a], copy[b]] = [copy[b] ?? '', copy[a] ?? ''];
    return copy.join('');
  },
  (text, _, random) => text.slice(0, random(text.length + 1)),
  (text, _, random) => {
    const at = random(text.length + 1);
    return text.slice(0, at) + String.fromCharCode(random(300)) + text.slice(at);
  },
  (_, tokens, random) => {
    const at = random(tokens.length);
    return [
      ...tokens.slice(0, at),
      ` ${WORDS[random(WORDS.length)]!} `,
      ...tokens.slice(at + random(2)),
    ].join('');
  },
  (text, _, random) => {
    const lines = text.split('\n');
    const from = random(lines.length);
    return [...lines, ...lines.slice(from, from + 3)].join('\n');
  },
];

/** The text cut before every token: joined again, it is the same text. */
function pieces(text: string): string[] {
  const starts = lex(new SourceFile('seed', text), PROMELA).map((token) => token.span.start);
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}

const without = (tokens: string[], at: number, count: number): string =>
  [...tokens.slice(0, at), ...tokens.slice(at + count)].join('');

test(`${MUTANTS} mutated models`, () => {
  const examples = exampleModels().map((path) => diskFiles.read(path)!);
  const seeds = [...CASES.map(({ text }) => text), ...examples.filter((text) => text.length < 6000)];
  const random = generator(20261115);
  let accepted = 0;
  for (let i = 0; i < MUTANTS; i++) {
    let text = seeds[random(seeds.length)]!;
    for (let rounds = random(3); rounds >= 0; rounds--) {
      const tokens = pieces(text);
      text = MUTATIONS[random(MUTATIONS.length)]!(text, tokens, random);
    }
    const { program, diagnostics } = load(text);
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    expect(program === null, text).toBe(errors > 0);
    if (program !== null) accepted++;
  }
  expect(accepted).toBeGreaterThan(MUTANTS / 50);
});

function load(text: string): ReturnType<typeof loadText> {
  try {
    return loadText(text);
  } catch (problem) {
    throw new Error(`crashed on:\n${text}`, { cause: problem });
  }
}

test('deep and long models end in an answer', () => {
  const deep = (open: string, close: string) =>
    `byte x; init { ${open.repeat(20000)} x = 1 ${close.repeat(20000)} }`;
  for (const text of [
    deep('{', '}'),
    deep('if :: ', ' fi'),
    deep('atomic {', '}'),
    `byte x; init { x = ${'('.repeat(50000)}1${')'.repeat(50000)} }`,
    `byte x; init { x = ${'-'.repeat(50000)}1 }`,
    `byte x; init { x = 1${' + 1'.repeat(50000)} }`,
    `byte x; init { x = ${'x['.repeat(20000)}1${']'.repeat(20000)} }`,
    `byte x; init { ${'L: '.repeat(20000)} x = 1 }`,
    `byte x; init { ${'goto '.repeat(20000)} }`,
    `ltl { ${'[] <> ! '.repeat(20000)} true } init { skip }`,
    `ltl { true ${'U true '.repeat(20000)} } init { skip }`,
    `#define A0 x\n${Array.from({ length: 40 }, (_, i) => `#define A${i + 1} A${i} A${i}`).join('\n')}\ninit { A40 }`,
    `#define F(a) F2(a,a)\n#define F2(a,b) a+b\ninit { ${'F('.repeat(300)}1${')'.repeat(300)} }`,
    `inline f0() { skip }\n${Array.from({ length: 40 }, (_, i) => `inline f${i + 1}() { f${i}(); f${i}() }`).join('\n')}\ninit { f40() }`,
    `#if ${'('.repeat(5000)}1\n#endif\ninit { skip }`,
    `#include "model.pml"\ninit { skip }`,
    `chan q = [1] of { byte }; init { q?${'('.repeat(20000)}1 }`,
    `byte x; init { ${Array.from({ length: 600 }, (_, i) => `L${i}: goto L${i + 1};`).join(' ')} L600: x = 1 }`,
    `init { skip } ${'}'.repeat(1000)} ${'proctype '.repeat(1000)}`,
  ])
    load(text);
});
