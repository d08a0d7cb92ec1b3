// What a statement reads, told apart by what becomes of it. The right side of an assignment matters only as far as the target does (strong liveness:
// Giegerich, Möncke, Wilhelm, Invariance of approximative semantics with respect to program transformations, 1981; "faint variables" in Nielson,
// Nielson, Hankin, Principles of Program Analysis, 2.1.4); what is printed matters to nobody. What a statement's executability, its effect on
// others or its failing depends on matters in any case: indices, divisors, channels, arguments, whatever decides whether one of these is looked at.

import type { Expression, LValue } from '../../process/expression.ts';
import type { Statement } from '../../process/program.ts';
import { mayLieOutside } from '../../process/uses.ts';
import { containsExpression, indicesOf, type Parts, partsOf, partsOfStatement } from '../../process/walk.ts';

/** What is read, or goes from cell to cell. */
export interface Flows {
  /** Read by something that counts. */
  readonly reads: LValue[];
  /** By an assignment outside of d_step, or by each inside: whose values go into the target. */
  readonly into: { readonly target: LValue; readonly from: readonly LValue[] }[];
}

export function flowsOf(statement: Statement): Flows {
  const flows: Flows = { reads: [], into: [] };
  collect(statement, flows);
  return flows;
}

function collect(statement: Statement, flows: Flows): void {
  const { expressions = [], cells = [], writes = [], edges = [] } = partsOfStatement(statement);
  flows.reads.push(...cells);
  for (const cell of [...cells, ...writes])
    for (const index of indicesOf(cell)) readAll({ expressions: [index] }, flows.reads);
  for (const edge of edges) collect(edge.statement, flows);
  if (statement.kind !== 'assign' && statement.kind !== 'print') {
    readAll({ expressions }, flows.reads);
    return;
  }
  const from = expressions.flatMap((expression) => valuesOf(expression, flows.reads));
  if (statement.kind === 'assign') flows.into.push({ target: statement.target, from });
}

/** The cells that a value is computed from and nothing else depends on; others go to `reads`. */
function valuesOf(expression: Expression, reads: LValue[]): LValue[] {
  const isPlain = !containsExpression(expression, isMoreThanValue);
  const isLazy = containsExpression(expression, decides);
  if (!isPlain || (isLazy && containsExpression(expression, mayFail))) {
    readAll({ expressions: [expression] }, reads);
    return [];
  }
  const values: LValue[] = [];
  const walk = (one: Expression): void => {
    const { expressions = [], cells = [] } = partsOf(one);
    for (const cell of cells) readAll({ expressions: indicesOf(cell) }, reads);
    (one.kind === 'read' ? values : reads).push(...cells);
    expressions.forEach(walk);
  };
  walk(expression);
  return values;
}

/** All cells that are looked at, indices included. */
export function readAll({ expressions = [], cells = [] }: Parts, reads: LValue[]): void {
  for (const cell of cells) {
    reads.push(cell);
    readAll({ expressions: indicesOf(cell) }, reads);
  }
  for (const expression of expressions) readAll(partsOf(expression), reads);
}

/** Does it do something, or can it fail by what its operands are? */
function isMoreThanValue(expression: Expression): boolean {
  switch (expression.kind) {
    case 'constant':
    case 'read':
    case 'unary':
    case 'conditional':
    case 'channel-query':
    case '_pid':
    case '_nr_pr':
      return false;
    case 'binary':
      return (expression.operator === '/' || expression.operator === '%') && !isSafeDivisor(expression.right);
    default:
      return true;
  }
}

const isSafeDivisor = (divisor: Expression): boolean =>
  divisor.kind === 'constant' && divisor.value !== 0 && divisor.value !== -1;

/** Whether parts of it are looked at depends on others. */
const decides = (expression: Expression): boolean =>
  expression.kind === 'conditional' ||
  (expression.kind === 'binary' && (expression.operator === '&&' || expression.operator === '||'));

/** An index may be out of range, a channel not be there. */
const mayFail = (expression: Expression): boolean =>
  expression.kind === 'channel-query' ||
  (expression.kind === 'read' && expression.cell.path.some(mayLieOutside));
