// Safety by structural induction.
//
// [QLive] 3.4: every initial state satisfies the formula (basis), every action from every disjunct leads into some disjunct (IS1, IS2), and
// no disjunct contains an unsafe state (3.1). Each obligation is "these facts and not this" without a solution. The facts are true of
// every concrete state of the case (situation.ts), and the cases are all that occur (cases.ts), so a proved obligation holds; what is
// accepted is an invariant. Where the proof with unknown sequences fails, known sequences of length 1 and 2 are split off; where that
// fails too, an example with concrete channels is looked for.

import type { Budget } from '../../base/budget.ts';
import { UNLIMITED } from '../../base/budget.ts';
import { satisfying } from '../concrete/state.ts';
import { after, allows, unsafety } from '../concrete/step.ts';
import { aliveStates, contains, containsEmpty } from '../language/language.ts';
import type { Action, ChannelEvent, Disjunct, Side } from '../model.ts';
import { channelOf, eventOf, other, SIDES } from '../model.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula } from '../solver/linear.ts';
import { and, not, or } from '../solver/linear.ts';
import type { InitialFailure } from './basis.ts';
import { initialFailures } from './basis.ts';
import type { ChannelCase } from './cases.ts';
import { CaseFinder } from './cases.ts';
import type { Example } from './examples.ts';
import { findExample } from './examples.ts';
import { executable } from './executable.ts';
import type { PreparedFormula } from './formula.ts';
import { sequencesOf } from './formula.ts';
import type { Reading } from './reading.ts';
import { atomsOf, enabledOf, lookIn } from './reading.ts';
import type { Situation } from './situation.ts';
import { operationOn, symbolicSituation } from './situation.ts';

export type Failure =
  | InitialFailure
  | {
      readonly kind: 'step';
      readonly disjunct: number;
      readonly action: Action;
      readonly example: Example | null;
    }
  | { readonly kind: 'deadlock'; readonly disjunct: number; readonly example: Example | null }
  | {
      readonly kind: 'reception';
      readonly disjunct: number;
      readonly receiver: Side;
      readonly type: number;
      readonly example: Example | null;
    };

export interface InductionResult {
  readonly failures: readonly Failure[];
  /** Obligations proved or failed: initial states, pairs of disjunct and action, unsafe states of disjuncts. */
  readonly obligations: number;
  /** Cases they were split into. */
  readonly cases: number;
  readonly outOfTime: boolean;
}

const CAPS = [1, 2, 3];

export class Induction {
  readonly formula: PreparedFormula;
  private readonly decider: Decider;
  private readonly finder: CaseFinder;
  private budget: Budget = UNLIMITED;
  private obligations = 0;
  private caseCount = 0;

  constructor(formula: PreparedFormula, decider: Decider) {
    this.formula = formula;
    this.decider = decider;
    this.finder = new CaseFinder(decider.timeLeft);
  }

  /** Stops after `maxFailures`; `progress` hears how many disjuncts are done. */
  async run(budget: Budget, maxFailures: number, progress: (done: number) => void): Promise<InductionResult> {
    this.budget = budget;
    const failures: Failure[] = await initialFailures(this.formula, this.decider);
    this.obligations += this.formula.protocol.initial.length;
    let outOfTime = !budget.timeLeft();
    for (let i = 0; i < this.formula.disjuncts.length && !outOfTime && failures.length < maxFailures; i++) {
      const found = await this.disjunct(i);
      outOfTime = !budget.timeLeft();
      // What was cut short failed for want of time, unless there is an example.
      failures.push(...(outOfTime ? found.filter(hasExample) : found));
      progress(i + 1);
    }
    return {
      failures: failures.slice(0, maxFailures),
      obligations: this.obligations,
      cases: this.caseCount,
      outOfTime,
    };
  }

  private async disjunct(index: number): Promise<Failure[]> {
    const failures: Failure[] = [];
    const source = this.formula.disjuncts[index]!;
    const { protocol } = this.formula;
    const deadlock = await this.deadlock(index, source);
    if (deadlock !== null) failures.push(deadlock);
    for (const side of SIDES) {
      for (let type = 0; type < protocol.alphabets[other(side)].length; type++) {
        const reception = await this.reception(index, source, side, type);
        if (reception !== null) failures.push(reception);
      }
      for (const action of protocol.machines[side].actions) {
        if (action.from !== source.control[side]) continue;
        const failure = await this.step(index, source, action);
        if (failure !== null) failures.push(failure);
      }
    }
    return failures;
  }

  /** All cases of an event in a disjunct, with the languages of these targets; null when there are too many. */
  situations(
    source: Disjunct,
    event: ChannelEvent | null,
    targets: readonly Disjunct[],
    cap: number,
  ): { situation: Situation; members: boolean[]; channels: readonly [ChannelCase, ChannelCase] }[] | null {
    const sequences = sequencesOf([source, ...targets]);
    const [first, second] = SIDES.map((channel) =>
      this.finder.cases(
        source.languages[channel],
        operationOn(channel, event),
        targets.map((target) => target.languages[channel]),
        sequences[channel].map((of) => of.types),
        cap,
      ),
    );
    if (!first || !second) return null;
    return first.flatMap((a) =>
      second.map((b) => ({
        situation: symbolicSituation(this.formula, event, sequences, [a, b], cap),
        members: targets.map((_, j) => a.members[j]! && b.members[j]!),
        channels: [a, b] as const,
      })),
    );
  }

  /** Is the question without a solution in every case, perhaps after splitting off short sequences? */
  private async refutes(
    source: Disjunct,
    event: ChannelEvent | null,
    targets: readonly Disjunct[],
    cap: number,
    question: (situation: Situation, members: readonly boolean[]) => Formula,
  ): Promise<boolean> {
    const situations = this.situations(source, event, targets, cap);
    if (situations === null) return false;
    for (const { situation, members } of situations) {
      if (!this.budget.timeLeft()) return false;
      this.caseCount++;
      const asked = question(situation, members);
      const { context } = situation;
      const decision = await this.decider.problem(context.facts, context.variables).solve(asked);
      if (decision.kind !== 'unsatisfiable') return false;
    }
    return true;
  }

  private async settle(
    source: Disjunct,
    event: ChannelEvent | null,
    targets: readonly Disjunct[],
    question: (situation: Situation, members: readonly boolean[]) => Formula,
    isExample: (example: Example) => boolean,
  ): Promise<{ readonly proved: boolean; readonly example: Example | null }> {
    this.obligations++;
    if (await this.refutes(source, event, targets, CAPS[0]!, question))
      return { proved: true, example: null };
    const example = await findExample(
      this.formula,
      this.decider,
      this.budget,
      source,
      event,
      sequencesOf([source, ...targets]),
      (situation, words) =>
        question(
          situation,
          targets.map((target) =>
            SIDES.every((channel) => contains(target.languages[channel], after1(words, channel, event))),
          ),
        ),
      isExample,
    );
    if (example !== null) return { proved: false, example };
    for (const cap of CAPS.slice(1)) {
      if (await this.refutes(source, event, targets, cap, question)) return { proved: true, example: null };
    }
    return { proved: false, example: null };
  }

  private async step(index: number, source: Disjunct, action: Action): Promise<Failure | null> {
    const { protocol, definitions, disjuncts } = this.formula;
    const event = eventOf(action);
    if (action.kind === 'receive' && !canBeginWith(source, channelOf(action), action.type)) {
      this.obligations++;
      return null;
    }
    const control: [number, number] =
      action.side === 0 ? [action.to, source.control[1]] : [source.control[0], action.to];
    const targets = this.formula.at(control).map((j) => disjuncts[j]!);
    const { proved, example } = await this.settle(
      source,
      event,
      targets,
      (situation, members) => {
        const reading = situation.after(action);
        return and([
          takes(source, action, situation, protocol.machines[action.side].registers.length),
          ...targets.flatMap((target, j) => (members[j] ? [not(atomsOf(target, reading))] : [])),
        ]);
      },
      ({ state, parameter }) =>
        satisfying(definitions, [source], state).length > 0 &&
        allows(action, state.registers[action.side], parameter) &&
        satisfying(definitions, disjuncts, after(state, action, parameter)).length === 0,
    );
    return proved ? null : { kind: 'step', disjunct: index, action, example };
  }

  private async deadlock(index: number, source: Disjunct): Promise<Failure | null> {
    if (!source.languages.every(containsEmpty)) return null;
    const { protocol, definitions } = this.formula;
    if (SIDES.every((side) => protocol.machines[side].final[source.control[side]])) return null;
    const sends = SIDES.flatMap((side) =>
      protocol.machines[side].actions.filter(
        (action) => action.kind === 'send' && action.from === source.control[side],
      ),
    );
    const empty: Disjunct = { ...source, languages: [ONLY_EMPTY(protocol, 0), ONLY_EMPTY(protocol, 1)] };
    const { proved, example } = await this.settle(
      empty,
      null,
      [],
      ({ before }) =>
        and([
          atomsOf(source, before),
          ...sends.map((action) => not(executable(action, registersOf(before, action.side, protocol)))),
        ]),
      ({ state }) =>
        satisfying(definitions, [source], state).length > 0 && unsafety(protocol, state)?.kind === 'deadlock',
    );
    return proved ? null : { kind: 'deadlock', disjunct: index, example };
  }

  private async reception(
    index: number,
    source: Disjunct,
    receiver: Side,
    type: number,
  ): Promise<Failure | null> {
    const { protocol, definitions } = this.formula;
    const channel = other(receiver);
    if (!canBeginWith(source, channel, type)) {
      this.obligations++;
      return null;
    }
    const event: ChannelEvent = { channel, kind: 'receive', type };
    const actions = protocol.machines[receiver].actions.filter(
      (action) =>
        action.kind === 'receive' && action.type === type && action.from === source.control[receiver],
    );
    const { proved, example } = await this.settle(
      source,
      event,
      [],
      ({ before, parameter }) => {
        const look = lookIn(registersOf(before, receiver, protocol), parameter);
        return and([atomsOf(source, before), not(or(actions.map((action) => enabledOf(action, look))))]);
      },
      ({ state }) => {
        const unsafe = unsafety(protocol, state);
        return (
          satisfying(definitions, [source], state).length > 0 && unsafe?.kind === 'unspecified reception'
        );
      },
    );
    return proved ? null : { kind: 'reception', disjunct: index, receiver, type, example };
  }
}

const hasExample = (failure: Failure): boolean =>
  failure.kind === 'initial' ? failure.state !== null : failure.example !== null;

/** Does some word of the channel's language begin with this type? */
export function canBeginWith({ languages }: Disjunct, channel: Side, type: number): boolean {
  const language = languages[channel];
  return aliveStates(language)[language.next[0]![type]!]!;
}

/** The source holds before, and the action is executable. */
export function takes(
  source: Disjunct,
  action: Action,
  { before, parameter }: Situation,
  registers: number,
): Formula {
  const own = Array.from({ length: registers }, (_, i) => before.register(action.side, i));
  return and([atomsOf(source, before), enabledOf(action, lookIn(own, parameter))]);
}

const registersOf = (reading: Reading, side: Side, protocol: PreparedFormula['protocol']) =>
  protocol.machines[side].registers.map((_, i) => reading.register(side, i));

function after1(
  words: readonly [readonly number[], readonly number[]],
  channel: Side,
  event: ChannelEvent | null,
): readonly number[] {
  if (event === null || event.channel !== channel) return words[channel];
  if (event.kind === 'look') return words[channel];
  return event.kind === 'send' ? [...words[channel], event.type] : words[channel].slice(1);
}

/** The language of the empty word: state 0 accepts, everything leads to the dead state 1. */
const ONLY_EMPTY = (protocol: PreparedFormula['protocol'], channel: Side): Disjunct['languages'][0] => {
  const row = protocol.alphabets[channel].map(() => 1);
  return { next: [row, row], accepting: [true, false], key: `!${row.join(',')};${row.join(',')}` };
};
