// Which values a process's own variables can have at each of its locations: intervals, by abstract interpretation over the class's
// control graph, with widening to the constants of the program. Stores that could leave the type's range count as any value of the
// type, because SPIN wraps silently.
//
// Soundness duty: the interval contains every value the variable really has when an instance of the class stands at the location.

import type { Expression } from '../process/expression.ts';
import type { VariableId } from '../process/program.ts';
import { rangeOf, variableStorage } from '../process/storage.ts';
import { walkStatement } from '../process/walk.ts';
import { type CodeContext, isOwn, scalarType } from './context.ts';
import { consequences, type LinearForm } from './linear.ts';
import type { Operation } from './operations.ts';

export interface Interval {
  readonly least: number;
  readonly most: number;
}

/** Own variables → interval. A variable that is absent has its type's range. */
export type Values = ReadonlyMap<VariableId, Interval>;

const INT: Interval = { least: -(2 ** 31), most: 2 ** 31 - 1 };
const VISITS_BEFORE_WIDENING = 3;

/** Values per location of the class. Null where the analysis found no way to the location. */
export function intervalsOf(context: CodeContext, netClass: number): (Values | null)[] {
  const { graph, transitions } = context.graphs[netClass]!;
  const { initial } = context.net.classes[netClass]!;
  const own = ownVariables(context, netClass);
  const thresholds = thresholdsOf(context);
  const at: (Map<VariableId, Interval> | null)[] = Array.from({ length: graph.nodeCount }, () => null);
  const visits = new Array<number>(graph.nodeCount).fill(0);
  at[initial] = initialValues(context, own);
  const work = [initial];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    for (const arc of graph.out[node]!) {
      if (context.impossible?.has(transitions[arc]!)) continue;
      const after = runOperations(context, at[node]!, context.operations[transitions[arc]!]!, own);
      if (after === null) continue;
      const { to } = graph.arcs[arc]!;
      const joined =
        at[to] === null
          ? after
          : joinValues(at[to]!, after, visits[to]! >= VISITS_BEFORE_WIDENING ? thresholds : null);
      if (joined === null) continue;
      visits[to]!++;
      at[to] = joined;
      work.push(to);
    }
  }
  return at;
}

export function ownVariables(context: CodeContext, netClass: number): ReadonlySet<VariableId> {
  return new Set(
    context.program.variables
      .filter((variable) => scalarType(variable) !== null && variable.type.kind !== 'chan')
      .map(({ id }) => id)
      .filter((id) => isOwn(context, netClass, id)),
  );
}

function initialValues(context: CodeContext, own: ReadonlySet<VariableId>): Map<VariableId, Interval> {
  const values = new Map<VariableId, Interval>();
  for (const id of own) {
    const start = startInterval(context, id);
    if (start !== null) values.set(id, start);
  }
  return values;
}

/** What the variable holds when its process starts; null when that is not told by a constant. */
export function startInterval(context: CodeContext, variable: VariableId): Interval | null {
  const { initial, role } = context.program.variables[variable]!;
  if (role === 'parameter') return null;
  if (initial === null) return { least: 0, most: 0 };
  if (initial.kind !== 'each' || initial.value.kind !== 'constant') return null;
  const { value } = initial.value;
  return fits(context, variable, { least: value, most: value }) ? { least: value, most: value } : null;
}

export const typeRange = (context: CodeContext, variable: VariableId): Interval => {
  const storage = variableStorage(context.program.variables[variable]!);
  return storage === null ? INT : toInterval(rangeOf(storage));
};

export const intervalOf = (context: CodeContext, values: Values, variable: VariableId): Interval =>
  values.get(variable) ?? typeRange(context, variable);

const fits = (context: CodeContext, variable: VariableId, { least, most }: Interval): boolean => {
  const range = typeRange(context, variable);
  return least >= range.least && most <= range.most;
};

/** The values after the operations; null when some test cannot hold. `watch` sees the values before each operation. */
export function runOperations(
  context: CodeContext,
  before: Values,
  operations: readonly Operation[],
  own: ReadonlySet<VariableId> | ((variable: VariableId) => boolean),
  watch: (operation: Operation, values: Values) => void = () => {},
): Map<VariableId, Interval> | null {
  const isMine = typeof own === 'function' ? own : (variable: VariableId) => own.has(variable);
  const values = new Map(before);
  for (const operation of operations) {
    watch(operation, values);
    if (operation.kind === 'test') {
      for (const form of consequencesAt(context, values, operation.expression, operation.truth))
        if (!restrict(context, values, form, isMine)) return null;
    } else if (operation.kind === 'assign' && isMine(operation.variable)) {
      const { variable, value, whole, range } = operation;
      const result = !whole ? null : value === null ? (range ?? null) : evaluate(context, values, value);
      if (result !== null && fits(context, variable, result)) values.set(variable, result);
      else values.delete(variable);
    }
  }
  return values;
}

/** What follows from the condition, in unlimited integers, where the variables have these values: nothing of what could wrap. */
export const consequencesAt = (
  context: CodeContext,
  values: Values,
  condition: Expression,
  truth: boolean,
): LinearForm[] => consequences(condition, truth, (part) => evaluateExactly(context, values, part) !== null);

/** Beyond this, sums of floating-point numbers are not exact, and nothing is concluded. */
const MOST_EXACT = 2 ** 45;

/** Cuts the intervals down to what form ≥ 0 leaves; false when nothing is left. */
export function restrict(
  context: CodeContext,
  values: Map<VariableId, Interval>,
  form: LinearForm,
  isMine: (variable: VariableId) => boolean,
): boolean {
  const most = [...form.terms].map(([variable, coefficient]) => {
    const interval = intervalOf(context, values, variable);
    return Number(coefficient) * (coefficient > 0n ? interval.most : interval.least);
  });
  const total = most.reduce((sum, value) => sum + value, Number(form.constant));
  if ([total, Number(form.constant), ...most].some((value) => Math.abs(value) > MOST_EXACT)) return true;
  if (total < 0) return false;
  for (const [index, [variable, coefficient]] of [...form.terms].entries()) {
    if (!isMine(variable)) continue;
    const slack = total - most[index]!;
    const { least, most: high } = intervalOf(context, values, variable);
    // coefficient · v ≥ −slack
    const limit = -slack / Number(coefficient);
    const cut =
      coefficient > 0n
        ? { least: Math.max(least, Math.ceil(limit)), most: high }
        : { least, most: Math.min(high, Math.floor(limit)) };
    if (cut.least > cut.most) return false;
    values.set(variable, cut);
  }
  return true;
}

/** The interval of an expression's value in 32-bit arithmetic. */
export const evaluate = (context: CodeContext, values: Values, expression: Expression): Interval =>
  evaluateExactly(context, values, expression) ?? INT;

/** Null when some intermediate result could leave 32 bits and wrap. */
export function evaluateExactly(
  context: CodeContext,
  values: Values,
  expression: Expression,
): Interval | null {
  switch (expression.kind) {
    case 'constant':
      return { least: expression.value, most: expression.value };
    case 'read':
      return expression.cell.path.length > 0
        ? toInterval(rangeOf(expression.cell.storage))
        : intervalOf(context, values, expression.cell.variable);
    case 'unary': {
      if (expression.operator === '!') return { least: 0, most: 1 };
      const operand = evaluateExactly(context, values, expression.operand);
      if (operand === null || expression.operator !== '-') return operand && INT;
      return withinInt(context, { least: -operand.most, most: -operand.least });
    }
    case 'binary': {
      const left = evaluateExactly(context, values, expression.left);
      const right = evaluateExactly(context, values, expression.right);
      return left && right && withinInt(context, arithmetic(expression.operator, left, right));
    }
    case 'conditional': {
      const left = evaluateExactly(context, values, expression.whenTrue);
      const right = evaluateExactly(context, values, expression.whenFalse);
      return left && right && hull(left, right);
    }
    default:
      return INT;
  }
}

/** Where integers are ideal, the limits of `int` stand for infinity. */
function withinInt({ idealIntegers }: CodeContext, interval: Interval): Interval | null {
  if (interval.least >= INT.least && interval.most <= INT.most) return interval;
  if (!idealIntegers) return null;
  const clamp = (value: number): number => Math.min(Math.max(value, INT.least), INT.most);
  return { least: clamp(interval.least), most: clamp(interval.most) };
}

const toInterval = ({ min, max }: { readonly min: number; readonly max: number }): Interval => ({
  least: min,
  most: max,
});

function arithmetic(operator: string, a: Interval, b: Interval): Interval {
  switch (operator) {
    case '+':
      return { least: a.least + b.least, most: a.most + b.most };
    case '-':
      return { least: a.least - b.most, most: a.most - b.least };
    case '*': {
      const products = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most];
      return { least: Math.min(...products), most: Math.max(...products) };
    }
    case '%':
      return b.least > 0 && a.least >= 0 ? { least: 0, most: Math.min(a.most, b.most - 1) } : INT;
    case '&&':
    case '||':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { least: 0, most: 1 };
    default:
      return INT;
  }
}

const hull = (a: Interval, b: Interval): Interval => ({
  least: Math.min(a.least, b.least),
  most: Math.max(a.most, b.most),
});

/** Null when nothing is new. A variable missing on one side is unknown on both. */
function joinValues(
  known: ReadonlyMap<VariableId, Interval>,
  more: ReadonlyMap<VariableId, Interval>,
  thresholds: readonly number[] | null,
): Map<VariableId, Interval> | null {
  const joined = new Map<VariableId, Interval>();
  let changed = false;
  for (const [variable, interval] of known) {
    const other = more.get(variable);
    if (other === undefined) {
      changed = true;
      continue;
    }
    let { least, most } = hull(interval, other);
    if (thresholds !== null && least < interval.least)
      least = thresholds.findLast((threshold) => threshold <= least) ?? INT.least;
    if (thresholds !== null && most > interval.most)
      most = thresholds.find((threshold) => threshold >= most) ?? INT.most;
    changed ||= least !== interval.least || most !== interval.most;
    joined.set(variable, { least, most });
  }
  return changed ? joined : null;
}

/** The constants of the program and their neighbours: where widening may stop. */
export function thresholdsOf({ program }: CodeContext): number[] {
  const found = new Set([INT.least, -32768, -1, 0, 1, 255, 256, 32767, INT.most]);
  const expression = (part: Expression): void => {
    if (part.kind === 'constant') for (const near of [-1, 0, 1]) found.add(part.value + near);
  };
  for (const proctype of program.proctypes)
    for (const { statement } of proctype.edges) walkStatement(statement, { expression });
  return [...found].sort((a, b) => a - b);
}
