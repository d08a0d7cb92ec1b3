// Expressions over abstract values. What depends on queue lengths, on other processes' control or on time is ANY.

import type { BinaryOperator, Expression, LValue } from '../process/expression.ts';
import { forEachPartAndIndex, hasRun } from '../process/uses.ts';
import { ANY, binary, unary, type Value } from './value.ts';

export interface Reader {
  read(cell: LValue): Value;
  /** Starts a process and gives its number (0 when there is no room). */
  start(run: Expression & { readonly kind: 'run' }): Value;
  /** One of so many ways, each of which is followed; null when only one answer is taken, which must then cover them all. */
  choose(options: number): number | null;
  /** A division by what may be zero. */
  divisionMayFail?(): void;
  /** Embedded C: what it does is not known. */
  opaque(expression: Expression): void;
  readonly pid: Value;
  /** Is there only one real channel behind the queue? */
  sameChannel(queue: number): boolean;
}

export function evaluate(expression: Expression, reader: Reader): Value {
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'read':
      return reader.read(expression.cell);
    case 'unary':
      return unary(expression.operator, evaluate(expression.operand, reader));
    case 'binary':
      if (expression.operator === '&&') return logical(expression.left, expression.right, 0, reader);
      if (expression.operator === '||') return logical(expression.left, expression.right, 1, reader);
      return operation(expression.operator, expression.left, expression.right, reader);
    case 'conditional': {
      const condition = evaluate(expression.condition, reader);
      const way = condition === ANY ? reader.choose(2) : Number(condition !== 0);
      if (way !== null) return evaluate(way === 1 ? expression.whenTrue : expression.whenFalse, reader);
      const whenTrue = evaluate(expression.whenTrue, reader);
      return whenTrue === evaluate(expression.whenFalse, reader) ? whenTrue : ANY;
    }
    case 'run':
      return reader.start(expression);
    case '_pid':
      return reader.pid;
    case 'opaque':
      reader.opaque(expression);
      return ANY;
    default:
      startAll(expression, reader);
      return ANY;
  }
}

function operation(operator: BinaryOperator, left: Expression, right: Expression, reader: Reader): Value {
  const [first, second] = [evaluate(left, reader), evaluate(right, reader)];
  if ((operator === '/' || operator === '%') && (second === ANY || second === 0)) reader.divisionMayFail?.();
  return binary(operator, first, second, (queue) => reader.sameChannel(queue));
}

/** `get_priority(run p())`, `len(c[run p()])`: of what is not known, the processes it starts. */
function startAll(expression: Expression, reader: Reader): void {
  forEachPartAndIndex(expression, (part) => {
    if (part.kind === 'run') reader.start(part);
  });
}

/** `&&` is decided by a 0 on the left, `||` by anything else: `decider` is the truth that decides. */
function logical(left: Expression, right: Expression, decider: 0 | 1, reader: Reader): Value {
  const first = truth(evaluate(left, reader));
  if (first === decider) return decider;
  if (first === ANY && hasRun(right) && reader.choose(2) === 1) return decider;
  const second = truth(evaluate(right, reader));
  if (second === decider) return decider;
  return first === ANY || second === ANY ? ANY : 1 - decider;
}

const truth = (value: Value): Value => (value === ANY ? ANY : Number(value !== 0));
