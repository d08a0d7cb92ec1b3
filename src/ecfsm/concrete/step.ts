// Steps of a protocol: which actions a state allows, with which parameters, and where they lead.

import type { Action, Protocol } from '../model.ts';
import { byReceiver, isDeferred, lookUp } from '../model.ts';
import { choicesOf } from './choices.ts';
import type { GlobalState, Message } from './state.ts';
import { allHold, sumOf } from './state.ts';

export interface ConcreteStep {
  readonly action: Action;
  readonly parameters: readonly number[];
  readonly next: GlobalState;
  /** Stands for the last so many steps, taken again so many times; every field of every step grows by a slope per round. */
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

/** Is the action executable with these parameters? (Not whether the message is at the head of the channel.) */
export function allows(action: Action, registers: readonly number[], parameters: readonly number[]): boolean {
  const look = lookUp(registers, parameters);
  return allHold(action.condition, look) && action.updates.every((update) => sumOf(update, look) >= 0);
}

export function after(state: GlobalState, action: Action, parameters: readonly number[]): GlobalState {
  const { side, channel } = action;
  const look = lookUp(state.registers[side]!, parameters);
  const registers = action.updates.map((update) => sumOf(update, look));
  return {
    control: state.control.with(side, action.to),
    registers: state.registers.with(side, registers),
    channels:
      action.silent !== null
        ? state.channels
        : state.channels.with(
            channel,
            action.kind === 'send'
              ? [...state.channels[channel]!, { type: action.type, parameters }]
              : state.channels[channel]!.slice(1),
          ),
  };
}

/** `tries`: how many values of a field to try where the condition leaves infinitely (or very) many. */
export function enabledSteps(protocol: Protocol, state: GlobalState, tries = 3): Enabled {
  const steps: ConcreteStep[] = [];
  let complete = true;
  const take = (action: Action, parameters: readonly number[]): void => {
    const step = exactStep(protocol, state, action, parameters);
    if (step === null) complete = false;
    else steps.push(step);
  };
  for (const [side, { actions }] of protocol.machines.entries()) {
    const registers = state.registers[side]!;
    for (const action of actions) {
      if (action.from !== state.control[side]) continue;
      if (action.kind === 'receive') {
        const head = headFor(state, action);
        if (head !== null && allows(action, registers, head.parameters)) take(action, head.parameters);
        continue;
      }
      const choices = choicesOf(action, registers, tries);
      complete &&= choices.complete;
      for (const parameters of choices.found) take(action, parameters);
    }
  }
  return { steps, complete };
}

/** Null where a number would get too large to be exact. */
function exactStep(
  protocol: Protocol,
  state: GlobalState,
  action: Action,
  parameters: readonly number[],
): ConcreteStep | null {
  const next = after(state, action, parameters);
  const limit = exactUpTo(protocol);
  const isFine = parameters.every((one) => one <= limit) && isExact(protocol, next);
  return isFine ? { action, parameters, next } : null;
}

/** The step that this action is with these parameters; null when the state does not allow it. */
export function stepWith(
  protocol: Protocol,
  state: GlobalState,
  action: Action,
  parameters: readonly number[],
): ConcreteStep | null {
  return canTake(state, action, parameters) ? exactStep(protocol, state, action, parameters) : null;
}

export function canTake(state: GlobalState, action: Action, parameters: readonly number[]): boolean {
  if (action.from !== state.control[action.side] || parameters.length !== action.fields) return false;
  if (action.kind === 'receive') {
    const head = headFor(state, action);
    if (head === null || head.parameters.some((value, field) => value !== parameters[field])) return false;
  }
  const areNumbers = parameters.every((one) => Number.isSafeInteger(one) && one >= 0);
  return areNumbers && allows(action, state.registers[action.side]!, parameters);
}

function headFor(state: GlobalState, action: Action): Message | null {
  const head = state.channels[action.channel]![0];
  return head !== undefined && head.type === action.type ? head : null;
}

export type Unsafe =
  | { readonly kind: 'deadlock' }
  | { readonly kind: 'unspecified reception'; readonly channel: number; readonly message: Message };

/**
 * [QLive] 3.1: a head message its receiver has no executable action for, unless it has to wait there; or a deadlock: whatever is in the channels has to wait,
 * and nobody can send. With every channel empty and every machine in a final state, that is an end.
 */
export function unsafety(protocol: Protocol, state: GlobalState): Unsafe | null {
  let goesOn = false;
  for (const channel of byReceiver(protocol)) {
    const { to } = protocol.channels[channel]!;
    const head = state.channels[channel]![0];
    if (head === undefined || isDeferred(protocol, state.control, channel)) continue;
    const receives = protocol.machines[to]!.actions.some(
      (action) =>
        action.kind === 'receive' &&
        action.channel === channel &&
        action.from === state.control[to] &&
        action.type === head.type &&
        allows(action, state.registers[to]!, head.parameters),
    );
    if (!receives) return { kind: 'unspecified reception', channel, message: head };
    goesOn = true;
  }
  if (goesOn || isEnd(protocol, state)) return null;
  return canSend(protocol, state) ? null : { kind: 'deadlock' };
}

const isEnd = ({ machines }: Protocol, { channels, control }: GlobalState): boolean =>
  channels.every((messages) => messages.length === 0) &&
  machines.every(({ final }, side) => final[control[side]!]);

/** Also where it is not known: a deadlock is claimed only for certain. Then the steps are not complete either (`enabledSteps`). */
function canSend({ machines }: Protocol, state: GlobalState): boolean {
  return machines.some(({ actions }, side) =>
    actions.some((action) => {
      if (action.kind !== 'send' || action.from !== state.control[side]) return false;
      const { found, complete } = choicesOf(action, state.registers[side]!, 1);
      return found.length > 0 || !complete;
    }),
  );
}
