// Expressions as JavaScript text. `number` gives code for a 32-bit integer, `truth` for a condition; both follow C as SPIN's
// verifier is C: 32-bit wrap-around, division towards zero, short-circuit && and ||. What can go wrong sets `fault` and
// goes on with 0; the statement around it looks at `fault` before it commits anything.

import { impossible } from '../base/result.ts';
import type { Expression, LValue, ReceiveArgument } from '../process/expression.ts';
import { type Storage, truncate } from '../process/storage.ts';
import { FAULT } from './faults.ts';
import type { Features } from './features.ts';
import type { Layout, Shape } from './layout.ts';
import { FRAME, fixedChannels, HEADER, sizeOf } from './layout.ts';

/**
 * What code generation knows and collects on its way through one statement. In all generated code `p` is the number of the process
 * that runs, `b` the start of its frame in S.
 */
export interface CodeContext {
  readonly layout: Layout;
  readonly features: Features;
  /** For WebAssembly: nothing is traced. */
  readonly bare: boolean;
  readonly unlimited: boolean;
  readonly loseMessages: boolean;
  /** A process dies as soon as it is finished (see compile.ts). */
  readonly anyOrderOfDeath: boolean;
  /** A finished process stays. */
  readonly immortal: boolean;
  /** The never claim's own code: its moves are no steps of the system. */
  readonly isClaim: boolean;
  /** The generated code may set `fault`. */
  mayFault: boolean;
  /** It may set `soft`: an error that is reported and passed. */
  mayWarn: boolean;
  /** The generated code has logged effects even when the statement turns out not to be executable. */
  hasEffect: boolean;
  /** Helper functions made on the way. */
  readonly helpers: string[];
}

export interface ChannelCode {
  /** Code for the channel's number; evaluated once. */
  readonly id: string;
  /** Known at compile time, else null: any shape with the right number of fields. */
  readonly shape: Shape | null;
  readonly constantId: number | null;
}

export function address(scope: CodeContext, cell: LValue, frame = 'b'): string {
  const { program, base } = scope.layout;
  const variable = program.variables[cell.variable]!;
  let constant = base[variable.id]!;
  const terms: string[] = variable.role === 'global' ? [] : [frame];
  let type = variable.type;
  for (const step of cell.path) {
    if (step.kind === 'index') {
      const stride = sizeOf(program, type);
      if (isConstantWithin(step.index, step.length)) constant += step.index.value * stride;
      else {
        scope.mayFault = true;
        const index = `ix(${number(scope, step.index)},${step.length})`;
        terms.push(stride === 1 ? index : `${index}*${stride}`);
      }
      continue;
    }
    if (type.kind !== 'struct') throw new Error('impossible: a field of something that is not a struct');
    for (const field of program.structs[type.struct]!.fields) {
      if (field.name === step.name) {
        type = field.type;
        break;
      }
      constant += sizeOf(program, field.type) * (field.length ?? 1);
    }
  }
  if (terms.length === 0) return `${constant}`;
  return constant === 0 ? terms.join('+') : `${terms.join('+')}+${constant}`;
}

function isConstantWithin(
  expression: Expression,
  length: number,
): expression is Expression & { kind: 'constant' } {
  return expression.kind === 'constant' && expression.value >= 0 && expression.value < length;
}

export function channel(scope: CodeContext, cell: LValue): ChannelCode {
  const variable = scope.layout.program.variables[cell.variable]!;
  const fixed = fixedChannels(scope.layout, scope.features, variable);
  if (fixed === null) return { id: `S[${address(scope, cell)}]`, shape: null, constantId: null };
  if (fixed.firstId === null)
    return { id: `S[${address(scope, cell)}]`, shape: fixed.shape, constantId: null };
  const step = cell.path[0];
  if (step === undefined || step.kind === 'field')
    return { id: `${fixed.firstId}`, shape: fixed.shape, constantId: fixed.firstId };
  if (isConstantWithin(step.index, step.length)) {
    const id = fixed.firstId + step.index.value;
    return { id: `${id}`, shape: fixed.shape, constantId: id };
  }
  scope.mayFault = true;
  const id = `(${fixed.firstId}+ix(${number(scope, step.index)},${step.length}))`;
  return { id, shape: fixed.shape, constantId: null };
}

/** Code for the queue's place in M; `id` stands for the channel's number where it was computed before. */
export function queue(scope: CodeContext, code: ChannelCode, id = code.id): string {
  if (code.constantId !== null) return `M[${code.constantId - 1}]`;
  if (code.shape !== null) return `M[${id}-1]`;
  scope.mayFault = true;
  return `vl(${id})`;
}

/** How many fields the channel's messages can have: one number where the channel is known. */
export function fieldCounts(scope: CodeContext, { shape }: ChannelCode): readonly number[] {
  const shapes = shape === null ? scope.layout.shapes : [shape];
  return [...new Set(shapes.map(({ fields }) => fields.length))];
}

/** Code for each number of fields, chosen at run time where there are several; `c` is the channel's number. */
export function byFieldCount(counts: readonly number[], codeFor: (count: number) => string): string {
  if (counts.length === 1) return codeFor(counts[0]!);
  const cases = counts.map((count) => `case ${count}:{${codeFor(count)};break}`);
  return `switch(NF[sh(c)]){${cases.join('')}}`;
}

export function number(scope: CodeContext, e: Expression): string {
  switch (e.kind) {
    case 'constant':
      return e.value < 0 ? `(${e.value})` : `${e.value | 0}`;
    case 'read':
      return `S[${address(scope, e.cell)}]`;
    case 'unary':
      if (e.operator === '!') return asNumber(truth(scope, e));
      return e.operator === '-' ? `(-${number(scope, e.operand)}|0)` : `(~${number(scope, e.operand)})`;
    case 'binary':
      return binary(scope, e);
    case 'conditional':
      return `(${truth(scope, e.condition)}?${number(scope, e.whenTrue)}:${number(scope, e.whenFalse)})`;
    case 'channel-query':
      return e.query === 'len' ? channelLength(scope, e.channel) : asNumber(truth(scope, e));
    case 'run':
      return run(scope, e);
    case 'pc_value':
      return `pv(${number(scope, e.process)})`;
    case 'get_priority':
      return `gp(${number(scope, e.process)})`;
    case 'set_priority':
      scope.hasEffect = true;
      scope.mayFault = true;
      return `sp(${number(scope, e.process)},${number(scope, e.priority)})`;
    case '_pid':
      return 'p';
    case '_nr_pr':
      return `S[${HEADER.processes}]`;
    case '_last':
      return `S[${HEADER.last}]`;
    case '_priority':
      return `S[b+${FRAME.priority}]`;
    case 'remote-read': {
      const frame = `rf(${remoteProcess(scope, e.process)},${e.proctype})`;
      return `S[${address(scope, e.cell, frame)}]`;
    }
    case 'poll':
    case 'timeout':
    case 'enabled':
    case 'np_':
    case 'remote-label':
      return asNumber(truth(scope, e));
    case 'opaque':
      throw new Error('impossible: embedded C is refused before code is generated');
    default:
      return impossible(e, 'every expression has a value');
  }
}

const asNumber = (condition: string): string => `(${condition}?1:0)`;

const COMPARE = {
  '==': '===',
  '!=': '!==',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
} as const;

function binary(scope: CodeContext, e: Expression & { kind: 'binary' }): string {
  const { operator } = e;
  if (operator === '&&' || operator === '||' || operator in COMPARE) return asNumber(truth(scope, e));
  const left = number(scope, e.left);
  const right = number(scope, e.right);
  switch (operator) {
    case '+':
    case '-':
      return `(${left}${operator}${right.startsWith('-') ? ` ${right}` : right}|0)`;
    case '*':
      return `Math.imul(${left},${right})`;
    case '/':
    case '%': {
      const isSafe = e.right.kind === 'constant' && e.right.value !== 0 && e.right.value !== -1;
      if (isSafe) return `(${left}${operator}${right}|0)`;
      scope.mayFault = true;
      return `${operator === '/' ? 'qt' : 'rm'}(${left},${right})`;
    }
    default:
      return `(${left}${operator}${right})`;
  }
}

export function truth(scope: CodeContext, e: Expression): string {
  switch (e.kind) {
    case 'constant':
      return e.value === 0 ? 'false' : 'true';
    case 'unary':
      return e.operator === '!' ? `!${truth(scope, e.operand)}` : `(${number(scope, e)}!==0)`;
    case 'binary':
      if (e.operator === '&&' || e.operator === '||')
        return `(${truth(scope, e.left)}${e.operator}${truth(scope, e.right)})`;
      if (e.operator in COMPARE)
        return `(${number(scope, e.left)}${COMPARE[e.operator as '==']}${number(scope, e.right)})`;
      return `(${number(scope, e)}!==0)`;
    case 'conditional':
      return `(${truth(scope, e.condition)}?${truth(scope, e.whenTrue)}:${truth(scope, e.whenFalse)})`;
    case 'channel-query':
      return channelQuery(scope, e);
    case 'poll':
      return poll(scope, e);
    case 'timeout':
      return 'TO';
    case 'np_':
      return 'np()';
    case 'enabled':
      return `en(${number(scope, e.process)})`;
    case 'remote-label':
      return `ra(${remoteProcess(scope, e.process)},${e.proctype},${e.location})`;
    default:
      return `(${number(scope, e)}!==0)`;
  }
}

/** −1 stands for 'the only instance'. */
const remoteProcess = (scope: CodeContext, process: Expression | null): string =>
  process === null ? '-1' : number(scope, process);

function run(scope: CodeContext, e: Expression & { kind: 'run' }): string {
  scope.mayFault = true;
  scope.hasEffect = true;
  const args = e.args.map((argument) => number(scope, argument));
  const priority = e.priority === null ? '1' : number(scope, e.priority);
  return `run${e.proctype}(${[...args, priority].join(',')})`;
}

function channelLength(scope: CodeContext, cell: LValue): string {
  const code = channel(scope, cell);
  return `M[${queue(scope, code)}]`;
}

function channelQuery(scope: CodeContext, e: Expression & { kind: 'channel-query' }): string {
  if (e.query === 'len') return `(${channelLength(scope, e.channel)}!==0)`;
  if (e.query === 'empty') return `(${channelLength(scope, e.channel)}===0)`;
  if (e.query === 'nempty') return `(${channelLength(scope, e.channel)}!==0)`;
  const code = channel(scope, e.channel);
  let full: string;
  if (code.shape === null) {
    scope.mayFault = true;
    full = `fl(${code.id})`;
  } else if (scope.unlimited && code.shape.capacity > 0) full = 'false';
  else full = `(M[${queue(scope, code)}]===${Math.max(1, code.shape.capacity)})`;
  return e.query === 'full' ? full : `!${full}`;
}

/** A rendezvous channel has no contents to be asked for: SPIN's verifier reports that, and the answer is no. */
function poll(scope: CodeContext, e: Expression & { kind: 'poll' }): string {
  const code = channel(scope, e.channel);
  const mayBeRendezvous = code.shape === null || code.shape.capacity === 0;
  if (mayBeRendezvous) scope.mayWarn = true;
  const counts = fieldCounts(scope, code);
  if (counts.length === 1) {
    const at = `${slot(scope, e.args, e.random, counts[0]!)}(p,b,${queue(scope, code)})>=0`;
    return mayBeRendezvous ? `(nr(${code.id})&&${at})` : `(${at})`;
  }
  const place = queue(scope, code, 'c');
  const body = byFieldCount(counts, (count) => `return ${slot(scope, e.args, e.random, count)}(p,b,q)>=0;`);
  const name = `f${scope.helpers.length}`;
  scope.helpers.push(`function ${name}(p,b,c){const q=${place};${body}return false}`);
  return `(nr(${code.id})&&${name}(p,b,${code.id}))`;
}

/**
 * The name of a helper (p,b,q) that gives the position of the message a receive would take, −1 when there is none. Messages have `count`
 * fields. A pattern that looks beyond them finds 0 where there is one field, else it is an error, as in SPIN's verifier.
 */
export function slot(
  scope: CodeContext,
  args: readonly ReceiveArgument[],
  random: boolean,
  count: number,
): string {
  const matches = args.flatMap((argument, field) =>
    argument.kind === 'match' ? [{ field, value: number(scope, argument.value) }] : [],
  );
  if (count > 1 && matches.some(({ field }) => field >= count)) scope.mayFault = true;
  const test = (at: string) =>
    matches
      .map(({ field, value }) => {
        if (field < count) return `M[${at}+${field}]===${value}`;
        return count === 1 ? `0===${value}` : 'beyond()';
      })
      .join('&&') || 'true';
  const body = random
    ? `for(let i=0,a=q+1;i<M[q];i++,a+=${count})if(${test('a')})return i;return -1;`
    : `return M[q]>0&&${test('q+1')}?0:-1;`;
  const name = `f${scope.helpers.length}`;
  scope.helpers.push(`function ${name}(p,b,q){${body}}`);
  return name;
}

/** Code that cuts a value down to what the place keeps. */
export function stored(storage: Storage, value: string): string {
  const { bits, signed } = storage;
  if (/^\d+$/.test(value)) return `${truncate(storage, Number(value))}`;
  if (bits >= 32) return value;
  return signed ? `(${value}<<${32 - bits}>>${32 - bits})` : `(${value}&${2 ** bits - 1})`;
}

export const FAULT_HELPERS = `
function ix(i,n){if(i>>>0<n)return i;fault=${FAULT.index};return 0}
function qt(a,d){if(d===0||d===-1&&a===-2147483648){fault=${FAULT.division};return 0}return a/d|0}
function rm(a,d){if(d===0||d===-1&&a===-2147483648){fault=${FAULT.division};return 0}return a%d|0}
`;
