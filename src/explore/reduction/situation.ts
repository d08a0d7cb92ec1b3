// The loaded state as stubborn sets look at it: the class and the location of every process, which of its edges are possible, how full channels are.

import { FRAME, HEADER } from '../layout.ts';
import { Moves } from '../moves.ts';
import { Classes, type InstanceClass, type StepFacts } from './classes.ts';
import type { Facts } from './constants.ts';

export class Situation {
  processes = 0;
  readonly classOf: InstanceClass[] = [];
  readonly location: number[] = [];
  /** By process: the modes in which it may use each resource from now on. */
  readonly future: Uint16Array[] = [];
  /** By process: what it could begin, where that was asked. */
  private readonly possible: Moves[] = [];
  private readonly isAsked: boolean[] = [];
  private readonly facts: Facts;
  private readonly classes: Classes;
  private readonly maxProcesses: number;

  constructor(facts: Facts, maxProcesses: number) {
    this.facts = facts;
    this.classes = new Classes(facts);
    this.maxProcesses = maxProcesses;
  }

  /** Looks at the state that the machine has loaded. False where it is better expanded in full. */
  load(): boolean {
    const { cells, frames } = this.facts.machine;
    if (cells[HEADER.exclusive]! >= 0) return false;
    this.processes = cells[HEADER.processes]!;
    if (this.processes < 2 || this.processes > this.maxProcesses) return false;
    const channels = cells[HEADER.channels]!;
    if (channels > this.facts.resources.channels) return false;
    for (let pid = 0; pid < this.processes; pid++) {
      const found = this.classes.of(pid);
      // It holds a channel that is gone.
      if (found.lastLocalChannel > channels) return false;
      this.classOf[pid] = found;
      this.location[pid] = cells[frames[pid]! + FRAME.location]!;
      this.future[pid] = found.after[this.location[pid]!]!;
      this.isAsked[pid] = false;
    }
    return true;
  }

  possibleOf(pid: number): Moves {
    this.possible[pid] ??= new Moves();
    const moves = this.possible[pid];
    if (this.isAsked[pid] === true) return moves;
    this.isAsked[pid] = true;
    return this.facts.machine.movesOf(pid, moves);
  }

  isPossible(pid: number, edge: number): boolean {
    return this.possibleOf(pid).has(edge);
  }

  /** Of a channel, by its number. */
  lengthOf(channel: number): number {
    const memory = this.facts.machine.queues();
    return memory[memory[channel - 1]!]!;
  }

  /** Does the step use the resource in one of these modes? */
  usedBy(step: StepFacts, resource: number, modes: number): boolean {
    if (resource === this.facts.resources.everything) return step.everything || step.unsure;
    for (let i = 0; i < step.resources.length; i++)
      if (step.resources[i] === resource) return (step.modes[i]! & modes) !== 0;
    return false;
  }

  /** A process that the edge starts may use it. */
  startsUse(pid: number, edge: number, resource: number, modes: number): boolean {
    const started = this.classOf[pid]!.started[edge]!;
    return started !== null && (started[resource]! & modes) !== 0;
  }
}
