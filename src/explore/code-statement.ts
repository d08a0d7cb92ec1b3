// Statements as JavaScript text. Each edge becomes a block that tests executability, makes its changes through the undo
// log (`w` for S, `wm` for M), reports the step (`out`, or `chn` when an atomic sequence goes on) and takes the changes back.
// `n` counts the edges of the location that could be taken; it decides `else` and blocking.

import type { Receive, Send, Statement } from '../process/program.ts';
import { dstepFunction } from './code-dstep.ts';
import {
  afterFault,
  byHand,
  commit,
  type EdgeContext,
  endOf,
  fresh,
  isShort,
  movement,
  undone,
  warned,
} from './code-edge.ts';
import {
  address,
  byFieldCount,
  type CodeContext,
  channel,
  fieldCounts,
  number,
  queue,
  slot,
  stored,
  truth,
} from './code-expression.ts';
import { handshakeCode } from './code-handshake.ts';
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
} from './code-queue.ts';
import { FAULT } from './faults.ts';
import { HEADER, type Shape } from './layout.ts';

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

const step = (context: EdgeContext, change: string): string =>
  change === '' && byHand(context.scope) && !context.scope.features.last
    ? `{${commit(context)}}`
    : `{${undone(context.scope, `${change}${commit(context)}`)}}`;

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
