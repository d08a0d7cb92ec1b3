// The loaded state as stubborn sets look at it: the class and the location of every process, which of its edges are possible, how full channels are.

import { FRAME, HEADER } from '../layout.ts';
import { Classes, type InstanceClass, type StepFacts } from './classes.ts';
import type { Facts } from './constants.ts';

const NOTHING = new Int32Array(0);

export class Situation {
  processes = 0;
  readonly classOf: InstanceClass[] = [];
  readonly location: number[] = [];
  /** By process: what `probe` said; null when not asked yet. */
  private readonly possible: (Int32Array | null)[] = [];
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
    for (let pid = 0; pid < this.processes; pid++) {
      const found = this.classes.of(pid);
      // It holds a channel that is gone.
      if (found.lastLocalChannel > channels) return false;
      this.classOf[pid] = found;
      this.location[pid] = cells[frames[pid]! + FRAME.location]!;
      this.possible[pid] = null;
    }
    return true;
  }

  possibleOf(pid: number): Int32Array {
    const known = this.possible[pid];
    if (known != null) return known;
    const { machine } = this.facts;
    const length = machine.probe(pid);
    const found = length === 0 ? NOTHING : machine.probed().slice(0, length);
    this.possible[pid] = found;
    return found;
  }

  isPossible(pid: number, edge: number): boolean {
    const possible = this.possibleOf(pid);
    for (let i = 0; i < possible.length; i += 3) if (possible[i] === edge) return true;
    return false;
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
