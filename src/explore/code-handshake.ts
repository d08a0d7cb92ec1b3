// The two halves of a rendezvous as JavaScript text. The sender offers its message in RV; every process that is ready to receive is asked in turn.

import type { Receive } from '../process/program.ts';
import { dstepFunction } from './code-dstep.ts';
import { type EdgeContext, fresh, moving, undone } from './code-edge.ts';
import { byFieldCount, type CodeContext, channel, fieldCounts, number, truth } from './code-expression.ts';
import { cannotReceive, missingFields, storeFields } from './code-queue.ts';
import { FAULT } from './faults.ts';
import { HEADER } from './layout.ts';

export function handshakeCode(context: EdgeContext, count: number): string {
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
