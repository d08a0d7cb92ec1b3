// Concrete global states and what holds in them: the semantics every proof and every refutation is measured by.
// [QLive] Definitions 2 and 3, section 3.1 (deadlock, unspecified reception), section 3.2 (atoms).

import { contains } from '../language/language.ts';
import type { Comparison, Disjunct, Linear, Protocol, Side, StateVariable, Subsequence } from '../model.ts';
import { keyOf, other } from '../model.ts';
import type { Definitions, Rule, RuleVariable } from '../sequence/definition.ts';
import { ELEMENT } from '../sequence/definition.ts';

export interface Message {
  readonly type: number;
  readonly parameter: number;
}

export interface GlobalState {
  readonly control: readonly [number, number];
  readonly registers: readonly [readonly number[], readonly number[]];
  /** Channel i runs from machine i to the other; the head is first. */
  readonly channels: readonly [readonly Message[], readonly Message[]];
}

export const stateKey = (state: GlobalState): string =>
  `${state.control.join(',')}|${state.registers.join('|')}|${state.channels
    .map((messages) => messages.map(({ type, parameter }) => `${type}:${parameter}`).join(' '))
    .join('|')}`;

/** The values of all functions and predicates on one sequence of parameters, computed from the definition. */
interface Valuation {
  readonly functions: ReadonlyMap<string, number | null>;
  readonly predicates: ReadonlyMap<string, boolean>;
}

export function evaluateSequence(definitions: Definitions, parameters: readonly number[]): Valuation {
  if (parameters.length === 0) {
    return {
      functions: new Map([...definitions.functions].map(([name, fn]) => [name, fn.empty])),
      predicates: new Map([...definitions.predicates].map(([name, predicate]) => [name, predicate.empty])),
    };
  }
  const first = (name: RuleVariable): number => (name === ELEMENT ? parameters[0]! : 0);
  let functions = new Map([...definitions.functions].map(([name, fn]) => [name, sumOf(fn.single, first)]));
  let predicates = new Map(
    [...definitions.predicates].map(([name, predicate]) => [name, allHold(predicate.single, first)]),
  );
  for (const parameter of parameters.slice(1)) {
    const [before, held] = [functions, predicates];
    const look = (name: RuleVariable): number => (name === ELEMENT ? parameter : before.get(name)!);
    functions = new Map(
      [...definitions.functions].map(([name, fn]) => [name, sumOf(matching(fn.snoc, look), look)]),
    );
    predicates = new Map(
      [...definitions.predicates].map(([name, predicate]) => {
        const body = matching(predicate.snoc, look);
        return [name, body.predicates.every((used) => held.get(used)!) && allHold(body.comparisons, look)];
      }),
    );
  }
  return { functions, predicates };
}

function matching<B>(rules: readonly Rule<B>[], look: (name: RuleVariable) => number): B {
  const rule = rules.find((candidate) => allHold(candidate.condition, look));
  if (rule === undefined) throw new Error('impossible: the rules of a definition cover all cases');
  return rule.body;
}

export function sumOf<V>(linear: Linear<V>, look: (variable: V) => number): number {
  return linear.terms.reduce((sum, [variable, factor]) => sum + factor * look(variable), linear.constant);
}

export const compares = (value: number, relation: '<=' | '='): boolean =>
  relation === '=' ? value === 0 : value <= 0;

export const allHold = <V>(comparisons: readonly Comparison<V>[], look: (variable: V) => number): boolean =>
  comparisons.every(({ sum, relation }) => compares(sumOf(sum, look), relation));

export function subsequenceOf(state: GlobalState, of: Subsequence): number[] {
  return state.channels[of.channel]
    .filter((message) => of.types.includes(message.type))
    .map((message) => message.parameter);
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
      ? this.state.registers[variable.side][variable.index]!
      : this.valuation(variable.of).functions.get(variable.name)!;
  }

  relation(comparison: Comparison<StateVariable>): boolean {
    let sum = comparison.sum.constant;
    for (const [variable, factor] of comparison.sum.terms) {
      const value = this.value(variable);
      if (value === null) return true;
      sum += factor * value;
    }
    return compares(sum, comparison.relation);
  }

  satisfies(disjunct: Disjunct): boolean {
    const { control, channels } = this.state;
    return (
      disjunct.control[0] === control[0] &&
      disjunct.control[1] === control[1] &&
      ([0, 1] as const).every((channel) =>
        contains(
          disjunct.languages[channel],
          channels[channel].map((message) => message.type),
        ),
      ) &&
      disjunct.predicates.every((atom) => this.valuation(atom.of).predicates.get(atom.predicate)!) &&
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
  const machines = ([0, 1] as const).map((side) => {
    const { name, states, registers } = protocol.machines[side];
    const values = registers
      .map((register, i) => ` ${name}.${register}=${state.registers[side][i]}`)
      .join('');
    return `${name}@${states[state.control[side]]}${values}`;
  });
  const channels = ([0, 1] as const).map(
    (channel) =>
      `${protocol.machines[channel].name}->${protocol.machines[other(channel)].name}: ${showMessages(protocol, channel, state)}`,
  );
  return [...machines, ...channels].join(' | ');
}

export function showMessages(protocol: Protocol, channel: Side, state: GlobalState): string {
  const messages = state.channels[channel];
  if (messages.length === 0) return 'empty';
  return messages
    .map(({ type, parameter }) => `${protocol.alphabets[channel][type]}(${parameter})`)
    .join(' ');
}
