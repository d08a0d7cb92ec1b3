// The flow system with the refinement's rows, homogeneous for rays, or with its constants for bounds: components that have dependencies get a column per elementary cycle, linked
// to the transitions; everything else stays a flow (theory: a component with dependencies is encoded by its cycles).

import type { Budget } from '../base/budget.ts';
import { potentialFromFlow, sparse } from '../certificate/find.ts';
import type { ExactVector, Outcome, ProblemBuilder, Term } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import type { NetCycle } from '../net/cycles.ts';
import { encodeFlow, type NetIndex } from '../net/encode-flow.ts';
import { type Component, componentOf, cycleKey, cyclesOfComponent } from './components.ts';
import type { CodeContext } from './context.ts';
import type { RefinedPotential } from './proof.ts';
import type { RayRow } from './rows.ts';

export interface RefinedSystem {
  readonly builder: ProblemBuilder;
  readonly components: readonly Component[];
  readonly cycles: readonly { readonly cycle: NetCycle; readonly column: number }[];
  readonly columnOf: ReadonlyMap<string, number>;
  /** Row numbers of links by transition, and of derived rows in order. */
  readonly linkRows: ReadonlyMap<number, number>;
  readonly rows: readonly { readonly row: RayRow; readonly number: number }[];
}

/** Null when a component has too many cycles. */
export function refinedSystem(
  kind: 'runs' | 'rays',
  index: NetIndex,
  context: CodeContext,
  rows: readonly RayRow[],
  alsoCycles: readonly NetCycle[],
  maxCycles: number,
  budget: Budget,
): RefinedSystem | null {
  const builder = encodeFlow(index, kind);
  const components = componentsFor(context, [
    ...rows.flatMap(({ cycle }) => cycle?.cycle ?? []),
    ...alsoCycles,
  ]);
  const cycles: { cycle: NetCycle; column: number }[] = [];
  const columnOf = new Map<string, number>();
  const linkRows = new Map<number, number>();
  for (const component of components) {
    const found = cyclesOfComponent(context, component, maxCycles - cycles.length, budget.timeLeft);
    if (found === null) return null;
    const through = new Map<number, Term[]>(
      component.transitions.map((transition) => [transition, [{ column: transition, coefficient: 1 }]]),
    );
    for (const cycle of found) {
      const column = builder.column();
      cycles.push({ cycle, column });
      columnOf.set(cycleKey(cycle.transitions), column);
      for (const transition of cycle.transitions) through.get(transition)!.push({ column, coefficient: -1 });
    }
    // At the end of a run each instance may be on its way through the component: a path that is no round yet.
    const unfinished = kind === 'rays' ? 0 : context.instances[component.class]!;
    for (const [transition, terms] of through) linkRows.set(transition, builder.row(terms, 0, unfinished));
  }
  const numbered = rows.map((row) => {
    const least = kind === 'rays' || row.constant === 0n ? 0 : -Number(row.constant);
    return { row, number: builder.row(termsOf(row, columnOf), least, null) };
  });
  return { builder, components, cycles, columnOf, linkRows, rows: numbered };
}

function termsOf(row: RayRow, columnOf: ReadonlyMap<string, number>): Term[] {
  const terms = [...row.coefficients].map(([column, coefficient]) => ({
    column,
    coefficient: Number(coefficient),
  }));
  if (row.cycle === null) return terms;
  const column = columnOf.get(cycleKey(row.cycle.cycle.transitions));
  if (column === undefined) throw new Error('impossible: a dependency of a cycle that has no column');
  return [...terms, { column, coefficient: Number(row.cycle.coefficient) }];
}

function componentsFor(context: CodeContext, cycles: readonly NetCycle[]): Component[] {
  const found = new Map<string, Component>();
  for (const cycle of cycles) {
    const component = componentOf(context, cycle.class, context.net.transitions[cycle.transitions[0]!]!.from);
    found.set(`${component.class}:${component.location}`, component);
  }
  return [...found.values()];
}

/** The multipliers of an optimum as a refined potential. */
export function refinedPotential(
  index: NetIndex,
  system: RefinedSystem,
  dual: ExactVector,
  added: ReadonlyMap<number, bigint>,
): RefinedPotential {
  const links: bigint[] = index.net.transitions.map(() => 0n);
  for (const [transition, row] of system.linkRows) links[transition] = dual.values[row]!;
  return {
    potential: potentialFromFlow(index, dual, added),
    links: sparse(links),
    components: system.components.map(({ class: netClass, location }) => ({ class: netClass, location })),
    rows: system.rows.flatMap(({ row, number }) => {
      const multiplier = dual.values[number]!;
      return multiplier === 0n ? [] : [{ claim: row.claim, multiplier }];
    }),
  };
}

/** The most of some columns that a ray can have, capped at one; progress transitions and given cycles excluded. */
export function solveFor(
  solver: Solver,
  index: NetIndex,
  system: RefinedSystem,
  goal: readonly number[],
  excluded: ReadonlySet<number>,
  budget: Budget,
): Outcome {
  const builder = system.builder.copy();
  for (const column of excluded) builder.columns[column] = { lower: 0, upper: 0 };
  index.net.transitions.forEach(({ progress }, column) => {
    if (progress) builder.columns[column] = { lower: 0, upper: 0 };
  });
  const terms = goal.map((column) => ({ column, coefficient: 1 }));
  builder.row(terms, null, 1);
  return solver.solve(builder.build('maximise', terms), { budget });
}
