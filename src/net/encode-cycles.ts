// The papers' independent cycle system ([Ciclo] (3)–(5), (14)–(16), (25)–(28)): one column per effect vector of an elementary
// cycle, one row per place.
//
// Where it departs: classes of which a ray may start new instances (`growingClasses`) are not covered by cycles alone. The papers add
// replication transitions, which is coarser; we keep the flow columns and location rows of those classes, so the verdict is
// exactly that of the flow system, to which this system is equivalent: a circulation is a sum of elementary cycles.

import type { Term } from '../lp/problem.ts';
import { ProblemBuilder } from '../lp/problem.ts';
import { instanceLimits, pathExtremes } from './acyclic.ts';
import type { CycleLimits, NetCycle } from './cycles.ts';
import { classGraphs, cyclicTransitions, effectKey, growingClasses, netCycles } from './cycles.ts';
import type { NetIndex } from './encode-flow.ts';
import { stepOf } from './encode-flow.ts';
import type { Net } from './net.ts';

/** What a column counts. */
export type CycleColumn =
  /** Rounds of a cycle; `alternatives` are others with the same effect, which this column stands for as well. */
  | { readonly kind: 'cycle'; readonly cycle: NetCycle; readonly alternatives: readonly NetCycle[] }
  | { readonly kind: 'transition'; readonly transition: number };

export interface CycleEncoding {
  readonly builder: ProblemBuilder;
  readonly columns: readonly CycleColumn[];
  readonly cycles: readonly NetCycle[];
  readonly complete: boolean;
  readonly growing: ReadonlySet<number>;
  /** Row of a place, and of a location (flat) of a growing class. */
  readonly placeRow: (place: number) => number;
  readonly locationRow: ReadonlyMap<number, number>;
}

/** The homogeneous system. With `skip`, columns of cycles and transitions that are left out (progress, for livelock). */
export function encodeCycles(
  index: NetIndex,
  limits: CycleLimits,
  skip: (progress: boolean) => boolean = () => false,
): CycleEncoding {
  const { net } = index;
  const graphs = classGraphs(net);
  const growing = growingClasses(net, graphs);
  const { cycles, complete } = netCycles(net, limits, (netClass) => !growing.has(netClass), graphs);
  const columns: CycleColumn[] = groupByEffect(cycles.filter((cycle) => !skip(cycle.progress)));
  net.transitions.forEach((transition, number) => {
    if (growing.has(transition.class) && !skip(transition.progress))
      columns.push({ kind: 'transition', transition: number });
  });

  const locationRow = new Map<number, number>();
  for (const netClass of growing) {
    net.classes[netClass]!.locations.forEach((_, location) => {
      locationRow.set(index.offsets[netClass]! + location, net.places.length + locationRow.size);
    });
  }
  const builder = new ProblemBuilder();
  const rows: Term[][] = Array.from({ length: net.places.length + locationRow.size }, () => []);
  for (const column of columns) {
    const number = builder.column(0, null);
    for (const { column: row, coefficient } of changesOf(index, column)) {
      const target = row >= index.locations ? row - index.locations : locationRow.get(row);
      if (target !== undefined) rows[target]!.push({ column: number, coefficient });
    }
  }
  rows.forEach((terms, row) => {
    builder.row(terms, 0, net.places[row]?.kind === 'rendezvous' ? 0 : null);
  });
  return { builder, columns, cycles, complete, growing, placeRow: (place) => place, locationRow };
}

/** Changes over the rows of the flow system: flat locations, then places. */
function changesOf(index: NetIndex, column: CycleColumn): Term[] {
  if (column.kind === 'transition') return stepOf(index, column.transition);
  const { net, offsets, locations } = index;
  const terms: Term[] = [];
  for (const [spawned, count] of column.cycle.spawns)
    terms.push({ column: offsets[spawned]! + net.classes[spawned]!.initial, coefficient: count });
  for (const [place, change] of column.cycle.effect)
    terms.push({ column: locations + place, coefficient: change });
  return terms;
}

function groupByEffect(cycles: readonly NetCycle[]): CycleColumn[] {
  const groups = new Map<string, NetCycle[]>();
  for (const cycle of cycles) {
    const key = `${cycle.progress}|${effectKey(cycle.effect)}|${effectKey(cycle.spawns)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cycle]);
    else group.push(cycle);
  }
  return [...groups.values()].map(([cycle, ...alternatives]) => ({
    kind: 'cycle',
    cycle: cycle!,
    alternatives,
  }));
}

/** The gain of some places, over the columns. */
export function cycleGain(net: Net, columns: readonly CycleColumn[], places: ReadonlySet<number>): Term[] {
  const terms: Term[] = [];
  columns.forEach((column, number) => {
    const effect =
      column.kind === 'cycle'
        ? column.cycle.effect
        : net.transitions[column.transition]!.effect.map(({ place, change }) => [place, change] as const);
    let coefficient = 0;
    for (const [place, change] of effect) if (places.has(place)) coefficient += change;
    if (coefficient !== 0) terms.push({ column: number, coefficient });
  });
  return terms;
}

/** (14)–(16): the rows with the acyclic part's extremes. Null when some class grows: the papers give no bound then. */
export function encodeCycleBounds(
  index: NetIndex,
  encoding: CycleEncoding,
): { readonly builder: ProblemBuilder; readonly acyclic: readonly number[]; readonly exact: boolean } | null {
  const { net } = index;
  const graphs = classGraphs(net);
  if (encoding.growing.size > 0) return null;
  const limits = instanceLimits(net, encoding.growing, cyclicTransitions(net, graphs));
  const most = net.places.map((place) => place.initial);
  const least = net.places.map((place) => place.initial);
  let exact = true;
  graphs.forEach((graph, netClass) => {
    const extremes = pathExtremes(net, netClass, graph);
    exact &&= extremes.exact;
    for (const [place, change] of extremes.largest) most[place]! += limits[netClass]! * change;
    for (const [place, change] of extremes.smallest) least[place]! += limits[netClass]! * change;
  });
  const builder = new ProblemBuilder();
  for (const column of encoding.builder.columns) builder.column(column.lower, column.upper);
  encoding.builder.rows.forEach((row, place) => {
    const rendezvous = net.places[place]!.kind === 'rendezvous';
    builder.row(row.terms, 0 - most[place]!, rendezvous ? 0 - least[place]! : null);
  });
  return { builder, acyclic: most, exact };
}
