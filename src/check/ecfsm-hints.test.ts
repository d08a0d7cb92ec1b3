// What a person is told when a formula is not good enough: the hints lead from a first attempt to a proof.

import { describe, expect, test } from 'vitest';
import { countedBudget } from '../testing/counted-budget.ts';
import { checkModel } from './check.ts';

const GO_BACK = `
machine S {
  states s; registers next; init s where next = 0;
  put: s send D(n) when n = next;
  ack: s receive A(n) when n = next + 1 do next := n;
  old: s receive A(n) when n <= next;
}
machine R {
  states r; registers expected; init r where expected = 0;
  take: r receive D(n) when n = expected do expected := n + 1;
  dup: r receive D(n) when n < expected;
  answer: r send A(n) when n = expected;
}
`;

async function check(text: string, property = 'safe') {
  const files = { read: () => text };
  // What is told is told of the formula: the search for what would do without it need not be long.
  const budget = countedBudget(1_000);
  const paths = ['m.ecfsm'];
  const { properties, diagnostics } = await checkModel({ paths, files, properties: [property], budget });
  expect(diagnostics).toEqual([]);
  const [result] = properties;
  return {
    verdict: result!.verdict,
    reason: result!.reason,
    hints: (result!.notes ?? []).map((note) => note.message),
  };
}

const goBack = (atoms: string) =>
  check(`${GO_BACK} invariant { all = S@s, R@r, S->R: D*, R->S: A*${atoms}; }`);

describe('hints', () => {
  test('lead to the atoms that are missing', async () => {
    const first = await goBack('');
    expect(first.verdict).toBe('unknown');
    expect(first.hints[0]).toContain(
      'none of these is executable there: S.ack (n = next + 1), S.old (n <= next)',
    );
    expect(first.hints[0]).toContain(
      'perhaps missing in all: R.expected <= S.next + 1, maxp(R->S) <= S.next + 1',
    );
    expect(first.hints[1]).toContain('perhaps missing in all: S.next <= R.expected');
    const second = await goBack(', R.expected <= S.next + 1, S.next <= R.expected');
    expect(second.verdict).toBe('unknown');
    const wanted = second.hints.join('\n');
    expect(wanted).toMatch(/perhaps missing in all: .*maxp\(R->S\) <= R\.expected/);
    expect(wanted).toMatch(/perhaps missing in all: .*maxp\(S->R\) <= S\.next/);
    const third = await goBack(
      ', R.expected <= S.next + 1, S.next <= R.expected, maxp(R->S) <= R.expected, maxp(S->R) <= S.next',
    );
    expect(third.verdict).toBe('proved');
  });

  test('say when the formula is too narrow, and when a disjunct should be divided', async () => {
    const narrow = await goBack(
      ', S.next = R.expected, every(S->R) <= R.expected, every(R->S) <= R.expected',
    );
    expect(narrow.reason).toContain('a run of 2 steps from an initial state leaves the formula');
    expect(narrow.hints[0]).toContain(
      'the state before is reachable: the formula must describe the state after it',
    );
    const numbered = `
      machine A { states s; registers x; init s where x = 0; a: s send M(n) when n = x do x := x + 1; }
      machine B { states t; registers y; init t where y = 0; b: t receive M(n) when n = y do y := y + 1; }
      invariant { all = A@s, B@t, B->A: e, A->B: M*, step1(A->B), firstp(A->B) = B.y, A.x > lastp(A->B), A.x >= B.y; }`;
    const unused = numbered.replace('all = ', 'odd = A@s, B@t, B->A: e, A->B: M, A.x > 1000000; all = ');
    const hints = (await check(unused)).hints.join('\n');
    expect(hints).toContain('perhaps all should be divided: with A->B empty and B->A empty, add A.x = B.y');
    expect(hints).toContain('none of the 800 reachable states that were tried is in odd');
  });

  test('say what keeps a disjunct from the goal', async () => {
    const text = `
      machine A { states s; registers x; init s where x = 0; a: s send M(n) when n = x do x := x + 1; }
      machine B { states t; registers y; init t where y = 0; b: t receive M(n) when n = y do y := y + 1; }
      macro flow { ([none] A->B: e, A.x = B.y or [some] A->B: M+, step1(A->B), firstp(A->B) = B.y, A.x = lastp(A->B) + 1) }
      invariant { low = A@s, B@t, B->A: e, flow, B.y <= 1; high = A@s, B@t, B->A: e, flow, B.y > 1; }
      goal high = high.*;`;
    const { verdict, hints } = await check(text, 'live:high');
    expect(verdict).toBe('unknown');
    expect(hints[0]!.split('\n')).toEqual([
      'no way from low.none',
      'A.a leads to low.some.1',
      'from A@s A.x=0 | B@t B.y=0 | A->B: empty | B->A: empty, the goal is reached by A.a, A.a, B.b, B.b: a way that the graph does not show',
    ]);
    expect(hints[1]).toContain('B receiving passes');
  });
});
