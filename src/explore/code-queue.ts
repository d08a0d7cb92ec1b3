// The changes that statements make to variables and queues, shared by plain edges and the bodies of d_step.
// The code around them provides `c` (the channel's number), `q` (its queue in M), `a0…` (field values), `s` (a position).

import type { LValue } from '../process/expression.ts';
import type { Receive, Send, Statement } from '../process/program.ts';
import { sameStorage } from '../process/storage.ts';
import type { ChannelCode, CodeContext } from './code-expression.ts';
import { address, number, stored } from './code-expression.ts';
import { FAULT } from './faults.ts';
import type { Shape } from './layout.ts';

/** Marks the channel `c` as changed, for as long as the step lasts (code-patching.ts). */
export const CHANGES_QUEUE = 'mq(c);';

/** Marks global variables as changed where this is one; what belongs to a process is known to change with it. */
export const changes = (scope: CodeContext, { variable }: LValue): string =>
  scope.bare && scope.layout.program.variables[variable]!.role === 'global' ? 'mq(0);' : '';

export function assignment(scope: CodeContext, statement: Statement & { kind: 'assign' }): string {
  const value = number(scope, statement.value);
  return `w(${address(scope, statement.target)},${stored(statement.target.storage, value)});${changes(scope, statement.target)}`;
}

/** The shapes the channel can have, as far as is known, with so many fields. */
export function candidates(scope: CodeContext, code: ChannelCode, count: number): readonly Shape[] {
  if (code.shape !== null) return [code.shape];
  return scope.layout.shapes.filter((shape) => shape.fields.length === count);
}

/** The values of a send, computed once: `const x0=…,x1=…;`. All are computed, also those that the channel has no field for. */
export function rawValues(scope: CodeContext, { args }: Send): string {
  if (args.length === 0) return '';
  return `const ${args.map((argument, field) => `x${field}=${number(scope, argument)}`).join(',')};`;
}

/** The fields as the channel keeps them, `const a0=…;`: values that are missing are sent as 0. */
export function keptValues(shapes: readonly Shape[], given: number, count: number): string {
  if (count === 0) return '';
  const values = Array.from({ length: count }, (_, field) => {
    if (field >= given) return '0';
    const [first, ...others] = shapes.map((shape) => shape.fields[field]!);
    if (first !== undefined && others.every((other) => sameStorage(first, other)))
      return stored(first, `x${field}`);
    return `tr(sh(c),${field},x${field})`;
  });
  return `const ${values.map((value, field) => `a${field}=${value}`).join(',')};`;
}

/** Adds a message with the fields a0…; `pk` notes the longest the queue ever was, also inside atomic and d_step. */
export function enqueue(scope: CodeContext, { sorted, args }: Send, count: number): string {
  const room = scope.unlimited ? `const r=room(c-1,${count});` : 'const r=q;';
  // The order is that of the values as they are given, before the channel cuts them.
  const values = Array.from({ length: count }, (_, i) => (i < args.length ? `,x${i}` : ',0')).join('');
  const at = sorted
    ? `const i=sorted${sortedName(scope, count)}(r${values}),z=gap(r,i,${count});`
    : `const z=r+1+M[r]*${count};wm(r,M[r]+1);`;
  const cells = Array.from({ length: count }, (_, i) => `wm(z+${i},a${i});`).join('');
  return `${room}${at}${cells}pk(c,${sorted ? 'i' : '-1'});${scope.bare ? CHANGES_QUEUE : ''}`;
}

/** Sorted sends go in front of the first message that is greater; SPIN compares the fields from the first on. */
function sortedName(scope: CodeContext, fields: number): number {
  const name = scope.helpers.length;
  const compare = Array.from(
    { length: fields },
    (_, i) => `if(a${i}>M[z+${i}])continue;if(a${i}<M[z+${i}])return i;`,
  ).join('');
  const parameters = Array.from({ length: fields }, (_, i) => `,a${i}`).join('');
  scope.helpers.push(
    `function sorted${name}(q${parameters}){for(let i=0;i<M[q];i++){const z=q+1+i*${fields};${compare}}return M[q]}`,
  );
  return name;
}

/** A receive that fits no message of so many fields, once there is one: SPIN's verifier gives up there. */
export function cannotReceive({ args, copy, random }: Receive, count: number, inDstep: boolean): boolean {
  const onlyMatches = args.every((argument) => argument.kind === 'match');
  if (copy && onlyMatches) return false;
  if (args.length > count && count > 1) return true;
  return args.length !== count && onlyMatches && !random && !inDstep;
}

/** Takes the message at position `s` of the queue at `q` and stores its fields, one after the other. */
export function dequeue(scope: CodeContext, statement: Receive, count: number): string {
  const reads = statement.args.flatMap((argument, field) =>
    argument.kind === 'store' ? [`v${field}=${field < count ? `M[z+${field}]` : '0'}`] : [],
  );
  const take = statement.copy ? `cp(q,s,${count});` : `cut(q,s,${count});${scope.bare ? CHANGES_QUEUE : ''}`;
  const values = reads.length > 0 ? `const z=q+1+s*${count};const ${reads.join(',')};` : '';
  return `${values}${take}${storeFields(scope, statement, (field) => `v${field}`)}`;
}

/** Reported, and passed: the message was taken all the same. */
export function missingFields({ args, copy }: Receive, count: number, report: string): string {
  return copy || args.length === count ? '' : `soft=${FAULT.receiveFields};${report};`;
}

export function storeFields(
  scope: CodeContext,
  statement: Receive,
  value: (field: number) => string,
): string {
  return statement.args
    .map((argument, field) =>
      argument.kind === 'store'
        ? `w(${address(scope, argument.target)},${stored(argument.target.storage, value(field))});${changes(scope, argument.target)}`
        : '',
    )
    .join('');
}

/**
 * Printing leaves no trace in the state, and only a traced step keeps what would be printed; but SPIN's verifier, which prints nothing either, looks at
 * the values: one may start a process, or be an error.
 */
export function printing(scope: CodeContext, statement: Statement & { kind: 'print' }): string {
  const own: CodeContext = { ...scope, mayFault: false, mayWarn: false, hasEffect: false };
  const values = statement.args.map((argument) => number(own, argument));
  const isMore = own.mayFault || own.mayWarn || own.hasEffect;
  scope.mayFault ||= own.mayFault || own.hasEffect;
  scope.mayWarn ||= own.mayWarn;
  scope.hasEffect ||= own.hasEffect;
  if (scope.bare) return isMore ? values.map((value) => `{const t=${value}}`).join('') : '';
  const sets = statement.args.map((argument) => {
    const type =
      argument.kind === 'read' ? argument.cell.type : argument.kind === 'constant' ? argument.type : null;
    return type?.kind === 'mtype' ? type.set : null;
  });
  const format = JSON.stringify(statement.format);
  const push = `T.push({kind:'print',format:${format},values:[${isMore ? '...t' : values.join(',')}],sets:${JSON.stringify(sets)}})`;
  if (!isMore) return `if(T!==null){${push}}`;
  return `{const t=[${values.join(',')}];if(T!==null&&fault===0)${push}}`;
}
