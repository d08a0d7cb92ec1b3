// Variables as flat memory: every scalar inside a variable (array element, struct field) is a numbered cell. Elements at a known
// index are thereby variables like others.

import { channelSiteOf } from '../process/channels.ts';
import type { Expression, LValue } from '../process/expression.ts';
import type {
  ChannelSite,
  Field,
  Proctype,
  Program,
  ScalarType,
  Type,
  VariableId,
} from '../process/program.ts';
import { placeStorage, type Storage } from '../process/storage.ts';

export type CellInitial =
  | { readonly kind: 'value'; readonly value: Expression }
  | { readonly kind: 'channel'; readonly site: ChannelSite };

export interface Cell {
  /** As the user writes it: `deferred[2]`, `m.kind`. */
  readonly name: string;
  readonly type: ScalarType;
  readonly storage: Storage;
  readonly initial: CellInitial | null;
}

/** One step of the way from a variable to a cell, with the stride that an index multiplies. */
export interface Stride {
  readonly index: Expression;
  readonly length: number;
  readonly stride: number;
}

export interface Located {
  readonly cell: number;
  readonly strides: readonly Stride[];
}

export class Layout {
  readonly program: Program;
  /** First cell per variable. */
  readonly base: readonly number[];
  /** Number of cells per variable. */
  readonly size: readonly number[];
  readonly cellCount: number;
  private readonly cells = new Map<number, Cell>();
  private readonly parameters = new Map<number, readonly number[]>();
  private readonly variables = new Map<number, VariableId>();
  private readonly located = new Map<LValue, Located>();

  constructor(program: Program) {
    this.program = program;
    const base: number[] = [];
    let next = 0;
    const size = program.variables.map((variable) => {
      const cells = this.sizeOf(variable.type) * (variable.length ?? 1);
      base.push(next);
      next += cells;
      return cells;
    });
    this.base = base;
    this.size = size;
    this.cellCount = next;
  }

  variableOf(cell: number): VariableId {
    let found = this.variables.get(cell);
    if (found === undefined) {
      found = this.findVariable(cell);
      this.variables.set(cell, found);
    }
    return found;
  }

  private findVariable(cell: number): VariableId {
    let low = 0;
    let high = this.base.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.base[middle]! <= cell) low = middle;
      else high = middle - 1;
    }
    return low as VariableId;
  }

  isGlobal(cell: number): boolean {
    return this.program.variables[this.variableOf(cell)]!.owner === null;
  }

  cell(number: number): Cell {
    let found = this.cells.get(number);
    if (found === undefined) {
      const variable = this.program.variables[this.variableOf(number)]!;
      found = this.describe(variable.id, variable, [], variable.name, number - this.base[variable.id]!);
      this.cells.set(number, found);
    }
    return found;
  }

  /** The scalars of a proctype's parameters, in the order of `run` arguments. */
  parameterCells(proctype: Proctype): readonly number[] {
    let found = this.parameters.get(proctype.id);
    if (found === undefined) {
      found = proctype.parameters.flatMap((variable) =>
        Array.from({ length: this.size[variable]! }, (_, offset) => this.base[variable]! + offset),
      );
      this.parameters.set(proctype.id, found);
    }
    return found;
  }

  /** The constant part of the way to a cell, and the indices still to be evaluated. */
  locate(lvalue: LValue): Located {
    let found = this.located.get(lvalue);
    if (found === undefined) {
      found = this.wayTo(lvalue);
      this.located.set(lvalue, found);
    }
    return found;
  }

  private wayTo(lvalue: LValue): Located {
    const variable = this.program.variables[lvalue.variable]!;
    const strides: Stride[] = [];
    let cell = this.base[variable.id]!;
    let type: Type = variable.type;
    for (const step of lvalue.path) {
      if (step.kind === 'index') {
        strides.push({ index: step.index, length: step.length, stride: this.sizeOf(type) });
        continue;
      }
      if (type.kind !== 'struct') break;
      const struct = this.program.structs[type.struct]!;
      for (const field of struct.fields) {
        if (field.name === step.name) {
          type = field.type;
          break;
        }
        cell += this.fieldSize(field);
      }
    }
    return { cell, strides };
  }

  private sizeOf(type: Type): number {
    if (type.kind !== 'struct') return 1;
    return this.program.structs[type.struct]!.fields.reduce((sum, field) => sum + this.fieldSize(field), 0);
  }

  private fieldSize(field: Field): number {
    return this.sizeOf(field.type) * (field.length ?? 1);
  }

  private describe(
    variable: VariableId,
    field: Field,
    path: readonly string[],
    name: string,
    offset: number,
  ): Cell {
    const each = this.sizeOf(field.type);
    const element = Math.floor(offset / each);
    const named = field.length === null ? name : `${name}[${element}]`;
    if (field.type.kind !== 'struct') {
      const initial = this.initialOf(variable, field, path, element);
      const hidden = path.length === 0 && this.program.variables[variable]!.hidden;
      const storage = placeStorage(field.type, { isElement: field.length !== null, hidden });
      return { name: named, type: field.type, storage, initial };
    }
    let rest = offset % each;
    for (const inner of this.program.structs[field.type.struct]!.fields) {
      const size = this.fieldSize(inner);
      if (rest < size)
        return this.describe(variable, inner, [...path, inner.name], `${named}.${inner.name}`, rest);
      rest -= size;
    }
    throw new Error(`impossible: ${named} has no cell at offset ${offset}`);
  }

  private initialOf(
    variable: VariableId,
    field: Field,
    path: readonly string[],
    element: number,
  ): CellInitial | null {
    const { initial } = field;
    if (initial === null) return null;
    if (initial.kind === 'channel' || initial.kind === 'channel-field') {
      const site = channelSiteOf(this.program, variable, path);
      return site === null ? null : { kind: 'channel', site };
    }
    const value = initial.kind === 'each' ? initial.value : initial.values[element];
    return value === undefined ? null : { kind: 'value', value };
  }
}
