// Faults at large numbers: a breadth-first search that takes loops many times at once (accelerate.ts), up to the rounds in which the truth of some
// condition changes. A fault at count 1,000,000 is as near as one at count 3. Finds only real runs; what it does not find may still exist.

import type { Protocol } from '../model.ts';
import { accelerate } from './accelerate.ts';
import type { ConcreteRun, Found } from './explore.ts';
import { initialStates } from './explore.ts';
import type { GlobalState } from './state.ts';
import { stateKey } from './state.ts';
import type { ConcreteStep } from './step.ts';
import { after, canTake, enabledSteps, isExact } from './step.ts';

/** A state with many messages counts as several. */
const MOST_STATES = 3_000;
const MESSAGES_PER_STATE = 20;
const LONGEST_LOOP = 10;
/** Jumps by the same loop, from different states. */
const JUMPS_PER_LOOP = 6;
const TURNS_PER_JUMP = 16;
/** Messages that a jump may leave in a channel, and steps that may be written out instead of counted. */
const MOST_MESSAGES = 6_000;
const MOST_WRITTEN = 40_000;
/** The same where the channels keep their length: another rotation of the loop begins with empty ones, mostly, and can be counted. */
const FEW_WRITTEN = 400;

interface Node {
  readonly state: GlobalState;
  readonly parent: Node | null;
  /** From the parent here. */
  readonly step: ConcreteStep | Jump | null;
  readonly jumps: number;
}

/** Many rounds of a loop. */
interface Jump {
  readonly loop: readonly ConcreteStep[];
  readonly count: number;
  readonly slopes: readonly number[];
  /** The channels are empty before and after: it can be told by a count. */
  readonly isSilent: boolean;
}

const isJump = (step: ConcreteStep | Jump): step is Jump => 'loop' in step;

export function searchDeep(
  protocol: Protocol,
  examine: (state: GlobalState) => Found['what'] | null,
  timeLeft: () => boolean,
): Found | null {
  const seen = new Set<string>();
  const near: Node[] = [];
  const far: Node[] = [];
  const jumpsOf = new Map<string, number>();
  const add = (node: Node, queue: Node[]): void => {
    const key = stateKey(node.state);
    if (seen.has(key) || !isExact(protocol, node.state)) return;
    seen.add(key);
    queue.push(node);
  };
  for (const state of initialStates(protocol).states)
    add({ state, parent: null, step: null, jumps: 0 }, near);
  let [i, j] = [0, 0];
  for (let visited = 0, effort = 0; effort < MOST_STATES && timeLeft(); visited++) {
    // What a jump led to is looked at in turn with what is near.
    const node = visited % 2 === 0 ? (far[j] ?? near[i]) : (near[i] ?? far[j]);
    if (node === undefined) return null;
    if (node === far[j]) j++;
    else i++;
    const held = node.state.channels.reduce((sum, messages) => sum + messages.length, 0);
    effort += 1 + held / MESSAGES_PER_STATE;
    const what = examine(node.state);
    if (what !== null) return { run: runTo(node), what };
    for (const step of enabledSteps(protocol, node.state).steps) {
      const next = { state: step.next, parent: node, step, jumps: node.jumps };
      add(next, node.jumps > 0 ? far : near);
      for (const jump of jumpsFrom(protocol, next, jumpsOf)) add(jump, far);
    }
  }
  return null;
}

function runTo(node: Node): ConcreteRun {
  const parts: (readonly ConcreteStep[])[] = [];
  let at = node;
  for (; at.parent !== null; at = at.parent) parts.unshift(stepsOf(at.parent.state, at.step!, at.state));
  return { start: at.state, steps: parts.flat() };
}

function stepsOf(start: GlobalState, step: ConcreteStep | Jump, end: GlobalState): readonly ConcreteStep[] {
  if (!isJump(step)) return [step];
  const { loop, count, slopes, isSilent } = step;
  if (isSilent) return [...loop, repetition(loop, count - 1, slopes, end)];
  const steps: ConcreteStep[] = [];
  if (takeRounds(start, loop, { from: 0, to: count, slopes }, (one) => steps.push(one)) === null)
    throw new Error('impossible: an accelerated loop cannot be taken');
  return steps;
}

/** Loops that end in this node, taken again and again. */
function jumpsFrom(protocol: Protocol, node: Node, jumpsOf: Map<string, number>): Node[] {
  const found: Node[] = [];
  const loop: ConcreteStep[] = [];
  for (let at: Node = node; at.parent !== null && loop.length < LONGEST_LOOP; at = at.parent) {
    if (at.step === null || isJump(at.step)) break;
    loop.unshift(at.step);
    const begin = at.parent.state;
    if (begin.control.join() !== node.state.control.join()) continue;
    const signature = loop.map(({ action }) => `${action.side}.${action.name}`).join(' ');
    const count = jumpsOf.get(signature) ?? 0;
    if (count >= JUMPS_PER_LOOP) continue;
    const jumps = landings(protocol, at.parent, [...loop]);
    if (jumps.length > 0) jumpsOf.set(signature, count + 1);
    found.push(...jumps);
  }
  return found;
}

function landings(protocol: Protocol, from: Node, loop: readonly ConcreteStep[]): Node[] {
  const faster = accelerate(protocol, from.state, loop);
  if (faster === null || faster.most < 2) return [];
  const { most, turns } = faster;
  const rounds = [...new Set([...turns, ...(Number.isFinite(most) ? [most] : [])])]
    .filter((count) => count > 1 && count <= most)
    .sort((a, b) => a - b)
    .slice(-TURNS_PER_JUMP);
  return rounds.flatMap((count): Node[] => {
    const growth = protocol.channels.map((_, channel) => growthOf(loop, channel));
    const grown = Math.max(...growth) * count;
    if (grown > MOST_MESSAGES) return [];
    const state = faster.after(count);
    const isSilent = from.state.channels.every((messages) => messages.length === 0) && grown === 0;
    const keeps = growth.every((one) => one === 0);
    if (!isSilent && loop.length * count > (keeps ? FEW_WRITTEN : MOST_WRITTEN)) return [];
    const step: Jump = { loop, count, slopes: faster.slopes, isSilent };
    return [{ state, parent: from, step, jumps: from.jumps + 1 }];
  });
}

const growthOf = (loop: readonly ConcreteStep[], channel: number): number =>
  loop.reduce((sum, { action }) => {
    if (action.silent !== null || action.channel !== channel) return sum;
    return sum + (action.kind === 'send' ? 1 : -1);
  }, 0);

const repetition = (
  loop: readonly ConcreteStep[],
  times: number,
  slopes: readonly number[],
  next: GlobalState,
): ConcreteStep => ({ ...loop.at(-1)!, next, repeated: { steps: loop.length, times, slopes } });

/** Takes the loop round by round on the concrete semantics; null when a step is not possible. */
export function takeRounds(
  start: GlobalState,
  loop: readonly Pick<ConcreteStep, 'action' | 'parameters'>[],
  { from, to, slopes }: { readonly from: number; readonly to: number; readonly slopes: readonly number[] },
  tell: (step: ConcreteStep) => void,
): GlobalState | null {
  let state = start;
  for (let round = from; round < to; round++) {
    let at = 0;
    for (const { action, parameters: first } of loop) {
      const parameters = first.map((value) => value + slopes[at++]! * round);
      if (!canTake(state, action, parameters)) return null;
      state = after(state, action, parameters);
      tell({ action, parameters, next: state });
    }
  }
  return state;
}
