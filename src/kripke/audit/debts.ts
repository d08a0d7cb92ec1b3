// What a formula still owes along a path: the sets of formulas that can be owed, numbered, and what becomes of them in one step.

import { NumberedSets } from './cycle.ts';
import type { Node } from './unfold.ts';
import { literalsIn, unfold } from './unfold.ts';

export interface Payment {
  readonly next: number;
  /** The untils that are put off, as a number of `putOff`. */
  readonly putOff: number;
}

export interface Situation {
  readonly debt: number;
  readonly truth: ReadonlyMap<number, boolean>;
  readonly byEvent: Map<string, readonly Payment[]>;
}

/** The sets of formulas that can be owed, numbered (0: the formula itself), and what becomes of them in one step. */
export class Debts {
  readonly putOff = new NumberedSets();
  private readonly sets: (readonly Node[])[] = [];
  private readonly ids = new Map<string, number>();
  private readonly propositions: readonly number[];
  /** Per debt, by which propositions hold. */
  private readonly situations: Map<string, Situation>[] = [];

  constructor(root: Node) {
    this.propositions = [...literalsIn(root).values()].flatMap(({ kind, id }) =>
      kind === 'proposition' ? [id] : [],
    );
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
  paid(
    { debt, truth, byEvent }: Situation,
    event: string,
    nameOf: (id: number) => string,
  ): readonly Payment[] {
    let result = byEvent.get(event);
    if (result === undefined) {
      const ways = unfold(this.sets[debt]!, ({ kind, id }) =>
        kind === 'event' ? nameOf(id) === event : truth.get(id)!,
      );
      result = ways.map(({ owed, putOff }) => ({
        next: this.number(owed),
        putOff: this.putOff.numberOf(putOff),
      }));
      byEvent.set(event, result);
    }
    return result;
  }
}
