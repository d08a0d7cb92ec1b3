// What the analyses say of all runs, against single runs of random programs: every address that is used is one the points-to analysis has, and
// every state that is met lies in a state of the certificate. This looks at what the audit trusts, and at the audit's own idea of C.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { Formulas } from './audit/formula.ts';
import type { ComponentProof } from './audit/proof.ts';
import { readTest } from './audit/proof.ts';
import { stretchesOf } from './audit/stretches.ts';
import type { UnrollingProof } from './audit/unrolling.ts';
import { detourPrograms } from './detour-programs.fuzz.ts';
import { featurePrograms } from './feature-programs.fuzz.ts';
import type { Expr } from './program/expr.ts';
import { type Interpreter, outgoingEdges } from './program/interpreter.ts';
import type { Edge, Program, Site } from './program/program.ts';
import { cellAt, objectAt } from './program/program.ts';
import { reach } from './reach/cegar.ts';
import { writeComponent } from './reach/write.ts';
import { smallPrograms } from './small-programs.fuzz.ts';
import { isErrorLocation, programOf, watchRun } from './testing.ts';
import { wildPrograms } from './wild-programs.fuzz.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 24);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 31);
const INPUTS = Array.from({ length: 64 }, (_, n) => [n & 3, (n >> 2) & 3, n >> 4].map(BigInt));

interface Access {
  readonly site: Site;
  readonly address: bigint;
  readonly width: number;
  readonly isStore: boolean;
}

function accessesOf(program: Program, machine: Interpreter, { operation }: Edge): Access[] {
  const found: Access[] = [];
  const visit = (expr: Expr): void => {
    if (!expr.hasLoad) return;
    for (const arg of expr.args) visit(arg);
    if (expr.op !== 'load') return;
    const site = program.sites[Number(expr.value) - 1]!;
    found.push({ site, address: machine.evaluate(expr.args[0]!), width: expr.width, isStore: false });
  };
  if (operation.kind === 'assign' || operation.kind === 'store') visit(operation.value);
  if (operation.kind === 'assume' || operation.kind === 'defined') visit(operation.test);
  if (operation.kind === 'store') {
    visit(operation.address);
    const address = machine.evaluate(operation.address);
    found.push({ site: operation.site, address, width: operation.value.width, isStore: true });
  }
  return found;
}

function isForeseen({ objects }: Program, { site, address, width, isStore }: Access): boolean {
  const exact = cellAt(objects, address, width);
  const isKnown = exact !== null && site.cells.includes(exact);
  if (!isStore) return isKnown || site.vague;
  const end = address + BigInt(width / 8);
  const touched = [...(objectAt(objects, address)?.cells.values() ?? [])].filter(
    (cell) => cell !== exact && cell.address < end && address < cell.address + BigInt(cell.width / 8),
  );
  const blurred = (cell: (typeof touched)[0]) => site.blurred.includes(cell);
  return (isKnown || (site.vague && (exact === null || blurred(exact)))) && touched.every(blurred);
}

test(`no run of ${RUNS} random programs uses an address that was not foreseen`, { timeout: 0 }, async () => {
  let accesses = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(wildPrograms, smallPrograms, detourPrograms, featurePrograms), async (text) => {
      const program = await programOf(text);
      for (const inputs of INPUTS)
        watchRun(
          program,
          inputs,
          (machine, edge) => {
            let found: Access[] = [];
            try {
              found = accessesOf(program, machine, edge);
            } catch {
              return null; // Undefined: the edge is not taken either.
            }
            return () => {
              accesses += found.length;
              if (!found.every((access) => isForeseen(program, access))) expect.fail(text);
            };
          },
          () => {},
        );
    }),
    { numRuns: RUNS, seed: SEED },
  );
  console.log(`addresses in runs of random programs: ${accesses}`);
  expect(accesses).toBeGreaterThan(RUNS);
});

/** Does the machine's state lie in one of the proof's states at its location? */
function membership(program: Program, proof: ComponentProof): (machine: Interpreter) => boolean {
  const formulas = new Formulas();
  const tests = proof.tests.map((text) => readTest(text, program, formulas)!);
  const stretches = stretchesOf(program, new Set(), (location) => isErrorLocation(program, location));
  const isCut = (location: number) =>
    stretches[location]!.size > 0 || program.locations[location]!.kind !== 'inner';
  const at = new Map<number, ComponentProof['states'][number][]>();
  for (const state of proof.states) at.set(state[0], [...(at.get(state[0]) ?? []), state]);
  return (machine) => {
    const states = at.get(machine.location);
    if (states === undefined) return !isCut(machine.location);
    const valueIn = (cell: number) => machine.value(program.cells[cell]!);
    return states.some(
      ([, values, held]) =>
        values.every((cell, i) => i % 2 === 1 || valueIn(Number(cell)) === BigInt(values[i + 1]!)) &&
        held.every(
          (test) =>
            formulas.substitute(tests[test]!, ({ value, width }) =>
              formulas.constant(valueIn(Number(value)), width),
            ) === formulas.true,
        ),
    );
  };
}

/** Does a run stay in the unrolled graph? Asked at every step. */
function following(program: Program, { places }: UnrollingProof): (machine: Interpreter) => boolean {
  const outgoing = outgoingEdges(program);
  let at: readonly number[] | undefined;
  return ({ location }) => {
    const before = at;
    const taken = before === undefined ? -1 : outgoing[before[0]!]!.findIndex(({ to }) => to === location);
    at = before === undefined ? places[0] : places[before[taken + 1]!];
    return at === undefined ? program.locations[location]!.kind === 'end' : at[0] === location;
  };
}

/** Among the first eight is one with states. */
const PROOFS = Math.max(8, Math.ceil(RUNS / 3));

test(`every state met in runs of ${PROOFS} random programs lies in the proof`, { timeout: 0 }, async () => {
  const counts = { proofs: 0, byInvariants: 0, states: 0, unrolled: 0 };
  await fc.assert(
    fc.asyncProperty(smallPrograms, async (text) => {
      // All of them are done within seconds: this only ends what hangs.
      const end = performance.now() + 600_000;
      const budget = {
        ...UNLIMITED,
        timeLeft: () => performance.now() < end,
        remaining: () => end - performance.now(),
      };
      const program = await programOf(text);
      const isError = (location: number) => isErrorLocation(program, location);
      for (const unrolling of [true, false]) {
        const result = await reach(
          program,
          isError,
          budget,
          SILENT,
          {},
          { paths: true, guesses: true, unrolling, lazy: unrolling },
        );
        if (result.kind !== 'unreachable') return;
        const { proof } = result;
        // Invariants at the heads of loops say nothing of single states.
        if ('invariants' in proof) {
          counts.byInvariants++;
          return;
        }
        if ('places' in proof) counts.unrolled++;
        else counts.proofs++;
        for (const inputs of INPUTS) {
          const lies =
            'places' in proof
              ? following(program, proof)
              : membership(
                  program,
                  writeComponent('main', program, proof, () => []),
                );
          const arrive = (machine: Interpreter) => {
            counts.states++;
            expect(lies(machine)).toBe(true);
          };
          watchRun(program, inputs, () => null, arrive);
        }
      }
    }),
    { numRuns: PROOFS, seed: SEED },
  );
  console.log(`states in runs against proofs: ${JSON.stringify(counts)}`);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});
