// From a choreography to one machine for each participant: what it sends and receives, everything else left out. Choices of others are seen
// by what arrives: the automaton of a participant is made deterministic, as ChorGram does. Who decides a loop sends every other participant
// of its body a message of its own in each round: go on, or that was all.

import { Problems } from '../petri/problems.ts';
import { type Position, type SourceFile, startOf } from '../source/source.ts';
import { type Choreography, participantsOf, readChoreography } from './choreography.ts';
import type { ReadMachines } from './model.ts';
import { buildSystem, type NamedMove } from './system.ts';

/** States of one participant: parts side by side multiply. */
const MOST_STATES = 20_000;

class TooLarge extends Error {}

type Label = { readonly kind: 'send' | 'receive'; readonly partner: string; readonly message: string };

interface Step {
  readonly from: number;
  readonly to: number;
  /** Null: nothing that this participant sees. */
  readonly label: Label | null;
  readonly at: Position;
}

interface Part {
  readonly states: number;
  /** From state 0 to state 1. */
  readonly steps: readonly Step[];
}

export function readGlobal(file: SourceFile): ReadMachines {
  const problems = new Problems(file);
  const global = readChoreography(file, problems);
  const names = global === null ? [] : [...participantsOf(global)];
  if (global !== null && names.length === 0)
    problems.error(
      'SPW8101',
      [0, 1],
      'nobody does anything in this choreography',
      'an interaction is A -> B : message',
    );
  if (global === null || problems.failed) return { system: null, diagnostics: problems.found };
  try {
    const start = startOf(problems.span(0, 1));
    const machines = names.map((name) =>
      machineOf(name, names, new Projection(name, start).part(global), start),
    );
    return { system: buildSystem(file.path, machines), diagnostics: problems.found };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    problems.error(
      'SPW8113',
      [0, 1],
      `a participant has more than ${MOST_STATES} states`,
      'parts side by side multiply',
    );
    return { system: null, diagnostics: problems.found };
  }
}

class Projection {
  private readonly self: string;
  private readonly start: Position;
  private loops = 0;

  constructor(self: string, start: Position) {
    this.self = self;
    this.start = start;
  }

  part(global: Choreography): Part {
    switch (global.kind) {
      case 'nothing':
        return this.one(null, this.start);
      case 'interaction':
        return this.one(this.labelOf(global.from, global.to, global.message), startOf(global.span));
      case 'sequence':
        return global.parts.map((part) => this.part(part)).reduce((a, b) => this.joined(a, b));
      case 'choice':
        return this.oneOf(global.parts.map((part) => this.part(part)));
      case 'parallel':
        return global.parts.map((part) => this.part(part)).reduce(beside);
      case 'loop':
        return this.loop(global);
    }
  }

  private labelOf(from: string, to: string, message: string): Label | null {
    if (from === this.self) return { kind: 'send', partner: to, message };
    return to === this.self ? { kind: 'receive', partner: from, message } : null;
  }

  private one(label: Label | null, at: Position): Part {
    return { states: 2, steps: [{ from: 0, to: 1, label, at }] };
  }

  /** The end of the first is the beginning of the second. */
  private joined(a: Part, b: Part): Part {
    const shift = a.states;
    const middle = { from: 1, to: shift, label: null, at: this.start };
    const steps = [...a.steps, middle, ...moved(b, shift)];
    return withEnd({ states: shift + b.states, steps }, shift + 1);
  }

  private oneOf(parts: readonly Part[]): Part {
    const steps: Step[] = [];
    let states = 2;
    for (const part of parts) {
      steps.push({ from: 0, to: states, label: null, at: this.start }, ...moved(part, states));
      steps.push({ from: states + 1, to: 1, label: null, at: this.start });
      states += part.states;
    }
    return { states, steps };
  }

  private loop({ body, by, span }: Choreography & { kind: 'loop' }): Part {
    const number = ++this.loops;
    const others = [...participantsOf(body)].filter((name) => name !== by);
    const tell = (message: string): Part =>
      others
        .map((name) => this.one(this.labelOf(by, name, message), startOf(span)))
        .reduce((a, b) => this.joined(a, b), this.one(null, startOf(span)));
    const again = this.joined(tell(`loop${number}`), this.part(body));
    const done = tell(`exit${number}`);
    const shift = 2 + again.states;
    const quiet = (from: number, to: number): Step => ({ from, to, label: null, at: this.start });
    return {
      states: shift + done.states,
      steps: [
        quiet(0, 2),
        ...moved(again, 2),
        quiet(3, 0),
        quiet(0, shift),
        ...moved(done, shift),
        quiet(shift + 1, 1),
      ],
    };
  }
}

const moved = ({ steps }: Part, by: number): Step[] =>
  steps.map((step) => ({ ...step, from: step.from + by, to: step.to + by }));

/** Makes another state the end: it changes its number with state 1. */
function withEnd({ states, steps }: Part, end: number): Part {
  const swap = (state: number): number => (state === 1 ? end : state === end ? 1 : state);
  return { states, steps: steps.map((step) => ({ ...step, from: swap(step.from), to: swap(step.to) })) };
}

/** All orders of what both do. */
function beside(a: Part, b: Part): Part {
  if (a.states * b.states > MOST_STATES) throw new TooLarge();
  const pair = (left: number, right: number): number => left * b.states + right;
  const steps = [
    ...a.steps.flatMap((step) =>
      Array.from({ length: b.states }, (_, right) => ({
        ...step,
        from: pair(step.from, right),
        to: pair(step.to, right),
      })),
    ),
    ...b.steps.flatMap((step) =>
      Array.from({ length: a.states }, (_, left) => ({
        ...step,
        from: pair(left, step.from),
        to: pair(left, step.to),
      })),
    ),
  ];
  return withEnd({ states: a.states * b.states, steps }, pair(1, 1));
}

/** Deterministic, by sets of states. */
function machineOf(name: string, names: readonly string[], part: Part, at: Position) {
  const leaving: Step[][] = Array.from({ length: part.states }, () => []);
  for (const step of part.steps) leaving[step.from]!.push(step);
  const closed = (states: Iterable<number>): number[] => {
    const found = new Set(states);
    for (const state of found) for (const { label, to } of leaving[state]!) if (label === null) found.add(to);
    return [...found].sort((a, b) => a - b);
  };
  const numbers = new Map<string, number>();
  const sets: number[][] = [];
  const numberOf = (states: Iterable<number>): number => {
    const set = closed(states);
    const key = set.join();
    if (!numbers.has(key)) numbers.set(key, sets.push(set) - 1);
    if (sets.length > MOST_STATES) throw new TooLarge();
    return numbers.get(key)!;
  };
  numberOf([0]);
  const moves: NamedMove[] = [];
  for (let from = 0; from < sets.length; from++) {
    const targets = new Map<string, { label: Label; to: number[]; at: Position }>();
    for (const { label, to, at: place } of sets[from]!.flatMap((state) => leaving[state]!)) {
      if (label === null) continue;
      const key = `${label.kind} ${label.partner} ${label.message}`;
      const known = targets.get(key);
      if (known === undefined) targets.set(key, { label, to: [to], at: place });
      else known.to.push(to);
    }
    for (const { label, to, at: place } of targets.values())
      moves.push({
        from,
        to: numberOf(to),
        action: { kind: label.kind, partner: names.indexOf(label.partner), message: label.message },
        at: place,
      });
  }
  return { name, states: sets.map((_, number) => ({ name: `q${number}`, at })), initial: 0, moves };
}
