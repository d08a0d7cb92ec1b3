// Small models, each for a corner of the language, with the numbers of states, transitions and errors that SPIN 6.5.2 gives
// (`spin -a -o1 -o2 -o3`, `-DSAFETY -DNOREDUCE`, `pan -c0`).

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { modelOf } from './model-of.fuzz.ts';
import { search } from './search.ts';

const RENDEZVOUS = 'chan r = [0] of { byte }; byte g; active proctype P() { if :: r!1 :: r!2 :: r!3 fi }';

const MODELS: readonly [name: string, numbers: string, text: string][] = [
  [
    'a list that is too short ends in its last value',
    '5/5/0',
    `byte a[4] = { 1, 2 };
     active proctype P() { byte b[3] = { 7 }; assert(a[2] == 2); assert(a[3] == 2); assert(b[2] == 7) }`,
  ],
  [
    'so does one in a typedef',
    '3/3/0',
    'typedef T { byte d[3] = { 1, 2 } }; T t; active proctype P() { assert(t.d[2] == 2) }',
  ],
  [
    'a process started to print its number',
    '5/5/1',
    'proctype W() { assert(false) } active proctype P() { printf("%d", run W()) }',
  ],
  [
    'a d_step that begins with a handshake',
    '4/4/0',
    `chan r = [0] of { byte }; active proctype P() { r!1 }
     active proctype Q() { byte x; d_step { r?x; assert(x == 1) } }`,
  ],
  [
    '… and blocks later',
    '1/1/1',
    `chan r = [0] of { byte }; active proctype P() { r!1 }
     byte g; active proctype Q() { byte x; d_step { r?x; g == 5; g++ } }`,
  ],
  [
    '… with a choice of receives',
    '7/7/0',
    `${RENDEZVOUS} active proctype Q() { d_step { if :: r?1 -> g = 1 :: r?2 -> g = 2 fi; g++ } }`,
  ],
  [
    '… with a guard before them that is true',
    '3/3/1',
    `${RENDEZVOUS} active proctype Q() { d_step { if :: g == 0 -> g = 5 :: r?2 -> g = 2 fi; g++ } }`,
  ],
  [
    '… with a guard before them that is false',
    '7/7/0',
    `${RENDEZVOUS} active proctype Q() { d_step { if :: g == 1 -> g = 5 :: r?2 -> g = 2 :: r?3 -> g = 3 fi; g++ } }`,
  ],
  [
    '… with an else behind them',
    '6/6/1',
    `${RENDEZVOUS} active proctype Q() { d_step { if :: r?2 -> g = 2 :: else -> g = 5 fi; g++ } }`,
  ],
  [
    '… inside atomic',
    '8/10/0',
    `chan r = [0] of { byte }; byte g; active proctype P() { atomic { r!1; g = 4 } }
     active proctype Q() { byte x; atomic { d_step { r?x; g++ }; g = g + 10 }; assert(g == 11 || g == 4) }`,
  ],
  [
    '… with an escape',
    '6/6/0',
    `chan r = [0] of { byte }; byte g; active proctype P() { r!1 }
     active proctype Q() { byte x; { d_step { r?x; g++ }; g = 9 } unless { g == 1 -> g = 7 } }`,
  ],
];

for (const [name, numbers, text] of MODELS) {
  test(name, () => {
    const goals = { endStates: true, assertions: true, all: true };
    const { states, transitions, violationCount } = search(modelOf(text), goals, UNLIMITED, SILENT);
    expect(`${states}/${transitions}/${violationCount}`).toBe(numbers);
  });
}
