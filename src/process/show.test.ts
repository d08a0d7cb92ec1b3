import { expect, test } from 'vitest';
import { programOf } from '../promela/testing.ts';
import { showStatement } from './show.ts';

const CASES = [
  'x = (a + b) * 3',
  'x = a - (b - 1)',
  'x = a + b * 3 % 2',
  'x++',
  '!(a == b) && x < 3 || timeout',
  'q!red,a + 1',
  'q!!red,1',
  'q?red,x',
  'q?eval(m),_',
  'q??blue,3',
  'q?<m,x>',
  'q?[red,_]',
  'nempty(q) && len(q) > 1',
  'x = (a > b -> a : b)',
  'assert(x != 0)',
  'printf("x %d\\n", x)',
  'run other(1, q)',
  's.f[2].g = s.f[x].g + 1',
  'd_step { x = 1; a = 2; skip }',
  'x = other[2]:y',
  'x = -a + ~b',
  'skip',
];

test.each(CASES)('%s', (text) => {
  const program = programOf(`
    mtype = { red, blue };
    typedef G { byte g }; typedef F { G f[3] };
    byte x, a, b; mtype m; F s;
    chan q = [2] of { mtype, byte };
    proctype other(byte y; chan c) { skip }
    active proctype p() { ${text} }`);
  const p = program.proctypes.find((proctype) => proctype.name === 'p')!;
  expect(showStatement(program, p.edges[0]!.statement)).toBe(text);
});
