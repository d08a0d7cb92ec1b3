// Values, places and steps in the words of a C programmer.

import type { Span } from '../../source/source.ts';
import { toNumber } from '../program/floats.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { oneLine } from '../syntax/one-line.ts';

export function showValue(program: Program, cell: Cell, value: bigint): string {
  if (cell.type.kind === 'pointer') {
    if (value === 0n) return 'NULL';
    const object = objectAt(program.objects, value);
    if (object === null) return `0x${value.toString(16)}`;
    const offset = Number(value - object.address);
    if (offset === 0) return object.kind === 'function' ? object.name : `&${object.name}`;
    const part = [...object.cells.values()].find((c) => c.offset === offset);
    return part === undefined ? `&${object.name} + ${offset}` : `&${part.name}`;
  }
  if (cell.type.kind === 'float' && cell.width <= 64)
    return showNumber(toNumber(value, cell.width), cell.width);
  if (cell.type.kind === 'int' && cell.type.signed) return `${BigInt.asIntN(cell.width, value)}`;
  return `${value}`;
}

/** As short as it can be, and still that number; with a point, so that it is no whole number. */
function showNumber(value: number, width: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-infinity' : 'infinity';
  const digits = Array.from({ length: 9 }, (_, i) => value.toPrecision(i + 1));
  const short = width === 32 ? digits.find((text) => Math.fround(Number(text)) === value) : undefined;
  const text = String(short === undefined ? value : Number(short));
  return `${Object.is(value, -0) ? '-' : ''}${text}${/[.e]/.test(text) ? '' : '.0'}`;
}

const sourceText = (span: Span): string => {
  const text = oneLine(span);
  return text.length > 70 ? `${text.slice(0, 67)}...` : text;
};

/** The text of a step; null for steps that show nothing (jumps, intermediate values). */
export function stepText(edge: Edge): string | null {
  const { operation } = edge;
  switch (operation.kind) {
    case 'assume':
      return operation.branch ?? sourceText(edge.span);
    case 'assign':
      return operation.cell.object.visible ? sourceText(edge.span) : null;
    case 'store':
    case 'input':
      return sourceText(edge.span);
    case 'event':
      return operation.name;
    default:
      return null;
  }
}
