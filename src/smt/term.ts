// Terms of the SMT solver: linear integer arithmetic, booleans, bit-vectors, arrays. A term is a plain immutable tree (sharing
// is kept and printed once); the type parameter is its sort, so that ill-sorted formulas do not compile.

export type Sort =
  | { readonly kind: 'bool' }
  | { readonly kind: 'int' }
  | { readonly kind: 'bv'; readonly width: number }
  | { readonly kind: 'fp'; readonly exponent: number; readonly significand: number }
  | { readonly kind: 'array'; readonly index: Sort; readonly element: Sort };

type BoolSort = Extract<Sort, { kind: 'bool' }>;
type IntSort = Extract<Sort, { kind: 'int' }>;
type BvSort = Extract<Sort, { kind: 'bv' }>;
type ArraySort = Extract<Sort, { kind: 'array' }>;

const BOOL: BoolSort = { kind: 'bool' };
export const INT: IntSort = { kind: 'int' };
export const bvSort = (width: number): BvSort => ({ kind: 'bv', width });
const arraySort = (index: Sort, element: Sort): ArraySort => ({ kind: 'array', index, element });

export interface Term<S extends Sort = Sort> {
  readonly sort: S;
  /** An SMT-LIB operator such as `and` or `(_ extract 7 0)`; `const` for a free constant, `literal` for a number. */
  readonly op: string;
  readonly args: readonly Term[];
  /** The name of a constant or the text of a literal. */
  readonly name: string;
  /** For quantifiers: the bound constants. */
  readonly bound?: readonly Term[];
}

export type Bool = Term<BoolSort>;
export type Int = Term<IntSort>;
export type Bv = Term<BvSort>;
export type ArrayTerm = Term<ArraySort>;

const make = <S extends Sort>(sort: S, op: string, args: readonly Term[], name = ''): Term<S> => ({
  sort,
  op,
  args,
  name,
});

// ---- constants and literals ----

export const boolVar = (name: string): Bool => make(BOOL, 'const', [], name);
export const intVar = (name: string): Int => make(INT, 'const', [], name);
export const bvVar = (name: string, width: number): Bv => make(bvSort(width), 'const', [], name);
export const arrayVar = (name: string, index: Sort, element: Sort): ArrayTerm =>
  make(arraySort(index, element), 'const', [], name);

export const TRUE: Bool = make(BOOL, 'literal', [], 'true');
export const FALSE: Bool = make(BOOL, 'literal', [], 'false');
export const bool = (value: boolean): Bool => (value ? TRUE : FALSE);

export function int(value: bigint | number): Int {
  const n = BigInt(value);
  return make(INT, 'literal', [], n < 0n ? `(- ${-n})` : `${n}`);
}

/** The bit-vector of a value modulo 2^width. */
export const bv = (value: bigint | number, width: number): Bv =>
  make(bvSort(width), 'literal', [], `(_ bv${BigInt.asUintN(width, BigInt(value))} ${width})`);

// ---- booleans ----

export function and(...args: readonly Bool[]): Bool {
  const kept = args.filter((arg) => arg !== TRUE);
  if (kept.includes(FALSE)) return FALSE;
  if (kept.length <= 1) return kept[0] ?? TRUE;
  return make(BOOL, 'and', kept);
}

export function or(...args: readonly Bool[]): Bool {
  const kept = args.filter((arg) => arg !== FALSE);
  if (kept.includes(TRUE)) return TRUE;
  if (kept.length <= 1) return kept[0] ?? FALSE;
  return make(BOOL, 'or', kept);
}

export function not(arg: Bool): Bool {
  if (arg === TRUE) return FALSE;
  if (arg === FALSE) return TRUE;
  return arg.op === 'not' ? (arg.args[0] as Bool) : make(BOOL, 'not', [arg]);
}

export const implies = (a: Bool, b: Bool): Bool => make(BOOL, '=>', [a, b]);

// ---- any sort ----

export const eq = <S extends Sort>(a: Term<S>, b: Term<S>): Bool => make(BOOL, '=', [a, b]);
export const ite = <S extends Sort>(test: Bool, yes: Term<S>, no: Term<S>): Term<S> =>
  make(yes.sort, 'ite', [test, yes, no]);

export const forall = (bound: readonly Term[], body: Bool): Bool =>
  bound.length === 0 ? body : { ...make(BOOL, 'forall', [body]), bound };
export const exists = (bound: readonly Term[], body: Bool): Bool =>
  bound.length === 0 ? body : { ...make(BOOL, 'exists', [body]), bound };

// ---- integers ----

export const add = (...args: readonly Int[]): Int =>
  args.length === 0 ? int(0) : args.length === 1 ? args[0]! : make(INT, '+', args);
export const sub = (a: Int, b: Int): Int => make(INT, '-', [a, b]);
export const mul = (a: Int, b: Int): Int => make(INT, '*', [a, b]);
/** Euclidean division and remainder, as SMT-LIB defines them (the remainder is never negative). */
export const div = (a: Int, b: Int): Int => make(INT, 'div', [a, b]);
export const mod = (a: Int, b: Int): Int => make(INT, 'mod', [a, b]);
export const lt = (a: Int, b: Int): Bool => make(BOOL, '<', [a, b]);
export const le = (a: Int, b: Int): Bool => make(BOOL, '<=', [a, b]);
export const gt = (a: Int, b: Int): Bool => make(BOOL, '>', [a, b]);
export const ge = (a: Int, b: Int): Bool => make(BOOL, '>=', [a, b]);

// ---- bit-vectors ----

export type BvBinary =
  | 'bvadd'
  | 'bvsub'
  | 'bvmul'
  | 'bvudiv'
  | 'bvurem'
  | 'bvsdiv'
  | 'bvsrem'
  | 'bvand'
  | 'bvor'
  | 'bvxor'
  | 'bvshl'
  | 'bvlshr'
  | 'bvashr';
export type BvCompare = 'bvult' | 'bvule' | 'bvugt' | 'bvuge' | 'bvslt' | 'bvsle' | 'bvsgt' | 'bvsge';

export const bvOp = (op: BvBinary, a: Bv, b: Bv): Bv => make(a.sort, op, [a, b]);
export const bvCompare = (op: BvCompare, a: Bv, b: Bv): Bool => make(BOOL, op, [a, b]);
export const bvNeg = (a: Bv): Bv => make(a.sort, 'bvneg', [a]);
export const bvNot = (a: Bv): Bv => make(a.sort, 'bvnot', [a]);
export const extract = (high: number, low: number, a: Bv): Bv =>
  make(bvSort(high - low + 1), `(_ extract ${high} ${low})`, [a]);

/** Cuts or extends to a width; signed extension copies the sign bit. */
export function bvResize(a: Bv, width: number, signed: boolean): Bv {
  const by = width - a.sort.width;
  if (by === 0) return a;
  if (by < 0) return extract(width - 1, 0, a);
  return make(bvSort(width), `(_ ${signed ? 'sign' : 'zero'}_extend ${by})`, [a]);
}

// ---- arrays ----

export const select = <S extends Sort = Sort>(array: ArrayTerm, index: Term): Term<S> =>
  make(array.sort.element as S, 'select', [array, index]);
export const store = (array: ArrayTerm, index: Term, value: Term): ArrayTerm =>
  make(array.sort, 'store', [array, index, value]);
