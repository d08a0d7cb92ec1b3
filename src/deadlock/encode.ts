// The linear necessary condition for a deadlock: theory.md section 9.
//
// In every component a unit flow from an initial state to the state it stands in at the end; equal counts of an event in all
// components that share it; for every event a component that stands in a state refusing it. Each run into a deadlock gives a
// solution, so no solution means no deadlock. Two strengthenings, also satisfied by every deadlock: end states lie in the
// narrowed domains, and the end states of a block are mixed from its stuck joint states (one weight for each).
//
// Columns:  x(component, edge), u(component, initial state) if several, z(component, end state), w(block, joint state); all ≥ 0.
// Rows:     flow(component, state)         [initial] + in − out − z = 0
//           start(component)               Σ u = 1                                  (several initial states only)
//           sync(event, participant)       Σ x of the first participant − Σ x of this one = 0
//           refusal(event)                 Σ z over the states that refuse it ≥ 1   (events without a block of their own)
//           mix(block, component, state)   Σ w − z = 0
//
// A component such as a controller of many clients has many events that are alike in it: they lead between the same states. In large
// systems their sync rows are added up and their columns in that component become one (see alike.ts). That is a consequence of the
// rows above, so it stays a necessary condition, and a multiplier of the sum is one of each row in it.

import { eachEdge, edgeCount, refuses, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import type { Problem, Term } from '../lp/problem.ts';
import { ProblemBuilder } from '../lp/problem.ts';
import type { EventGroups } from './alike.ts';
import { alikeEvents, NO_GROUPS } from './alike.ts';
import type { Block } from './blocks.ts';
import type { Domains } from './domains.ts';

/** Names a row in a way the checker understands without knowing how the problem was built. */
export type RowKey =
  | readonly ['flow', component: number, state: number]
  | readonly ['start', component: number]
  | readonly ['sync', event: number, participant: number]
  | readonly ['refusal', event: number]
  | readonly ['mix', block: number, component: number, state: number];

export interface SignedKey {
  readonly key: RowKey;
  readonly sign: 1n | -1n;
}

export interface Encoding {
  readonly problem: Problem;
  /** For each row of the problem the rows above that it is the sum of, each taken once or negated. */
  readonly keys: readonly (readonly SignedKey[])[];
  /** Column of z for each component and state, −1 outside the domain. */
  readonly ends: readonly Int32Array[];
  /** For each event the columns of its edges in one participant: their sum is how often it happens. */
  readonly counts: readonly (readonly number[])[];
}

/** Above so many edges in all, events that are alike are counted together. */
const MANY_EDGES = 5_000;

export function encode(
  system: System,
  blocks: readonly Block[],
  domains: Domains,
  grouped = isLarge(system),
): Encoding {
  const builder = new ProblemBuilder();
  const keys: (readonly SignedKey[])[] = [];
  const row: AddRow = (key, terms, lower, upper) => {
    builder.row(terms, lower, upper);
    keys.push(isRowKey(key) ? [{ key, sign: 1n }] : key);
  };
  const groups = grouped ? alikeEvents(system) : NO_GROUPS;
  const ends = domains.map((domain) =>
    Int32Array.from(domain, (flag) => (flag === 1 ? builder.column() : -1)),
  );
  const used = flowRows(system, groups, builder, ends, row);
  const counts = syncRows(system, groups, used, row);
  refusalRows(system, blocks, ends, row);
  blocks.forEach((block, index) => {
    mixRows(block, index, builder, ends, row);
  });
  const steps = counts.flat().map((column) => ({ column, coefficient: 1 }));
  return { problem: builder.build('minimise', steps), keys, ends, counts };
}

const isLarge = (system: System): boolean =>
  system.components.reduce((sum, structure) => sum + edgeCount(structure), 0) > MANY_EDGES;

type AddRow = (
  key: RowKey | readonly SignedKey[],
  terms: readonly Term[],
  lower: number,
  upper: number | null,
) => void;
const plus = (column: number): Term => ({ column, coefficient: 1 });
const minus = (column: number): Term => ({ column, coefficient: -1 });

const isRowKey = (key: RowKey | readonly SignedKey[]): key is RowKey => typeof key[0] === 'string';

/** The columns of edges: for each event and participant, and for each group of alike events in its hub. */
interface UsedColumns {
  readonly byEvent: readonly (readonly number[][])[];
  readonly byGroup: readonly number[][];
}

function flowRows(
  system: System,
  groups: EventGroups,
  builder: ProblemBuilder,
  ends: readonly Int32Array[],
  row: AddRow,
): UsedColumns {
  const byEvent: number[][][] = system.participants.map((participants) => participants.map(() => []));
  const byGroup: number[][] = groups.groups.map(() => []);
  system.components.forEach((structure, index) => {
    const states = stateCount(structure);
    const balance: Term[][] = Array.from({ length: states }, () => []);
    for (let state = 0; state < states; state++) {
      const shared = new Set<string>();
      eachEdge(structure, state, (local, target) => {
        const event = system.globalIds[index]![local]!;
        const single = system.participants[event]!.length === 1;
        const group = groups.groupOf[event] ?? -1;
        const grouped = group >= 0 && groups.groups[group]!.hub === index;
        if (single || grouped) {
          // One column for all of them between two states; a step of the component alone that changes nothing counts for nothing.
          const key = `${single ? 'own' : group} ${target}`;
          if ((single && target === state) || shared.has(key)) return;
          shared.add(key);
        }
        const column = builder.column();
        if (grouped) byGroup[group]!.push(column);
        else byEvent[event]![system.participants[event]!.indexOf(index)]!.push(column);
        balance[target]!.push(plus(column));
        balance[state]!.push(minus(column));
      });
    }
    const { initial } = structure;
    const starts = initial.length === 1 ? null : initial.map(() => builder.column());
    starts?.forEach((column, i) => {
      balance[initial[i]!]!.push(plus(column));
    });
    if (starts !== null) row(['start', index], starts.map(plus), 1, 1);
    balance.forEach((terms, state) => {
      const end = ends[index]![state]!;
      const entered = starts === null && state === initial[0] ? -1 : 0;
      row(['flow', index, state], end < 0 ? terms : [...terms, minus(end)], entered, entered);
    });
  });
  return { byEvent, byGroup };
}

/** Returns the columns that count each event. */
function syncRows(
  system: System,
  groups: EventGroups,
  { byEvent, byGroup }: UsedColumns,
  row: AddRow,
): readonly (readonly number[])[] {
  groups.groups.forEach(({ hub, events }, group) => {
    const others = events.flatMap((event) => byEvent[event]!.flat());
    // The sync row of an event is its first participant less its second; here it is the hub less the other.
    const keys = events.map((event): SignedKey => {
      const [first, second] = system.participants[event]!;
      return { key: ['sync', event, second!], sign: first === hub ? 1n : -1n };
    });
    row(keys, [...byGroup[group]!.map(plus), ...others.map(minus)], 0, 0);
  });
  return system.participants.map((participants, event) => {
    if ((groups.groupOf[event] ?? -1) >= 0) return byEvent[event]!.flat();
    const [first, ...others] = byEvent[event]!;
    others.forEach((columns, i) => {
      row(['sync', event, participants[i + 1]!], [...first!.map(plus), ...columns.map(minus)], 0, 0);
    });
    return first ?? [];
  });
}

function refusalRows(
  system: System,
  blocks: readonly Block[],
  ends: readonly Int32Array[],
  row: AddRow,
): void {
  const settled = new Set(blocks.map(({ components }) => components.join()));
  system.participants.forEach((participants, event) => {
    // Domains and blocks say it already, and more sharply.
    if (participants.length === 1 || settled.has(participants.join())) return;
    const terms: Term[] = [];
    participants.forEach((component, position) => {
      const local = system.localIds[event]![position]!;
      ends[component]!.forEach((column, state) => {
        if (column >= 0 && refuses(system.components[component]!, state, local)) terms.push(plus(column));
      });
    });
    row(['refusal', event], terms, 1, null);
  });
}

function mixRows(
  { components, stuck }: Block,
  block: number,
  builder: ProblemBuilder,
  ends: readonly Int32Array[],
  row: AddRow,
): void {
  const sums = components.map(() => new Map<number, Term[]>());
  for (const joint of stuck) {
    if (!components.every((component, i) => ends[component]![joint[i]!]! >= 0)) continue;
    const column = builder.column();
    components.forEach((_, i) => {
      const terms = sums[i]!.get(joint[i]!) ?? [];
      terms.push(plus(column));
      sums[i]!.set(joint[i]!, terms);
    });
  }
  components.forEach((component, i) => {
    ends[component]!.forEach((end, state) => {
      if (end < 0) return;
      row(['mix', block, component, state], [...(sums[i]!.get(state) ?? []), minus(end)], 0, 0);
    });
  });
}
