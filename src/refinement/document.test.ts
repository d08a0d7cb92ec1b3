// Refined certificates: every number changed in turn is rejected, or proves the same; what is derived from the code cannot be made up.

import { beforeAll, expect, test } from 'vitest';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { seal } from '../certificate/document.ts';
import { analyseLivelock } from '../livelock/analyse.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { buildNet } from '../net/build.ts';
import { programOf } from '../promela/testing.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { auditRefined } from './document.ts';
import { refineBoundedness } from './refine-boundedness.ts';
import { refineLivelock } from './refine-livelock.ts';

const MODEL = `mtype = { request, reply };
  chan toServer = [3] of { mtype }; chan fromServer = [3] of { mtype };
  int g;
  active proctype client() {
    int x;
    do
    :: (x < 3) -> toServer!request; x++
    :: (x == 3) -> progress: fromServer?reply; x--
    od
  }
  active proctype server() { do :: toServer?request; fromServer!reply od }
  active proctype p() { do :: atomic { g > 0 -> g-- } od }
  active proctype q() { do :: progress_q: g = 5 od }`;

let solver: Solver;
const program = programOf(MODEL);
const { net } = buildNet(program, { unfold: 'none' });
const documents: CertificateDocument[] = [];
beforeAll(async () => {
  solver = await loadSolver();
  const bounded = await refineBoundedness(program, net, await analyseBoundedness(net, { solver }), {
    solver,
  });
  const live = await refineLivelock(program, net, await analyseLivelock(net, { solver }), { solver });
  for (const { certificate } of [bounded, live]) documents.push(JSON.parse(JSON.stringify(certificate)));
});

function* mutants(document: CertificateDocument): Generator<{ path: string; mutant: CertificateDocument }> {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'number') paths.push(path);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
  };
  walk(document, []);
  for (const path of paths)
    for (const change of [1, -1, 1000]) {
      const mutant = JSON.parse(JSON.stringify(document));
      let parent = mutant;
      for (const key of path.slice(0, -1)) parent = parent[key];
      parent[path[path.length - 1]!] += change;
      yield { path: path.join('.'), mutant };
    }
}

test('both documents are accepted', async () => {
  expect(documents.map(({ kind }) => kind)).toEqual(['refined', 'refined']);
  for (const document of documents)
    expect(await auditRefined(document, program, net)).toMatchObject({ ok: true });
});

test('a changed number is rejected by the seal; sealed again it is rejected or proves the same', async () => {
  let rejected = 0;
  let harmless = 0;
  for (const document of documents) {
    const original = await auditRefined(document, program, net);
    for (const { path, mutant } of mutants(document)) {
      expect((await auditRefined(mutant, program, net)).ok, path).toBe(false);
      const again = await auditRefined(seal(mutant), program, net);
      if (!again.ok) rejected++;
      else {
        harmless++;
        expect(again, path).toEqual(original);
      }
    }
  }
  expect(rejected).toBeGreaterThan(2 * harmless);
});
