// Numbers of channels. A channel is a number in Promela, and one that belongs to a process gets the number of one that died: whoever calculates with it, keeps it in
// a byte, compares it with a constant, or makes a channel of a number, sees who is dead. Held as a channel, handed on, compared with another, and
// printed it is only itself.

import type { Expression, LValue } from '../../process/expression.ts';
import type { Initialiser, Program, ScalarType, Statement } from '../../process/program.ts';
import { cellsOf } from '../../process/storage.ts';
import { isMoreThanText } from '../../process/uses.ts';
import { indicesOf, partsOf, partsOfStatement } from '../../process/walk.ts';
import type { PointsTo } from './points-to.ts';

/** Can the program see which number a channel of a process has? */
export function seesChannelNumbers(program: Program, channels: PointsTo): boolean {
  if (program.channelSites.every(({ variable }) => program.variables[variable]!.owner === null)) return false;
  return new Look(program, channels).isAnywhere();
}

class Look {
  private readonly program: Program;
  private readonly channels: PointsTo;

  constructor(program: Program, channels: PointsTo) {
    this.program = program;
    this.channels = channels;
  }

  isAnywhere(): boolean {
    const { variables, proctypes } = this.program;
    return (
      variables.some(({ id }) => this.channels.sitesOf(id) === null) ||
      variables.some(({ type, initial }) => this.inInitial(initial, type.kind)) ||
      proctypes.some(
        ({ provided, edges }) =>
          (provided !== null && this.inNumber(provided)) ||
          edges.some(({ statement }) => this.inStatement(statement)),
      )
    );
  }

  private inInitial(initial: Initialiser | null, kind: string): boolean {
    if (initial === null || initial.kind === 'channel' || initial.kind === 'channel-field') return false;
    const values = initial.kind === 'each' ? [initial.value] : initial.values;
    return values.some((value) => this.inValue(value, kind));
  }

  /** In a message it escapes (points-to.ts), or becomes a number. */
  private inStatement(statement: Statement): boolean {
    const { expressions = [], cells = [], writes = [], edges = [] } = partsOfStatement(statement);
    if (this.inIndices([...cells, ...writes]) || edges.some((edge) => this.inStatement(edge.statement)))
      return true;
    if (statement.kind === 'assign') return this.inValue(statement.value, statement.target.type.kind);
    const isText = (argument: Expression): boolean => statement.kind === 'print' && !isMoreThanText(argument);
    return expressions.some((expression) => !isText(expression) && this.inNumber(expression));
  }

  private inIndices(cells: readonly LValue[]): boolean {
    return cells.flatMap(indicesOf).some((index) => this.inNumber(index));
  }

  private inValue(value: Expression, kind: string): boolean {
    return kind === 'chan' ? this.inChannel(value) : this.inNumber(value);
  }

  /** Where the value is taken for a channel. */
  private inChannel(expression: Expression): boolean {
    if (expression.kind === 'read') return this.inIndices([expression.cell]);
    if (expression.kind !== 'conditional') return this.inNumber(expression);
    const { condition, whenTrue, whenFalse } = expression;
    return this.inNumber(condition) || this.inChannel(whenTrue) || this.inChannel(whenFalse);
  }

  /** Where it is taken for a number. */
  private inNumber(expression: Expression): boolean {
    if (expression.kind === 'run') return this.inRun(expression);
    if (isComparison(expression)) return this.inChannel(expression.left) || this.inChannel(expression.right);
    const { expressions = [], cells = [] } = partsOf(expression);
    const isLooked = expression.kind !== 'channel-query' && expression.kind !== 'poll';
    return (
      (isLooked && cells.some((cell) => this.mayBeOwned(cell))) ||
      this.inIndices(cells) ||
      expressions.some((part) => this.inNumber(part))
    );
  }

  private inRun({ proctype, args, priority }: Expression & { kind: 'run' }): boolean {
    const types: readonly ScalarType[] = this.program.proctypes[proctype]!.parameters.flatMap((id) =>
      cellsOf(this.program.structs, this.program.variables[id]!).map(({ type }) => type),
    );
    return (
      args.some((value, i) => this.inValue(value, types[i]?.kind ?? 'int')) ||
      (priority !== null && this.inNumber(priority))
    );
  }

  private mayBeOwned({ variable, type }: LValue): boolean {
    if (type.kind !== 'chan') return false;
    const sites = this.channels.sitesOf(variable);
    return sites === null || [...sites].some((site) => this.program.variables[site.variable]!.owner !== null);
  }
}

/** Whether two channels are one; or whether there is one. */
function isComparison(expression: Expression): expression is Expression & { kind: 'binary' } {
  if (expression.kind !== 'binary') return false;
  const { operator, left, right } = expression;
  const isChannel = (side: Expression): boolean => side.kind === 'read' && side.cell.type.kind === 'chan';
  const isNone = (side: Expression): boolean => side.kind === 'constant' && side.value === 0;
  return (
    (operator === '==' || operator === '!=') &&
    (isChannel(left) || isChannel(right)) &&
    [left, right].every((side) => isChannel(side) || isNone(side))
  );
}
