// The ways to an answer, each by itself, on random programs that are executed on all small inputs: what one of them gets wrong, the ones that come before it
// hide as a rule. SPILLWAY_FUZZ=N tries N programs of each kind.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atMost, type Budget, TimeOver, UNLIMITED } from '../../base/budget.ts';
import { auditProgram } from '../audit/audit.ts';
import { certificateOf, invariantsCertificate, unrollingCertificate } from '../audit/verdict.ts';
import { featurePrograms } from '../feature-programs.fuzz.ts';
import { cutInputs } from '../gcc-comparison.fuzz.ts';
import { heapPrograms } from '../heap-programs.fuzz.ts';
import { libraryPrograms } from '../library-programs.fuzz.ts';
import { Prober } from '../probe/reach.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Program } from '../program/program.ts';
import { recursiveNumbers } from '../recursive-numbers.fuzz.ts';
import { recursivePrograms } from '../recursive-programs.fuzz.ts';
import { smallPrograms } from '../small-programs.fuzz.ts';
import { isErrorLocation, programOf, runWith } from '../testing.ts';
import { wildPrograms } from '../wild-programs.fuzz.ts';
import { blockGraph } from './blocks.ts';
import { boundedSearch } from './bounded.ts';
import { InvariantSearch } from './invariants.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';
import { byAbstraction } from './testing.ts';
import { byUnrolling } from './unrolling.ts';
import { writeComponent } from './write.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 20);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 6);
const MILLISECONDS = 10_000;
/** Where it finds nothing it looks for as long as it may. */
const MILLISECONDS_OF_LAZY = 1_500;

type Said = { readonly run: Confirmed } | { readonly proved: boolean } | null;
type Way = (program: Program, isError: (location: number) => boolean, budget: Budget) => Promise<Said>;

const paths: Way = async (program, isError, budget) => {
  const oracle = new Oracle(budget);
  try {
    const run = await boundedSearch(blockGraph(program, isError), isError, oracle, budget);
    return run && { run };
  } finally {
    oracle.dispose();
  }
};

const unrolling: Way = async (program, isError, budget) => {
  const oracle = new Oracle(budget);
  try {
    const result = await byUnrolling(program, liveCells(program, []), isError, oracle, budget);
    if (result === null || 'run' in result) return result;
    const certificate = unrollingCertificate('assertions', result.proof);
    return { proved: (await auditProgram(program, isError, certificate, UNLIMITED)).kind === 'accepted' };
  } finally {
    oracle.dispose();
  }
};

const abstraction: Way = async (program, isError, budget) => {
  const result = await byAbstraction(program, isError, budget);
  if (result.kind === 'unknown') return null;
  if (result.kind === 'reachable') return result;
  const { proof } = result;
  if ('places' in proof) throw new Error('nothing was to be unrolled');
  const certificate =
    'invariants' in proof
      ? invariantsCertificate('assertions', proof)
      : certificateOf('assertions', [writeComponent('main', program, proof, () => [])]);
  return { proved: (await auditProgram(program, isError, certificate, UNLIMITED)).kind === 'accepted' };
};

const lazily: Way = async (program, isError, whole) => {
  const budget = atMost(whole, MILLISECONDS_OF_LAZY, () => performance.now());
  const oracle = new Oracle(budget);
  const isEnd = (location: number) => isError(location) || program.locations[location]!.kind === 'cut';
  try {
    const search = new InvariantSearch(program, isEnd, liveCells(program, []), oracle, budget);
    const proof = await search.lazily(budget);
    if (proof === null) return null;
    const certificate = invariantsCertificate('assertions', proof);
    return { proved: (await auditProgram(program, isError, certificate, UNLIMITED)).kind === 'accepted' };
  } catch (error) {
    if (error instanceof TimeOver) return null;
    throw error;
  } finally {
    oracle.dispose();
  }
};

const executions: Way = async (program, isError, budget) => {
  const run = new Prober(program, liveCells(program, []), isError).tryHarder(budget);
  return run && { run };
};

/** What inputs from 0 to 3 lead to. */
function outcomes(program: Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (let n = 0; n < 64; n++) found.add(runWith(program, [n & 3, (n >> 2) & 3, n >> 4].map(BigInt)).outcome);
  return found;
}

const WAYS = { 'short paths': paths, executions, abstraction, 'lazy abstraction': lazily, unrolling };
const KINDS = {
  small: smallPrograms,
  wild: wildPrograms,
  recursive: recursivePrograms,
  'recursive numbers': recursiveNumbers,
  features: featurePrograms,
  library: libraryPrograms,
  heaps: heapPrograms,
};
type Pair = readonly [keyof typeof WAYS, keyof typeof KINDS];

const ALL_PAIRS = (Object.keys(WAYS) as Pair[0][]).flatMap((way) =>
  (Object.keys(KINDS) as Pair[1][]).map((kind): Pair => [way, kind]),
);
const isUsual = ([way, kind]: Pair): boolean => kind === 'small' || (kind === 'wild' && way === 'unrolling');
const isLong = process.env['SPILLWAY_FUZZ'] !== undefined;
if (!isLong) console.log('left out: most kinds of programs; SPILLWAY_FUZZ=N tries N of each');

test.each(isLong ? ALL_PAIRS : ALL_PAIRS.filter(isUsual))(
  '%s of random programs: %s',
  { timeout: 0 },
  async (name, kind) => {
    const way = WAYS[name];
    const programs = KINDS[kind];
    const counts = { run: 0, proof: 0, nothing: 0 };
    const judge = async (text: string): Promise<void> => {
      const program = await programOf(text);
      const isError = (location: number) => isErrorLocation(program, location);
      const end = performance.now() + MILLISECONDS;
      const remaining = () => Math.max(0, end - performance.now());
      const said = await way(program, isError, { ...UNLIMITED, remaining, timeLeft: () => remaining() > 0 });
      counts[said === null ? 'nothing' : 'run' in said ? 'run' : 'proof']++;
      if (said === null) return;
      const real = outcomes(program);
      if ('run' in said) {
        expect(real).toContain('error');
        expect(said.run.edges[0]?.from).toBe(program.entry);
      } else {
        expect(said.proved).toBe(true);
        expect(real).not.toContain('error');
      }
    };
    await fc.assert(fc.asyncProperty(programs.map(cutInputs), judge), { numRuns: COUNT, seed: SEED });
    console.log(`${name} of ${COUNT} random programs, ${kind}: ${JSON.stringify(counts)}`);
  },
);
