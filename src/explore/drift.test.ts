import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { seededPick } from '../testing/random-semantics.ts';
import type { Choice } from './choices.ts';
import { confirm, type FoundLoop } from './confirm.ts';
import { modelOf } from './model-of.fuzz.ts';
import { applyChoice } from './trail.ts';

const unlimited = (text: string) => modelOf(text, { capacity: 'unlimited', processes: 'unlimited' });

function loopsOf(text: string, maxStates = 600): readonly FoundLoop[] {
  return confirm(unlimited(text), { allowNewProcesses: true }, { ...UNLIMITED, maxStates }, SILENT).loops;
}

const growing = (text: string): string =>
  loopsOf(text)
    .flatMap(({ growthByName }) => [...growthByName.keys()])
    .sort()
    .join();

describe('counters that the loop never reads', () => {
  test.each([
    ['counted beside the send', 'q!1; n++'],
    ['kept in a field', 's.sent++; q!1'],
    ['kept in an array', 'a[1] = a[1] + 3; q!1'],
    ['handed on to another variable', 'n++; m = n * 2; q!1'],
    ['only printed', 'n++; printf("%d", n); q!1'],
    ['sent where nobody takes it', 'q!n; n++'],
    ['in a d_step', 'd_step { n++; m = n } q!1'],
    ['a choice that reads another one', 'if :: n2 == 0 -> q!1; n++ fi'],
    ['read before the loop only', 'q!1; n--'],
  ])('%s', (_, body) => {
    expect(growing(`${HEAD} active proctype P() { n == 0; do :: ${body} od }`)).toBe('q');
  });

  test.each([
    ['a guard', 'n < 40 -> q!1; n++'],
    ['a guard in a d_step', 'd_step { n < 40 -> n++ } q!1'],
    ['an assertion', 'q!1; n++; assert(n < 40)'],
    ['what is computed from it', 'q!1; n++; m = n; m < 40'],
    ['an else', 'if :: n > 40 -> break :: else -> q!1; n++ fi'],
    ['an index', 'q!1; n++; a[n] = 1'],
    ['an index that is read', 'q!1; n++; m = a[n]'],
    ['a divisor', 'q!1; n--; m = 1 / (n + 40)'],
    ['a divisor in a message', 'n--; q!(1 / (n + 40))'],
    ['a match', 'r!1; r?eval(n); n++; q!1'],
    ['a message that is taken', 'q!n; n++; q?m; m < 40; q!0; q!0'],
    ['a message that is copied', 'q!n; n++; q?<m>'],
    ['an unless', '{ q!1; n++ } unless { n > 40 }'],
  ])('not where it is read: %s', (_, body) => {
    expect(growing(`${HEAD} active proctype P() { do :: ${body} od }`)).not.toMatch(/\bq\b/);
  });

  test('what another process waits for is not read by the loop', () => {
    const text = `${HEAD} active proctype P() { do :: q!1; n++ od } active proctype Q() { n > 3; r!1 }`;
    expect(growing(text)).toMatch(/q/);
  });

  test('what a timeout rests on is', () => {
    const text = `${HEAD} active proctype P() { do :: timeout -> q!1; n++ od } active proctype Q() { n > 40; do :: skip od }`;
    expect(growing(text)).toBe('');
  });

  test('what a started process is given, or looks at, is', () => {
    const given = `${HEAD} proctype R(int k) { k < 40; q!1 } active proctype P() { do :: run R(n); n++ od }`;
    const looks = `${HEAD} proctype R() { int k = n; k < 40; q!1 } active proctype P() { do :: run R(); n++ od }`;
    expect(growing(given)).toBe('');
    expect(growing(looks)).toBe('');
  });
});

const HEAD = `typedef S { int sent; byte other }; S s; int n, m, n2; int a[9];
chan q = [2] of { int }; chan r = [2] of { int };`;

/** Two processes of counters, guards, messages and choices; most loops read a counter somewhere, with limits between 5 and 60. */
function randomCounterModel(seed: number): string {
  const pick = seededPick(seed);
  const variable = () => ['n', 'm', 'n2', 's.sent', 'a[1]'][pick(5)]!;
  const statement = (): string => {
    const v = variable();
    switch (pick(14)) {
      case 0:
        return `${v}++`;
      case 1:
        return `${v} = ${variable()} + ${pick(3)}`;
      case 2:
        return `q!${v}`;
      case 3:
        return `r!${pick(2)}`;
      case 4:
        return 'q!1';
      case 5:
        return `q?${v}`;
      case 6:
        return `r?${v}`;
      case 7:
        return `${v} < ${5 + pick(55)}`;
      case 8:
        return `if :: ${v} < ${5 + pick(55)} -> q!${pick(2)} :: else -> ${variable()}-- fi`;
      case 9:
        return `assert(${v} < ${5 + pick(55)})`;
      case 10:
        return `d_step { ${v}++; ${variable()} = ${v} }`;
      case 11:
        return `atomic { q!${v}; ${variable()}++ }`;
      case 12:
        return `a[${v} % 9] = 1`;
      default:
        return `${v} != ${5 + pick(55)}`;
    }
  };
  const body = () => Array.from({ length: 1 + pick(3) }, statement).join('; ');
  const process = (name: string) =>
    `active proctype ${name}() { do ${Array.from({ length: 1 + pick(2) }, () => `:: ${body()}`).join(' ')} od }`;
  return `${HEAD} ${process('P')} ${process('Q')}`;
}

test('every loop found with random counters goes on past every limit that it might read', () => {
  const count = Number(process.env.SPILLWAY_FUZZ ?? 12);
  let drifting = 0;
  for (let seed = 0; seed < count; seed++) {
    const text = randomCounterModel(seed);
    const model = unlimited(text);
    const { machine } = model;
    for (const { prefix, loop } of confirm(model, {}, { ...UNLIMITED, maxStates: 300 }, SILENT).loops) {
      machine.initial();
      const take = (choices: readonly Choice[]): void => {
        for (const choice of choices) if (!applyChoice(model, choice)) expect.fail(`seed ${seed}: ${text}`);
      };
      take(prefix);
      const before = machine.cells.slice(0, model.layout.firstFrame).join();
      for (let round = 0; round < 90; round++) take(loop);
      if (machine.cells.slice(0, model.layout.firstFrame).join() !== before) drifting++;
    }
  }
  console.log(`${drifting} loops that count in ${count} random models`);
  expect(drifting).toBeGreaterThan(2);
});
