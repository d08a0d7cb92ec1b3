// The instructions that are used. Everything is a 32-bit integer, as in C.

export const I32 = 0x7f;
export const NO_RESULT = 0x40;

export const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  call: 0x10,
  drop: 0x1a,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  load: 0x28,
  store: 0x36,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  constant: 0x41,
  eqz: 0x45,
  eq: 0x46,
  ne: 0x47,
  lt: 0x48,
  ltUnsigned: 0x49,
  gt: 0x4a,
  le: 0x4c,
  ge: 0x4e,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  div: 0x6d,
  rem: 0x6f,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: 0x74,
  shr: 0x75,
  shrUnsigned: 0x76,
  wrap: 0xa7,
  extendUnsigned: 0xad,
  mul64: 0x7e,
  shrUnsigned64: 0x88,
  constant64: 0x42,
  bulk: 0xfc,
  atomic: 0xfe,
} as const;

/** After `OP.bulk`. */
export const BULK = { fill: 11 } as const;
/** After `OP.atomic`. */
export const ATOMIC = { load: 0x10, store: 0x17, add: 0x1e, exchange: 0x48 } as const;

/** JavaScript's operators on 32-bit integers. `>>>` gives the bits; only a comparison with `<` sees them as unsigned. */
export const BINARY: Readonly<Record<string, number>> = {
  '+': OP.add,
  '-': OP.sub,
  '*': OP.mul,
  '/': OP.div,
  '%': OP.rem,
  '&': OP.and,
  '|': OP.or,
  '^': OP.xor,
  '<<': OP.shl,
  '>>': OP.shr,
  '>>>': OP.shrUnsigned,
  '===': OP.eq,
  '!==': OP.ne,
  '<': OP.lt,
  '<=': OP.le,
  '>': OP.gt,
  '>=': OP.ge,
};
