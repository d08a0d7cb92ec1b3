// What never changes in a process: its number, parameters and locals that nothing assigns, globals that nothing assigns; and what follows from these
// alone: values of expressions, which cell `a[i]` is, which channel `c[i]`, edges that are never taken.

import { computeBinary } from '../../process/arithmetic.ts';
import type { BinaryOperator, Expression, LValue } from '../../process/expression.ts';
import type { Edge, Proctype, Program } from '../../process/program.ts';
import type { Model } from '../compile.ts';
import { fixedChannels, sizeOf } from '../layout.ts';
import type { LoadedState } from '../machine.ts';
import { cellParts, type Part, partOf } from './parts.ts';
import type { PointsTo } from './points-to.ts';
import type { Resources } from './resources.ts';

/** Facts about the model that all footprints share. */
export interface Facts {
  readonly model: Model;
  /** Where states are loaded. */
  machine: LoadedState;
  readonly resources: Resources;
  readonly pointsTo: PointsTo;
  readonly written: ReadonlySet<Part>;
  /** Some step goes on or not depending on who is ready to receive. */
  readonly looksForReceivers: boolean;
}

/** A process as far as it never changes; null stands for any process of the proctype. */
export interface Instance {
  readonly pid: number;
  /** By cell of the frame, for those that never change. */
  readonly constants: ReadonlyMap<number, number>;
}

export class Constants {
  private readonly facts: Facts;
  private readonly program: Program;
  private readonly proctype: Proctype;
  private readonly instance: Instance | null;

  constructor(facts: Facts, proctype: Proctype, instance: Instance | null) {
    this.facts = facts;
    this.program = facts.model.program;
    this.proctype = proctype;
    this.instance = instance;
  }

  /** The numbers of the channels, where they never change; null when that is not known. */
  exactNumbers(cell: LValue): readonly number[] | null {
    const { model } = this.facts;
    const variable = this.program.variables[cell.variable]!;
    if (this.facts.written.has(partOf(cell))) return null;
    const offset = this.offset(cell);
    const fixed = fixedChannels(model.layout, model.features, variable);
    if (offset === null) {
      if (fixed?.firstId == null) return null;
      return Array.from({ length: variable.length ?? 1 }, (_, index) => fixed.firstId! + index);
    }
    if (fixed?.firstId != null) return [fixed.firstId + offset];
    const value = this.valueAt(cell, offset);
    return value === null ? null : [value];
  }

  /** Of a cell that nothing assigns. */
  private valueAt({ variable }: LValue, offset: number): number | null {
    const { machine } = this.facts;
    const { layout } = this.facts.model;
    const start = layout.base[variable]! + offset;
    if (this.program.variables[variable]!.owner === null) return machine.cells[start]!;
    return this.instance?.constants.get(start) ?? null;
  }

  /** Which scalar of the variable the cell is, where that never changes. */
  offset(cell: LValue): number | null {
    const { program } = this;
    const variable = program.variables[cell.variable]!;
    let { type } = variable;
    let offset = 0;
    for (const step of cell.path) {
      if (step.kind === 'index') {
        const index = this.constant(step.index);
        if (index === null || index < 0 || index >= step.length) return null;
        offset += index * sizeOf(program, type);
        continue;
      }
      if (type.kind !== 'struct') return null;
      for (const field of program.structs[type.struct]!.fields) {
        if (field.name === step.name) {
          type = field.type;
          break;
        }
        offset += sizeOf(program, field.type) * (field.length ?? 1);
      }
    }
    return offset;
  }

  /** An edge that a process of this class can never take: its condition is false for good, or an `else` beside one that is true for good. */
  isDead(edge: Edge): boolean {
    const { edges, locations } = this.proctype;
    const { statement } = edge;
    const { immortal, deathsFirst } = this.facts.model.options;
    // Deaths that come first come before any set is asked for.
    if (statement.kind === 'end') return immortal === true || deathsFirst === true;
    if (statement.kind === 'condition') return this.constant(statement.expression) === 0;
    if (statement.kind !== 'else') return false;
    const out = locations[edge.from]!.edges;
    return out.slice(0, out.indexOf(edge.id)).some((id) => {
      const beside = edges[id]!;
      if (beside.statement.kind !== 'condition' || beside.blockedBy.length > 0) return false;
      const value = this.constant(beside.statement.expression);
      return value !== null && value !== 0;
    });
  }

  /** The value of an expression that never changes in this process, else null. */
  constant(expression: Expression): number | null {
    switch (expression.kind) {
      case 'constant':
        return expression.value;
      case '_pid':
        return this.instance?.pid ?? null;
      case 'read': {
        if (this.facts.written.has(partOf(expression.cell))) return null;
        const offset = this.offset(expression.cell);
        return offset === null ? null : this.valueAt(expression.cell, offset);
      }
      case 'binary': {
        const left = this.constant(expression.left);
        const right = this.constant(expression.right);
        return left === null || right === null ? null : arithmetic(expression.operator, left, right);
      }
      default:
        return null;
    }
  }
}

/** C leaves shifts by large counts open: those are not computed beforehand. */
const arithmetic = (operator: BinaryOperator, left: number, right: number): number | null =>
  operator === '<<' || operator === '>>' ? null : computeBinary(operator, left, right);

/** Cells that tell processes of one proctype apart and never change. */
export function constantCells({ model, written }: Facts, proctype: Proctype): number[] {
  const { layout, program } = model;
  return [...proctype.parameters, ...proctype.locals].flatMap((id) =>
    cellParts(program, id).flatMap(({ part }, index) =>
      written.has(part) ? [] : [layout.base[id]! + index],
    ),
  );
}
