// A counter that may wrap: a potential over the whole cyclic range of a variable's type. A cycle tests v ≤ K and adds D in every
// round; then, over any run and up to a constant,
//     D · (times the test was passed)  ≤  Σ  k_t · (times t was taken)      over the transitions t that can change v otherwise.
//
// At the test's location the potential is φ(v): Z − v up to Z = K + D, and beyond it rises again, by so little a step that after the way up to the
// end of the range it is as high as where wrapping leads. On the cycle's other locations it is φ of what v will be when the round is
// over, so that the cycle's own assignments cost nothing, wherever rounds begin. k_t is the most that t can raise it, found exactly at the ends
// of the pieces on which φ is linear. So [Ciclo] Fig. 5 holds as drawn although i may wrap: getting there takes
// as many rounds of the neighbour. (That every n rounds *in a row* need one is not claimed.)
//
// Tests v ≥ K are the same, mirrored.

import type { NetCycle } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { type CodeContext, isOwn, scalarType } from './context.ts';
import {
  consequencesAt,
  type Interval,
  intervalOf,
  runOperations,
  startInterval,
  typeRange,
  type Values,
} from './intervals.ts';
import { linearForm } from './linear.ts';
import type { Operation } from './operations.ts';
import { type Claim, cycleAt, type Facts, type RayRow } from './rows.ts';

export type CyclicClaim = Extract<Claim, { kind: 'cyclic' }>;

/** A change that costs more rounds than this is no useful number. */
const MOST_COST = 1_000_000n;

/** Tests of the cycle on one own variable that it moves away from what the test allows. */
export function cyclicClaims(context: CodeContext, cycle: NetCycle): CyclicClaim[] {
  const found: CyclicClaim[] = [];
  cycle.transitions.forEach((transition, step) => {
    context.operations[transition]!.forEach((operation, number) => {
      if (operation.kind !== 'test') return;
      formsOf(context, operation).forEach((_, form) => {
        const claim: CyclicClaim = {
          kind: 'cyclic',
          cycle: cycle.transitions,
          test: { step, operation: number },
          form,
        };
        if (loopOf(context, claim) !== null) found.push(claim);
      });
    });
  });
  return found;
}

/** What the test says whatever its variables hold. */
const formsOf = (context: CodeContext, { expression, truth }: Extract<Operation, { kind: 'test' }>) =>
  consequencesAt(context, new Map(), expression, truth);

/** The counting loop in mirrored coordinates: v ≤ limit, and every round adds `by` > 0. */
interface CountingLoop {
  readonly cycle: NetCycle;
  readonly variable: VariableId;
  readonly range: { readonly least: bigint; readonly most: bigint };
  /** v, or least + most − v. */
  readonly mirrored: boolean;
  readonly limit: bigint;
  readonly by: bigint;
  readonly testing: number;
  /** By location: what the cycle will still add before it comes to the test again. */
  readonly pending: ReadonlyMap<number, bigint>;
}

function loopOf(context: CodeContext, claim: CyclicClaim): CountingLoop | null {
  const { net } = context;
  const cycle = cycleAt(context, claim.cycle);
  const testing = claim.cycle[claim.test.step];
  if (cycle === null || testing === undefined) return null;
  const operations = context.operations[testing]!;
  const test = operations[claim.test.operation];
  if (test?.kind !== 'test') return null;
  const form = formsOf(context, test)[claim.form];
  const [term, ...others] = [...(form?.terms ?? [])];
  if (form === undefined || term === undefined || others.length > 0) return null;
  const [variable, coefficient] = term;
  const type = scalarType(context.program.variables[variable]!);
  if (type === null || type.kind === 'chan' || !isOwn(context, cycle.class, variable)) return null;
  // The test must speak of the value the transition begins with.
  const first = operations.findIndex(
    (operation) => operation.kind === 'assign' && operation.variable === variable,
  );
  if (first >= 0 && first < claim.test.operation) return null;
  const bounds = typeRange(context, variable);
  const range = { least: BigInt(bounds.least), most: BigInt(bounds.most) };
  // coefficient · v + constant ≥ 0
  const mirrored = coefficient > 0n;
  const limit = mirrored
    ? range.least + range.most - ceilDivide(-form.constant, coefficient)
    : floorDivide(form.constant, -coefficient);
  const steps = claim.cycle.map((transition) => additionOf(context, transition, variable));
  if (steps.some((step) => step === null)) return null;
  const shifts = steps.map((step) => (mirrored ? -step! : step!));
  const by = shifts.reduce((sum, shift) => sum + shift, 0n);
  if (by <= 0n || limit < range.least) return null;
  const pending = new Map<number, bigint>();
  let rest = 0n;
  for (let back = 1; back <= claim.cycle.length; back++) {
    const step = (claim.test.step - back + claim.cycle.length) % claim.cycle.length;
    if (step !== claim.test.step) {
      rest += shifts[step]!;
      pending.set(net.transitions[claim.cycle[step]!]!.from, rest);
    }
  }
  return { cycle, variable, range, mirrored, limit, by, testing, pending };
}

export function greatest(values: readonly bigint[]): bigint {
  let [most, ...others] = values as readonly [bigint, ...bigint[]];
  for (const value of others) if (value > most) most = value;
  return most;
}

const floorDivide = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
const ceilDivide = (a: bigint, b: bigint): bigint => -floorDivide(-a, b);

/** What the transition adds to the variable; null when it does something else to it. */
function additionOf(context: CodeContext, transition: number, variable: VariableId): bigint | null {
  let sum = 0n;
  for (const operation of context.operations[transition]!) {
    if (operation.kind !== 'assign' || operation.variable !== variable) continue;
    const form = operation.value === null || !operation.whole ? null : linearForm(operation.value);
    if (form === null || form.terms.size !== 1 || form.terms.get(variable) !== 1n) return null;
    sum += form.constant;
  }
  return sum;
}

/** φ over the range, linear between its breaks: Z − v, then up again with the slope, no higher than at the least value. */
class Potential {
  readonly breaks: readonly bigint[];
  private readonly least: bigint;
  private readonly size: bigint;
  private readonly zero: bigint;
  private readonly slope: bigint;
  private readonly top: bigint;

  constructor({ range, limit, by }: CountingLoop, slope: bigint) {
    this.least = range.least;
    this.size = range.most - range.least + 1n;
    this.zero = limit + by;
    this.slope = slope;
    this.top = this.zero - range.least;
    const full = slope === 0n ? range.most : this.zero + this.top / slope;
    this.breaks = [range.least, this.zero, full, full + 1n, range.most];
  }

  /** The value in the range that the number wraps to. */
  wrap(value: bigint): bigint {
    const offset = (value - this.least) % this.size;
    return this.least + (offset < 0n ? offset + this.size : offset);
  }

  at(number: bigint): bigint {
    const value = this.wrap(number);
    if (value <= this.zero) return this.zero - value;
    return -greatest([-this.slope * (value - this.zero), -this.top]);
  }

  /** The numbers from..to near which, shifted by any of these, φ has a break; and the ends. Linear in between. */
  corners(from: bigint, to: bigint, shifts: readonly bigint[]): bigint[] {
    const found = new Set([from, to]);
    for (const point of this.breaks) {
      for (const shift of shifts) {
        const base = this.wrap(point - shift);
        for (const near of [base - 1n, base, base + 1n]) {
          const value = this.wrap(near);
          if (value >= from && value <= to) found.add(value);
        }
      }
    }
    return [...found];
  }

  extreme(from: bigint, to: bigint, shift: bigint, wanted: 'least' | 'most'): bigint {
    const values = this.corners(from, to, [shift]).map((value) => this.at(value + shift));
    return wanted === 'most' ? greatest(values) : -greatest(values.map((value) => -value));
  }
}

/** The row with the smaller costs, of a potential that stays low beyond the limit and one that prepares for wrapping. */
export function cyclicRow(facts: Facts, claim: CyclicClaim): RayRow | null {
  const loop = loopOf(facts.context, claim);
  const instances = loop && facts.context.instances[loop.cycle.class]!;
  if (loop === null || instances === null || !Number.isFinite(instances)) return null;
  const { range, limit, by } = loop;
  const beyond = range.most - limit - by;
  const slopes = beyond > 0n ? [0n, ceilDivide(limit + by - range.least, beyond)] : [0n];
  let best: RayRow | null = null;
  let least = MOST_COST * by;
  for (const slope of slopes) {
    const potential = new Potential(loop, slope);
    const coefficients = costsOf(facts, loop, potential);
    if ((coefficients.get(loop.testing) ?? 0n) > -by) continue;
    const most = greatest([0n, ...coefficients.values()]);
    if (most >= least) continue;
    least = most;
    const constant = startOf(facts, loop, potential) * BigInt(instances);
    best = { claim, coefficients, cycle: null, constant };
  }
  return best;
}

/** What the loop adds to its variable in every round: the row's unit. */
export const stepOfLoop = (context: CodeContext, claim: CyclicClaim): bigint | null =>
  loopOf(context, claim)?.by ?? null;

export const variableOf = (context: CodeContext, claim: CyclicClaim): VariableId | null =>
  loopOf(context, claim)?.variable ?? null;

/** By transition: the most it can raise the potential. */
function costsOf(facts: Facts, loop: CountingLoop, potential: Potential): Map<number, bigint> {
  const { context } = facts;
  const costs = new Map<number, bigint>();
  for (const number of context.graphs[loop.cycle.class]!.transitions) {
    const { from, to } = context.net.transitions[number]!;
    const values = facts.of(loop.cycle.class)[from] ?? null;
    const [before, after] = [loop.pending.get(from) ?? 0n, loop.pending.get(to) ?? 0n];
    const cost = values && costOf(context, loop, potential, number, values, before, after);
    if (cost !== null && cost !== 0n) costs.set(number, cost);
  }
  return costs;
}

/** Null: it cannot be taken. */
function costOf(
  context: CodeContext,
  loop: CountingLoop,
  potential: Potential,
  transition: number,
  values: Values,
  before: bigint,
  after: bigint,
): bigint | null {
  const { variable, cycle } = loop;
  const operations = context.operations[transition]!;
  const isMine = (other: VariableId): boolean => isOwn(context, cycle.class, other);
  const first = operations.findIndex(
    (operation) => operation.kind === 'assign' && operation.variable === variable,
  );
  const untilAssigned = first < 0 ? operations : operations.slice(0, first);
  const ready = runOperations(context, values, untilAssigned, isMine);
  if (ready === null) return null;
  const old = within(loop, intervalOf(context, ready, variable));
  const addition = additionOf(context, transition, variable);
  if (addition !== null) {
    const shift = after + (loop.mirrored ? -addition : addition);
    const rises = potential
      .corners(old.least, old.most, [before, shift])
      .map((value) => potential.at(value + shift) - potential.at(value + before));
    return greatest(rises);
  }
  const done = runOperations(context, values, operations, isMine);
  if (done === null) return null;
  const now = within(loop, intervalOf(context, done, variable));
  return (
    potential.extreme(now.least, now.most, after, 'most') -
    potential.extreme(old.least, old.most, before, 'least')
  );
}

/** The interval in the loop's own coordinates, no wider than the type. */
function within(
  { range, mirrored }: CountingLoop,
  { least, most }: Interval,
): { least: bigint; most: bigint } {
  const low = BigInt(least) > range.least ? BigInt(least) : range.least;
  const high = BigInt(most) < range.most ? BigInt(most) : range.most;
  const sum = range.least + range.most;
  return mirrored ? { least: sum - high, most: sum - low } : { least: low, most: high };
}

/** The potential an instance can begin with. */
function startOf({ context }: Facts, loop: CountingLoop, potential: Potential): bigint {
  const { variable, cycle } = loop;
  const start = within(loop, startInterval(context, variable) ?? typeRange(context, variable));
  const pending = loop.pending.get(context.net.classes[cycle.class]!.initial) ?? 0n;
  return potential.extreme(start.least, start.most, pending, 'most');
}
