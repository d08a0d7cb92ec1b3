// Arrays in the formulas of the audit: the contents of large objects, as elements by their addresses. A number of more bytes than an element has lies in several of
// them, the low ones first.

import type { MemoryObject } from '../program/program.ts';
import type { Formula, Formulas } from './formula.ts';

const ADDRESS = 64;

const after = (formulas: Formulas, address: Formula, bytes: number): Formula =>
  bytes === 0
    ? address
    : formulas.apply('add', ADDRESS, [address, formulas.constant(BigInt(bytes), ADDRESS)]);

/** The number at an address. */
export function numberIn(formulas: Formulas, array: Formula, address: Formula, width: number): Formula {
  const bits = -array.width;
  let result: Formula | null = null;
  for (let low = 0; low < width; low += bits) {
    const element = formulas.apply('select', bits, [array, after(formulas, address, low / 8)]);
    if (bits === width) return element;
    const by = formulas.constant(BigInt(low), width);
    const placed = formulas.apply('shl', width, [formulas.apply('zext', width, [element]), by]);
    result = result === null ? placed : formulas.apply('or', width, [result, placed]);
  }
  return result!;
}

/** The array after the number was written at the address. */
export function withNumber(formulas: Formulas, array: Formula, address: Formula, value: Formula): Formula {
  const bits = -array.width;
  let result = array;
  for (let low = 0; low < value.width; low += bits) {
    const by = formulas.constant(BigInt(low), value.width);
    const shifted = low === 0 ? value : formulas.apply('lshr', value.width, [value, by]);
    const element = bits === value.width ? value : formulas.apply('trunc', bits, [shifted]);
    result = formulas.apply('store', array.width, [result, after(formulas, address, low / 8), element]);
  }
  return result;
}

/** All bytes of the number lie in the object. */
export function isWithin(formulas: Formulas, object: MemoryObject, address: Formula, width: number): Formula {
  const start = formulas.constant(object.address, ADDRESS);
  const offset = formulas.apply('sub', ADDRESS, [address, start]);
  const last = formulas.constant(BigInt(object.size - width / 8), ADDRESS);
  return formulas.apply('ule', 0, [offset, last]);
}
