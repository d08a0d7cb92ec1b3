// Concrete global states and what holds in them: the semantics every proof and every refutation is measured by.
// [QLive] Definitions 2 and 3, section 3.1 (deadlock, unspecified reception), section 3.2 (atoms).

import { contains } from '../language/language.ts';
import type { Comparison, Disjunct, Linear, Protocol, StateVariable, Subsequence } from '../model.ts';
import { channelName, elementOf, keyOf, showMessage } from '../model.ts';
import type { Definitions } from '../sequence/definition.ts';
import type { Valuation } from './evaluate.ts';
import { evaluateSequence } from './evaluate.ts';

export interface Message {
  readonly type: number;
  /** One for each field. */
  readonly parameters: readonly number[];
}

export interface GlobalState {
  readonly control: readonly number[];
  readonly registers: readonly (readonly number[])[];
  /** The head is first. */
  readonly channels: readonly (readonly Message[])[];
}

export const stateKey = (state: GlobalState): string =>
  `${state.control.join(',')}|${state.registers.join('|')}|${state.channels
    .map((messages) => messages.map(({ type, parameters }) => `${type}:${parameters.join(',')}`).join(' '))
    .join('|')}`;

export function sumOf<V>(linear: Linear<V>, look: (variable: V) => number): number {
  return linear.terms.reduce((sum, [variable, factor]) => sum + factor * look(variable), linear.constant);
}

const compares = (value: number, relation: '<=' | '='): boolean =>
  relation === '=' ? value === 0 : value <= 0;

export const allHold = <V>(comparisons: readonly Comparison<V>[], look: (variable: V) => number): boolean =>
  comparisons.every(({ sum, relation }) => compares(sumOf(sum, look), relation));

export function subsequenceOf(state: GlobalState, of: Subsequence): number[] {
  return state.channels[of.channel]!.flatMap(({ type, parameters }) => elementOf(of, type, parameters) ?? []);
}

/** Judges states against disjuncts; values of a sequence are computed once per state. */
export class Judge {
  private readonly definitions: Definitions;
  private readonly state: GlobalState;
  private readonly known = new Map<string, Valuation>();

  constructor(definitions: Definitions, state: GlobalState) {
    this.definitions = definitions;
    this.state = state;
  }

  private valuation(of: Subsequence): Valuation {
    const key = keyOf(of);
    let known = this.known.get(key);
    if (known === undefined) {
      known = evaluateSequence(this.definitions, subsequenceOf(this.state, of));
      this.known.set(key, known);
    }
    return known;
  }

  private value(variable: StateVariable): number | null {
    return variable.kind === 'register'
      ? this.state.registers[variable.side]![variable.index]!
      : this.valuation(variable.of).value(variable.name);
  }

  relation(comparison: Comparison<StateVariable>): boolean {
    let sum = comparison.sum.constant;
    for (const [variable, factor] of comparison.sum.terms) {
      const value = this.value(variable);
      if (value === null) return true;
      sum += factor * value;
    }
    return Number.isNaN(sum) || compares(sum, comparison.relation);
  }

  satisfies(disjunct: Disjunct): boolean {
    const { control, channels } = this.state;
    return (
      disjunct.control.every((where, side) => where === control[side]) &&
      disjunct.languages.every((language, channel) =>
        contains(
          language,
          channels[channel]!.map((message) => message.type),
        ),
      ) &&
      disjunct.predicates.every((atom) => this.valuation(atom.of).holds(atom.predicate)) &&
      disjunct.relations.every((comparison) => this.relation(comparison))
    );
  }
}

export function satisfying(
  definitions: Definitions,
  invariant: readonly Disjunct[],
  state: GlobalState,
): number[] {
  const judge = new Judge(definitions, state);
  return invariant.flatMap((disjunct, i) => (judge.satisfies(disjunct) ? [i] : []));
}

/** `A@STA713 VM=3 VA=1 | A->B: MIP(2) MIP(3)` */
export function showState(protocol: Protocol, state: GlobalState): string {
  const machines = protocol.machines.map(({ name, states, registers }, side) => {
    const values = registers
      .map((register, i) => ` ${name}.${register}=${state.registers[side]![i]}`)
      .join('');
    return `${name}@${states[state.control[side]!]}${values}`;
  });
  const channels = protocol.channels.map(
    (_, channel) => `${channelName(protocol, channel)}: ${showMessages(protocol, channel, state)}`,
  );
  return [...machines, ...channels].join(' | ');
}

function showMessages(protocol: Protocol, channel: number, state: GlobalState): string {
  const messages = state.channels[channel]!;
  if (messages.length === 0) return 'empty';
  return messages.map(({ type, parameters }) => showMessage(protocol, channel, type, parameters)).join(' ');
}
