// What a program does with one element of an array, said of any other one: what it writes at an index (`a[i] = 2 * i`: a[k] is 2 * k), and what it asks about what lies
// there (`a[i] <= max`; behind `if (used[i]) assert(key[i] == i)`: used[k] is 0, or key[k] is k). The index is taken for `k` wherever it occurs.

import type { Expr, Pool } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Cell, Program } from '../program/program.ts';
import { apart } from '../program/simplify.ts';
import { anyNumber, isAnyNumber } from './quantified.ts';
import type { Passage, Regions } from './regions.ts';
import { FRESH } from './symbolic.ts';

/** The likelier ones first. */
export function factsAbout({ program, passages, heads }: Regions, array: Cell): readonly Expr[] {
  const { pool } = program;
  const isHead = new Set(heads);
  const [asked, written, tested] = [new Set<Expr>(), new Set<Expr>(), new Set<Expr>()];
  for (const { env, guard, to } of passages) {
    for (const { address, value } of writesIn(env.get(array.id)))
      offer(
        written,
        generalised(program, array, address, (k) => pool.eq(elementAt(pool, array, k), value)),
      );
    if (!isHead.has(to)) for (const fact of excludedBy(program, guard, array)) offer(asked, fact);
    for (const atom of atomsAbout(guard, array))
      for (const fact of aboutAny(program, array, atom)) offer(tested, fact);
  }
  const either = [...tested].flatMap((fact) => [fact, pool.not(fact)]);
  return [...new Set([...asked, ...written, ...either])];
}

function offer(into: Set<Expr>, fact: Expr | null): void {
  if (fact === null || fact.op === 'const' || !fact.symbols.some(isAnyNumber)) return;
  if (!fact.symbols.some((symbol) => symbolNumber(symbol) >= FRESH)) into.add(fact);
}

/** That what leads to an error is not so, as far as it is about one element. */
function excludedBy(program: Program, guard: Expr, array: Cell): readonly Expr[] {
  const { pool } = program;
  const literals = conjunctsOf(guard).filter(({ hasArray }) => hasArray);
  const whole = literals.length === 0 ? null : literals.reduce((a, b) => pool.and(a, b));
  const single = literals.length > 1 ? literals : [];
  return [...(whole === null ? [] : [whole]), ...single].flatMap((test) =>
    aboutAny(program, array, test).map((fact) => pool.not(fact)),
  );
}

function conjunctsOf(test: Expr): readonly Expr[] {
  const found = new Set([test]);
  for (const one of found) if (one.op === 'conj') for (const arg of one.args) found.add(arg);
  return [...found].filter(({ op }) => op !== 'conj');
}

/** The test about some element of the array as one about element `k`, for each index at which it reads the array. */
function aboutAny(program: Program, array: Cell, test: Expr): readonly Expr[] {
  const plain = ofArraysBefore(program.pool, test);
  return [...addressesIn(plain, array)].flatMap((address) => {
    const fact = generalised(program, array, address, () => plain);
    return fact === null ? [] : [fact];
  });
}

function elementAt(pool: Pool, { id, width, object, array }: Cell, k: Expr): Expr {
  const offset = pool.binary('mul', k, pool.const(array!.stride, 64));
  const start = pool.const(object.address + BigInt(array!.first), 64);
  return pool.select(pool.symbol(id, width), pool.binary('add', offset, start));
}

/** The fact about the element at the address, as one about element `k`: the index is solved for what is open in it. */
function generalised(program: Program, array: Cell, address: Expr, fact: (k: Expr) => Expr): Expr | null {
  const { pool } = program;
  const { object, array: part } = array;
  const k = anyNumber(pool);
  const pointer = pointerIn(program, address);
  const asObject = (node: Expr) => (node === pointer ? pool.const(object.address, 64) : null);
  const [rest, from] = apart(rewritten(pool, address, asObject));
  if (rest.op === 'const') return null;
  const stride = BigInt(part!.stride);
  const isScaled = rest.op === 'mul' && rest.args[1]!.op === 'const' && rest.args[1]!.value === stride;
  const behind = BigInt.asIntN(64, from - object.address - BigInt(part!.first));
  if ((!isScaled && stride !== 1n) || behind % stride !== 0n) return null;
  // The index is something, extended, and a constant: before it was extended, or after.
  const [wide, more] = apart(isScaled ? rest.args[0]! : rest);
  const inner = wide.op === 'sext' || wide.op === 'zext' ? wide.args[0]! : wide;
  const [open, less] = apart(inner);
  if (open.op === 'const') return null;
  const by = behind / stride + BigInt.asIntN(64, more) + BigInt.asIntN(open.width, less);
  const value = pool.trunc(pool.binary('sub', k, pool.const(by, 64)), open.width);
  const said = rewritten(pool, fact(k), (node) => (node === open ? value : asObject(node)));
  return rewritten(pool, said, (node) => plainIndex(pool, node));
}

/** The variable that an address is based on: it is taken to point to the beginning of the object. Null where there is none, or more than one. */
function pointerIn({ cells }: Program, address: Expr): Expr | null {
  const found = new Set<Expr>();
  const walk = (expr: Expr): void => {
    if (expr.op === 'add') expr.args.forEach(walk);
    const cell = expr.op === 'symbol' ? cells[symbolNumber(expr)] : undefined;
    if (cell?.type.kind === 'pointer' && expr.width === 64) found.add(expr);
  };
  walk(address);
  return found.size === 1 ? [...found][0]! : null;
}

/** An index of k and a constant, in few bits, is one in many, where that lies in the array. */
function plainIndex(pool: Pool, node: Expr): Expr | null {
  if ((node.op !== 'sext' && node.op !== 'zext') || node.width !== 64) return null;
  const [narrow, by] = apart(node.args[0]!);
  if (!isAnyNumber(narrow)) return null;
  return pool.binary('add', anyNumber(pool), pool.const(BigInt.asIntN(narrow.width, by), 64));
}

function rewritten(pool: Pool, expr: Expr, other: (node: Expr) => Expr | null): Expr {
  const memo = new Map<Expr, Expr>();
  const walk = (node: Expr): Expr => {
    const known = memo.get(node);
    if (known !== undefined) return known;
    const made = other(node) ?? (node.args.length === 0 ? node : pool.rebuild(node, node.args.map(walk)));
    memo.set(node, made);
    return made;
  };
  return walk(expr);
}

/** Reads of arrays as they were before what the passage writes. */
function ofArraysBefore(pool: Pool, expr: Expr): Expr {
  return rewritten(pool, expr, (node) => {
    if (node.op !== 'select') return null;
    let array = node.args[0]!;
    while (array.op === 'store' || array.op === 'ite') array = array.args[array.op === 'store' ? 0 : 2]!;
    return array.op === 'symbol' ? pool.select(array, ofArraysBefore(pool, node.args[1]!)) : null;
  });
}

function writesIn(contents: Expr | undefined): readonly { readonly address: Expr; readonly value: Expr }[] {
  const arrays = contents === undefined ? [] : nodesIn(contents, ({ width }) => width < 0);
  return arrays.flatMap(({ op, args }) => (op === 'store' ? [{ address: args[1]!, value: args[2]! }] : []));
}

/** Tests without structure that read the array. */
const atomsAbout = (guard: Passage['guard'], { id }: Cell): readonly Expr[] =>
  nodesIn(guard, ({ hasArray }) => hasArray).filter(
    ({ op, width, symbols }) =>
      width === 0 &&
      op !== 'conj' &&
      op !== 'disj' &&
      op !== 'not' &&
      symbols.some((symbol) => symbolNumber(symbol) === id),
  );

const addressesIn = (test: Expr, { id }: Cell): ReadonlySet<Expr> =>
  new Set(
    nodesIn(test, ({ hasArray }) => hasArray).flatMap(({ op, args }) => {
      const isRead = op === 'select' && args[0]!.op === 'symbol' && symbolNumber(args[0]!) === id;
      return isRead ? [args[1]!] : [];
    }),
  );

/** What an expression is made of, as far as it counts. */
function nodesIn(root: Expr, counts: (node: Expr) => boolean, most = 2000): readonly Expr[] {
  const found = new Set<Expr>(counts(root) ? [root] : []);
  for (const { args } of found) {
    if (found.size > most) break;
    for (const arg of args) if (counts(arg)) found.add(arg);
  }
  return [...found];
}
