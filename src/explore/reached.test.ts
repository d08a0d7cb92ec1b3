import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { modelOf } from './model-of.fuzz.ts';
import { longestSeen } from './reached.ts';

test('beside a flood, and after some messages that must be taken first', () => {
  const model = modelOf(
    `
mtype = { hello, ready, data };
chan flood = [1] of { bit };
chan there = [4] of { mtype };
chan back = [4] of { mtype };
active proctype noise() { do :: flood!1 od }
active proctype client() { there!hello; back?ready; there!data; there!data; there!data }
active proctype server() { there?hello; back!ready; do :: there?data od }
`,
    { capacity: 'unlimited', processes: 'unlimited' },
  );
  const wanted = new Map([
    ['there', 3],
    ['back', 1],
  ]);
  const seen = longestSeen(model, wanted, UNLIMITED);
  expect([seen.get('there'), seen.get('back')]).toEqual([3, 1]);
});
