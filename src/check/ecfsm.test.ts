// .ecfsm models through the one interface that the CLI and the API use.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';
import { ecfsmGraphs, inferFile, splitFile } from './ecfsm-tools.ts';

const request = (text: string) => ({
  path: 'm.ecfsm',
  paths: ['m.ecfsm'],
  options: {},
  files: { read: (path: string) => (path === 'm.ecfsm' ? text : null) },
  budget: UNLIMITED,
  observer: SILENT,
});

const check = (text: string, properties: readonly string[] = []): Promise<ModelReport> =>
  checkModel({ ...request(text), properties });

const verdicts = (report: ModelReport): string[] =>
  report.properties.map(({ id, verdict }) => `${id} ${verdict}`);

/** A asks, B answers; both may be asked to count. */
const PING = `
machine A { states idle, wait; registers x; init idle where x = 0;
  ask: idle -> wait send Q(n) when n = x; got: wait -> idle receive R(n) when n = x do x := x + 1; }
machine B { states idle, busy; registers y; init idle where y = 0;
  take: idle -> busy receive Q(n) when n = y; answer: busy -> idle send R(n) when n = y do y := y + 1; }
`;
const PING_FORMULA = `
invariant {
  rest  = A@idle, B@idle, A->B: e, B->A: e, A.x = B.y;
  asked = A@wait, B@idle, A->B: Q, B->A: e, A.x = B.y, firstp(A->B) = A.x;
  busy  = A@wait, B@busy, A->B: e, B->A: e, A.x = B.y;
  told  = A@wait, B@idle, A->B: e, B->A: R, B.y = A.x + 1, firstp(B->A) = A.x;
}
goal rest = rest;
goal work = B@busy;
`;

describe('check of .ecfsm models', () => {
  test('a formula of one’s own: safe and live', async () => {
    const report = await check(PING + PING_FORMULA);
    expect(report.diagnostics).toEqual([]);
    expect(verdicts(report)).toEqual(['safe proved', 'live:rest proved', 'live:work proved']);

    const [safe, live] = report.properties;
    expect(safe!.method).toBe('induction');
    expect(safe!.stats['bellmanFord']).toBeGreaterThan(0);
    expect(safe!.stats['smt']).toBe(0);
    expect(live!.evidence).toMatchObject({ kind: 'induction' });
    const { details } = live!.evidence as unknown as { details: { ways: Record<string, string> } };
    expect(details.ways['told']).toBe('told =A receives=> rest');
    expect(safe!.reproduce).toMatchObject({ verb: 'check', property: 'safe' });
  });

  test('without a formula one is inferred, and goals by control states are understood', async () => {
    const report = await check(`${PING}goal work = B@busy;`);
    expect(verdicts(report)).toEqual(['safe proved', 'live:work proved']);
    expect(report.properties[0]!.notes?.[0]?.message).toContain('was inferred');
  });

  test('an unsafe protocol is refuted by a run that can be replayed', async () => {
    const report = await check(
      PING.replace(
        'answer: busy -> idle send R(n) when n = y',
        'answer: busy -> idle send R(n) when n = y + 1',
      ) + PING_FORMULA,
    );
    expect(verdicts(report)).toEqual(['safe refuted', 'live:rest refuted', 'live:work refuted']);
    const { evidence } = report.properties[0]!;
    if (evidence?.kind !== 'run') throw new Error('a run was expected');
    expect(evidence.run.title).toBe('unspecified reception: A has no action for R(1)');
    expect(evidence.run.steps.map(({ text }) => text)).toEqual([
      'ask: send Q(0)',
      'take: receive Q(0)',
      'answer: send R(1)',
    ]);
  });

  test('a fault at a large number is found', async () => {
    const late = PING.replace(
      'take: idle -> busy receive Q(n) when n = y',
      'take: idle -> busy receive Q(n) when n = y, n < 700',
    );
    const [safe] = (await check(late)).properties;
    expect(safe!.evidence).toMatchObject({
      run: { title: 'unspecified reception: B has no action for Q(700)' },
    });
  });

  test('a deadlock is refuted', async () => {
    const report = await check(PING.replace('got: wait -> idle receive', 'got: wait -> wait receive'));
    expect(verdicts(report)).toEqual(['safe refuted']);
    expect(report.properties[0]!.evidence).toMatchObject({
      run: { title: 'deadlock: both channels are empty and nobody can send' },
    });
  });

  test('protocols that end, act by themselves, or lose messages', async () => {
    const once = `
machine A { states new, old; FINAL init new; go: new -> old send M(n) when n = 0; }
machine B { states s, t; FINALB init s; m: s -> t receive M(n); }
goal done = A@old, B@t;`;
    expect(verdicts(await check(once.replace('FINAL ', '').replace('FINALB ', '')))).toEqual([
      'safe refuted',
      'live:done proved',
    ]);
    const ending = once.replace('FINAL ', 'final old; ').replace('FINALB', 'final t;');
    expect(verdicts(await check(ending))).toEqual(['safe proved', 'live:done proved']);
    const lossy = await check(`${ending}lossy A->B;`);
    expect(lossy.properties[0]!.evidence).toMatchObject({
      run: { steps: [{ text: 'go.lost: send M(0), which is lost', events: [] }] },
    });
    expect(verdicts(lossy)).toEqual(['safe refuted', 'live:done refuted']);
    const again = ending
      .replace('go: new', 'again: old -> new internal; go: new')
      .replace('m: s', 'r: t receive M(n); m: s');
    expect(verdicts(await check(`${again}lossy A->B;`))).toEqual(['safe proved', 'live:done proved']);
    expect((await check(`${ending}lossy A->C;`)).diagnostics[0]).toMatchObject({ code: 'SPW4116' });
  });

  test('a wrong formula over a protocol with finitely many states: proved by exhaustion', async () => {
    const finite = PING.replace('do x := x + 1', '').replace('do y := y + 1', '');
    const report = await check(`${finite}invariant { rest = A@idle, B@idle, A->B: e, B->A: e; }`);
    expect(verdicts(report)).toEqual(['safe proved']);
    expect(report.properties[0]!.method).toBe('exhaustive');
    expect(report.properties[0]!.evidence).toEqual({ kind: 'exhaustion', states: 4, transitions: 4 });
    // What is wrong with the formula would read as if something were wrong with the protocol.
    expect(report.properties[0]!.notes?.map(({ message }) => message)).toEqual([
      'the formula is not inductive, but there are only finitely many states',
    ]);
  });

  test('a goal that is lost for ever is refuted', async () => {
    const once = `
machine A { states new, old; init new; first: new -> old send M(n) when n = 0; again: old -> old send K(n) when n = 0; ok: old -> old receive R(n); }
machine B { states s, t; init s; m: s -> t receive M(n); k: t -> t receive K(n); r: t -> t send R(n) when n = 0; }
invariant {
  start = A@new, B@s, A->B: e, B->A: e;
  on    = A@old, B@s, A->B: M K*, B->A: e;
  past  = A@old, B@t, A->B: K*, B->A: R*;
}
goal start = start;
goal past = past;`;
    const report = await check(once);
    // The states after it are infinitely many; that none of them leads back is seen from the formula.
    expect(verdicts(report)).toEqual(['safe proved', 'live:start refuted', 'live:past proved']);
    expect(report.properties[1]!.evidence).toMatchObject({
      run: { title: 'from here on (on.1) no step of the formula leads to goal start' },
    });
    const byControl = await check(once.replace('goal start = start;', 'goal start = A@new;'));
    expect(byControl.properties[1]!.evidence).toMatchObject({
      run: { title: 'A has no way from old into goal start', steps: [{ text: 'first: send M(0)' }] },
    });
    const bounded = await check(
      PING.replaceAll('do x := x + 1', '')
        .replaceAll('do y := y + 1', '')
        .replace('states idle, wait; registers x; init idle', 'states new, idle, wait; registers x; init new')
        .replace('ask: idle', 'go: new -> wait send Q(n) when n = x; ask: idle') +
        `
invariant {
  new   = A@new,  B@idle, A->B: e, B->A: e, A.x = 0, B.y = 0;
  rest  = A@idle, B@idle, A->B: e, B->A: e, A.x = 0, B.y = 0;
  asked = A@wait, B@idle, A->B: Q, B->A: e, A.x = 0, B.y = 0, firstp(A->B) = 0;
  busy  = A@wait, B@busy, A->B: e, B->A: e, A.x = 0, B.y = 0;
  told  = A@wait, B@idle, A->B: e, B->A: R, A.x = 0, B.y = 0, firstp(B->A) = 0;
}
goal new = new;`,
    );
    expect(verdicts(bounded)).toEqual(['safe proved', 'live:new refuted']);
    expect(bounded.properties[1]!.evidence).toMatchObject({
      kind: 'run',
      run: { title: 'from here, none of the 4 reachable states is in goal new' },
    });
  });

  test('a sending that raises what is bounded comes to an end, one that raises something else need not', async () => {
    const climb = (low: string, high: string) => `
      machine A { states s; registers x, z; init s where x = 0, z = 3; a: s send M(n) when n = x do x := x + 1; }
      machine B { states t; registers y; init t where y = 0; b: t receive M(n) when n = y do y := y + 1; }
      macro flow { ([none] A->B: e, A.x = B.y or [some] A->B: M+, step1(A->B), firstp(A->B) = B.y, A.x = lastp(A->B) + 1) }
      invariant { low = A@s, B@t, B->A: e, flow, A.z = 3, ${low}; high = A@s, B@t, B->A: e, flow, A.z = 3, ${high}; }
      goal high = high.*;`;
    expect(verdicts(await check(climb('A.x <= 4', 'A.x > 4')))).toEqual(['safe proved', 'live:high proved']);
    expect(verdicts(await check(climb('A.x <= A.z', 'A.x > A.z')))).toEqual([
      'safe proved',
      'live:high proved',
    ]);
    expect(verdicts(await check(climb('A.x >= 0', 'A.x > 2000000')))).not.toContain('live:high proved');
  });

  test('errors, unknown properties and missing files are diagnostics', async () => {
    expect((await check('machine A {')).diagnostics[0]!.code).toBe('SPW4002');
    const unknown = await check(PING + PING_FORMULA, ['live:rset']);
    expect(unknown.diagnostics[0]).toMatchObject({ code: 'SPW9003', help: "did you mean 'live:rest'?" });
    const missing = await checkModel({ ...request(''), paths: ['other.ecfsm'] });
    expect(missing.diagnostics[0]!.code).toBe('SPW9002');
  });

  test('no time, no verdict', async () => {
    const budget = { ...UNLIMITED, timeLeft: () => false, remaining: () => 0 };
    const report = await checkModel({ ...request(PING + PING_FORMULA), budget });
    expect(verdicts(report)).toEqual(['safe unknown', 'live:rest unknown', 'live:work unknown']);
    expect(report.properties[0]!.reasonCode).toBe('time-limit');
  });
});

describe('tools', () => {
  test('infer and split print models that can be read again', async () => {
    const inferred = await inferFile(request(PING), false);
    expect(inferred).toMatchObject({
      verdict: 'proved',
      summary: 'a formula of 4 disjuncts, proved: the protocol is safe',
    });
    expect(verdicts(await check(inferred.text!))).toEqual(['safe proved']);
    const coarse =
      PING +
      PING_FORMULA.replace(
        'A->B: e, B->A: R,',
        'A->B: e, B->A: R?, A.x = 0 or A@wait, B@idle, A->B: e, B->A: R,',
      );
    expect((await splitFile(request(coarse), 'everything')).text).toContain('goal rest = rest;');
    // No disjunct has these control states: the goal is still a goal, and refuted.
    const split = await splitFile(request(`${PING}goal both = A@idle, B@busy;`), 'everything');
    expect(split.text).toContain('goal both = A@{idle}, B@{busy};');
    expect(verdicts(await check(split.text!))).toEqual(['safe proved', 'live:both refuted']);
  });

  test('the graph is drawn of what is proved', async () => {
    const { model: graphs, diagnostics } = await ecfsmGraphs(request(PING + PING_FORMULA));
    expect(diagnostics).toEqual([]);
    expect(graphs!.map(({ name }) => name)).toEqual(['A', 'B', 'formula']);
    expect(graphs![2]!.edges.map(({ from, to, kind }) => `${from}${to}${kind}`).sort()).toEqual([
      '01send',
      '12receive',
      '23send',
      '30receive',
    ]);
    const broken = await ecfsmGraphs(request(PING + PING_FORMULA.replace('firstp(A->B) = A.x', 'A.x >= 0')));
    expect(broken.model!.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(broken.diagnostics[0]!.code).toBe('SPW4401');
  });
});
