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
import {
  aliveStates,
  contains,
  containsEmpty,
  nonEmptyLanguage,
  onlyEmptyLanguage,
} from '../language/language.ts';
import type { Action, ChannelEvent, Disjunct } from '../model.ts';
import { controlAfter, eventOf, incoming, isDeferred, lookUp } from '../model.ts';
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
import { atomsOf, enabledOf } from './reading.ts';
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
      readonly channel: number;
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
/** Of all channels together; with more, nothing is claimed about the step. */
const MOST_CASES = 20_000;

export interface CaseOfEvent {
  readonly situation: Situation;
  /** Per target: can the words after the event be those of its channels? */
  readonly members: readonly boolean[];
  readonly channels: readonly ChannelCase[];
}

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
    for (const [side, { actions }] of protocol.machines.entries()) {
      for (const channel of incoming(protocol, side)) {
        if (isDeferred(protocol, source.control, channel)) continue;
        for (const type of protocol.alphabets[channel]!.keys()) {
          const reception = await this.reception(index, source, channel, type);
          if (reception !== null) failures.push(reception);
        }
      }
      for (const action of actions) {
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
  ): CaseOfEvent[] | null {
    const { protocol } = this.formula;
    const sequences = sequencesOf(protocol, [source, ...targets]);
    let combined: ChannelCase[][] = [[]];
    for (const [channel, language] of source.languages.entries()) {
      const cases = this.finder.cases(
        language,
        operationOn(channel, event),
        targets.map((target) => target.languages[channel]!),
        sequences[channel]!.map((of) => of.types),
        cap,
      );
      if (cases === null || combined.length * cases.length > MOST_CASES) return null;
      combined = combined.flatMap((soFar) => cases.map((one) => [...soFar, one]));
    }
    return combined.map((channels) => ({
      situation: symbolicSituation(this.formula, event, sequences, channels, cap),
      members: targets.map((_, j) => channels.every(({ members }) => members[j]!)),
      channels,
    }));
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
      sequencesOf(this.formula.protocol, [source, ...targets]),
      (situation, words) =>
        question(
          situation,
          targets.map((target) =>
            target.languages.every((language, channel) => contains(language, after1(words, channel, event))),
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
    if (action.kind === 'receive' && !canBeginWith(source, action.channel, action.type)) {
      this.obligations++;
      return null;
    }
    const targets = this.formula.at(controlAfter(source.control, action)).map((j) => disjuncts[j]!);
    const { proved, example } = await this.settle(
      source,
      event,
      targets,
      (situation, members) => {
        const reading = situation.after(action);
        return and([
          takes(source, action, situation, protocol.machines[action.side]!.registers.length),
          ...targets.flatMap((target, j) => (members[j] ? [not(atomsOf(target, reading))] : [])),
        ]);
      },
      ({ state, parameters }) => {
        const own = parameters.slice(0, action.fields);
        return (
          satisfying(definitions, [source], state).length > 0 &&
          allows(action, state.registers[action.side]!, own) &&
          satisfying(definitions, disjuncts, after(state, action, own)).length === 0
        );
      },
    );
    return proved ? null : { kind: 'step', disjunct: index, action, example };
  }

  private async deadlock(index: number, source: Disjunct): Promise<Failure | null> {
    const { protocol, definitions } = this.formula;
    const sends = protocol.machines.flatMap(({ actions }, side) =>
      actions.filter((action) => action.kind === 'send' && action.from === source.control[side]),
    );
    for (const stuck of this.whereNothingIsReceived(source)) {
      const { proved, example } = await this.settle(
        stuck,
        null,
        [],
        ({ before }) =>
          and([
            atomsOf(source, before),
            ...sends.map((action) => not(executable(action, registersOf(before, action.side, protocol)))),
          ]),
        ({ state }) =>
          satisfying(definitions, [source], state).length > 0 &&
          unsafety(protocol, state)?.kind === 'deadlock',
      );
      if (!proved) return { kind: 'deadlock', disjunct: index, example };
    }
    return null;
  }

  /**
   * The part of the disjunct in which only sending can go on: channels are empty, or what is in them has to wait. With every machine in a final state,
   * something must be waiting, in one channel at least.
   */
  private whereNothingIsReceived(source: Disjunct): Disjunct[] {
    const { protocol } = this.formula;
    const waits = source.languages.map((_, channel) => isDeferred(protocol, source.control, channel));
    if (source.languages.some((language, channel) => !waits[channel] && !containsEmpty(language))) return [];
    const languages = source.languages.map((language, channel) =>
      waits[channel] ? language : onlyEmptyLanguage(protocol.alphabets[channel]!.length),
    );
    if (!protocol.machines.every(({ final }, side) => final[source.control[side]!]))
      return [{ ...source, languages }];
    return languages.flatMap((language, channel) =>
      waits[channel] ? [{ ...source, languages: languages.with(channel, nonEmptyLanguage(language)) }] : [],
    );
  }

  private async reception(
    index: number,
    source: Disjunct,
    channel: number,
    type: number,
  ): Promise<Failure | null> {
    const { protocol, definitions } = this.formula;
    const receiver = protocol.channels[channel]!.to;
    if (!canBeginWith(source, channel, type)) {
      this.obligations++;
      return null;
    }
    const event: ChannelEvent = { channel, kind: 'receive', type };
    const actions = protocol.machines[receiver]!.actions.filter(
      (action) =>
        action.kind === 'receive' &&
        action.channel === channel &&
        action.type === type &&
        action.from === source.control[receiver],
    );
    const { proved, example } = await this.settle(
      source,
      event,
      [],
      ({ before, parameters }) => {
        const look = lookUp(registersOf(before, receiver, protocol), parameters);
        return and([atomsOf(source, before), not(or(actions.map((action) => enabledOf(action, look))))]);
      },
      ({ state }) => {
        const unsafe = unsafety(protocol, state);
        return (
          satisfying(definitions, [source], state).length > 0 && unsafe?.kind === 'unspecified reception'
        );
      },
    );
    return proved ? null : { kind: 'reception', disjunct: index, channel, type, example };
  }
}

const hasExample = (failure: Failure): boolean =>
  failure.kind === 'initial' ? failure.state !== null : failure.example !== null;

/** Does some word of the channel's language begin with this type? */
export function canBeginWith({ languages }: Disjunct, channel: number, type: number): boolean {
  const language = languages[channel]!;
  return aliveStates(language)[language.next[0]![type]!]!;
}

/** The source holds before, and the action is executable. */
export function takes(
  source: Disjunct,
  action: Action,
  { before, parameters }: Situation,
  registers: number,
): Formula {
  const own = Array.from({ length: registers }, (_, i) => before.register(action.side, i));
  return and([atomsOf(source, before), enabledOf(action, lookUp(own, parameters))]);
}

const registersOf = (reading: Reading, side: number, protocol: PreparedFormula['protocol']) =>
  protocol.machines[side]!.registers.map((_, i) => reading.register(side, i));

function after1(
  words: readonly (readonly number[])[],
  channel: number,
  event: ChannelEvent | null,
): readonly number[] {
  if (event === null || event.channel !== channel) return words[channel]!;
  if (event.kind === 'look') return words[channel]!;
  return event.kind === 'send' ? [...words[channel]!, event.type] : words[channel]!.slice(1);
}
