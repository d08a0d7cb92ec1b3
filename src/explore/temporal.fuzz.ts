// Random small Promela models with formulas, and SPIN's answers to them.

import fc from 'fast-check';
import { withPan } from '../testing/pan.ts';
import { runProgram } from '../testing/run-program.ts';

export function toolsAvailable(): boolean {
  return ['spin', 'gcc'].every((tool) => runProgram(tool, ['--version']).status !== 127);
}

/** SPIN's verdict on each claim: does it find a violation? Null: it reported something else, or ran out of its limits. */
export function spinVerdicts(
  model: string,
  claims: readonly (string | null)[],
  options: { readonly fair?: boolean; readonly reduce?: boolean; readonly np?: boolean } = {},
): (boolean | null)[] {
  const compile = [...(options.reduce ? [] : ['-DNOREDUCE']), ...(options.np ? ['-DNP'] : [])];
  const mode = [options.np ? '-l' : '-a', ...(options.fair ? ['-f'] : []), '-m100000', '-w18'];
  const verdicts = withPan(model, { spin: [], compile, small: true }, (pan) =>
    claims.map((claim) => violation(pan([...mode, ...(claim === null ? [] : ['-N', claim])]))),
  );
  if (verdicts === null) throw new Error(`spin refuses the model:\n${model}`);
  return verdicts;
}

function violation(output: string): boolean | null {
  const errors = /errors: (\d+)/.exec(output)?.[1];
  if (errors === undefined || /max search depth|out of memory/.test(output)) return null;
  // With -f, SPIN sometimes runs into its depth limit behind a deadlock, and does not say so.
  if (Number(/depth reached (\d+)/.exec(output)?.[1]) >= 99_990) return null;
  const other = /pan:1: (?!acceptance cycle|non-progress|assertion violated\s+!\(|end state in claim)/;
  return other.test(output) ? null : errors !== '0';
}

export interface RandomModel {
  readonly text: string;
  readonly formulas: readonly string[];
}

const value = fc.nat(2).map(String);
const variable = fc.constantFrom('x', 'y');
const guards = fc.oneof(
  fc.tuple(variable, fc.constantFrom('==', '!=', '<'), value).map((parts) => parts.join(' ')),
  fc.constantFrom('x == y', 'len(q) > 0', 'true', 'nfull(q)', 'empty(q)', 'timeout'),
);
const local = fc.constantFrom('i = (i + 1) % 3', 'i = 0', 'i == 1', 'i != 0', 'i < 2', 'skip');
const simple = fc.oneof(
  { weight: 3, arbitrary: local },
  fc.constantFrom('x = i', 'i = y', 'q!i', 'q?i'),
  fc.tuple(variable, value).map(([name, number]) => `${name} = ${number}`),
  variable.map((name) => `${name} = (${name} + 1) % 3`),
  value.map((number) => `q!${number}`),
  variable.map((name) => `q?${name}`),
  value.map((number) => `q?${number}`),
  value.map((number) => `r!${number}`),
  variable.map((name) => `r?${name}`),
  guards,
);

const statement = fc.letrec<{ statement: string; sequence: string }>((tie) => ({
  sequence: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map((list) => list.join('; ')),
  statement: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 6, arbitrary: simple },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `if :: ${a} :: ${b} fi`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(guards, tie('sequence'), tie('sequence'))
        .map(([g, a, b]) => `if :: ${g} -> ${a} :: else -> ${b} fi`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `do :: ${a} :: ${b} :: break od`),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(simple, { minLength: 1, maxLength: 3 })
        .map((list) => `atomic { ${list.join('; ')} }`),
    },
  ),
})).statement;

const body = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 3 }),
    fc.array(statement, { minLength: 1, maxLength: 3 }),
    fc.boolean(),
  )
  .map(([first, loop, endless]) =>
    endless
      ? `${first.join('; ')};\nL: do :: ${loop.join('; ')} od`
      : `${first.join('; ')};\nL: ${loop.join('; ')}`,
  );

const atom = fc.constantFrom('(x == 0)', '(x == 1)', '(y == 2)', '(x < y)', '(len(q) > 0)', 'P0@L');
const formula = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    atom,
    fc
      .tuple(fc.constantFrom('[]', '<>', '!'), tie('formula'))
      .map(([operator, inner]) => `${operator} (${inner})`),
    fc
      .tuple(tie('formula'), fc.constantFrom('U', '&&', '||', '->', 'V'), tie('formula'))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
  ),
})).formula;

export const randomModels: fc.Arbitrary<RandomModel> = fc
  .record({
    bodies: fc.array(body, { minLength: 2, maxLength: 3 }),
    formulas: fc.array(formula, { minLength: 4, maxLength: 6 }),
  })
  .map(({ bodies, formulas }) => ({
    text: [
      'byte x, y;',
      'chan q = [2] of { byte };',
      'chan r = [0] of { byte };',
      ...bodies.map((text, index) => `active proctype P${index}() { byte i;\n${text}\n}`),
      ...formulas.map((text, index) => `ltl f${index} { ${text} }`),
      '',
    ].join('\n'),
    formulas,
  }));
