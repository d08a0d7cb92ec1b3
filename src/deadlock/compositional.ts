// Compositional deadlock detection by counterexample-guided refinement: [MAGIC] section 9, Fig. 8.
//
// Every component is lumped together by a partition, at first into one class. A deadlock of the composition shows as an
// abstract deadlock of the composed quotients: a configuration of classes where for every event some class contains a state
// that refuses it (Theorem 7). No abstract deadlock: proved. Otherwise its path is followed in each component alone
// (Theorem 6(3)); a component that cannot follow it, or that follows it but into no state that refuses all its class may
// refuse, is refined by splitting one class. Every split is strict, so the loop ends.
//
// Departures: all components that object to one counterexample are refined in the same round, after some rounds in all their classes. In the second case the paper
// splits by an event on which two *reached* states disagree; where only one state is reached there is no such event, and what is
// needed is an event that the class may refuse but a reached state does not: that one is used.

import type { Budget } from '../base/budget.ts';
import { refineUntilSettled } from '../base/cegar.ts';
import type { Classes } from '../kripke/audit/lump.ts';
import type { Path } from '../kripke/path.ts';
import { project } from '../kripke/path.ts';
import { Product } from '../kripke/product.ts';
import type { Partition } from '../kripke/quotient.ts';
import { coarsest, quotient, splitFurther } from '../kripke/quotient.ts';
import { concretise } from '../kripke/replay.ts';
import { breadthFirst, type Limit, type SearchResult } from '../kripke/search.ts';
import { simulate } from '../kripke/simulate.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { RefusalTable } from './refusals.ts';
import { abstractRefusals, refusals, refusesEvent } from './refusals.ts';

export interface CompositionalStats {
  readonly iterations: number;
  /** Classes of each component in the last round. */
  readonly classes: readonly number[];
  /** The largest number of configurations of quotients met in one round. */
  readonly largestProduct: number;
}

export type CompositionalResult =
  /** The classes are the proof. */
  | { readonly kind: 'free'; readonly classes: Classes; readonly stats: CompositionalStats }
  /** A concrete run into a deadlock. */
  | { readonly kind: 'deadlock'; readonly path: Path; readonly stats: CompositionalStats }
  | { readonly kind: 'limit'; readonly limit: Limit; readonly stats: CompositionalStats };

export function refineDeadlock(
  system: System,
  budget: Budget,
  report: (iterations: number, product: number) => void = () => {},
): CompositionalResult {
  const concrete = system.components.map(refusals);
  const partitions = system.components.map((component) => coarsest(component, []));
  let largestProduct = 0;
  /** Of the abstraction that was looked at last. */
  let classes: readonly number[] = [];
  const end = refineUntilSettled<Path, Settled>(
    {
      look: (round) => {
        const found = abstractDeadlock(system, partitions, concrete, budget);
        largestProduct = Math.max(largestProduct, found.states);
        classes = partitions.map(({ count }) => count);
        report(round, found.states);
        if (found.kind === 'limit') return { kind: 'answer', answer: { kind: 'limit', limit: found.limit } };
        if (found.kind !== 'none') return { kind: 'counterexample', counterexample: found.path };
        const proof = partitions.map(({ classOf }) => [...classOf]);
        return { kind: 'answer', answer: { kind: 'free', classes: proof } };
      },
      learn: (abstract, round) => {
        const finals = validate(system, partitions, concrete, abstract, round);
        if (finals === null) return { kind: 'refined' };
        const path = concretise(system, abstract.events, finals);
        if (path === null)
          throw new Error('impossible: every component follows the path, the composition does not');
        return { kind: 'answer', answer: { kind: 'deadlock', path } };
      },
    },
    { budget },
  );
  const stats = { iterations: end.rounds, classes, largestProduct };
  return end.kind === 'answer' ? { ...end.answer, stats } : { kind: 'limit', limit: 'time', stats };
}

type Settled = WithoutStats<CompositionalResult>;
type WithoutStats<T> = T extends unknown ? Omit<T, 'stats'> : never;

/** Refines every component that objects to the path; the concrete final states when none does. */
function validate(
  system: System,
  partitions: Partition[],
  concrete: readonly RefusalTable[],
  path: Path,
  round: number,
): readonly number[] | null {
  const finals: number[] = [];
  system.components.forEach((component, index) => {
    const partition = partitions[index]!;
    const local = project(system, path, index);
    const simulation = simulate(component, partition, local);
    const answer: Answer =
      simulation.kind === 'spurious'
        ? simulation
        : refusalAnswer(concrete[index]!, partition, local.states.at(-1)!, simulation.reached);
    if (answer.kind === 'agrees') finals.push(answer.state);
    else partitions[index] = splitFurther(component, partition, answer.split, round);
  });
  return finals.length === system.components.length ? finals : null;
}

type Answer =
  | { readonly kind: 'agrees'; readonly state: number }
  | { readonly kind: 'spurious'; readonly split: readonly number[] };

/** Does a reached state refuse all that its class may refuse? Else the states of the class to split off. */
function refusalAnswer(
  concrete: RefusalTable,
  partition: Partition,
  last: number,
  reached: readonly number[],
): Answer {
  const members = [...partition.classOf.keys()].filter((state) => partition.classOf[state] === last);
  let disputed = -1;
  for (const state of reached) {
    const lacking = firstLacking(concrete, members, state);
    if (lacking === null) return { kind: 'agrees', state };
    if (disputed < 0) disputed = lacking;
  }
  return { kind: 'spurious', split: members.filter((state) => refusesEvent(concrete, state, disputed)) };
}

/** An event that some member refuses but this state does not. */
function firstLacking(concrete: RefusalTable, members: readonly number[], state: number): number | null {
  for (let event = 0; event < concrete.events; event++) {
    if (refusesEvent(concrete, state, event)) continue;
    if (members.some((member) => refusesEvent(concrete, member, event))) return event;
  }
  return null;
}

/** Breadth first through the composed quotients for a configuration that may refuse everything. */
function abstractDeadlock(
  system: System,
  partitions: readonly Partition[],
  concrete: readonly RefusalTable[],
  budget: Budget,
): SearchResult {
  const abstract = compose(
    system.components.map((component, index) => quotient(component, partitions[index]!, [])),
  );
  const tables = concrete.map((table, index) => abstractRefusals(table, partitions[index]!));
  const product = new Product(abstract);
  return breadthFirst(product, budget, (state) =>
    mayRefuseAll(abstract, tables, product.configuration(state)),
  );
}

function mayRefuseAll(system: System, tables: readonly RefusalTable[], configuration: Int32Array): boolean {
  return system.participants.every((participants, event) =>
    participants.some((component, position) =>
      refusesEvent(tables[component]!, configuration[component]!, system.localIds[event]![position]!),
    ),
  );
}
