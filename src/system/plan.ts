// What the abstraction has decided to see. A plan is fixed while a system is explored; exploring may ask for a better plan
// (`wishes`), and the whole is explored again under it. Everything here is a matter of precision, never of soundness.

import type { VariableId } from '../process/program.ts';

export interface FieldPlan {
  /** Values that some receive pattern asks for: messages with them are types of their own. */
  readonly asked: Set<number>;
  /** The field is stored into an unfolded variable: every value sent is a type of its own. */
  split: boolean;
  /** Too many values were sent: never split. */
  tooMany: boolean;
}

export class Plan {
  /** Channels may be taken as never full, which lets sends be fused and rules out an `else` beside them. */
  readonly neverFull: boolean;
  /** Variables that are part of locations: locals, and globals that have an owner. */
  readonly unfolded = new Set<VariableId>();
  /** Unfolded variables that are worth many locations: they decide the structure of the system. */
  readonly deciders = new Set<VariableId>();
  /** Parameters among these are worth classes of their own: they decide something that is counted. */
  readonly telling = new Set<VariableId>();
  /** Globals written by one process instance only: the class that carries them, by key. */
  readonly owners = new Map<VariableId, string>();
  /** Shared cells whose values are token places. */
  readonly tokens = new Set<number>();
  /** `d_step`s whose inner steps are separate transitions, as `proctype:edge`. */
  readonly opened = new Set<string>();
  /** Edges whose fused segment has too many ways, as `proctype:edge`: statement by statement from now on. */
  readonly unfused = new Set<string>();
  /** Proctypes (ids) with many classes: arguments that decide nothing, or no plain arguments at all, are told apart any more. */
  readonly merged = new Map<number, 'undecided' | 'plain'>();
  /** Variables that must not be unfolded: they made too many locations. */
  readonly tooLarge = new Set<VariableId>();
  /** Globals that turned out to have more than one writer. */
  readonly shared = new Set<VariableId>();
  /** Cells that cannot be tokens. */
  readonly noTokens = new Set<number>();
  private readonly fields = new Map<string, FieldPlan>();
  /** Set when something was added that this exploration has not taken into account from its start. */
  changed = false;

  constructor(neverFull: boolean) {
    this.neverFull = neverFull;
  }

  field(queue: string, index: number): FieldPlan {
    const key = `${index}@${queue}`;
    let found = this.fields.get(key);
    if (found === undefined) {
      found = { asked: new Set(), split: false, tooMany: false };
      this.fields.set(key, found);
    }
    return found;
  }

  split(field: FieldPlan): void {
    if (field.split || field.tooMany) return;
    field.split = true;
    this.changed = true;
  }

  giveUpSplitting(field: FieldPlan): void {
    field.split = false;
    field.tooMany = true;
    this.changed = true;
  }

  open(dstep: string): void {
    if (this.opened.has(dstep)) return;
    this.opened.add(dstep);
    this.changed = true;
  }

  merge(proctype: number, which: 'undecided' | 'plain'): void {
    const before = this.merged.get(proctype);
    if (before === which || before === 'plain') return;
    this.merged.set(proctype, which);
    this.changed = true;
  }

  tell(variables: Iterable<VariableId>): void {
    for (const variable of variables) {
      if (this.telling.has(variable)) continue;
      this.telling.add(variable);
      if (this.merged.size > 0) this.changed = true;
    }
  }

  /** True when the variable was not unfolded before and may be. */
  unfold(variable: VariableId): boolean {
    if (this.unfolded.has(variable) || this.tooLarge.has(variable)) return false;
    this.unfolded.add(variable);
    this.changed = true;
    return true;
  }

  dropVariable(variable: VariableId): void {
    this.unfolded.delete(variable);
    this.owners.delete(variable);
    this.tooLarge.add(variable);
    this.changed = true;
  }

  /** Forgets that these variables made too many locations. */
  tryAgain(which: (variable: VariableId) => boolean): void {
    for (const variable of [...this.tooLarge]) if (which(variable)) this.tooLarge.delete(variable);
  }

  dropToken(cell: number): void {
    this.tokens.delete(cell);
    this.noTokens.add(cell);
    this.changed = true;
  }
}
