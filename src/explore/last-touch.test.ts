import { expect, test } from 'vitest';
import { check } from '../api/api.ts';
import { findRun } from '../verdict/find-run.ts';

async function blockedIn(text: string) {
  const files = { read: (path: string) => (path === 'm.pml' ? text : null) };
  const report = await check({ model: 'm.pml', files, properties: ['deadlock-free'], threads: 0 });
  return findRun(report)!.blocked!;
}

const waitsOf = (blocked: Awaited<ReturnType<typeof blockedIn>>, process: string) =>
  blocked.processes.find((one) => one.process === process)!.waitsFor[0]!;

test('the circle goes through those who took what the others wait for', async () => {
  const blocked = await blockedIn(`chan a = [0] of { bit }; chan b = [0] of { bit };
active proctype forkA() { do :: a!1; a?1 od }
active proctype forkB() { do :: b!1; b?1 od }
active proctype alice() { do :: a?1; b?1; a!1; b!1 od }
active proctype bob() { do :: b?1; a?1; b!1; a!1 od }
`);
  expect(blocked.circularWait!.toSorted()).toEqual(['alice', 'bob']);
  expect(waitsOf(blocked, 'alice').helpers[0]).toMatchObject({ process: 'bob' });
  expect(waitsOf(blocked, 'alice').helpers[0]!.text).toMatch(/^took it in step \d, and is blocked itself$/);
});

test('a semaphore names who took it, its value, and what a sequence begins with', async () => {
  const blocked = await blockedIn(`byte sem = 1; bool go;
active proctype keeper() { d_step { sem == 1; sem = 0 }; go; sem = 1 }
active proctype waiter() { !go && sem == 0; d_step { sem == 1; sem = 0 }; go = true }
`);
  const wait = waitsOf(blocked, 'waiter');
  expect(wait.text).toBe('sem == 1 to become true (now sem is 0)');
  expect(wait.helpers[0]).toMatchObject({
    process: 'keeper',
    text: 'changed it in step 1, and is blocked itself',
  });
  expect(waitsOf(blocked, 'keeper').text).toContain('go is false');
});

test('a statement that is never executable is called so', async () => {
  const blocked = await blockedIn('active proctype p() { skip; false }\n');
  expect(waitsOf(blocked, 'p')).toMatchObject({ kind: 'never', statement: 'false', helpers: [] });
});

test('whoever is blocked inside an atomic sequence is among the blocked, with its own reason', async () => {
  const blocked = await blockedIn(`chan q = [1] of { bit };
active proctype inside() { atomic { skip; q?1 } }
active proctype other() { q?0 }
`);
  expect(waitsOf(blocked, 'inside').text).toBe('a message in q, which is empty');
  expect(waitsOf(blocked, 'other').kind).toBe('message');
});
