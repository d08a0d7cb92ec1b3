// Does a cycle end on one of its conditions, when nothing else changes what the condition depends on; and after how many rounds?
// ([CycleDeps] section 4, [Ciclo] VII-A.)
//
// Between two tests of the condition the cycle's assignments are an affine map; a linear ranking function shows that the condition
// cannot stay true. Two things the papers do not speak of are taken care of. A process may leave the cycle and come back to it at another
// location without changing any of the variables, so that rounds begin at another place and a piece is skipped: then only cycles whose
// assignments all add constants are accepted, with a reserve for two pieces. And no assignment may leave its type's range, where SPIN
// would wrap: intervals must exclude it.

import type { NetCycle } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { type CodeContext, isOwn } from './context.ts';
import {
  consequencesAt,
  evaluateExactly,
  type Interval,
  intervalOf,
  restrict,
  runOperations,
  type Values,
} from './intervals.ts';
import { type LinearForm, linearForm } from './linear.ts';
import type { Operation } from './operations.ts';
import { applyUpdate, type RankingFunction, type Update } from './ranking.ts';
import { changes, jumpsOf, reserveFor } from './stretches.ts';

/** Which test: the operation of the cycle's n-th transition, and which of its consequences are used. */
export interface TestAt {
  readonly step: number;
  readonly operation: number;
  readonly forms: readonly number[];
  /** 2: the ranking function may also use that the test holds again a round later; then the last round does not count. */
  readonly depth: 1 | 2;
}

/** A cycle's code seen from one test: what a ranking function must satisfy. */
export interface LoopView {
  readonly cycle: NetCycle;
  readonly test: TestAt;
  readonly condition: readonly LinearForm[];
  readonly update: Update;
  /** E_c(B): what the condition depends on. */
  readonly variables: ReadonlySet<VariableId>;
  /** Every assignment to them adds a constant. */
  readonly translation: boolean;
  /** Some way back into the cycle skips a piece that matters. */
  readonly canSkip: boolean;
  /** All the variables belong to this instance alone. */
  readonly local: boolean;
}

export interface Termination extends LoopView {
  readonly ranking: RankingFunction;
  /** Rounds between two changes from outside at most; null when no useful number is known. */
  readonly iterations: number | null;
}

const MOST_ITERATIONS = 1_000_000;

/** The tests of a cycle that say something linear, each with its single consequences first and all of them together last. */
export function testsOf(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  cycle: NetCycle,
): TestAt[] {
  const tests: TestAt[] = [];
  cycle.transitions.forEach((transition, step) => {
    context.operations[transition]!.forEach((operation, number) => {
      if (operation.kind !== 'test') return;
      const forms = formsAt(context, intervals, transition, number);
      const useful = forms.flatMap((form, index) => (form.terms.size > 0 ? [index] : []));
      for (const depth of [1, 2] as const) {
        for (const index of useful) tests.push({ step, operation: number, forms: [index], depth });
        if (useful.length > 1) tests.push({ step, operation: number, forms: useful, depth });
      }
    });
  });
  return tests;
}

/** What the transition's test says, with what the class's own variables can hold when it comes to it. */
function formsAt(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  transition: number,
  number: number,
): LinearForm[] {
  const operations = context.operations[transition]!;
  const test = operations[number]!;
  const { from, class: netClass } = context.net.transitions[transition]!;
  const before = intervals[from] ?? null;
  const isMine = (variable: VariableId): boolean => isOwn(context, netClass, variable);
  const values = before && runOperations(context, before, operations.slice(0, number), isMine);
  return values === null || test.kind !== 'test'
    ? []
    : consequencesAt(context, values, test.expression, test.truth);
}

/** Null when the cycle's code is not affine, or could wrap, or the test is none. */
export function viewLoop(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  cycle: NetCycle,
  test: TestAt,
): LoopView | null {
  const transition = cycle.transitions[test.step];
  const operation = transition === undefined ? undefined : context.operations[transition]?.[test.operation];
  if (operation?.kind !== 'test') return null;
  const all = formsAt(context, intervals, transition!, test.operation);
  const direct = test.forms.flatMap((index) => all[index] ?? []);
  if (direct.length !== test.forms.length || direct.length === 0) return null;
  const variables = dependsOn(context, cycle, direct);
  if (variables === null) return null;
  const local = [...variables].every((variable) => isOwn(context, cycle.class, variable));
  if (!local && context.instances[cycle.class] !== 1) return null;
  if (context.instances[cycle.class] === Number.POSITIVE_INFINITY) return null;
  const translation = cycle.transitions.every((number) => shiftOf(context, number, variables) !== null);
  const quiet = (number: number): boolean => !changes(context, number, variables);
  const canSkip = jumpsOf(context, cycle, variables, test.step, quiet).length > 0;
  if (canSkip && (!translation || test.depth > 1)) return null;
  const update = roundFrom(context, cycle, test);
  const again = test.depth === 2 ? direct.map((form) => applyUpdate(form, update)) : [];
  const condition = [...direct, ...again];
  const loop = { cycle, test, variables, canSkip };
  // What the second test says may be used only if nothing it was computed from could wrap, known from the first alone.
  if (again.length > 0 && !staysInRange(context, intervals, loop, flowsInto(context, loop, direct), []))
    return null;
  if (!staysInRange(context, intervals, loop, variables, again)) return null;
  return { cycle, test, condition, update, variables, translation, canSkip, local };
}

/** E_c(B) of [CycleDeps]: the condition's variables, and those that the cycle computes them from. Null: not affine. */
function dependsOn(
  context: CodeContext,
  cycle: NetCycle,
  condition: readonly LinearForm[],
): ReadonlySet<VariableId> | null {
  const variables = new Set(condition.flatMap(({ terms }) => [...terms.keys()]));
  const work = [...variables];
  for (let variable = work.pop(); variable !== undefined; variable = work.pop()) {
    for (const operation of assignmentsTo(context, cycle, variable)) {
      const form = operation.value === null || !operation.whole ? null : linearForm(operation.value);
      if (form === null) return null;
      for (const other of form.terms.keys()) {
        if (variables.has(other)) continue;
        variables.add(other);
        work.push(other);
      }
    }
  }
  return variables;
}

type Assignment = Extract<Operation, { kind: 'assign' }>;

const assignmentsTo = (context: CodeContext, cycle: NetCycle, variable: VariableId): Assignment[] =>
  cycle.transitions.flatMap((number) =>
    context.operations[number]!.filter(
      (operation): operation is Assignment => operation.kind === 'assign' && operation.variable === variable,
    ),
  );

/** What the transition adds to each of the variables; null when it does something else to one of them. */
export function shiftOf(
  context: CodeContext,
  transition: number,
  variables: ReadonlySet<VariableId>,
): ReadonlyMap<VariableId, bigint> | null {
  const shift = new Map<VariableId, bigint>();
  for (const operation of context.operations[transition]!) {
    if (operation.kind !== 'assign' || !variables.has(operation.variable)) continue;
    const form = operation.value === null || !operation.whole ? null : linearForm(operation.value);
    if (form === null || form.terms.size !== 1 || form.terms.get(operation.variable) !== 1n) return null;
    shift.set(operation.variable, (shift.get(operation.variable) ?? 0n) + form.constant);
  }
  return shift;
}

/** No assignment to the variables in this transition can leave its type's range. */
export function transitionStaysInRange(
  context: CodeContext,
  before: Values | null,
  transition: number,
  variables: ReadonlySet<VariableId>,
): boolean {
  return stayInRange(context, before ?? new Map(), context.operations[transition]!, variables, () => true);
}

/** `stable`: the variables that only these operations change. */
function stayInRange(
  context: CodeContext,
  before: Values,
  operations: readonly Operation[],
  variables: ReadonlySet<VariableId>,
  stable: (variable: VariableId) => boolean,
): boolean {
  let fine = true;
  const watch = (operation: Operation, values: Values): void => {
    if (operation.kind !== 'assign' || !variables.has(operation.variable)) return;
    const result = operation.value && evaluateExactly(context, values, operation.value);
    fine &&= result !== null && isWithin(result, intervalOf(context, new Map(), operation.variable));
  };
  runOperations(context, before, operations, stable, watch);
  return fine;
}

const isWithin = (inner: Interval, outer: Interval): boolean =>
  inner.least >= outer.least && inner.most <= outer.most;

/**
 * From one test to the next nothing but the cycle changes the variables: what the test says about them holds until they are
 * assigned. Where pieces can be skipped, only the intervals at each location count.
 */
function staysInRange(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  { cycle, test, variables, canSkip }: Pick<LoopView, 'cycle' | 'test' | 'variables' | 'canSkip'>,
  checked: ReadonlySet<VariableId>,
  known: readonly LinearForm[],
): boolean {
  if (canSkip) return staysInRangeAnywhere(context, intervals, cycle, checked);
  const isStable = (variable: VariableId): boolean => variables.has(variable);
  const { from } = context.net.transitions[cycle.transitions[test.step]!]!;
  const own = new Map([...(intervals[from] ?? [])].filter(([variable]) => isStable(variable)));
  const testing = context.operations[cycle.transitions[test.step]!]!.slice(0, test.operation + 1);
  const atTest = runOperations(context, own, testing, isStable);
  if (atTest === null || !known.every((form) => restrict(context, atTest, form, isStable))) return true;
  return stayInRange(context, atTest, roundOperations(context, cycle, test).flat(), checked, isStable);
}

/** No assignment of the cycle to the variables leaves its type's range, whatever happened before within the intervals. */
export const staysInRangeAnywhere = (
  context: CodeContext,
  intervals: readonly (Values | null)[],
  cycle: NetCycle,
  variables: ReadonlySet<VariableId>,
): boolean =>
  cycle.transitions.every((number) => {
    const before = intervals[context.net.transitions[number]!.from] ?? null;
    return transitionStaysInRange(context, before, number, variables);
  });

/** The condition's variables, and those whose values from earlier in the round they are computed from. */
function flowsInto(
  context: CodeContext,
  { cycle, test }: Pick<LoopView, 'cycle' | 'test'>,
  condition: readonly LinearForm[],
): ReadonlySet<VariableId> {
  const found = new Set(condition.flatMap(({ terms }) => [...terms.keys()]));
  const assignments = roundOperations(context, cycle, test)
    .flat()
    .filter((operation): operation is Assignment => operation.kind === 'assign');
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const [number, { variable, value }] of assignments.entries()) {
      if (!found.has(variable) || value === null) continue;
      for (const other of linearForm(value)?.terms.keys() ?? [])
        if (assignments.slice(0, number).some((earlier) => earlier.variable === other)) found.add(other);
    }
  }
  return found;
}

/** The operations from just after the test, once around, to the test again; by transition. */
function roundOperations(context: CodeContext, cycle: NetCycle, test: TestAt): (readonly Operation[])[] {
  const { length } = cycle.transitions;
  return Array.from({ length: length + 1 }, (_, offset) => {
    const all = context.operations[cycle.transitions[(test.step + offset) % length]!]!;
    if (offset === 0) return all.slice(test.operation + 1);
    return offset === length ? all.slice(0, test.operation) : all;
  });
}

/** The affine map from just after the test, once around, to the test again. */
function roundFrom(context: CodeContext, cycle: NetCycle, test: TestAt): Update {
  let update: Update = new Map();
  for (const operation of roundOperations(context, cycle, test).flat()) {
    if (operation.kind !== 'assign' || operation.value === null) continue;
    const form = linearForm(operation.value);
    if (form === null) continue;
    // The new value over the values at the beginning of the round.
    update = new Map(update).set(operation.variable, applyUpdate(form, update));
  }
  return update;
}

/** Puts a ranking function to use: how many rounds it leaves. */
export function terminationBy(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  view: LoopView,
  ranking: RankingFunction,
): Termination {
  const transition = view.cycle.transitions[view.test.step]!;
  const before = intervals[context.net.transitions[transition]!.from] ?? new Map();
  const untilTest = context.operations[transition]!.slice(0, view.test.operation + 1);
  const values = runOperations(context, before, untilTest, () => true) ?? new Map();
  let most = 0n;
  for (const [variable, coefficient] of ranking.form.terms) {
    const interval = intervalOf(context, values, variable);
    most += coefficient * BigInt(coefficient > 0n ? interval.most : interval.least);
  }
  const reserve = view.translation ? reserveFor(context, view, ranking) : 0n;
  const room = most - ranking.least + reserve;
  const rounds = (room < 0n ? 0n : room / ranking.fall + 1n) + BigInt(view.test.depth - 1);
  return { ...view, ranking, iterations: rounds > BigInt(MOST_ITERATIONS) ? null : Number(rounds) };
}

export function changeUnder(form: LinearForm, shift: ReadonlyMap<VariableId, bigint>): bigint {
  const shifted = [...shift].map(([variable, by]) => (form.terms.get(variable) ?? 0n) * by);
  return shifted.reduce((sum, change) => sum + change, 0n);
}
