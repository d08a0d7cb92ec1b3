// What a formula still owes along a path: the sets of formulas that can be owed, numbered, and what becomes of them in one step.

import { NumberedSets } from './cycle.ts';
import type { Literal, Node } from './unfold.ts';
import { literalsIn, unfold } from './unfold.ts';

export interface Payment {
  readonly next: number;
  /** The untils that are put off, as a number of `putOff`. */
  readonly putOff: number;
}

export interface Situation {
  readonly debt: number;
  readonly truth: ReadonlyMap<number, boolean>;
  /** By the name of the event; OTHER stands for all that the formula does not name. */
  readonly byEvent: Map<string, readonly Payment[]>;
}

/** No event of a model has an empty name. */
const OTHER = '';

/** The sets of formulas that can be owed, numbered (0: the formula itself), and what becomes of them in one step. */
export class Debts {
  readonly putOff = new NumberedSets();
  private readonly sets: (readonly Node[])[] = [];
  private readonly ids = new Map<string, number>();
  private readonly propositions: readonly number[];
  private readonly named: ReadonlySet<string>;
  private readonly nameOf: (id: number) => string;
  /** Per debt, by which propositions hold. */
  private readonly situations: Map<string, Situation>[] = [];

  /** `nameOf`: the name of an event. */
  constructor(root: Node, nameOf: (id: number) => string) {
    const idsOf = (wanted: Literal['kind']): number[] =>
      [...literalsIn(root).values()].flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    this.propositions = idsOf('proposition');
    this.named = new Set(idsOf('event').map(nameOf));
    this.nameOf = nameOf;
    this.number([root]);
  }

  private number(owed: readonly Node[]): number {
    const key = owed.map((node) => node.key).join(';');
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.sets.push(owed) - 1;
      this.ids.set(key, id);
    }
    return id;
  }

  /** What is owed, in a state with these propositions. */
  in(debt: number, holds: (proposition: number) => boolean): Situation {
    const known = (this.situations[debt] ??= new Map());
    let key = '';
    for (const id of this.propositions) key += holds(id) ? '1' : '0';
    let situation = known.get(key);
    if (situation === undefined) {
      const truth = new Map(this.propositions.map((id) => [id, holds(id)]));
      situation = { debt, truth, byEvent: new Map() };
      known.set(key, situation);
    }
    return situation;
  }

  /** All ways to pay in a step with this event. */
  paid({ debt, truth, byEvent }: Situation, event: string): readonly Payment[] {
    const name = this.named.has(event) ? event : OTHER;
    let result = byEvent.get(name);
    if (result === undefined) {
      const ways = unfold(this.sets[debt]!, ({ kind, id }) =>
        kind === 'event' ? this.nameOf(id) === name : truth.get(id)!,
      );
      result = ways.map(({ owed, putOff }) => ({
        next: this.number(owed),
        putOff: this.putOff.numberOf(putOff),
      }));
      byEvent.set(name, result);
    }
    return result;
  }
}
