// What the abstraction has decided to see. A plan is a value: while statements are executed it stands. What executing them shows to be
// needed (`updates.ts`) makes another plan, by the planner here, and where that could have changed what was explored before, the
// whole is explored again under it. Everything here is a matter of precision, never of soundness.

import type { VariableId } from '../process/program.ts';

export interface FieldPlan {
  /** Values that some receive pattern asks for: messages with them are types of their own. */
  readonly asked: ReadonlySet<number>;
  /** The field is stored into an unfolded variable: every value sent is a type of its own. */
  readonly split: boolean;
  /** Too many values were sent: never split. */
  readonly tooMany: boolean;
}

export interface Plan {
  /** Channels may be taken as never full, which lets sends be fused and rules out an `else` beside them. */
  readonly neverFull: boolean;
  /** Variables that are part of locations: locals, and globals that have an owner. */
  readonly unfolded: ReadonlySet<VariableId>;
  /** Unfolded variables that are worth many locations: they decide the structure of the system. */
  readonly deciders: ReadonlySet<VariableId>;
  /** Parameters among these are worth classes of their own: they decide something that is counted. */
  readonly distinguishing: ReadonlySet<VariableId>;
  /** Globals written by one process instance only: the class that carries them, by key. */
  readonly owners: ReadonlyMap<VariableId, string>;
  /** Shared cells whose values are token places. */
  readonly tokens: ReadonlySet<number>;
  /** `d_step`s whose inner steps are separate transitions, as `proctype:edge`. */
  readonly opened: ReadonlySet<string>;
  /** Edges whose fused segment has too many ways, as `proctype:edge`: statement by statement from now on. */
  readonly unfused: ReadonlySet<string>;
  /** Proctypes (ids) with many classes: arguments that decide nothing, or no plain arguments at all, are told apart any more. */
  readonly merged: ReadonlyMap<number, 'undecided' | 'plain'>;
  /** Variables that must not be unfolded: they made too many locations. */
  readonly tooLarge: ReadonlySet<VariableId>;
  /** Globals that turned out to have more than one writer. */
  readonly shared: ReadonlySet<VariableId>;
  /** Cells that cannot be tokens. */
  readonly noTokens: ReadonlySet<number>;
  /** By the queue's key, per field. */
  readonly fields: ReadonlyMap<string, readonly FieldPlan[]>;
}

const UNPLANNED: FieldPlan = { asked: new Set(), split: false, tooMany: false };

export const fieldPlan = (plan: Plan, queue: string, index: number): FieldPlan =>
  plan.fields.get(queue)?.[index] ?? UNPLANNED;

const emptyPlan = (neverFull: boolean): Plan => ({
  neverFull,
  unfolded: new Set(),
  deciders: new Set(),
  distinguishing: new Set(),
  owners: new Map(),
  tokens: new Set(),
  opened: new Set(),
  unfused: new Set(),
  merged: new Map(),
  tooLarge: new Set(),
  shared: new Set(),
  noTokens: new Set(),
  fields: new Map(),
});

type SetsOf<T> = { [K in keyof Plan]: Plan[K] extends ReadonlySet<T> ? K : never }[keyof Plan];

/** Makes one plan from another. */
export class Planner {
  plan: Plan;
  /** The plan differs from the one that the current exploration began with in what that exploration rests on. */
  changed = false;

  constructor(neverFull: boolean) {
    this.plan = emptyPlan(neverFull);
  }

  decideBy(variables: Iterable<VariableId>): void {
    this.set('deciders', new Set([...this.plan.deciders, ...variables]));
  }

  split(queue: string, index: number): void {
    const field = fieldPlan(this.plan, queue, index);
    if (field.split || field.tooMany) return;
    this.setField(queue, index, { ...field, split: true });
    this.changed = true;
  }

  giveUpSplitting(queue: string, index: number): void {
    const field = fieldPlan(this.plan, queue, index);
    this.setField(queue, index, { ...field, split: false, tooMany: true });
    this.changed = true;
  }

  /** The exploration has taken it into account by itself. */
  ask(queue: string, index: number, value: number): void {
    const field = fieldPlan(this.plan, queue, index);
    if (!field.asked.has(value))
      this.setField(queue, index, { ...field, asked: new Set([...field.asked, value]) });
  }

  open(dstep: string): void {
    if (this.add('opened', dstep)) this.changed = true;
  }

  /** What was explored before stands. */
  stopFusing(edge: string): void {
    this.add('unfused', edge);
  }

  merge(proctype: number, which: 'undecided' | 'plain'): void {
    const before = this.plan.merged.get(proctype);
    if (before === which || before === 'plain') return;
    this.set('merged', new Map([...this.plan.merged, [proctype, which]]));
    this.changed = true;
  }

  distinguishBy(variables: Iterable<VariableId>): void {
    const more = [...variables].filter((variable) => !this.plan.distinguishing.has(variable));
    if (more.length === 0) return;
    this.set('distinguishing', new Set([...this.plan.distinguishing, ...more]));
    if (this.plan.merged.size > 0) this.changed = true;
  }

  /** True when the variable was not unfolded before and may be. */
  unfold(variable: VariableId): boolean {
    if (this.plan.tooLarge.has(variable) || !this.add('unfolded', variable)) return false;
    this.changed = true;
    return true;
  }

  own(variable: VariableId, classKey: string): void {
    this.set('owners', new Map([...this.plan.owners, [variable, classKey]]));
  }

  share(variable: VariableId): void {
    this.add('shared', variable);
    this.dropVariable(variable);
  }

  dropVariable(variable: VariableId): void {
    this.remove('unfolded', variable);
    this.set('owners', new Map([...this.plan.owners].filter(([owned]) => owned !== variable)));
    this.add('tooLarge', variable);
    this.changed = true;
  }

  /** Forgets that these variables made too many locations. */
  tryAgain(which: (variable: VariableId) => boolean): void {
    this.set('tooLarge', new Set([...this.plan.tooLarge].filter((variable) => !which(variable))));
  }

  addToken(cell: number): void {
    if (this.add('tokens', cell)) this.changed = true;
  }

  dropToken(cell: number): void {
    this.remove('tokens', cell);
    this.add('noTokens', cell);
    this.changed = true;
  }

  private set<K extends keyof Plan>(key: K, value: Plan[K]): void {
    this.plan = { ...this.plan, [key]: value };
  }

  private setField(queue: string, index: number, field: FieldPlan): void {
    const fields = [...(this.plan.fields.get(queue) ?? [])];
    while (fields.length <= index) fields.push(UNPLANNED);
    fields[index] = field;
    this.set('fields', new Map([...this.plan.fields, [queue, fields]]));
  }

  /** True when it is new. */
  private add<T extends string | number>(key: SetsOf<T>, item: T): boolean {
    const before = this.plan[key] as ReadonlySet<T>;
    if (before.has(item)) return false;
    this.set(key, new Set([...before, item]) as unknown as Plan[typeof key]);
    return true;
  }

  private remove<T extends string | number>(key: SetsOf<T>, item: T): void {
    const before = this.plan[key] as ReadonlySet<T>;
    this.set(key, new Set([...before].filter((one) => one !== item)) as unknown as Plan[typeof key]);
  }
}
