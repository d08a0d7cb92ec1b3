// Where verdicts were once wrong: the smallest models, and a generator for each cause. SPIN's verifier is the judge: the plain state graph must
// have the same numbers of states, transitions and errors. Where the verifier gives up at an error, that there is one is compared.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { loadPromela } from '../promela/load.ts';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { seededPick } from '../testing/random-semantics.ts';
import { CAUSES, randomTrapModel } from '../testing/random-traps.ts';
import { compileModel } from './compile.ts';
import { FAULT, faultText } from './faults.ts';
import { type SearchOutcome, search } from './search.ts';

const ready = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));
const CASES = Number(process.env['SPILLWAY_FUZZ'] ?? 5);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const MOST_STATES = 20_000;

/** Null when the model is rejected: SPIN must reject it, too, or is not asked. */
function explore(text: string): SearchOutcome | null {
  const { program } = loadPromela('m.pml', { read: (path) => (path === 'm.pml' ? text : null) });
  const model = program === null ? null : compileModel(program);
  if (!model?.ok) return null;
  const goals = { endStates: true, assertions: true, all: true };
  return search(model.value, goals, { ...UNLIMITED, maxStates: MOST_STATES }, SILENT);
}

type Judged = 'same' | 'error' | 'none' | 'restored';

/**
 * When SPIN's verifier takes back a receive it puts the variable's value into the channel again: cut off, where the variable is narrower than the
 * message. From then on it searches with another message (docs/semantics.md). The variables of the generator with less than a byte.
 */
const NARROW_RECEIVE = /\?\??[^;\n}]*\b(u1|u5|lu|b|o|lb)\b/;

function judge(text: string, name: string): Judged {
  const ours = explore(text);
  if (ours === null || ours.limit !== null) return 'none';
  let reason = 'crash';
  const pan = runPan(text, { small: true }, (why) => {
    reason = why;
  });
  // Rejected by SPIN; or the processor stopped the verifier (a division), without a word.
  if (pan === null && reason !== '') return 'none';
  if (pan === null || ours.cutBy !== null) {
    const cut = ours.cutBy === null ? 'none' : faultText(ours.cutBy);
    expect(`${cut}, SPIN: ${pan === null || pan.errors > 0}`, `${name}\n${text}`).toBe(
      `${ours.cutBy === null ? 'an error' : cut}, SPIN: true`,
    );
    return 'error';
  }
  if (!pan.complete) return 'none';
  // A receive with too few fields: when SPIN's verifier takes it back it restores those fields only, and goes on with another message.
  if (ours.violations.some(({ fault }) => fault === FAULT.receiveFields)) {
    expect(pan.errors, `${name}\n${text}`).toBeGreaterThan(0);
    return 'error';
  }
  const { states, transitions, violationCount: errors } = ours;
  if (NARROW_RECEIVE.test(text) && states !== pan.states) return 'restored';
  expect({ states, transitions, errors }, `${name}\n${text}`).toEqual({
    states: pan.states,
    transitions: pan.transitions,
    errors: pan.errors,
  });
  return 'same';
}

const EXAMPLES: readonly [name: string, text: string][] = [
  [
    'a structure as a parameter has the channels of its argument',
    `typedef C { chan s = [0] of { bool } }
     proctype m() { C c; run q(c); bool x; c.s?x; assert(false) }
     init { run m() }
     proctype q(C d) { end: d.s!true }`,
  ],
  [
    '… also when it is passed on, or part of another one',
    `typedef C { chan s = [0] of { bool } } typedef D { C c; byte n }
     proctype leaf(C c) { c.s!1 } proctype mid(D d) { run leaf(d.c) }
     init { D a; bool x; run mid(a); a.c.s?x; assert(false) }`,
  ],
  [
    '… or sent in a message',
    `typedef C { chan s = [1] of { bool }; byte k; bit b[2] }
     chan q = [2] of { C }; chan r = [0] of { C, byte };
     active proctype A() { C c; bool x; c.k = 9; c.b[1] = 3; q!c; r!c,2; c.s?x; assert(0) }
     active proctype B() { C d; byte n; q?d; assert(d.k == 9); assert(d.b[1] == 1); r?d,n; d.s!1 }`,
  ],
  [
    'a channel with one bit keeps whole bytes',
    'chan in = [2] of { bit }; active proctype P() { byte x; in!2; in?x; assert(x == 0) }',
  ],
  [
    'one with two bits does not',
    'chan c = [1] of { bit, bit }; active proctype P() { byte x, y; c!2,3; c?x,y; assert(x == 0 && y == 1) }',
  ],
  [
    'elements of bit arrays are bytes',
    'bit a[1]; bool b[2]; active proctype P() { a[0] = 2; b[1] = 258; assert(a[0] == 2 && b[1] == 2) }',
  ],
  ['a hidden unsigned is a byte', 'hidden unsigned u : 3; active proctype P() { u = 200; assert(u == 200) }'],
  [
    'the least int divided by −1 stops the verifier',
    'int x = -2147483647, y = -1; active proctype P() { x--; x = x / y }',
  ],
  [
    'sums wrap',
    'int x = 2147483647; active proctype P() { assert(x + 1 < 0); assert(x * 2 == -2); assert(-(-x - 1) < 0) }',
  ],
  ['too few fields are sent', 'chan c = [2] of { byte, byte }; active proctype P() { do :: c!1 od }'],
  [
    'a receive with a wrong number of fields from an empty channel waits',
    'chan c = [1] of { byte, byte }; active proctype P() { byte x; chan d = c; end: d?x }',
  ],
  [
    '… and is an error only when a message is there',
    'chan c = [1] of { byte, byte }; active proctype P() { byte x; c!1,2; c?x; assert(x == 1) }',
  ],
  [
    'comments over line ends inside a macro, the end of a comment that was never begun, blanks behind a backslash',
    '#define A(x) /* a \\\n b */ x + \\\n 1 /* c */ */\n#define B(x) x + \\ \n 1\n/* /* */ */ byte g; active proctype P() { g = A(2); assert(g == 3); g = B(3); assert(g == 4) */ }',
  ],
  [
    'a process may receive into its _pid, which is another number from then on',
    'chan q = [2] of { byte }; byte g; active proctype P() { q!7; q?[_pid]; q?_pid; g = _pid; assert(g == 0) } active proctype Q() { q?eval(_pid) }',
  ],
  [
    'an offer without a partner makes an escape forgotten',
    'chan r = [0] of { byte }; byte g, x, y; active proctype P() { { x = 1; g == 5; y = 3 } unless { if :: r!y :: x = y + 1 fi } }',
  ],
  [
    'what is printed is looked at: an index outside its array',
    'byte a[2], i = 3; active proctype P() { printf("%d", a[i]) }',
  ],
  ['… a division by zero', 'byte d; active proctype P() { printf("%d", 6 / d); d = 1 }'],
  ['… a channel that is not there', 'chan c; active proctype P() { printf("%d", len(c)) }'],
  ['… inside a d_step', 'byte a[2], i = 3; active proctype P() { d_step { i = 2; printf("%d", a[i]) } }'],
  [
    'sorted sends compare before the channel cuts',
    'chan c = [2] of { bit, bit }; active proctype P() { byte x, y; c!!3,0; c!!2,0; c?x,y; assert(x == 0) }',
  ],
];

describe.skipIf(!ready)('SPIN judges', () => {
  test.each(EXAMPLES)('%s', (name, text) => {
    expect(judge(text, name)).not.toBe('none');
  });

  test.each(CAUSES)('random models around: %s', { timeout: 3_600_000 }, (cause) => {
    const tally = { same: 0, error: 0, none: 0, restored: 0 };
    for (let seed = SEED; seed < SEED + CASES; seed++)
      tally[judge(randomTrapModel(cause, seededPick(seed)), `${cause}, seed ${seed}`)]++;
    console.log(`${cause}: ${JSON.stringify(tally)}`);
    expect(tally.same + tally.error).toBeGreaterThan(CASES / 3);
    expect(tally.restored).toBeLessThanOrEqual(1 + CASES / 50);
  });
});
