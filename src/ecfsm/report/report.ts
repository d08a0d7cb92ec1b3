// Results in the words of a person: runs as evidence, failed steps with their example states, ways to a goal.

import { startOf } from '../../source/source.ts';
import type { Change, Run, Step } from '../../verdict/run.ts';
import type { Note } from '../../verdict/verdict.ts';
import type { ConcreteRun } from '../concrete/explore.ts';
import type { GlobalState } from '../concrete/state.ts';
import { Judge, showState } from '../concrete/state.ts';
import type { ConcreteStep, Unsafe } from '../concrete/step.ts';
import { after } from '../concrete/step.ts';
import { contains } from '../language/language.ts';
import { showRegex } from '../language/regex.ts';
import type { LivenessResult } from '../liveness/live.ts';
import { wayFrom } from '../liveness/live.ts';
import type { Action, Disjunct, Model, Protocol } from '../model.ts';
import { channelName, deedOf, receptionName, showMessage } from '../model.ts';
import type { Failure } from '../safety/induction.ts';
import { advice } from './advice.ts';
import { showComparison, showPredicate } from './print.ts';

export function toRun(protocol: Protocol, run: ConcreteRun, title: string): Run {
  let state = run.start;
  const steps = run.steps.map(({ action, parameters, next, repeated }): Step => {
    if (repeated !== undefined) {
      const before = state;
      state = next;
      return repetitionStep(protocol, before, next, repeated);
    }
    const changes = changesBetween(protocol, state, next);
    state = next;
    return {
      actors: [action.side],
      text: `${action.name}: ${deedOf(protocol, action, parameters)}`,
      at: startOf(action.span),
      events: action.silent === null ? [eventShown(protocol, action, parameters)] : [],
      changes,
      choice: [action.side, protocol.machines[action.side]!.actions.indexOf(action), ...parameters],
    };
  });
  return {
    title,
    actors: protocol.machines.map((machine) => machine.name),
    queues: protocol.channels.map((_, channel) => ({ name: channelName(protocol, channel), capacity: null })),
    initial: valuesOf(protocol, run.start),
    steps,
    loopStart: null,
  };
}

const eventShown = (
  protocol: Protocol,
  { kind, channel, type }: Action,
  parameters: readonly number[],
): Step['events'][number] => ({
  kind,
  queue: channelName(protocol, channel),
  message: showMessage(protocol, channel, type, parameters),
});

/** `choice`: −1, how many steps, how often, and how much each field of each step grows per round. */
function repetitionStep(
  protocol: Protocol,
  before: GlobalState,
  next: GlobalState,
  { steps, times, slopes }: NonNullable<ConcreteStep['repeated']>,
): Step {
  const which = steps === 1 ? 'this step' : `these ${steps} steps`;
  return {
    actors: [...protocol.machines.keys()],
    text: `${which} ${times.toLocaleString('en')} times more`,
    at: null,
    events: [],
    changes: changesBetween(protocol, before, next),
    choice: [-1, steps, times, ...slopes],
  };
}

function valuesOf(protocol: Protocol, state: GlobalState): Change[] {
  return protocol.machines.flatMap(({ name, states, registers }, side) => {
    return [
      { name, value: states[state.control[side]!]! },
      ...registers.map((register, i) => ({
        name: `${name}.${register}`,
        value: String(state.registers[side]![i]),
      })),
    ];
  });
}

function changesBetween(protocol: Protocol, before: GlobalState, next: GlobalState): Change[] {
  const old = new Map(valuesOf(protocol, before).map(({ name, value }) => [name, value]));
  return valuesOf(protocol, next).filter(({ name, value }) => old.get(name) !== value);
}

export function unsafeTitle(protocol: Protocol, unsafe: Unsafe): string {
  if (unsafe.kind === 'deadlock') {
    const { channels } = protocol;
    const waiting = protocol.machines.some(({ deferred }) => deferred.some(({ length }) => length > 0));
    if (waiting) return 'deadlock: nothing can be received and nobody can send';
    return `deadlock: ${channels.length === 2 ? 'both' : 'all'} channels are empty and nobody can send`;
  }
  const { channel, message } = unsafe;
  const { from, to } = protocol.channels[channel]!;
  const whence = protocol.machines.length === 2 ? '' : ` from ${protocol.machines[from]!.name}`;
  const shown = showMessage(protocol, channel, message.type, message.parameters);
  return `unspecified reception: ${protocol.machines[to]!.name} has no action for ${shown}${whence}`;
}

/** What is wrong, in one sentence. */
export function describeFailure({ protocol, invariant }: Model, failure: Failure): string {
  const name = (index: number): string => invariant[index]!.name;
  switch (failure.kind) {
    case 'initial':
      return 'an initial state satisfies no disjunct';
    case 'step':
      return `${protocol.machines[failure.action.side]!.name}.${failure.action.name} leads out of the formula from ${name(failure.disjunct)}`;
    case 'deadlock':
      return `${name(failure.disjunct)} contains a deadlock`;
    case 'reception': {
      const { channel, type } = failure;
      const receiver = protocol.machines[protocol.channels[channel]!.to]!.name;
      return `${name(failure.disjunct)} contains a state in which ${receiver} cannot receive ${protocol.alphabets[channel]![type]}`;
    }
  }
}

/** How a run from an initial state shows that the formula is too narrow. */
export function leaves({ steps }: Run): string {
  if (steps.length === 0) return 'an initial state is outside the formula';
  return `a run of ${steps.length} step${steps.length === 1 ? '' : 's'} from an initial state leaves the formula: ${steps.map(({ text }) => text).join(', ')}`;
}

/** The failure with its example: state before, event, state after, and what the nearest disjuncts miss. */
export function failureNote(model: Model, failure: Failure, reached: readonly GlobalState[]): Note {
  const { protocol, invariant } = model;
  const lines = [describeFailure(model, failure)];
  const example = failure.kind === 'initial' ? failure.state : (failure.example?.state ?? null);
  if (example === null) lines.push('no small example was found');
  else lines.push(`for example: ${showState(protocol, example)}`);
  if (failure.kind === 'step' && failure.example !== null) {
    const { state } = failure.example;
    const parameters = failure.example.parameters.slice(0, failure.action.fields);
    const next = after(state, failure.action, parameters);
    lines.push(`after ${deedOf(protocol, failure.action, parameters)}: ${showState(protocol, next)}`);
    lines.push(misses(model, next));
  }
  if (failure.kind === 'initial' && failure.state !== null) lines.push(misses(model, failure.state));
  if (failure.kind === 'reception') lines.push(receptions(model, failure));
  if (failure.kind !== 'initial' && example !== null) {
    const hint = advice(model, invariant[failure.disjunct]!, reached, example);
    if (hint !== null) lines.push(hint);
  }
  const span = failure.kind === 'initial' ? null : invariant[failure.disjunct]!.span;
  return {
    severity: 'hint',
    message: lines.join('\n'),
    ...(span === null ? {} : { at: startOf(span) }),
  };
}

/** What the receiver could do with such a message, had it another number. */
function receptions(
  { protocol, invariant }: Model,
  { disjunct, channel, type }: Extract<Failure, { kind: 'reception' }>,
): string {
  const receiver = protocol.channels[channel]!.to;
  const { name, actions, states } = protocol.machines[receiver]!;
  const state = invariant[disjunct]!.control[receiver]!;
  const able = actions.filter(
    (one) => one.kind === 'receive' && one.channel === channel && one.type === type && one.from === state,
  );
  const shown = able.map(
    (one) => `${name}.${one.name} (${/ when (.*?)( do |$)/.exec(one.text)?.[1] ?? 'always'})`,
  );
  const message = protocol.alphabets[channel]![type];
  return able.length === 0
    ? `${name} has no action at all for ${message} in ${states[state]}`
    : `none of these is executable there: ${shown.join(', ')}`;
}

/** Why the disjuncts that come nearest do not describe the state. */
function misses({ protocol, invariant }: Model, state: GlobalState): string {
  const here = invariant.filter(({ control }) =>
    control.every((where, side) => where === state.control[side]),
  );
  if (here.length === 0) return 'no disjunct has these control states';
  const scored = here
    .map((disjunct) => ({ disjunct, failing: failingAtoms(protocol, disjunct, state) }))
    .sort((a, b) => a.failing.length - b.failing.length);
  return scored
    .slice(0, 2)
    .map(
      ({ disjunct, failing }) =>
        `${disjunct.name} does not hold there: not ${failing.slice(0, 3).join(', not ')}`,
    )
    .join('\n');
}

function failingAtoms(protocol: Protocol, disjunct: Disjunct, state: GlobalState): string[] {
  const judge = new Judge(protocol.definitions, state);
  const alone = (part: Partial<Disjunct>): Disjunct => ({
    ...disjunct,
    predicates: [],
    relations: [],
    ...part,
  });
  const shapes = disjunct.languages.flatMap((language, channel) => {
    const word = state.channels[channel]!.map(({ type }) => type);
    if (contains(language, word)) return [];
    const shown = showRegex(disjunct.shapes[channel]!, protocol.alphabets[channel]!);
    return [`${channelName(protocol, channel)}: ${shown}`];
  });
  if (shapes.length > 0) return shapes;
  return [
    ...disjunct.predicates
      .filter((atom) => !judge.satisfies(alone({ predicates: [atom] })))
      .map((atom) => showPredicate(protocol, atom)),
    ...disjunct.relations
      .filter((comparison) => !judge.relation(comparison))
      .map((comparison) => showComparison(protocol, comparison)),
  ];
}

/** `P3 -A.ta1-> P4 =B receives=> P2` */
export function showWay({ protocol, invariant }: Model, result: LivenessResult, start: number): string {
  let text = '';
  for (const { node, move } of wayFrom(result, start)) {
    text += invariant[node]!.name;
    if (move.kind === 'empty') text += ' (no state satisfies it)';
    if (move.kind === 'send')
      text += ` -${protocol.machines[move.action.side]!.name}.${move.action.name}-> ${several(move.to)}`;
    if (move.kind === 'repeat')
      text += ` =${protocol.machines[move.action.side]!.name}.${move.action.name} repeated=> ${several(move.to)}`;
    if (move.kind === 'receive') text += ` =${receptionName(protocol, move.channel)}=> ${several(move.to)}`;
  }
  return text;
}

const several = (to: readonly number[]): string => (to.length > 1 ? `(one of ${to.length}) ` : '');
