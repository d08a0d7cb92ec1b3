// From states back to choices. Only parents are stored; the choices between two stored states are found by
// taking the steps of the first again until one leads to the second.

import { type Choice, isSameChoice } from './choices.ts';
import type { Model } from './compile.ts';
import { isPassable } from './faults.ts';
import { HEADER } from './layout.ts';
import type { Operation, Part } from './machine.ts';
import type { StateSpace, Violation } from './search.ts';

/** The states from the initial one to `state`, both included. */
export function pathTo(space: StateSpace, state: number): number[] {
  const path: number[] = [];
  for (let at = state; at >= 0; at = space.parentOf(at)) path.push(at);
  return path.reverse();
}

/** The choices that lead along the states, each a successor of the one before; `refuse` as below. */
export function choicesAlong(
  space: StateSpace,
  path: readonly number[],
  refuse: (choices: readonly Choice[]) => boolean = () => false,
): Choice[] {
  const choices: Choice[] = [];
  for (let i = 0; i + 1 < path.length; i++)
    choices.push(...choicesBetween(space, path[i]!, path[i + 1]!, refuse));
  return choices;
}

/** Several steps may lead from one state to the other: `refuse` is asked, while the machine holds `from`, whether to leave one out. */
export function choicesBetween(
  space: StateSpace,
  from: number,
  to: number,
  refuse: (choices: readonly Choice[]) => boolean = () => false,
): Choice[] {
  const { machine } = space.model;
  const ways: Choice[][] = [];
  const cursor = machine.open({
    part: space.part,
    step: (words, length) => {
      if (space.store.equals(to, words, length)) ways.push(machine.choices().copy());
    },
  });
  space.store.loadInto(machine, from);
  cursor.expand();
  const found = ways.find((choices) => !refuse(choices));
  if (found === undefined) throw new Error('impossible: a stored step that cannot be taken again');
  return found;
}

/** All choices from the initial state to a violation; the failing one last. */
export function trailOf(space: StateSpace, violation: Violation): Choice[] {
  return [...choicesAlong(space, pathTo(space, violation.state)), ...violation.choices];
}

/**
 * Takes one choice, a statement or a handshake: the machine must hold a state with unpack or initial. False when the choice is not
 * possible there; the machine then still holds the state it had. What the step does is told at the moment it is made.
 */
export function applyChoice(
  model: Model,
  choice: Choice,
  onTaken?: (operations: readonly Operation[]) => void,
  part: Part = 'both',
): boolean {
  const { machine } = model;
  const saved = machine.copy();
  let next: Int32Array | null = null;
  const operations: Operation[] = [];
  const cursor = machine.open({
    part,
    micro: true,
    ...(onTaken === undefined ? {} : { operations }),
    step: (words, length) => {
      if (next !== null) return;
      const taken = machine.choices();
      if (taken.length === 0 || !isSameChoice(taken.at(0), choice)) return;
      next = words.slice(0, length);
      onTaken?.(operations);
    },
  });
  if (movesAlone(model, choice[0])) cursor.expand(Int32Array.of(choice[0]), 1);
  else cursor.expand();
  machine.unpack(next ?? saved, 0);
  return next !== null;
}

/** Can the process's steps be asked for without the others'? Nobody waits for a timeout or holds control, and there is no claim. */
function movesAlone({ machine, claim, features }: Model, pid: number): boolean {
  const { cells } = machine;
  return (
    claim === null &&
    !features.timeout &&
    cells[HEADER.exclusive]! < 0 &&
    pid >= 0 &&
    pid < cells[HEADER.processes]!
  );
}

export interface PossibleStep {
  readonly choice: Choice;
  /** The packed state it leads to; null when the step fails without one. */
  readonly words: Int32Array | null;
  /** 0, or what goes wrong: an assertion (the step is still made) or a runtime error. */
  readonly fault: number;
}

/** What can be done in the loaded state, one statement (or handshake) each; the machine holds the same state afterwards. */
export function possibleSteps(model: Model, part: Part = 'both'): PossibleStep[] {
  const { machine } = model;
  const saved = machine.copy();
  const result: PossibleStep[] = [];
  let violated: { code: number; pid: number; edge: number } | null = null;
  const cursor = machine.open({
    part,
    micro: true,
    step: (words, length) => {
      const choices = machine.choices();
      // Nobody moved: a claim went on alone.
      if (choices.length === 0) return;
      const choice = choices.at(0);
      const isSame = violated !== null && violated.pid === choice[0] && violated.edge === choice[1];
      result.push({ choice, words: words.slice(0, length), fault: isSame ? violated!.code : 0 });
      violated = null;
    },
    fault: (code, choices) => {
      if (isPassable(code)) violated = { code, pid: choices.process(0), edge: choices.edge(0) };
      else result.push({ choice: choices.at(0), words: null, fault: code });
    },
  });
  cursor.expand();
  machine.unpack(saved, 0);
  return result;
}
