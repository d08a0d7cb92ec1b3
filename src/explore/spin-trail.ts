// SPIN's trail files: a line `depth:process:statement` per step. Statements are numbered through the whole model as SPIN builds it (promela/flow.ts builds
// the same nodes in the same order); a handshake is two lines, the sender's first; with a claim, process 0 is the claim and all others are one
// higher; `-1:-1:-1` is where the cycle begins. SPIN merges a statement with local ones that follow it (unless `spin -a -o3`): those are not listed. They
// touch nothing that others see, so they are taken when the process is listed next, or where the trail ends.

import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { describe } from './describe.ts';
import { FAULT, type FaultCode, faultText } from './faults.ts';
import { FRAME, HEADER } from './layout.ts';
import { FLAG } from './machine.ts';
import type { Replayed } from './replay.ts';
import { TITLES } from './titles.ts';
import { type PossibleStep, possibleSteps } from './trail.ts';

interface Line {
  /** In the file, from 0. */
  readonly line: number;
  readonly pid: number;
  readonly element: number;
}

export interface SpinTrail {
  readonly lines: readonly Line[];
  /** The lines from here on repeat. */
  readonly cycleAt: number | null;
}

/** Null for a text that is no trail. */
export function parseTrail(text: string): SpinTrail | null {
  const rows = text.split(/\r?\n/).filter((row) => row.trim() !== '');
  const numbers = rows.map((row) => /^\s*(-?\d+):(-?\d+):(-?\d+)\s*$/.exec(row)?.slice(1).map(Number));
  if (rows.length === 0 || numbers.some((row) => row === undefined)) return null;
  const lines: Line[] = [];
  let cycleAt: number | null = null;
  let claims = 0;
  for (const [line, [depth, pid, element]] of (numbers as [number, number, number][]).entries()) {
    if (depth === -2) claims = 1;
    else if (depth === -1) cycleAt = lines.length;
    else if (depth >= 0 && pid - claims >= 0) lines.push({ line, pid: pid - claims, element });
  }
  return { lines, cycleAt };
}

/** The run that the trail is of, as far as it can be followed. */
export function replayTrail(model: Model, text: string): Replayed & { readonly lost?: string } {
  const trail = parseTrail(text);
  const followed = trail && followTrail(model, trail);
  if (followed === null || !followed.ok) {
    const { run } = describe(model, followed?.choices ?? [], { title: SHOWN });
    const lost =
      followed === null ? "this is no trail of SPIN's" : `line ${followed.line + 1}: ${followed.why}`;
    return { run, failedAt: null, lost };
  }
  const { choices, title, failing, stuck, loopStart } = followed;
  const described = describe(model, choices, { title, failing, explain: stuck, loopStart });
  return described.ok
    ? { run: described.run, failedAt: null, standing: described.standing }
    : { run: described.run, failedAt: described.failedAt };
}

export type FollowedTrail =
  | {
      readonly ok: true;
      readonly choices: readonly Choice[];
      readonly title: string;
      /** The last step fails without a state after it. */
      readonly failing: boolean;
      readonly stuck: boolean;
      readonly loopStart: number | null;
    }
  | {
      readonly ok: false;
      readonly line: number;
      readonly why: string;
      readonly choices: readonly Choice[];
    };

/** Takes the trail on the model (compiled with SPIN's capacities and process numbers). */
function followTrail(model: Model, trail: SpinTrail): FollowedTrail {
  const known = model.program.proctypes.some(({ edges }) =>
    edges.some(({ element }) => element !== undefined),
  );
  if (!known)
    return {
      ok: false,
      line: 0,
      why: 'the numbers of its statements cannot be told: a remote reference names a label before a goto',
      choices: [],
    };
  return new Follower(model, trail).follow();
}

/** Statements that a listed one may be merged with. */
const MOST_MERGED = 60;
const MOST_TRIED = 400;
const MOST_ROUNDS = 6;

class Follower {
  private readonly model: Model;
  private readonly trail: SpinTrail;
  private readonly choices: Choice[] = [];
  private loopStart: number | null = null;
  private loopState = '';
  /** What went wrong in the last step taken; 0 for nothing. */
  private fault = 0;
  private failing = false;

  constructor(model: Model, trail: SpinTrail) {
    this.model = model;
    this.trail = trail;
  }

  follow(): FollowedTrail {
    const { lines, cycleAt } = this.trail;
    this.model.machine.initial();
    for (let at = 0; at < lines.length; ) {
      if (at === cycleAt) this.beginLoop();
      if (this.failing) return this.lost(at, 'a step before it ends in an error');
      const taken = this.take(lines[at]!, lines[at + 1]);
      if (taken === 0) return this.lost(at, this.whyNot(lines[at]!));
      at += taken;
    }
    return cycleAt === null ? this.atEnd() : this.atLoop();
  }

  private lost(line: number, why: string): FollowedTrail {
    return { ok: false, line: this.trail.lines[line]!.line, why, choices: this.choices };
  }

  private beginLoop(): void {
    this.loopStart = this.choices.length;
    this.loopState = this.model.machine.copy().join();
  }

  /** How many lines were taken; 0 when the step is not possible. */
  private take(line: Line, next: Line | undefined): number {
    if (!this.hasEdge(line)) return 1;
    this.leaveAtomic(line.pid);
    const way = this.wayTo(line.pid, (step) => this.matches(step, line, next));
    if (way === null) return 0;
    for (const step of way) this.apply(step);
    const last = way.at(-1)!;
    // A failing half of a handshake names one process only; both are listed.
    return isHandshake(last) ? (next === undefined ? 1 : 2) : 1;
  }

  /** Somebody else is in the middle of an atomic sequence: the rest of it was merged with what was listed. */
  private leaveAtomic(pid: number): void {
    const { machine } = this.model;
    const holder = machine.cells[HEADER.exclusive]!;
    if (holder < 0 || holder === pid) return;
    const way = this.wayTo(holder, (step) => step.choice[0] === pid);
    // The last one is a step of the other process: not ours to take.
    for (const step of way?.slice(0, -1) ?? []) this.apply(step);
  }

  /** Joins and other nodes that SPIN sometimes steps over have no edge here. */
  private hasEdge({ element }: Line): boolean {
    return this.model.program.proctypes.some(({ edges }) => edges.some((edge) => edge.element === element));
  }

  private matches({ choice }: PossibleStep, line: Line, next: Line | undefined): boolean {
    const [pid, edge, partner, other] = choice;
    if (pid !== line.pid || this.elementOf(pid, edge) !== line.element) return false;
    return (
      partner < 0 ||
      next === undefined ||
      (partner === next.pid && this.elementOf(partner, other) === next.element)
    );
  }

  private elementOf(pid: number, edge: number): number | undefined {
    const { machine, program } = this.model;
    const type = machine.cells[machine.frames[pid]! + FRAME.type]!;
    return program.proctypes[type]!.edges[edge]!.element;
  }

  /** The step that is wanted, behind as few unlisted ones of the process as possible. */
  private wayTo(pid: number, isWanted: (step: PossibleStep) => boolean): PossibleStep[] | null {
    const { machine } = this.model;
    const start = machine.copy();
    const seen = new Set<string>([start.join()]);
    const queue: { readonly words: Int32Array; readonly way: readonly PossibleStep[] }[] = [
      { words: start, way: [] },
    ];
    let found: PossibleStep[] | null = null;
    for (const { words, way } of queue) {
      machine.unpack(words, 0);
      const steps = possibleSteps(this.model);
      const wanted = steps.find(isWanted);
      if (wanted !== undefined) {
        found = [...way, wanted];
        break;
      }
      if (way.length >= MOST_MERGED || queue.length > MOST_TRIED) continue;
      for (const step of steps) {
        if (step.choice[0] !== pid || step.words === null || !this.isMergeable(step)) continue;
        const key = step.words.join();
        if (!seen.has(key)) queue.push({ words: step.words, way: [...way, step] });
        seen.add(key);
      }
    }
    machine.unpack(start, 0);
    return found;
  }

  private isMergeable({ choice }: PossibleStep): boolean {
    const { machine, program } = this.model;
    const type = machine.cells[machine.frames[choice[0]]! + FRAME.type]!;
    return MERGEABLE.has(program.proctypes[type]!.edges[choice[1]]!.statement.kind);
  }

  private apply({ choice, words, fault }: PossibleStep): void {
    this.choices.push(choice);
    this.fault = fault;
    if (words === null) this.failing = true;
    else this.model.machine.unpack(words, 0);
  }

  private whyNot({ pid, element }: Line): string {
    const { machine, program } = this.model;
    if (pid >= machine.cells[HEADER.processes]!) return `there is no process ${pid} then`;
    const { name, edges } = program.proctypes[machine.cells[machine.frames[pid]! + FRAME.type]!]!;
    const edge = edges.find((one) => one.element === element);
    if (edge === undefined) return `statement ${element} is none of '${name}', which is process ${pid}`;
    const { file, start } = edge.span;
    return `statement ${element} (line ${file.position(start).line}) of '${name}' is not possible then`;
  }

  private atEnd(): FollowedTrail {
    if (this.fault === 0 && !this.isStuck() && !this.failsMerged()) this.endsMerged();
    const stuck = this.fault === 0 && this.isStuck();
    const title = this.fault !== 0 ? failureTitle(this.fault) : stuck ? TITLES.stuck : SHOWN;
    const { choices, failing } = this;
    return { ok: true, choices, title, failing, stuck, loopStart: null };
  }

  private isStuck(): boolean {
    return possibleSteps(this.model).length === 0 && (this.model.machine.flags() & FLAG.validEnd) === 0;
  }

  /** The last statement may be merged with one that fails. */
  private failsMerged(): boolean {
    const last = this.trail.lines.at(-1);
    if (last === undefined) return false;
    const way = this.wayTo(last.pid, (step) => step.choice[0] === last.pid && step.fault !== 0);
    for (const step of way ?? []) this.apply(step);
    return way !== null;
  }

  /** Processes may stand before statements that were merged with their last: without them nothing moves. */
  private endsMerged(): void {
    const { machine } = this.model;
    const before = machine.copy();
    const taken = this.choices.length;
    for (let count = 0; count < MOST_MERGED * 10; count++) {
      const step = possibleSteps(this.model).find((one) => one.words !== null && this.isMergeable(one));
      if (step === undefined) break;
      this.apply(step);
      if (this.isStuck()) return;
    }
    this.choices.length = taken;
    this.fault = 0;
    machine.unpack(before, 0);
  }

  /**
   * SPIN does not look at variables that are written before they are read again, so where it sees a cycle the values may only repeat from the second
   * round on. What is merged with the last statement is not listed.
   */
  private atLoop(): FollowedTrail {
    const { lines, cycleAt } = this.trail;
    if (cycleAt === lines.length) this.beginLoop();
    const begins: { readonly state: string; readonly at: number }[] = [
      { state: this.loopState, at: this.loopStart! },
    ];
    let loopStart = this.closes(begins);
    for (let round = 0; loopStart === null && round < MOST_ROUNDS; round++) {
      begins.push({ state: this.model.machine.copy().join(), at: this.choices.length });
      if (!this.takeAll(cycleAt!)) break;
      loopStart = this.closes(begins);
    }
    const { choices, failing } = this;
    const isEmpty = loopStart === choices.length;
    return {
      ok: true,
      choices,
      title: loopStart === null ? SHOWN : `${SHOWN}, which repeats for ever`,
      failing,
      stuck: false,
      loopStart: isEmpty ? null : loopStart,
    };
  }

  /** Where the state was the same as now, or as it will be behind merged statements. */
  private closes(begins: readonly { readonly state: string; readonly at: number }[]): number | null {
    const now = this.model.machine.copy().join();
    const same = begins.find(({ state }) => state === now);
    const last = this.trail.lines.at(-1);
    if (same !== undefined || last === undefined) return same?.at ?? null;
    for (const { state, at } of begins) {
      const way = this.wayTo(last.pid, ({ words }) => words !== null && words.join() === state);
      if (way === null) continue;
      for (const step of way) this.apply(step);
      return at;
    }
    return null;
  }

  private takeAll(from: number): boolean {
    const { lines } = this.trail;
    for (let at = from; at < lines.length; ) {
      const taken = this.failing ? 0 : this.take(lines[at]!, lines[at + 1]);
      if (taken === 0) return false;
      at += taken;
    }
    return true;
  }
}

const failureTitle = (fault: number): string =>
  fault === FAULT.assertion ? TITLES.assertion : faultText(fault as FaultCode);

const MERGEABLE: ReadonlySet<string> = new Set(['condition', 'else', 'assign', 'assert', 'print']);

const SHOWN = "a run of SPIN's";
const isHandshake = ({ choice }: PossibleStep): boolean => choice[2] >= 0;
