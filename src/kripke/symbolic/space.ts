// A composition, perhaps with an automaton that watches it, as decision diagrams see it: levels, steps forwards and backwards, where it begins.

import type { Budget } from '../../base/budget.ts';
import type { Watcher } from '../audit/watcher.ts';
import type { Configuration, System } from '../system.ts';
import { Diagrams, OutOfLimits } from './diagram.ts';
import type { Move } from './moves.ts';
import { backwards, movesOf } from './moves.ts';
import { levelOrder } from './order.ts';
import { Steps } from './steps.ts';

/** Levels are walked down by recursion, here and in the audit. */
const MOST_LEVELS = 600;

export class Space {
  readonly system: System;
  readonly order: readonly number[];
  readonly diagrams: Diagrams;
  readonly moves: readonly Move[];
  readonly forward: Steps;
  readonly initial: number;
  private back: Steps | null = null;

  private constructor(
    system: System,
    order: readonly number[],
    diagrams: Diagrams,
    moves: readonly Move[],
    initial: number,
  ) {
    this.system = system;
    this.order = order;
    this.diagrams = diagrams;
    this.moves = moves;
    this.forward = new Steps(diagrams, moves);
    this.initial = initial;
  }

  static of(system: System, watcher: Watcher | null, budget: Budget): Space {
    const levels = system.components.length + (watcher === null ? 0 : 1);
    if (levels > MOST_LEVELS) throw new OutOfLimits('memory');
    const order = levelOrder(system);
    const diagrams = new Diagrams(levels, budget);
    const starts = order.map((component) => system.components[component]!.initial);
    const initial = diagrams.box(watcher === null ? starts : [...starts, [watcher.initial]]);
    return new Space(system, order, diagrams, movesOf(system, order, watcher), initial);
  }

  /** The same configurations with fewer steps. */
  with(moves: readonly Move[]): Space {
    return new Space(this.system, this.order, this.diagrams, moves, this.initial);
  }

  get backward(): Steps {
    this.back ??= new Steps(this.diagrams, backwards(this.moves));
    return this.back;
  }

  /** The members in which the watcher is in one of these states. */
  watchedIn(set: number, states: ReadonlySet<number>): number {
    const { diagrams, order } = this;
    const known = new Map<number, number>();
    const go = (node: number, level: number): number => {
      let result = known.get(node);
      if (result !== undefined) return result;
      const branches = new Map<number, number>();
      for (let at = diagrams.begin(node); at < diagrams.end(node); at += 2) {
        const value = diagrams.value(at);
        if (level < order.length) branches.set(value, go(diagrams.below(at), level + 1));
        else if (states.has(value)) branches.set(value, diagrams.below(at));
      }
      result = diagrams.node(branches);
      known.set(node, result);
      return result;
    };
    return go(set, 0);
  }

  /** The values of the levels as a configuration of the system. */
  configuration(values: readonly number[]): Configuration {
    const configuration = new Int32Array(this.order.length);
    this.order.forEach((component, level) => {
      configuration[component] = values[level]!;
    });
    return configuration;
  }

  /** The event of a step that leads from one member to another. */
  eventBetween(from: readonly number[], to: readonly number[]): number {
    const move = this.moves.find(({ local }) =>
      local.every((relation, level) =>
        relation === null
          ? from[level] === to[level]
          : (relation.get(from[level]!)?.includes(to[level]!) ?? false),
      ),
    );
    if (move === undefined)
      throw new Error('impossible: no event leads from a configuration to its successor');
    return move.event;
  }
}
