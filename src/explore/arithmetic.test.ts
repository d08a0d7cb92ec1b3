// One arithmetic: `process/arithmetic`, the explorer's generated code and a C compiler must agree on every operator, near the ends
// of 32 bits above all. Where SPIN's verifier would be stopped by the processor, there is no result.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeBinary, computeUnary, INT_MAX, INT_MIN } from '../process/arithmetic.ts';
import type { BinaryOperator, Expression, UnaryOperator } from '../process/expression.ts';
import { placeStorage, rangeOf, truncate } from '../process/storage.ts';
import { hasProgram } from '../testing/programs.ts';
import { runProgram } from '../testing/run-program.ts';
import type { CodeContext } from './code-expression.ts';
import { FAULT_HELPERS, number, stored } from './code-expression.ts';

const OPERATORS: readonly BinaryOperator[] = [
  ...(['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^', '&&', '||'] as const),
  ...(['==', '!=', '<', '<=', '>', '>='] as const),
];
const UNARY: readonly UnaryOperator[] = ['-', '!', '~'];
const VALUES = [0, 1, 2, 3, 7, 255, 256, 32767, 32768, 65535, 65536, 46341, 16777216, INT_MAX - 1, INT_MAX];
const ALL = [...VALUES, ...VALUES.filter((value) => value > 0).map((value) => -value), INT_MIN];

const constant = (value: number): Expression => ({
  kind: 'constant',
  value,
  type: { kind: 'int' },
  span: null as never,
});

/** What the explorer's code gives; null when it sets `fault`. */
function generated(expression: Expression): number | null {
  const scope = { mayFault: false, hasEffect: false, helpers: [] } as unknown as CodeContext;
  const code = number(scope, expression);
  return new Function(`let fault=0;${FAULT_HELPERS}const v=${code};return fault===0?v:null`)() as
    | number
    | null;
}

const inRange = (operator: BinaryOperator, right: number): boolean =>
  (operator !== '<<' && operator !== '>>') || (right >= 0 && right <= 31);

test('the generated code computes what the process room computes', () => {
  for (const operator of OPERATORS)
    for (const left of ALL)
      for (const right of ALL) {
        const ours = generated({
          kind: 'binary',
          operator,
          left: constant(left),
          right: constant(right),
          span: null as never,
        });
        expect(`${left} ${operator} ${right} = ${ours}`).toBe(
          `${left} ${operator} ${right} = ${computeBinary(operator, left, right)}`,
        );
      }
  for (const operator of UNARY)
    for (const value of ALL)
      expect(
        generated({ kind: 'unary', operator, operand: constant(value), span: null as never }),
        `${operator}${value}`,
      ).toBe(computeUnary(operator, value));
});

test.skipIf(!hasProgram('gcc'))('… and what C computes with wrapping integers', () => {
  const cases = OPERATORS.flatMap((operator) =>
    ALL.flatMap((left) =>
      ALL.flatMap((right) => {
        const result = computeBinary(operator, left, right);
        return result === null || !inRange(operator, right) ? [] : [{ operator, left, right, result }];
      }),
    ),
  );
  const list = ALL.map((value) => (value === INT_MIN ? '(-2147483647-1)' : `${value}`)).join(',');
  const loops = OPERATORS.map((operator) => {
    const skipped = ['/', '%'].includes(operator)
      ? 'b==0||(a==(-2147483647-1)&&b==-1)'
      : ['<<', '>>'].includes(operator)
        ? 'b<0||b>31'
        : '0';
    return `for(int i=0;i<n;i++)for(int j=0;j<n;j++){int a=v[i],b=v[j];if(!(${skipped}))printf("%d\\n",a ${operator} b);}`;
  });
  const text = `#include <stdio.h>\nint main(void){int v[]={${list}};int n=sizeof v/sizeof *v;${loops.join('\n')}}`;
  const folder = mkdtempSync(join(tmpdir(), 'spillway-c-'));
  try {
    writeFileSync(join(folder, 'a.c'), text);
    expect(runProgram('gcc', ['-w', '-fwrapv', '-o', 'a', 'a.c'], { cwd: folder }).status).toBe(0);
    const { stdout } = runProgram('./a', [], { cwd: folder });
    expect(stdout.trim().split('\n').map(Number)).toEqual(cases.map(({ result }) => result));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what a place keeps: the table and the generated code', () => {
  const places = [
    placeStorage({ kind: 'bit' }, { isElement: false }),
    placeStorage({ kind: 'bool' }, { isElement: true }),
    placeStorage({ kind: 'short' }, { isElement: false }),
    placeStorage({ kind: 'int' }, { isElement: true }),
    ...[1, 3, 8, 15, 31].map((bits) => placeStorage({ kind: 'unsigned', bits }, { isElement: false })),
  ];
  for (const place of places) {
    const { min, max } = rangeOf(place);
    for (const value of ALL) {
      const kept = truncate(place, value);
      expect(kept >= min && kept <= max).toBe(true);
      expect(value < min || value > max || kept === value).toBe(true);
      expect(new Function('v', `return ${stored(place, 'v')}`)(value)).toBe(kept);
      if (value >= 0) expect(Number(stored(place, `${value}`))).toBe(kept);
    }
  }
});
