// What lies between a location and the next anchors, as one relation: the code in an order in which it leads forward, each location once. Where
// ways meet, the values are those of the way that was taken. Ways that do not exclude each other by their own tests are told apart by an
// unknown number, so that each of them is among what is checked.

import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { Execution } from './execute.ts';
import type { Formula, Formulas } from './formula.ts';
import { FIRST_UNKNOWN } from './formula.ts';

/** A way to an anchor, an error, or out of the model: when it is taken, and the values there. */
export interface Arrival {
  readonly at: number;
  readonly when: Formula;
  readonly values: ReadonlyMap<number, Formula>;
}

const CHOICE_WIDTH = 32;

/** What lies behind one location, and what several ways to it bring along. */
export class Ways {
  private readonly program: Program;
  private readonly formulas: Formulas;
  private readonly outgoing: readonly (readonly Edge[])[];
  private unknowns = 0n;

  constructor(program: Program, formulas: Formulas) {
    this.program = program;
    this.formulas = formulas;
    this.outgoing = outgoingEdges(program);
  }

  /** A value that nobody knows. */
  unknown(width: number): Formula {
    return this.formulas.variable(FIRST_UNKNOWN + this.unknowns++, width);
  }

  /** The edges that leave a location, by their numbers there, and where they arrive; those that cannot be taken are left out. */
  from({ at, when, values }: Arrival): readonly (readonly [edge: number, arrival: Arrival])[] {
    const { formulas } = this;
    const ways = this.outgoing[at]!.map((edge) => {
      const execution = new Execution(this.program, formulas, values, this.unknowns);
      execution.take(edge.operation);
      this.unknowns = execution.unknownsMade;
      return { edge, execution };
    });
    const [first, second] = ways;
    const areOpposite =
      ways.length === 2 &&
      first!.edge.operation.kind === 'assume' &&
      second!.edge.operation.kind === 'assume' &&
      isOpposite(formulas, first!.execution.conditions.at(-1)!, second!.execution.conditions.at(-1)!);
    const choice = ways.length < 2 || areOpposite ? null : this.unknown(CHOICE_WIDTH);
    return ways.flatMap(({ edge, execution }, i) => {
      const chosen =
        choice === null ? formulas.true : formulas.equal(choice, formulas.constant(BigInt(i), CHOICE_WIDTH));
      const taken = [when, chosen, ...execution.conditions].reduce((a, b) =>
        formulas.apply('conj', 0, [a, b]),
      );
      return taken === formulas.false
        ? []
        : [[i, { at: edge.to, when: taken, values: execution.after }] as const];
    });
  }

  joined(arrivals: readonly Arrival[]): Arrival {
    const { formulas, program } = this;
    return arrivals.reduce((a, b) => {
      const values = new Map<number, Formula>();
      for (const cell of new Set([...a.values.keys(), ...b.values.keys()])) {
        const { width } = program.cells[cell]!;
        const own = ({ values }: Arrival) => values.get(cell) ?? formulas.variable(BigInt(cell), width);
        values.set(cell, formulas.apply('ite', width, [b.when, own(b), own(a)]));
      }
      return { at: a.at, when: formulas.apply('disj', 0, [a.when, b.when]), values };
    });
  }
}

export class RegionReader {
  private readonly program: Program;
  private readonly formulas: Formulas;
  private readonly isAnchor: (location: number) => boolean;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly ways: Ways;

  constructor(program: Program, formulas: Formulas, isAnchor: (location: number) => boolean) {
    this.program = program;
    this.formulas = formulas;
    this.isAnchor = isAnchor;
    this.outgoing = outgoingEdges(program);
    this.ways = new Ways(program, formulas);
  }

  /** Everything that can be arrived at without passing an anchor in between; a text says that a loop passes none. */
  from(location: number, known: ReadonlyMap<number, Formula>): readonly Arrival[] | string {
    const order = this.order(location);
    if (typeof order === 'string') return order;
    const waiting = new Map<number, Arrival[]>();
    const ends: Arrival[] = [];
    this.leave({ at: location, when: this.formulas.true, values: known }, waiting, ends);
    for (const at of order) {
      const arrivals = waiting.get(at);
      if (arrivals === undefined) continue;
      waiting.delete(at);
      this.leave(this.ways.joined(arrivals), waiting, ends);
    }
    return ends;
  }

  private isEnd(location: number): boolean {
    return this.isAnchor(location) || this.program.locations[location]!.kind !== 'inner';
  }

  /** The locations behind this one and before the next ends, each after all that lead to it. */
  private order(start: number): readonly number[] | string {
    const state = new Map<number, 'open' | 'done'>();
    const done: number[] = [];
    const stack: { readonly at: number; next: number }[] = [{ at: start, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = this.outgoing[top.at]![top.next++];
      if (edge === undefined) {
        stack.pop();
        if (stack.length > 0) {
          state.set(top.at, 'done');
          done.push(top.at);
        }
        continue;
      }
      if (this.isEnd(edge.to)) continue;
      const seen = state.get(edge.to);
      if (seen === 'open' || edge.to === start) return `a loop at location ${edge.to} has no invariant`;
      if (seen === 'done') continue;
      state.set(edge.to, 'open');
      stack.push({ at: edge.to, next: 0 });
    }
    return done.reverse();
  }

  private leave(from: Arrival, waiting: Map<number, Arrival[]>, ends: Arrival[]): void {
    for (const [, arrival] of this.ways.from(from))
      if (this.isEnd(arrival.at)) ends.push(arrival);
      else waiting.set(arrival.at, [...(waiting.get(arrival.at) ?? []), arrival]);
  }
}

const REVERSED: Readonly<Record<string, string>> = { slt: 'sle', sle: 'slt', ult: 'ule', ule: 'ult' };

/** One holds exactly where the other does not: `a < b` and `b <= a`, too. */
const isOpposite = (formulas: Formulas, a: Formula, b: Formula): boolean =>
  a === formulas.not(b) || (REVERSED[a.op] === b.op && a.args[0] === b.args[1] && a.args[1] === b.args[0]);
