// Certificates that are changed: the audit must notice. (A state that is only made larger can leave a proof; such changes are counted.)

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { sealed } from '../../base/digest.ts';
import { checkC } from '../../check/testing.ts';
import type { CertificateDocument, PropertyResult } from '../../verdict/verdict.ts';
import { auditDocument } from '../audit-document.ts';
import { loadC } from '../load-c.ts';
import { byAbstraction } from '../reach/testing.ts';
import { writeComponent } from '../reach/write.ts';
import { isErrorLocation } from '../testing.ts';
import type { ComponentProof } from './proof.ts';
import { certificateOf } from './verdict.ts';

const COUNTERS = `extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0, flag = 0; int t[2] = {1, 2}; int *p = t;
  __VERIFIER_assume(n > 0 && n < 1000);
  while (sum < n) { sum++; if (__VERIFIER_nondet_int()) { p = t + 1; flag = 1; } *p = 3; }
  assert(sum == n); assert(flag == 0 || t[1] != 2 || p == t);
  return 0; }`;

const THREADS = `extern void lock(int), unlock(int), work(void); extern int __VERIFIER_nondet_int(void);
void worker(int me) { int busy = 0; for (;;) { lock(me); busy = 1; if (__VERIFIER_nondet_int()) work(); busy = 0; unlock(me); } }`;
const SPEC = `use "m.c"; event lock(1..2), unlock(1..2), work;
thread A = worker(1); thread B = worker(2);
component Lock { Free = ( lock[1] -> One | lock[2] -> Two ). One = ( unlock[1] -> Free ). Two = ( unlock[2] -> Free ). }
component Turn { Free = ( lock[1] -> Held ). Held = ( unlock[1] -> Free ). }
predicate a_busy in A: busy == 1; predicate b_busy in B: busy == 1;
assertions; conforms A to Turn; ltl exclusion { G !(a_busy && b_busy) } ltl turns { G (lock[1] -> (!lock[2] U unlock[1])) }
ltl before { (!a_busy U lock[1]) || G !a_busy }`;

/** The store goes through one of three pointers that are all the same, and that the points-to analysis does not know. */
const SAME = `extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); int x = 3;
int main(void) {
  int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 && n < 4);
  void *z = (void *)(long)n; int *p = (int)(long)z == n ? &x : (int *)z; int *a[3] = { p, p, p };
  *a[n % 3] = 5; assert(x != 3); return 0; }`;

/** The analysis sees that the address is one constant; by its form alone it could lie on two members at once. */
const ONE_PLACE = `extern int __VERIFIER_nondet_int(void); struct { int x, y; short z[2]; } s = {1, 5, {2, 3}}; int t[2] = {8, -9};
int main(void) {
  int a = __VERIFIER_nondet_int() & 3;
  ((int *)&s)[1 & __builtin_clz(t[1 & !a] | 8)] = 7; assert(s.CLAIM); return 0; }`;

const FILES: Readonly<Record<string, string>> = {
  'same.c': SAME,
  'place.c': ONE_PLACE.replace('CLAIM', 'z[1]'),
  'written.c': ONE_PLACE.replace('CLAIM', 'x == 1'),
  'c.c': COUNTERS,
  'm.c': THREADS,
  'm.spec': SPEC,
};
const files = { read: (path: string) => FILES[path] ?? null };
const request = { files, defines: [], includes: [], properties: [], budget: UNLIMITED, observer: SILENT };

/** A proof made of states, as the abstraction writes it: easier ways would settle it before. */
async function proofByStates(path: string): Promise<CertificateDocument> {
  const { loaded } = await loadC({ ...request, path });
  const { program } = loaded!;
  const result = await byAbstraction(program, (location) => isErrorLocation(program, location), UNLIMITED);
  if (result.kind !== 'unreachable' || 'places' in result.proof || 'invariants' in result.proof)
    throw new Error('no such proof');
  return certificateOf('assertions', [writeComponent('main', program, result.proof, () => [])]);
}

async function prove(path: string): Promise<readonly PropertyResult[]> {
  const { properties } = path.endsWith('.c')
    ? await checkC({ ...request, path })
    : await checkC({ ...request, path, monolithic: false, strategy: undefined });
  return properties;
}

/** Made once, for all tests. */
const made = new Map<string, Promise<readonly PropertyResult[]>>();
function proofs(path: string): Promise<readonly PropertyResult[]> {
  const known = made.get(path) ?? prove(path);
  made.set(path, known);
  return known;
}

async function audited(document: object, path: string): Promise<string> {
  const result = await auditDocument({ document, path, ...request });
  if (result.kind === 'errors') throw new Error('the program has errors');
  return result.result.kind;
}

type Changeable = { -readonly [Key in keyof ComponentProof]: ComponentProof[Key] };

/** One change to one component; false when there is nothing to change. */
const CHANGES: Readonly<Record<string, (component: Changeable, at: number) => boolean>> = {
  'a state loses what it leads to': (component, at) => {
    const steps = component.steps.filter((_, i) => i !== at);
    if (steps.length === component.steps.length) return false;
    component.steps = steps;
    return true;
  },
  'a state claims another value': (component, at) => {
    const state = component.states[at];
    if (state === undefined || state[1].length === 0) return false;
    const values = [...state[1]];
    values[1] = Number(values[1]) + 1;
    component.states = component.states.with(at, [state[0], values, state[2], state[3]]);
    return true;
  },
  'a state claims the opposite of a test': (component, at) => {
    const state = component.states[at];
    if (state === undefined || state[2].length === 0) return false;
    const test = `(not ${component.tests[state[2][0]!]})`;
    component.tests = [...component.tests, test];
    const held = state[2].with(0, component.tests.length - 1);
    component.states = component.states.with(at, [state[0], state[1], held, state[3]]);
    return true;
  },
  'a state is said to be elsewhere': (component, at) => {
    const state = component.states[at];
    if (state === undefined) return false;
    component.states = component.states.with(at, [state[0] + 1, state[1], state[2], state[3]]);
    return true;
  },
  'a state has other propositions': (component, at) => {
    const state = component.states[at];
    if (state === undefined) return false;
    const labels = state[3].length > 0 ? [] : ['a_busy'];
    component.states = component.states.with(at, [state[0], state[1], state[2], labels]);
    return true;
  },
  'there is no initial state': (component, at) => {
    component.initial = [];
    return at === 0;
  },
};

/** These weaken or strengthen a state, and can leave a proof. */
const WEAKEN: typeof CHANGES = {
  'a state forgets its values': (component, at) => {
    const state = component.states[at];
    if (state === undefined || state[1].length === 0) return false;
    component.states = component.states.with(at, [state[0], [], state[2], state[3]]);
    return true;
  },
  'a state forgets its tests': (component, at) => {
    const state = component.states[at];
    if (state === undefined || state[2].length === 0) return false;
    component.states = component.states.with(at, [state[0], state[1], [], state[3]]);
    return true;
  },
};

async function outcomes(
  certificate: CertificateDocument,
  path: string,
  changes: typeof CHANGES,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const components = certificate['components'] as readonly ComponentProof[];
  for (const [name, change] of Object.entries(changes))
    for (const [i, component] of components.entries()) {
      const stride = Math.ceil(
        component.states.length / (process.env['SPILLWAY_FUZZ'] === undefined ? 3 : 8),
      );
      for (let at = 0; at < component.states.length; at += stride) {
        const changed = { ...component };
        if (!change(changed, at)) continue;
        const result = await audited(
          sealed({ ...certificate, components: components.with(i, changed) }),
          path,
        );
        counts[`${name}: ${result}`] = (counts[`${name}: ${result}`] ?? 0) + 1;
      }
    }
  return counts;
}

async function certificatesOfStates(path: string): Promise<readonly CertificateDocument[]> {
  if (path === 'c.c') return [await proofByStates(path)];
  const all = await proofs(path);
  return all
    .filter(({ id }) => id !== 'ltl:turns' && id !== 'ltl:before')
    .map(({ evidence }) => {
      if (evidence?.kind !== 'certificate') throw new Error('no certificate');
      return evidence.certificate;
    });
}

describe.each(['c.c', 'm.spec'])('%s', (path) => {
  test('is proved, and the certificates are accepted', async () => {
    for (const { id, verdict, evidence } of await proofs(path)) {
      expect([id, verdict, evidence?.kind]).toEqual([id, 'proved', 'certificate']);
      if (evidence?.kind !== 'certificate') continue;
      const { certificate } = evidence;
      expect(await audited(JSON.parse(JSON.stringify(certificate)) as object, path)).toBe('accepted');
    }
  });

  test('no changed certificate passes that is none', { timeout: 3_600_000 }, async () => {
    for (const certificate of await certificatesOfStates(path)) {
      const counts = await outcomes(certificate, path, CHANGES);
      expect(Object.keys(counts).filter((key) => !key.endsWith('rejected'))).toEqual([]);
      expect(Object.keys(counts).length).toBeGreaterThanOrEqual(3);
      const weaker = await outcomes(certificate, path, WEAKEN);
      if (path === 'c.c') expect(weaker['a state forgets its tests: rejected']).toBeGreaterThan(0);
    }
  });
});

test('certificates of other programs and nonsense are refused', async () => {
  const [{ evidence }] = (await proofs('c.c')) as [PropertyResult];
  if (evidence?.kind !== 'certificate') throw new Error('no certificate');
  expect(await audited({ ...evidence.certificate, property: 'ltl:exclusion' }, 'm.spec')).toBe('rejected');
  for (const nonsense of [{}, { property: 'assertions' }, { property: 'assertions', kind: 'c-states' }])
    expect(await audited(nonsense, 'c.c')).toBe('rejected');
  for (const components of [
    null,
    [],
    [null],
    [{ name: 'main' }],
    [{ name: 'main', states: [[1]], steps: 3 }],
  ])
    expect(await audited({ ...evidence.certificate, components }, 'c.c')).toBe('rejected');
});

test('what is read at one of several places that hold the same is that', async () => {
  const [{ verdict, reasonCode }] = (await proofs('same.c')) as [PropertyResult];
  expect({ verdict, reasonCode }).toEqual({ verdict: 'proved', reasonCode: undefined });
});

test('a write whose address is one of the known places leaves what lies apart from these as it was', async () => {
  const verdictOn = async (path: string) => (await proofs(path))[0]?.verdict;
  expect(await verdictOn('place.c')).toBe('proved');
  expect(await verdictOn('written.c')).toBe('refuted');
});
