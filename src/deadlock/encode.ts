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

import { eachEdge, refuses, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import type { Problem, Term } from '../lp/problem.ts';
import { ProblemBuilder } from '../lp/problem.ts';
import type { Block } from './blocks.ts';
import type { Domains } from './domains.ts';

/** Names a row in a way the checker understands without knowing how the problem was built. */
export type RowKey =
  | readonly ['flow', component: number, state: number]
  | readonly ['start', component: number]
  | readonly ['sync', event: number, participant: number]
  | readonly ['refusal', event: number]
  | readonly ['mix', block: number, component: number, state: number];

export interface Encoding {
  readonly problem: Problem;
  readonly keys: readonly RowKey[];
  /** Column of z for each component and state, −1 outside the domain. */
  readonly ends: readonly Int32Array[];
  /** For each event the columns of its edges in its first participant: their sum is how often it happens. */
  readonly counts: readonly (readonly number[])[];
}

export function encode(system: System, blocks: readonly Block[], domains: Domains): Encoding {
  const builder = new ProblemBuilder();
  const keys: RowKey[] = [];
  const row = (key: RowKey, terms: readonly Term[], lower: number, upper: number | null): void => {
    builder.row(terms, lower, upper);
    keys.push(key);
  };
  const ends = domains.map((domain) =>
    Int32Array.from(domain, (flag) => (flag === 1 ? builder.column() : -1)),
  );
  const used = flowRows(system, builder, ends, row);
  syncRows(system, used, row);
  refusalRows(system, blocks, ends, row);
  blocks.forEach((block, index) => {
    mixRows(block, index, builder, ends, row);
  });
  const counts = used.map((byParticipant) => byParticipant[0] ?? []);
  const steps = counts.flat().map((column) => ({ column, coefficient: 1 }));
  return { problem: builder.build('minimise', steps), keys, ends, counts };
}

type AddRow = (key: RowKey, terms: readonly Term[], lower: number, upper: number | null) => void;
const plus = (column: number): Term => ({ column, coefficient: 1 });
const minus = (column: number): Term => ({ column, coefficient: -1 });

/** For each event and participant the columns of its edges. */
function flowRows(
  system: System,
  builder: ProblemBuilder,
  ends: readonly Int32Array[],
  row: AddRow,
): readonly number[][][] {
  const used: number[][][] = system.participants.map((participants) => participants.map(() => []));
  system.components.forEach((structure, index) => {
    const states = stateCount(structure);
    const balance: Term[][] = Array.from({ length: states }, () => []);
    for (let state = 0; state < states; state++) {
      const alone = new Set<number>();
      eachEdge(structure, state, (local, target) => {
        const event = system.globalIds[index]![local]!;
        const position = system.participants[event]!.indexOf(index);
        // Events of the component alone synchronise with nobody: one column for all of them between two states will do.
        const single = system.participants[event]!.length === 1;
        if (single && (target === state || alone.has(target))) return;
        if (single) alone.add(target);
        const column = builder.column();
        used[event]![position]!.push(column);
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
  return used;
}

function syncRows(system: System, used: readonly number[][][], row: AddRow): void {
  system.participants.forEach((participants, event) => {
    const [first, ...others] = used[event]!;
    others.forEach((columns, i) => {
      row(['sync', event, participants[i + 1]!], [...first!.map(plus), ...columns.map(minus)], 0, 0);
    });
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
