// Values, cells, processes and channels by the names a user knows.

import type { Edge, Proctype, Program, ScalarType } from '../process/program.ts';
import { showStatement } from '../process/show.ts';
import { cellsOf } from '../process/storage.ts';
import type { Span } from '../source/source.ts';
import type { Model } from './compile.ts';
import { FRAME } from './layout.ts';
import type { Operation } from './machine.ts';

/** The stretch of source on one line, shortened in the middle of long blocks. */
function sourceText(span: Span, limit = 60): string {
  const text = span.file.text.slice(span.start, span.end).replaceAll(/\s+/g, ' ').trim();
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** A step's statement; jumps as the user wrote them. */
export function stepText(program: Program, edge: Edge): string {
  const { statement, span } = edge;
  if (statement.kind === 'end') return '-end-';
  if (statement.kind === 'condition' && statement.expression.kind === 'constant') {
    const text = sourceText(span);
    if (statement.expression.value === 0) return /^(false|0)$/.test(text) ? text : 'false';
    return /^(skip|break|true|1|goto \w+)$/.test(text) ? text : 'skip';
  }
  if (statement.kind === 'dstep') return sourceText(span);
  const text = showStatement(program, statement);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

export function showValue(
  program: Program,
  type: ScalarType,
  value: number,
  channel: (id: number) => string,
): string {
  if (type.kind === 'bool') return value === 0 ? 'false' : 'true';
  if (type.kind === 'chan') return value === 0 ? '-' : channel(value);
  if (type.kind === 'mtype') return mtypeName(program, type.set, value) ?? String(value);
  return String(value);
}

function mtypeName(program: Program, set: string, value: number): string | null {
  const sets = program.mtypes.filter((candidate) => candidate.set === set);
  for (const { members } of sets) {
    const member = members.find((candidate) => candidate.value === value);
    if (member !== undefined) return member.name;
  }
  return null;
}

export interface NamedCell {
  readonly name: string;
  readonly type: ScalarType;
  /** In S for globals, relative to the frame for locals. */
  readonly cell: number;
}

/** The cells of variables, channels with a fixed initialiser left out: their value is their name. */
function namedCells(model: Model, ids: readonly number[]): NamedCell[] {
  const { program, layout, features } = model;
  return ids.flatMap((id) => {
    const variable = program.variables[id]!;
    const fixed = variable.type.kind === 'chan' && !features.written.has(variable.id);
    if (fixed && program.channelSites.some((site) => site.variable === id)) return [];
    return cellsOf(program.structs, variable).map((cell, i) => ({ ...cell, cell: layout.base[id]! + i }));
  });
}

export interface CellNames {
  readonly globals: readonly NamedCell[];
  /** By proctype. */
  readonly locals: readonly (readonly NamedCell[])[];
}

export function cellNames(model: Model): CellNames {
  return {
    globals: namedCells(model, model.program.globals),
    locals: model.program.proctypes.map((proctype) =>
      namedCells(model, [...proctype.parameters, ...proctype.locals]),
    ),
  };
}

/** `client(0)`: the proctype with its arguments; `worker` without parameters. */
export function processLabel(model: Model, pid: number, channel: (id: number) => string): string {
  const { machine, program, layout } = model;
  const frame = machine.frames[pid]!;
  const proctype = program.proctypes[machine.cells[frame + FRAME.type]!]!;
  const values = proctype.parameters.flatMap((id) =>
    cellsOf(program.structs, program.variables[id]!).map((cell, i) =>
      showValue(program, cell.type, machine.cells[frame + layout.base[id]! + i]!, channel),
    ),
  );
  return values.length === 0 ? proctype.name : `${proctype.name}(${values.join(',')})`;
}

/** printf's text, with the formats SPIN knows. */
export function formatPrint(program: Program, operation: Operation & { kind: 'print' }): string {
  let next = 0;
  return operation.format
    .replaceAll(/%[-0-9]*([dcioxueX%])/g, (whole, kind: string) => {
      if (kind === '%') return '%';
      const value = operation.values[next];
      const set = operation.sets[next++];
      if (value === undefined) return whole;
      if (kind === 'c') return String.fromCharCode(value & 255);
      if (kind === 'x' || kind === 'X') return (value >>> 0).toString(16);
      if (kind === 'o') return (value >>> 0).toString(8);
      if (kind === 'u') return String(value >>> 0);
      if (kind === 'e') return mtypeName(program, set ?? '', value) ?? String(value);
      return String(value);
    })
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .trimEnd();
}

export const proctypeOf = (model: Model, pid: number): Proctype =>
  model.program.proctypes[model.machine.cells[model.machine.frames[pid]! + FRAME.type]!]!;
