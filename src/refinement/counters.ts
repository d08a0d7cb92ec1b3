// A variable with a bounded range is a counter: over any run, what was added to it and what was taken from it differ by no more
// than the range. So in a ray, its rises and falls balance. Where a test stands before an assignment in the same step, or the
// intervals are narrow, resets count with the most they can change.

import type { VariableId } from '../process/program.ts';
import { type CodeContext, isOwn, scalarType } from './context.ts';
import { evaluateExactly, intervalOf, runOperations, startInterval, type Values } from './intervals.ts';
import type { Operation } from './operations.ts';
import type { Claim, Facts, RayRow } from './rows.ts';

type CounterClaim = Extract<Claim, { kind: 'counter' }>;

/** The variables of the class worth a row: its own numbers that its transitions write. */
export function countersOf(context: CodeContext, netClass: number): VariableId[] {
  return context.program.variables.flatMap((variable) => {
    const type = scalarType(variable);
    if (type === null || type.kind === 'chan' || !isOwn(context, netClass, variable.id)) return [];
    const writers = [...(context.writers.get(variable.id) ?? [])];
    return writers.some((writer) => context.net.transitions[writer]!.class === netClass) ? [variable.id] : [];
  });
}

/** Larger differences between locations are not worth their numbers. */
const MOST_OFFSET = 1_000_000;

/**
 * Where an instance stands at ℓ, its value is at least least(ℓ) and at most most(ℓ): so v − least(ℓ), or most(ℓ) − v, is a potential that is
 * never negative, and the most that each transition can raise it makes a row. Null when the class may have any number of instances.
 */
export function counterRow(facts: Facts, claim: CounterClaim): RayRow | null {
  const { context } = facts;
  const { class: netClass, variable, upwards } = claim;
  const known = context.program.variables[variable];
  if (known === undefined || context.net.classes[netClass] === undefined) return null;
  if (!countersOf(context, netClass).includes(variable)) return null;
  const instances = context.instances[netClass]!;
  if (!Number.isFinite(instances)) return null;
  const intervals = facts.of(netClass);
  const limits = limitsOf(context, intervals, variable, upwards);
  const coefficients = new Map<number, bigint>();
  for (const transition of context.graphs[netClass]!.transitions) {
    const { from, to } = context.net.transitions[transition]!;
    const [values, here, there] = [intervals[from] ?? null, limits[from] ?? null, limits[to] ?? null];
    // What leads from or to where nobody comes is never taken.
    if (values === null || here === null || there === null) continue;
    const change = changeBy(context, values, context.operations[transition]!, variable);
    const coefficient = upwards ? change.most - there + here : -change.least + there - here;
    if (coefficient !== 0) coefficients.set(transition, BigInt(coefficient));
  }
  const start = startInterval(context, variable) ?? intervalOf(context, new Map(), variable);
  const limit = limits[context.net.classes[netClass]!.initial]!;
  const room = upwards ? start.most - limit : limit - start.least;
  return { claim, coefficients, cycle: null, constant: BigInt(room) * BigInt(instances) };
}

/** By location: the least, or the most, that the variable can be there; one number for all when they differ too much. */
function limitsOf(
  context: CodeContext,
  intervals: readonly (Values | null)[],
  variable: VariableId,
  upwards: boolean,
): (number | null)[] {
  const limits = intervals.map((values) => {
    if (values === null) return null;
    const { least, most } = intervalOf(context, values, variable);
    return upwards ? least : most;
  });
  const all = limits.filter((limit) => limit !== null);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  if (high - low <= MOST_OFFSET) return limits;
  return limits.map((limit) => (limit === null ? null : upwards ? low : high));
}

/** How much the operations can change the variable, all in all. */
function changeBy(
  context: CodeContext,
  before: Values,
  operations: readonly Operation[],
  variable: VariableId,
): { least: number; most: number } {
  let least = 0;
  let most = 0;
  const range = intervalOf(context, new Map(), variable);
  const watch = (operation: Operation, values: Values): void => {
    if (operation.kind !== 'assign' || operation.variable !== variable) return;
    const old = intervalOf(context, values, variable);
    const step = stepBy(context, values, operation, variable, old);
    least += step?.least ?? range.least - old.most;
    most += step?.most ?? range.most - old.least;
  };
  runOperations(context, before, operations, () => true, watch);
  return { least, most };
}

/** Null when the new value could be anything of the type. */
function stepBy(
  context: CodeContext,
  values: Values,
  operation: Extract<Operation, { kind: 'assign' }>,
  variable: VariableId,
  old: { readonly least: number; readonly most: number },
): { least: number; most: number } | null {
  if (!operation.whole) return null;
  const { value } = operation;
  const now = value === null ? (operation.range ?? null) : evaluateExactly(context, values, value);
  if (now === null) return null;
  const range = intervalOf(context, new Map(), variable);
  if (now.least < range.least || now.most > range.most) return null;
  // x = x + k changes x by exactly k, whatever x is.
  if (value?.kind === 'binary' && (value.operator === '+' || value.operator === '-')) {
    const { left, right } = value;
    const reads = left.kind === 'read' && left.cell.variable === variable && left.cell.path.length === 0;
    if (reads && right.kind === 'constant') {
      const by = value.operator === '+' ? right.value : -right.value;
      return { least: by, most: by };
    }
  }
  return { least: now.least - old.most, most: now.most - old.least };
}
