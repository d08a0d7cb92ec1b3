// Certificates of every kind, changed in one place: as written, each change is refused. Sealed again by somebody who knows how, a changed
// one is refused, or its checker proves what it says now (a smaller marking, another weight that does as well), and that is true of the model.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { sealed } from '../base/digest.ts';
import type { CheckOptions } from '../engine/options.ts';
import { tampered } from '../testing/tampered.ts';
import type { CertificateDocument, PropertyResult } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';
import { languageFor } from './languages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const corpus = (path: string) => ({ path, text: readFileSync(`${root}/corpus/${path}`, 'utf8') });

const CLIENT = {
  path: 'client.pml',
  text: `mtype = { request, reply };
chan toServer = [3] of { mtype }; chan fromServer = [3] of { mtype };
active proctype client() {
  int x;
  do
  :: (x < 3) -> toServer!request; x++
  :: (x == 3) -> progress: fromServer?reply; x--
  od
}
active proctype server() { do :: toServer?request; fromServer!reply od }`,
};
const RING = {
  path: 'ring.pml',
  text: `#define N 3
chan link[N] = [2] of { bit };
bool busy;
proctype node(byte me) {
  do
  :: link[me]?1 -> assert(!busy); busy = true; progress: skip; busy = false; link[(me + 1) % N]!1
  od
}
init { byte i; atomic { do :: i < N -> run node(i); i++ :: else -> break od; link[0]!1 } }`,
};
const SMALL = {
  path: 'small.pml',
  text: `mtype = { ping, pong };
chan there = [1] of { mtype }; chan back = [1] of { mtype };
byte n;
active proctype a() { do :: there!ping; back?pong; n = 1; assert(n < 2) od }
active proctype b() { do :: there?ping; progress: back!pong od }`,
};
const ALONE = {
  path: 'alone.c',
  text: `#include <assert.h>
int main(void) { unsigned char c = 7; int n = 0; while (c) { c -= 3; n++; } assert(n == 173); return 0; }`,
};
const SORTED = {
  path: 'sorted.c',
  text: `#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j + 1 < 3 - i; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  for (int i = 0; i + 1 < 3; i++) assert(a[i] <= a[i + 1]);
  return 0;
}`,
};
const COUNT = {
  path: 'count.c',
  text: `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int tries = 0, connected = 0;
  while (!connected && tries < 2) { connected = __VERIFIER_nondet_int(); tries++; }
  if (tries > 2) reach_error();
  return 0;
}`,
};

/** Two variables in step, with so many values that nothing but the list of them says it. */
const PAIRS = {
  path: 'pairs.c',
  text: `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int s = 0, t = 0;
  while (__VERIFIER_nondet_int()) {
    if (s == 40) { s = 0; t = 0; } else { s++; t = t ^ s; }
  }
  if (s == 2 && t != 3) reach_error();
  return 0;
}`,
};

/** As deep as an input says. */
const DEEP = {
  path: 'deep.c',
  text: `extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int add(int m, int n) { if (n <= 0) return m; return add(m, n - 1) & 7; }
int main(void) { if (add(1, __VERIFIER_nondet_int()) > 7) reach_error(); return 0; }`,
};

/** Kind, model, property, options. */
const CASES: readonly [string, { path: string; text: string }, string, CheckOptions?][] = [
  ['potentials', SMALL, 'bounded'],
  ['potentials', corpus('machines/ping-pong.fsa'), 'bounded'],
  ['ranking', SMALL, 'livelock-free'],
  ['refined', CLIENT, 'bounded'],
  ['refined', CLIENT, 'livelock-free'],
  ['coverability', corpus('nets/readers-writers.spec'), 'bounded'],
  ['coverability', corpus('nets/never-begins.spec'), 'bounded'],
  ['marking-equation', corpus('nets/peterson.spec'), 'cover:target1'],
  ['marking-equation', corpus('nets/readers-writers.spec'), 'deadlock-free'],
  ['marking-equation', corpus('machines/three-ring.fsa'), 'deadlock-free'],
  ['marking-equation', SMALL, 'deadlock-free'],
  ['marking-equation', SMALL, 'assertions'],
  ['backward', corpus('nets/never-begins.spec'), 'cover:target1'],
  ['backward', RING, 'assertions'],
  ['deadlock-classes', corpus('kripke/section4.lks'), 'deadlock-free'],
  ['deadlock-linear', corpus('kripke/dpn.lks'), 'deadlock-free', { strategy: 'linear', defines: ['N=2'] }],
  ['composition', corpus('kripke/section4.lks'), 'ltl:d_with_r', { strategy: 'minimised' }],
  ['composition', corpus('kripke/parity.lks'), 'deadlock-free', { strategy: 'minimised' }],
  ['decision-diagrams', corpus('kripke/section4.lks'), 'deadlock-free', { strategy: 'symbolic' }],
  ['decision-diagrams', corpus('kripke/section4.lks'), 'ltl:c_leads_to_r', { strategy: 'symbolic' }],
  ['decision-diagrams', corpus('kripke/section4.lks'), 'ltl:d_with_r', { strategy: 'symbolic' }],
  ['ltl-classes', corpus('kripke/section4.lks'), 'ltl:c_leads_to_r'],
  ['reduced-search', corpus('kripke/dpn.lks'), 'deadlock-free', { strategy: 'reduced' }],
  ['reduced-search', corpus('kripke/dpn.lks'), 'ltl:neighbours', { strategy: 'reduced' }],
  ['c-contracts', DEEP, 'assertions'],
  ['c-invariants', COUNT, 'assertions'],
  ['c-states', PAIRS, 'assertions'],
  ['c-run', ALONE, 'assertions'],
  ['c-unrolling', SORTED, 'assertions'],
];
/** As docs/certificates.md names them. */
const KINDS = [
  ...['backward', 'c-contracts', 'c-invariants', 'c-run', 'c-states', 'c-unrolling'],
  ...['composition', 'coverability', 'deadlock-classes'],
  ...['deadlock-linear', 'decision-diagrams', 'ltl-classes', 'marking-equation', 'potentials', 'ranking'],
  ...['reduced-search', 'refined'],
];

const requestOf = ({ path, text }: { path: string; text: string }, options: CheckOptions = {}) => ({
  paths: [path],
  files: { read: (asked: string) => (asked === path ? text : null) },
  options,
  budget: UNLIMITED,
  observer: SILENT,
});

async function certificateOf(
  model: { path: string; text: string },
  property: string,
  options: CheckOptions = {},
): Promise<CertificateDocument | null> {
  // Where a program is small a search would be first.
  const few = { ...UNLIMITED, maxStates: model.path.endsWith('.pml') ? 1 : 100_000 };
  const report = await checkModel({ ...requestOf(model, options), properties: [property], budget: few });
  const [{ evidence }] = report.properties as [PropertyResult];
  return evidence?.kind === 'certificate' ? JSON.parse(JSON.stringify(evidence.certificate)) : null;
}

/** What may be said of the model: the claims of its true certificates, and bounds that no run exceeds. */
function isTrue(line: string, truths: ReadonlySet<string>, exact: ReadonlyMap<string, number>): boolean {
  const bound = /^(.*) never holds more than (\d+)$/.exec(line);
  if (bound !== null) return Number(bound[2]) >= (exact.get(bound[1]!) ?? Number.POSITIVE_INFINITY);
  return truths.has(withoutCounts(line)) || line.startsWith('no queue is claimed');
}
const withoutCounts = (line: string): string => line.replace(/ \(.*\)$/, '');

async function findTruths(model: { path: string; text: string }, options: CheckOptions) {
  const language = await languageFor(model.path, requestOf(model).files)!.load();
  const { properties } = await checkModel({
    ...requestOf(model, { ...options, allQueues: true, exact: true }),
    properties: [],
    budget: { ...UNLIMITED, maxStates: 100_000 },
  });
  const truths = new Set<string>();
  const exact = new Map<string, number>();
  for (const { id, verdict, queues = [] } of properties) {
    for (const { name, exact: most, bound } of queues) {
      const greatest = most ?? bound;
      if (greatest !== null) exact.set(name, greatest);
    }
    if (verdict !== 'proved' || id === 'bounded') continue;
    const certificate = await certificateOf(model, id, options);
    if (certificate === null) continue;
    const audited = await language.audit!(certificate, requestOf(model, options));
    if (audited.kind === 'accepted') for (const line of audited.says) truths.add(withoutCounts(line));
  }
  return { truths, exact };
}

/** Once for each model and its options. */
const truthsFound = new Map<string, ReturnType<typeof findTruths>>();
function truthsOf(model: { path: string; text: string }, options: CheckOptions) {
  const key = JSON.stringify([model.path, options]);
  const found = truthsFound.get(key) ?? findTruths(model, options);
  truthsFound.set(key, found);
  return found;
}

/** Changes of one certificate that are tried; all of them with SPILLWAY_FUZZ. */
const MOST = 8;

test('there is a case for each kind of certificate, and the docs name them all', () => {
  expect([...new Set(CASES.map(([kind]) => kind))].sort()).toEqual(KINDS);
  const page = readFileSync(`${root}/docs/certificates.md`, 'utf8');
  for (const kind of KINDS) expect(page).toContain(`\`${kind}\``);
});

describe('a certificate that was changed in one place', () => {
  const cases = CASES.map(([kind, model, property, options = {}]) => ({ kind, model, property, options }));
  test.each(cases)('$kind, $model.path, $property', async (one) => {
    const { kind, model, property, options } = one;
    const language = await languageFor(model.path, requestOf(model).files)!.load();
    const document = await certificateOf(model, property, options);
    expect(document?.kind).toBe(kind);
    const audit = (changed: unknown) =>
      language.audit!(changed as CertificateDocument, requestOf(model, options));
    expect((await audit(document)).kind).toBe('accepted');
    const { truths, exact } = await truthsOf(model, options);
    let refused = 0;
    let harmless = 0;
    const changes = [...tampered(document)];
    const stride = process.env.SPILLWAY_FUZZ ? 1 : Math.ceil(changes.length / MOST);
    for (const changed of changes.filter((_, index) => index % stride === 0)) {
      const where = JSON.stringify(changed).slice(0, 3_000);
      expect((await audit(changed)).kind, where).toBe('rejected');
      const forged = await audit(sealed(changed as CertificateDocument));
      if (forged.kind === 'accepted') {
        harmless++;
        for (const line of forged.says) expect(isTrue(line, truths, exact), `${line}\n${where}`).toBe(true);
      } else refused++;
    }
    expect(refused).toBeGreaterThan(harmless / 4);
    if (process.env.SPILLWAY_FUZZ)
      console.log(`${kind} ${property}: ${refused} refused, ${harmless} harmless`);
  });
});

// By itself each line of such an answer is true; but the property asks for all of them.
test.each([
  ['a.pnml', '<pnml><net id="n" type="ptnet"><place id="p"/><transition id="t"/></net></pnml>', 'bounds'],
  [
    'a.fsa',
    '.outputs A\n.state graph\nq0 1 ! m q1\n.marking q0\n.end\n.outputs B\n.state graph\nq0 0 ? m q1\n.marking q0\n.end',
    'queues',
  ],
])('%s: a certificate of bounds that leaves one out is rejected', async (path, text, list) => {
  const model = { path, text };
  const language = await languageFor(path, requestOf(model).files)!.load();
  const document = await certificateOf(model, 'bounded', {});
  const { seal: _, ...rest } = document as CertificateDocument & { seal: string };
  const audited = await language.audit!(
    sealed({ ...rest, [list]: [] }) as unknown as CertificateDocument,
    requestOf(model),
  );
  expect(audited).toMatchObject({ kind: 'rejected', reason: expect.stringContaining('gives no bound for') });
});
