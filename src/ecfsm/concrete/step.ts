// Steps of a protocol: which actions a state allows, with which parameters, and where they lead.

import type { Action, ActionVariable, Comparison, Linear, Protocol } from '../model.ts';
import { channelOf, SIDES } from '../model.ts';
import type { GlobalState, Message } from './state.ts';
import { allHold, sumOf } from './state.ts';

export interface ConcreteStep {
  readonly action: Action;
  readonly parameter: number;
  readonly next: GlobalState;
  /** Stands for the last so many steps, taken again so many times; the parameters grow by a slope per round. */
  readonly repeated?: { readonly steps: number; readonly times: number; readonly slopes: readonly number[] };
}

export interface Enabled {
  readonly steps: readonly ConcreteStep[];
  /** False when a message could be sent with more parameters than were tried, or a number became too large to be exact. */
  readonly complete: boolean;
}

const limits = new WeakMap<Protocol, number>();

/**
 * Numbers up to this one can be used with every factor of the protocol without losing precision. Concrete runs stay below it, so that what
 * they show is exact.
 */
export function exactUpTo(protocol: Protocol): number {
  let limit = limits.get(protocol);
  if (limit === undefined) {
    const factors = protocol.machines.flatMap(({ actions }) =>
      actions.flatMap(({ condition, updates }) =>
        [...condition.map(({ sum }) => sum), ...updates].flatMap(({ terms }) =>
          terms.map(([, factor]) => Math.abs(factor)),
        ),
      ),
    );
    limit = Math.floor(2 ** 47 / Math.max(1, ...factors));
    limits.set(protocol, limit);
  }
  return limit;
}

export const isExact = (protocol: Protocol, state: GlobalState): boolean => {
  const limit = exactUpTo(protocol);
  return state.registers.every((values) => values.every((value) => value <= limit));
};

/** Is the action executable with this parameter? (Not whether the message is at the head of the channel.) */
export function allows(action: Action, registers: readonly number[], parameter: number): boolean {
  const look = (variable: ActionVariable): number =>
    variable === 'parameter' ? parameter : registers[variable]!;
  return allHold(action.condition, look) && action.updates.every((update) => sumOf(update, look) >= 0);
}

export function after(state: GlobalState, action: Action, parameter: number): GlobalState {
  const { side } = action;
  const look = (variable: ActionVariable): number =>
    variable === 'parameter' ? parameter : state.registers[side][variable]!;
  const registers = action.updates.map((update) => sumOf(update, look));
  const channel = channelOf(action);
  const messages =
    action.silent !== null
      ? state.channels[channel]
      : action.kind === 'send'
        ? [...state.channels[channel], { type: action.type, parameter }]
        : state.channels[channel].slice(1);
  return {
    control: replaced(state.control, side, action.to),
    registers: replaced(state.registers, side, registers),
    channels: replaced(state.channels, channel, messages),
  };
}

const replaced = <T>(pair: readonly [T, T], at: 0 | 1, value: T): readonly [T, T] =>
  at === 0 ? [value, pair[1]] : [pair[0], value];

/** `tries`: how many parameters of a message to try where the condition leaves infinitely (or very) many. */
export function enabledSteps(protocol: Protocol, state: GlobalState, tries = 3): Enabled {
  const steps: ConcreteStep[] = [];
  let complete = true;
  const limit = exactUpTo(protocol);
  const take = (action: Action, parameter: number): void => {
    const next = after(state, action, parameter);
    if (parameter <= limit && isExact(protocol, next)) steps.push({ action, parameter, next });
    else complete = false;
  };
  for (const side of SIDES) {
    for (const action of protocol.machines[side].actions) {
      if (action.from !== state.control[side]) continue;
      if (action.kind === 'receive') {
        const head = headFor(state, action);
        if (head !== null && allows(action, state.registers[side], head.parameter))
          take(action, head.parameter);
        continue;
      }
      const range = parametersOf(action, state.registers[side]);
      if (action.silent === 'internal') range.to = Math.min(range.to, range.from);
      const last = Math.min(range.to, range.from + tries - 1);
      if (last < range.to) complete = false;
      for (let parameter = range.from; parameter <= last; parameter++) {
        if (allows(action, state.registers[side], parameter)) take(action, parameter);
      }
    }
  }
  return { steps, complete };
}

function headFor(state: GlobalState, action: Action): Message | null {
  const head = state.channels[channelOf(action)][0];
  return head !== undefined && head.type === action.type ? head : null;
}

/** The parameters the action can send with these registers: each condition bounds one side of an interval, exactly. */
export function parametersOf(action: Action, registers: readonly number[]): { from: number; to: number } {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  const nonNegative = action.updates.map(
    ({ terms, constant }): Comparison<ActionVariable> => ({
      relation: '<=',
      sum: { terms: terms.map(([variable, factor]) => [variable, -factor]), constant: -constant },
    }),
  );
  for (const { sum, relation } of [...action.condition, ...nonNegative]) {
    const factor = sum.terms.find(([variable]) => variable === 'parameter')?.[1] ?? 0;
    const rest = sumOf(withoutParameter(sum), (variable) => registers[variable as number]!);
    if (factor === 0) {
      if (rest > 0 || (relation === '=' && rest !== 0)) return { from: 1, to: 0 };
      continue;
    }
    // factor · n + rest <= 0
    if (factor > 0 || relation === '=') to = Math.min(to, Math.floor(-rest / factor));
    if (factor < 0 || relation === '=') from = Math.max(from, Math.ceil(-rest / factor));
  }
  return { from, to };
}

const withoutParameter = (sum: Linear<ActionVariable>): Linear<ActionVariable> => ({
  ...sum,
  terms: sum.terms.filter(([variable]) => variable !== 'parameter'),
});

export type Unsafe =
  | { readonly kind: 'deadlock' }
  | { readonly kind: 'unspecified reception'; readonly receiver: 0 | 1; readonly message: Message };

/** [QLive] 3.1: deadlock, or a head message its receiver has no executable action for. */
export function unsafety(protocol: Protocol, state: GlobalState): Unsafe | null {
  for (const receiver of SIDES) {
    const head = state.channels[receiver === 0 ? 1 : 0][0];
    if (head === undefined) continue;
    const receives = protocol.machines[receiver].actions.some(
      (action) =>
        action.kind === 'receive' &&
        action.from === state.control[receiver] &&
        action.type === head.type &&
        allows(action, state.registers[receiver], head.parameter),
    );
    if (!receives) return { kind: 'unspecified reception', receiver, message: head };
  }
  if (state.channels[0].length > 0 || state.channels[1].length > 0) return null;
  if (SIDES.every((side) => protocol.machines[side].final[state.control[side]])) return null;
  return canSend(protocol, state) ? null : { kind: 'deadlock' };
}

function canSend(protocol: Protocol, state: GlobalState): boolean {
  return SIDES.some((side) =>
    protocol.machines[side].actions.some((action) => {
      if (action.kind !== 'send' || action.from !== state.control[side]) return false;
      const { from, to } = parametersOf(action, state.registers[side]);
      return from <= to;
    }),
  );
}
