// scanf and its like: what they read is any value of the type that the pointer has, and they may stop after any number of values.
// Only formats that are written out and consist of numbers, single characters and text; strings are left to the rule for functions nobody defines.
//
// What stands in a text or a file may be the program's own data: those values are not really any. What comes from the standard input is, up to what
// is known from before: where reading failed it goes on failing, and behind a number comes no digit. Functions that nobody defines may read there, too,
// or make it another file: behind them nothing is known.

import type { Span } from '../../source/source.ts';
import { READ_BY } from '../program/confirmed.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell } from '../program/program.ts';
import type { IntType, WordSizes } from '../program/types.ts';
import { INT } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';
import { partsOf } from '../syntax/parts.ts';
import { write } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { stringLiteral } from './literals.ts';
import { MODEL_TEXTS } from './model-texts.ts';
import type { Value } from './places.ts';
import { namesIn } from './seeds.ts';
import { touchArguments } from './touches.ts';
import { saved, typeOf, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** Where the format stands among the arguments. */
const FORMATS: Readonly<Record<string, number>> = { scanf: 0, fscanf: 1, sscanf: 1 };

/** What a format is made of. */
interface Directive {
  readonly kind: 'number' | 'character' | 'space' | 'text';
  readonly text: string;
  /** Of what is read, in bits; 0 where nothing is. */
  readonly width: number;
}

/** Of what comes next on the standard input. */
export const OPEN = 0n;
const AFTER_NUMBER = 1n;
const FAILED = 2n;
/** Somebody else read there, or made it another file. */
export const LOST = 3n;
/** It was read to its end. */
export const ENDED = 4n;

/** Null when the call is none of these, or reads something else. */
export function scanCall(context: Context, name: string, node: CallNode): Value | null {
  const plain = name.replace(/^__isoc99_/, '');
  const at = FORMATS[plain];
  const format = at === undefined ? undefined : node.args[at];
  if (at === undefined || format?.kind !== 'string') return null;
  const directives = directivesOf(stringLiteral(format.text, format.span, context.sizes), context.sizes);
  const targets = node.args.slice(at + 1);
  const widths = directives?.filter(({ width }) => width > 0).map(({ width }) => width);
  const types = targets.map((target) => numberAt(context, target));
  if (directives === null || widths?.length !== types.length) return null;
  if (types.some((type, i) => type?.width !== widths[i])) return null;
  const pointers = node.args.map((arg) => saved(context, arg, value(context, arg), arg.span));
  touchArguments(context, name, node, pointers.slice(0, at));
  const call: Scan = {
    ...{ context, name: plain, node, directives, targets },
    types: types as IntType[],
    addresses: pointers.slice(at + 1).map(({ expr }) => expr),
    count: context.temporary(node, INT, 'read'),
    why: `'${name}' reads any value`,
  };
  const stream = plain === 'fscanf' ? node.args[0] : null;
  const isStandard = plain !== 'sscanf' && (stream === null || isStdin(context, stream!));
  if (isStandard && context.threads === null && context.keepsStandardInput) fromStandardInput(call);
  else {
    values(call, false);
    // Another stream may be the same file.
    if (plain === 'fscanf') readElsewhere(context, name, node.span);
  }
  return { type: INT, expr: context.pool.symbol(call.count.id, 32) };
}

export function isStdin(context: Context, node: Expression): boolean {
  const entity = node.kind === 'name' && node.name === 'stdin' ? context.scope.find(node.name) : null;
  return entity?.kind === 'object' && context.elsewhere.has(entity.object);
}

/** Null where something else than numbers and characters is read. */
function directivesOf(units: readonly number[], sizes: WordSizes): Directive[] | null {
  const text = String.fromCharCode(...units.slice(0, units.indexOf(0)));
  const bits = (size: string, kind: string): number | null => {
    if (kind === 'c') return size === '' ? 8 : null;
    if (size === 'll' || size === 'j' || size === 'L') return 64;
    return size === 'hh' ? 8 : size === 'h' ? 16 : size === '' ? 32 : sizes.long.width;
  };
  const directives: Directive[] = [];
  for (const [all, size = '', kind] of text.matchAll(/%%|%(hh|ll|[hljztL])?([diouxXc])|\s+|[^%\s]+|%/g)) {
    const width = kind === undefined ? 0 : bits(size, kind);
    if (all === '%' || width === null) return null;
    const name =
      kind === 'c' ? 'character' : kind !== undefined ? 'number' : /^\s/.test(all) ? 'space' : 'text';
    directives.push({ kind: name, text: all, width });
  }
  return directives;
}

function numberAt(context: Context, node: Expression): IntType | null {
  const type = typeOf(context, node);
  const to = type.kind === 'pointer' ? type.to : type.kind === 'array' ? type.of : null;
  return to?.kind === 'int' && to.name !== '_Bool' ? to : null;
}

interface Scan {
  readonly context: Context;
  readonly name: string;
  readonly node: CallNode;
  readonly directives: readonly Directive[];
  readonly targets: readonly Expression[];
  readonly types: readonly IntType[];
  readonly addresses: readonly Expr[];
  /** The result. */
  readonly count: Cell;
  readonly why: string;
}

function fromStandardInput(call: Scan): void {
  const { context, node, directives, targets } = call;
  const { pool } = context;
  const state = stateOf(context);
  const isIn = (what: bigint) => pool.eq(pool.symbol(state.id, 32), pool.const(what, 32));
  const isFree = isUnconstrained(directives, false)
    ? isUnconstrained(directives, true)
      ? pool.or(isIn(OPEN), isIn(AFTER_NUMBER))
      : isIn(OPEN)
    : pool.false;
  const [free, bound, join] = [0, 1, 2].map(() => context.location(node.span)) as [number, number, number];
  fork(context, isFree, free, bound, node.span, false);
  for (const [start, exact] of [
    [free, true],
    [bound, false],
  ] as const) {
    context.here = start;
    values(call, exact);
    context.jump(join, node.span);
  }
  context.here = join;
  const last = directives.at(-1)?.kind;
  const next = last === 'number' || last === 'space' ? AFTER_NUMBER : OPEN;
  const isAll = pool.eq(pool.symbol(call.count.id, 32), pool.const(targets.length, 32));
  const after = pool.ite(isAll, pool.const(next, 32), pool.const(FAILED, 32));
  const kept = pool.ite(isIn(LOST), pool.const(LOST, 32), after);
  context.emit({ kind: 'assign', cell: state, value: kept }, node.span);
}

/** The name of what is known of it. */
export const STANDARD_INPUT = '(standard input)';

export function stateOf(context: Context): Cell {
  const state = (context.standardInput ??= context.memory.scalar(STANDARD_INPUT, 'temporary', INT));
  context.initial.set(state.id, context.pool.const(OPEN, 32));
  return state;
}

/** A function that nobody defines is called: what comes next on the standard input is its affair, too. */
export function readElsewhere(context: Context, name: string, span: Span): void {
  const isAsked = READERS.some((reader) => context.mentioned.has(reader));
  if (!isAsked || context.threads !== null || NEVER_READS.has(name)) return;
  context.emit({ kind: 'assign', cell: stateOf(context), value: context.pool.const(LOST, 32) }, span);
}

const READERS: readonly string[] = ['scanf', 'fscanf', 'getchar', 'getchar_unlocked', 'fgetc', 'getc'];

/** Those of the library that are often called beside `scanf`. */
const NEVER_READS: ReadonlySet<string> = new Set([
  ...MODEL_TEXTS.keys(),
  ...['time', 'clock', 'difftime', 'localtime', 'sleep', 'usleep', 'getenv', 'qsort', 'setlocale'],
  ...[
    'fputs',
    'fputc',
    'putc',
    'fwrite',
    'sprintf',
    'snprintf',
    'vprintf',
    'vfprintf',
    'vsprintf',
    'vsnprintf',
  ],
  ...[
    'strcpy',
    'strncpy',
    'strcat',
    'strncat',
    'strtol',
    'strtoul',
    'strtod',
    'atof',
    'strdup',
    'strtok',
    'strstr',
  ],
]);

/** Can every directive read whatever it likes, and stop or not? Behind numbers come no digits, behind what skips spaces comes none. */
function isUnconstrained(directives: readonly Directive[], isAfterNumber: boolean): boolean {
  return directives.every(({ kind, text }, i) => {
    const before = i === 0 ? (isAfterNumber ? 'number' : 'text') : directives[i - 1]!.kind;
    if (kind === 'character') return before !== 'number' && before !== 'space';
    return kind !== 'text' || before !== 'number' || (i > 0 && !/^\w/.test(text));
  });
}

/** Emits what is read, any values: really any where it is exact. */
function values(call: Scan, exact: boolean): void {
  const { context, name, node, directives, targets, types, addresses, count, why } = call;
  const { pool } = context;
  const fresh = (cell: Cell, source: string): Expr => {
    context.emit(
      exact ? { kind: 'input', cell, source } : { kind: 'havoc', cells: [cell], why, exact },
      node.span,
    );
    return pool.symbol(cell.id, cell.width);
  };
  const result = fresh(count, name);
  const isPossible = possibleResults(directives)
    .map((number) => pool.eq(result, pool.const(number, 32)))
    .reduce((a, b) => pool.or(a, b), pool.false);
  context.emit({ kind: 'assume', test: isPossible, branch: null }, node.span);
  const end = context.location(node.span);
  targets.forEach((target, i) => {
    const read = context.location(node.span);
    fork(context, pool.compare('slt', pool.const(i, 32), result), read, end, node.span);
    context.here = read;
    const type = types[i]!;
    const expr = fresh(context.temporary(target, type, 'read'), `${READ_BY}${name}`);
    write(context, { type, address: addresses[i]!, bits: null }, { type, expr }, target.span);
  });
  context.jump(end, node.span);
  context.here = end;
}

/** -1 where the input ends before anything is read; 0 where something else is there than what comes first. A character is never something else. */
function possibleResults(directives: readonly Directive[]): number[] {
  const first = directives.findIndex(({ width }) => width > 0);
  const leading = directives.slice(0, first < 0 ? directives.length : first + 1);
  const canDiffer = first < 0 || leading.some(({ kind }) => kind === 'text' || kind === 'number');
  const count = directives.filter(({ width }) => width > 0).length;
  return [
    ...(leading.some(({ kind }) => kind !== 'space') ? [-1] : []),
    ...(canDiffer ? [0] : []),
    ...Array.from({ length: count }, (_, i) => i + 1),
  ];
}

/** Is `stdin` only handed to functions? Who writes to it, or has its address, may make it another file. */
export function keepsStandardInput(
  units: readonly Pick<Unit, 'items'>[],
  watch: () => void = () => {},
): boolean {
  const isHere = (name: string): boolean => name === 'stdin';
  let handedOn = 0;
  const count = (node: object): void => {
    watch();
    if ((node as Expression).kind === 'call')
      handedOn += (node as CallNode).args.filter((arg) => arg.kind === 'name' && isHere(arg.name)).length;
    for (const [, part] of partsOf(node)) count(part);
  };
  const items = units.flatMap((unit) => unit.items);
  count(items);
  return namesIn(items, watch).filter(isHere).length === handedOn;
}
