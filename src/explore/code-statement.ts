// Statements as JavaScript text. Each edge becomes a block that tests executability, makes its changes through the undo
// log (`w` for S, `wm` for M), reports the step (`out`, or `chn` when an atomic sequence goes on) and takes the changes back.
// `n` counts the edges of the location that could be taken; it decides `else` and blocking.

import type { Edge, Location, Receive, Send, Statement } from '../process/program.ts';
import { dstepFunction } from './code-dstep.ts';
import type { CodeContext } from './code-expression.ts';
import {
  address,
  byFieldCount,
  channel,
  fieldCounts,
  number,
  queue,
  slot,
  stored,
  truth,
} from './code-expression.ts';
import { sendFunction } from './code-moves.ts';
import {
  assignment,
  CHANGES_QUEUE,
  candidates,
  cannotReceive,
  changes,
  dequeue,
  enqueue,
  keptValues,
  missingFields,
  printing,
  rawValues,
  storeFields,
} from './code-queue.ts';
import { FAULT } from './faults.ts';
import type { Shape } from './layout.ts';
import { FRAME, HEADER } from './layout.ts';

export interface EdgeContext {
  readonly scope: CodeContext;
  readonly edge: Edge;
  /** Where it is taken; of nested selections that is not always where it begins. */
  readonly at: number;
  /** Of the proctype. */
  readonly locations: readonly Location[];
  /** Other edges of the location wait for this one (`unless`): its executability is kept in `e<id>`. */
  readonly isBlocker: boolean;
  /** All of the location that others wait for. */
  readonly blockers: readonly number[];
}

export function edgeCode(context: EdgeContext): string {
  const { edge } = context;
  const code = statementCode(context, edge.statement);
  if (edge.blockedBy.length === 0) return code;
  return `if(!(${edge.blockedBy.map((id) => `e${id}`).join('||')})){${code}}`;
}

function statementCode(context: EdgeContext, statement: Statement): string {
  const { edge } = context;
  switch (statement.kind) {
    case 'condition':
      return guarded(context, (scope) => truth(scope, statement.expression), '');
    case 'else':
      return `if(n===0)${step(context, '')}`;
    case 'assign':
      return assignCode(context, statement);
    case 'print':
      return effect(context, (scope) => printing(scope, statement));
    case 'assert':
      return guarded(context, (scope) => `(${truth(scope, statement.expression)}||asr(p,${edge.id}))`, '');
    case 'send':
      return sendCode(context, statement);
    case 'receive':
      return receiveCode(context, statement);
    case 'dstep':
      return dstepCode(context, statement);
    case 'end':
      return endCode(context);
    default:
      throw new Error('impossible: embedded C is refused before code is generated');
  }
}

function dstepCode(context: EdgeContext, statement: Statement & { kind: 'dstep' }): string {
  const name = dstepFunction(context.scope, statement.body, context.edge.id);
  return `{${undone(context.scope, `const k=${name}(p,b);${afterFault(context, true)}if(k){${commit(context)}}`)}}`;
}

/**
 * Where the order of deaths does not matter, a process that arrives at its end is gone with that step. (Not after a rendezvous, where the
 * partner's frame must stay in its place: there the end is a step of its own.)
 */
export function diesWith(locations: readonly Location[], edge: Edge): boolean {
  return edge.statement.kind !== 'end' && !edge.keepsControl && locations[edge.to]!.isFinal;
}

/**
 * Changes that are few and known need no log: they are taken back by hand, which is shorter and sooner. Not where a step may be traced, nor where
 * frames move when a process dies.
 */
const byHand = ({ bare, anyOrderOfDeath }: CodeContext): boolean => bare && !anyOrderOfDeath;

/** The process moves; what takes it back, unless the log does. */
function moving({ edge, scope, at }: EdgeContext): { move: string; back: string } {
  if (edge.to === edge.from) return { move: '', back: '' };
  const cell = `b+${FRAME.location}`;
  if (!byHand(scope)) return { move: `w(${cell},${edge.to});`, back: '' };
  return { move: `S[${cell}]=${edge.to};`, back: `S[${cell}]=${at};` };
}

/** Nothing but the change and the move: functions of code-moves.ts do it, with a name that ends in this. */
const isShort = ({ scope, isBlocker }: EdgeContext): boolean =>
  byHand(scope) && !scope.isClaim && !scope.features.last && !isBlocker;
const endOf = ({ edge }: EdgeContext): '' | 'C' => (edge.keepsControl ? 'C' : '');

/** Their last arguments: the edge, where it leads, where it is taken. */
const movement = ({ edge, at }: EdgeContext): string =>
  `${edge.id},${edge.to === edge.from ? at : edge.to},${at}`;

/** Marks the edge as executable and moves the process. */
function commit(context: EdgeContext): string {
  const { edge, isBlocker, scope, locations } = context;
  const { move, back } = moving(context);
  const last = scope.features.last && !scope.isClaim ? `w(${HEADER.last},p);` : '';
  const blocker = isBlocker ? `e${edge.id}=true;` : '';
  const death = scope.anyOrderOfDeath && diesWith(locations, edge) ? 'die(p,b);' : '';
  const report = scope.isClaim ? 'claimed' : edge.keepsControl ? 'chn' : 'out';
  if (isShort(context)) return `n+=go${endOf(context)}(p,b,${movement(context)});`;
  return `${move}${death}${last}n++;${blocker}${report}(p,${edge.id});${back}`;
}

const step = (context: EdgeContext, change: string): string =>
  change === '' && byHand(context.scope) && !context.scope.features.last
    ? `{${commit(context)}}`
    : `{${undone(context.scope, `${change}${commit(context)}`)}}`;

/** What is logged is taken back afterwards, and the marks of what changed. */
function undone({ bare }: CodeContext, code: string): string {
  const marks = bare && MAKES_MARKS.test(code);
  return `const m=u${marks ? ',g=qn' : ''};${code}undo(m)${marks ? ';qn=g' : ''}`;
}

/** It marks something itself, or a d_step does. */
const MAKES_MARKS = /\bmq\(|\bd\d+\(/;

/** A runtime error makes the edge count as executable (the model did something wrong, it is not blocked) but leads nowhere. */
function afterFault({ edge, isBlocker }: EdgeContext, mayFault: boolean): string {
  if (!mayFault) return '';
  return `if(fault!==0){flt(p,${edge.id});n++;${isBlocker ? `e${edge.id}=true;` : ''}}else `;
}

/** Errors that are passed are reported as soon as the statement was looked at. */
const warned = ({ edge }: EdgeContext, { mayWarn }: CodeContext): string =>
  mayWarn ? `if(soft!==0)sft(p,${edge.id},-1,-1);` : '';

const fresh = (scope: CodeContext): CodeContext => ({
  ...scope,
  mayFault: false,
  mayWarn: false,
  hasEffect: false,
});

function guarded(context: EdgeContext, condition: (scope: CodeContext) => string, change: string): string {
  const scope = fresh(context.scope);
  const code = condition(scope);
  const warning = warned(context, scope);
  if (scope.hasEffect)
    return `{const m=u;const c=${code};${warning}${afterFault(context, true)}if(c){${change}${commit(context)}}undo(m)}`;
  if (scope.mayFault || scope.mayWarn)
    return `{const c=${code};${warning}${afterFault(context, scope.mayFault)}if(c)${step(context, change)}}`;
  return code === 'true' ? step(context, change) : `if(${code})${step(context, change)}`;
}

function effect(context: EdgeContext, change: (scope: CodeContext) => string): string {
  const scope = fresh(context.scope);
  const code = change(scope);
  return `{${undone(context.scope, `${code}${warned(context, scope)}${afterFault(context, scope.mayFault)}{${commit(context)}}`)}}`;
}

function assignCode(context: EdgeContext, statement: Statement & { kind: 'assign' }): string {
  const logged = effect(context, (scope) => assignment(scope, statement));
  const scope = fresh(context.scope);
  const { target } = statement;
  const value = stored(target.storage, number(scope, statement.value));
  const cell = address(scope, target);
  if (scope.hasEffect || scope.mayWarn || scope.features.last || !byHand(scope)) return logged;
  const mark = changes(scope, target);
  if (isShort(context) && !scope.mayFault) {
    const kind = mark === '' ? 'set' : 'setG';
    return `n+=${kind}${endOf(context)}(p,b,${cell},${value},${movement(context)});`;
  }
  const unmark = mark === '' ? '' : ';qn--';
  return `{const z=${cell},x=${value},o=S[z];S[z]=x;${mark}${afterFault(context, scope.mayFault)}{${commit(context)}}S[z]=o${unmark}}`;
}

function endCode(context: EdgeContext): string {
  if (context.scope.isClaim || context.scope.immortal) return '';
  const last = context.scope.features.last ? `w(${HEADER.last},p);` : '';
  const may = context.scope.anyOrderOfDeath ? '' : 'if(p===S[0]-1)';
  return `${may}{const m=u;${last}die(p,b);n++;out(p,${context.edge.id});undo(m)}`;
}

function sendCode(context: EdgeContext, statement: Send): string {
  const scope = fresh(context.scope);
  const code = channel(scope, statement.channel);
  const counts = fieldCounts(scope, code);
  const setup = `const m=u${scope.bare ? ',g=qn' : ''},c=${code.id},q=${queue(scope, code, 'c')};${rawValues(scope, statement)}`;
  const body = byFieldCount(counts, (count) =>
    sendTo(context, statement, candidates(scope, code, count), count),
  );
  const undo =
    scope.hasEffect || statement.sorted || scope.features.last || !byHand(scope)
      ? `undo(m)${scope.bare ? ';qn=g' : ''}`
      : '';
  return `{${setup}${warned(context, scope)}${afterFault(context, scope.mayFault)}{${body}}${undo}}`;
}

function sendTo(context: EdgeContext, statement: Send, shapes: readonly Shape[], count: number): string {
  const given = statement.args.length;
  const wrong = given === count ? '' : `soft=${FAULT.sendFields};sft(p,${context.edge.id},-1,-1);`;
  const rendezvous = shapes.some((shape) => shape.capacity === 0);
  const buffered = shapes.some((shape) => shape.capacity > 0);
  const handshake = wrong + handshakeCode(context, count);
  const append = appendCode(context, statement, shapes, count, wrong);
  const body =
    rendezvous && buffered
      ? `if(CAP[sh(c)]===0){${handshake}}else{${append}}`
      : rendezvous
        ? handshake
        : append;
  return keptValues(shapes, given, count) + body;
}

function appendCode(
  context: EdgeContext,
  statement: Send,
  shapes: readonly Shape[],
  count: number,
  wrong: string,
): string {
  const { scope } = context;
  const capacity = shapes.length === 1 ? `${shapes[0]!.capacity}` : 'CAP[sh(c)]';
  if (isShort(context) && shapes.length === 1 && wrong === '' && !statement.sorted && !scope.loseMessages) {
    const name = sendFunction(scope, shapes[0]!, endOf(context));
    const values = Array.from({ length: count }, (_, i) => `,a${i}`).join('');
    return `n+=${name}(p,b,c,q,${movement(context)}${values});`;
  }
  const { put: into, back } = enqueueIn(scope, statement, count);
  const change = wrong + into;
  if (scope.unlimited) return `${change}${commit(context)}`;
  const put = `if(M[q]<${capacity}){${change}${commit(context)}${back}}`;
  return scope.loseMessages ? `${put}else{${commit(context)}}` : put;
}

/** Cells behind the end count, too: a receive in the same atomic sequence may have moved the end, and is taken back later. */
function enqueueIn(scope: CodeContext, statement: Send, count: number): { put: string; back: string } {
  if (statement.sorted || !byHand(scope)) return { put: enqueue(scope, statement, count), back: '' };
  const fields = Array.from({ length: count }, (_, i) => i);
  const kept = fields.map((i) => `,y${i}=M[z+${i}]`).join('');
  const cells = fields.map((i) => `M[z+${i}]=a${i};`).join('');
  const back = fields.map((i) => `M[z+${i}]=y${i};`).join('');
  return {
    put: `const z=q+1+M[q]*${count}${kept};M[q]=M[q]+1;${cells}pk(c,-1);${CHANGES_QUEUE}`,
    back: `qn--;M[q]=M[q]-1;${back}`,
  };
}

function handshakeCode(context: EdgeContext, count: number): string {
  const { edge, isBlocker, blockers, scope } = context;
  const { move, back } = moving(context);
  const last = scope.features.last ? `w(${HEADER.last},p);` : '';
  const values = Array.from({ length: count }, (_, i) => `RV[r+${i}]=a${i};`).join('');
  // SPIN's verifier forgets that it took an escape when an offer in the same escape finds no partner (its e_state is undone).
  const failed = isBlocker ? `else{${blockers.map((id) => `e${id}=false;`).join('')}}` : '';
  return (
    `${move}${last}const r=rp;rp+=${count};${values}` +
    `if(rv(p,${edge.id},c,r)>0){n++;${isBlocker ? `e${edge.id}=true;` : ''}}${failed}rp=r;${back}`
  );
}

function receiveCode(context: EdgeContext, statement: Receive): string {
  const scope = fresh(context.scope);
  const code = channel(scope, statement.channel);
  if (code.shape?.capacity === 0 && !statement.copy) return '';
  const counts = fieldCounts(scope, code);
  const setup = `const c=${code.id},q=${queue(scope, code, 'c')};`;
  const body = byFieldCount(counts, (count) => receiveFrom(context, statement, count));
  const polled = `soft=${FAULT.pollRendezvous};sft(p,${context.edge.id},-1,-1);`;
  const mayBeRendezvous = statement.copy && (code.shape === null || code.shape.capacity === 0);
  const taken = mayBeRendezvous ? `if(CAP[sh(c)]===0){${polled}}else{${body}}` : body;
  return `{${setup}${warned(context, scope)}${afterFault(context, scope.mayFault)}{${taken}}}`;
}

function receiveFrom(context: EdgeContext, statement: Receive, count: number): string {
  const scope = fresh(context.scope);
  const position = slot(scope, statement.args, statement.random, count);
  const stores = fresh(context.scope);
  const change = dequeue(stores, statement, count);
  const report = missingFields(statement, count, `sft(p,${context.edge.id},-1,-1)`);
  const isPlain = isShort(context) && !statement.copy && report === '' && !stores.mayFault;
  const taken = cannotReceive(statement, count, false)
    ? `fault=${FAULT.messageFields};${afterFault(context, true)}{}`
    : isPlain && statement.args.every(({ kind }) => kind !== 'store')
      ? `n+=take${endOf(context)}(p,b,c,q,s,${count},${movement(context)});`
      : undone(
          context.scope,
          `${change}${report}${afterFault(context, stores.mayFault)}{${commit(context)}}`,
        );
  const look = `const s=${position}(p,b,q);${warned(context, scope)}`;
  return `${look}${afterFault(context, scope.mayFault)}if(s>=0){${taken}}`;
}

/** Has the code anything to do while others shake hands? */
export const actsOnHandshake = (code: string): boolean => code.includes('===c') || code.includes('sft(');

/** The receiving half of a rendezvous: message in RV from `r` on, sent by process `sp` over its edge `se` on channel `c`. */
export function handshakeReceive(context: EdgeContext): string {
  const { edge, scope } = context;
  const { statement } = edge;
  let code = '';
  if (statement.kind === 'receive') code = receivingHalf(context, statement, null);
  // A d_step may begin with a receive; of several that fit the first one is taken, and the rest follows at once. Another guard that is
  // executable comes first: then there is no handshake.
  if (statement.kind === 'dstep') {
    const { body } = statement;
    for (const id of body.locations[body.initial]!.edges) {
      const first = body.edges[id]!;
      if (first.statement.kind === 'condition') {
        code += `d||=${truth({ ...scope }, first.statement.expression)};fault=0;soft=0;`;
        continue;
      }
      if (first.statement.kind !== 'receive') break;
      const rest = () => `${dstepFunction(scope, body, edge.id)}(p,b,${first.to},1);`;
      const half = receivingHalf(context, first.statement, rest);
      if (half !== '') code += `if(!d){const j=k;${half}d=k>j}`;
    }
    if (!actsOnHandshake(code)) return '';
    code = `{let d=false;${code}}`;
  }
  if (edge.blockedBy.length === 0 || code === '') return code;
  return `if(!(${edge.blockedBy.map((id) => `e${id}`).join('||')})){${code}}`;
}

function receivingHalf(context: EdgeContext, statement: Receive, rest: (() => string) | null): string {
  const scope = fresh(context.scope);
  const code = channel(scope, statement.channel);
  if (code.shape !== null && code.shape.capacity > 0) return '';
  // Copying from a rendezvous channel is an error even while others shake hands.
  if (statement.copy)
    return `if(CAP[sh(${code.id})]===0){soft=${FAULT.pollRendezvous};sft(p,${context.edge.id},-1,-1)}fault=0;soft=0;`;
  const counts = fieldCounts(scope, code);
  const half = byFieldCount(counts, (count) => halfOf(context, scope, statement, count, rest));
  const taken = `if(${code.id}===c){${half}}`;
  return scope.mayFault || scope.mayWarn ? `${taken}fault=0;soft=0;` : taken;
}

/** Of a message with so many fields. The sender is `sp`, over its edge `se`. */
function halfOf(
  context: EdgeContext,
  scope: CodeContext,
  statement: Receive,
  count: number,
  rest: (() => string) | null,
): string {
  const { scope: outer, edge, isBlocker } = context;
  const tests = statement.args.flatMap((argument, field) => {
    if (argument.kind !== 'match' || (field >= count && count > 1)) return [];
    return [`${field < count ? `RV[r+${field}]` : '0'}===${number(scope, argument.value)}`];
  });
  const stores = fresh(outer);
  const further = rest?.() ?? '';
  const received = storeFields(stores, statement, (field) => (field < count ? `RV[r+${field}]` : '0'));
  const wrong = cannotReceive(statement, count, rest !== null);
  const report = missingFields(statement, count, `sft(sp,se,p,${edge.id})`);
  const change = wrong ? `fault=${FAULT.messageFields};` : report + received + further;
  const { move, back } = moving(context);
  const last = scope.features.last ? `w(${HEADER.last},p);` : '';
  const done = `k++;${isBlocker ? `e${edge.id}=true;` : ''}`;
  const emit = `${edge.keepsControl ? 'chn2' : 'out2'}(sp,se,p,${edge.id});`;
  const mayFault = stores.mayFault || further !== '' || wrong;
  const fault = mayFault ? `if(fault!==0){flt(p,${edge.id});${done}}else ` : '';
  const taken = undone(context.scope, `${change}${fault}{${move}${last}${done}${emit}${back}}`);
  return tests.length === 0 ? taken : `if(${tests.join('&&')}){${taken}}`;
}
