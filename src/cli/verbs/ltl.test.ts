import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli } from '../run.ts';

let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
});
afterEach(() => scratch.remove());

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const code = await runCli(['ltl', ...argv], scratch.io);
  return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
}

test('the automaton in HOA', async () => {
  const { code, out } = await run('G(p -> F q)');
  expect(code).toBe(0);
  expect(out).toBe(`HOA: v1
name: "G(p -> F q)"
tool: "spillway"
States: 2
Start: 0
AP: 2 "p" "q"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc
--BODY--
State: 0 {0}
[!0 | 1] 0
[0&!1] 1
State: 1
[1] 0
[!1] 1
--END--
`);
});

test('as a never claim, with events, generalised, as a picture, in words', async () => {
  expect((await run('G p', '--negate', '--format', 'never')).out).toContain(
    'accept_S1:\n\tdo\n\t:: (1) -> goto accept_S1',
  );
  expect((await run('event:a U event:b')).out).toContain('spillway-events: 0 1');
  expect((await run('GF p && G F q', '--generalised')).code).toBe(0);
  expect((await run('G F p && G F q', '--generalised')).out).toContain('acc-name: generalized-Buchi 2');
  expect((await run('F p', '--format', 'dot')).out).toContain('doublecircle');
  expect((await run('F F p', '--format', 'text')).out).toContain('simplified:  F p');
});

test('an automaton from elsewhere', async () => {
  scratch.io.writeFile('given.hoa', (await run('G F p && G F q')).out);
  const { code, out } = await run('--hoa', 'given.hoa', '--format', 'text');
  expect(code).toBe(0);
  expect(out).toBe(`read:        3 states, 8 edges
generalised: 3 states, 8 edges, 1 acceptance sets
Büchi:       3 states, 8 edges
`);
  scratch.io.writeFile('broken.hoa', 'HOA: v1\nStates: two');
  const broken = await run('--hoa', 'broken.hoa');
  expect(broken.code).toBe(3);
  expect(broken.err).toContain('SPW3211');
  expect((await run('p', '--hoa', 'given.hoa')).code).toBe(64);
  expect((await run('--hoa', 'nowhere.hoa')).code).toBe(64);
});

test('errors', async () => {
  const bad = await run('G(p ->');
  expect(bad.code).toBe(3);
  expect(bad.err).toContain('SPW3202');
  expect((await run()).code).toBe(64);
  expect((await run('p', '--format', 'png')).code).toBe(64);
  const names = Array.from({ length: 40 }, (_, i) => `G F p${i}`).join(' && ');
  const large = await run(names);
  expect(large.code).toBe(3);
  expect(large.err).toContain('SPW3210');
});

test('the formulas of models as automata', async () => {
  const convert = async (...argv: string[]) => {
    const code = await runCli(['convert', ...argv], scratch.io);
    return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
  };
  scratch.io.writeFile(
    'toggle.pml',
    'bool on;\nactive proctype P() { do :: on = !on od }\nltl often { []<> on }\nltl safe { [] !on }\n',
  );
  const all = await convert('toggle.pml', '--to', 'hoa');
  expect(all).toMatchObject({ code: 0, err: '' });
  expect(all.out.match(/HOA: v1/g)).toHaveLength(2);
  expect(all.out).toContain('AP: 1 "on"');
  const never = await convert('toggle.pml', '--to', 'never', '--property', 'ltl:safe');
  expect(never.out).toContain(':: (on) -> goto accept_S1');
  const wrong = await convert('toggle.pml', '--to', 'hoa', '--property', 'ltl:ofen');
  expect(wrong.code).toBe(3);
  expect(wrong.err).toContain('did you mean ltl:often?');
});
