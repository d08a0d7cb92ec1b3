// Arithmetic on bits of a given width, as the machine does it.

export type BinaryOp =
  | 'add'
  | 'sub'
  | 'mul'
  | 'udiv'
  | 'sdiv'
  | 'urem'
  | 'srem'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'lshr'
  | 'ashr';
export type CompareOp = 'eq' | 'ult' | 'ule' | 'slt' | 'sle';

export const mask = (width: number): bigint => (1n << BigInt(width)) - 1n;
export const asSigned = (value: bigint, width: number): bigint => BigInt.asIntN(width, value);

/** Null where C leaves the result undefined (division by zero; a shift by the width or more). */
export function computeBinary(op: BinaryOp, a: bigint, b: bigint, width: number): bigint | null {
  const cut = (value: bigint) => BigInt.asUintN(width, value);
  switch (op) {
    case 'add':
      return cut(a + b);
    case 'sub':
      return cut(a - b);
    case 'mul':
      return cut(a * b);
    case 'udiv':
      return b === 0n ? null : a / b;
    case 'urem':
      return b === 0n ? null : a % b;
    case 'sdiv':
      return b === 0n ? null : cut(asSigned(a, width) / asSigned(b, width));
    case 'srem':
      return b === 0n ? null : cut(asSigned(a, width) % asSigned(b, width));
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return b >= BigInt(width) ? null : cut(a << b);
    case 'lshr':
      return b >= BigInt(width) ? null : a >> b;
    case 'ashr':
      return b >= BigInt(width) ? null : cut(asSigned(a, width) >> b);
  }
}

export function computeCompare(op: CompareOp, a: bigint, b: bigint, width: number): boolean {
  switch (op) {
    case 'eq':
      return a === b;
    case 'ult':
      return a < b;
    case 'ule':
      return a <= b;
    case 'slt':
      return asSigned(a, width) < asSigned(b, width);
    case 'sle':
      return asSigned(a, width) <= asSigned(b, width);
  }
}
