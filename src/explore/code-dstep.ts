// `d_step` as one JavaScript function: a loop over the body's own locations, each taking its first executable edge.
// It returns 0 when the first statement is not executable; blocking later, or a rendezvous, is a runtime error as in SPIN.

import type { DStepBody, Edge, Location } from '../process/program.ts';
import type { CodeContext } from './code-expression.ts';
import { byFieldCount, channel, fieldCounts, queue, slot, truth } from './code-expression.ts';
import {
  assignment,
  candidates,
  cannotReceive,
  dequeue,
  enqueue,
  keptValues,
  missingFields,
  printing,
  rawValues,
} from './code-queue.ts';
import { undoCheck } from './code-runtime.ts';
import { FAULT } from './faults.ts';

const MAX_STEPS = 1_000_000;

/** Adds the function to the scope's helpers and gives its name. With `L` and `k` = 1 it goes on from a location inside. */
export function dstepFunction(scope: CodeContext, body: DStepBody, outerEdge: number): string {
  const cases = body.locations
    .filter((location) => location.edges.length > 0)
    .map((location) => `case ${location.id}:${locationCode(scope, body, location, outerEdge)}`);
  const name = `d${scope.helpers.length}`;
  scope.helpers.push(
    `function ${name}(p,b,L=${body.initial},k=0){for(;;){${scope.bare ? undoCheck('0') : ''}if(++k>${MAX_STEPS}){fault=${FAULT.dstepEndless};return 1}` +
      `switch(L){${cases.join('\n')}\ndefault:return 1}}}`,
  );
  return name;
}

function locationCode(scope: CodeContext, body: DStepBody, location: Location, outerEdge: number): string {
  const edges = location.edges.map((id) => body.edges[id]!);
  const code = edges.map((edge) => edgeCode(scope, edge, outerEdge)).join('');
  return `${code}if(k===1)return 0;fault=${FAULT.dstepBlocks};return 1;`;
}

function edgeCode(outer: CodeContext, edge: Edge, outerEdge: number): string {
  const scope: CodeContext = { ...outer, mayFault: false, mayWarn: false, hasEffect: false };
  const go = `L=${edge.to};continue;`;
  const warn = () => (scope.mayWarn ? `if(soft!==0)sft(p,${outerEdge},-1,-1);` : '');
  const check = () => `${warn()}${scope.mayFault ? 'if(fault!==0)return 1;' : ''}`;
  const statement = edge.statement;
  switch (statement.kind) {
    case 'condition': {
      const code = truth(scope, statement.expression);
      return `{const t=${code};${check()}if(t){${go}}}`;
    }
    case 'else':
      return `{${go}}`;
    case 'print':
      return `{${printing(scope, statement)}${go}}`;
    case 'assert': {
      const code = truth(scope, statement.expression);
      return `{const t=${code};${check()}if(!t)asr(p,${outerEdge});${go}}`;
    }
    case 'assign': {
      const code = assignment(scope, statement);
      return `{${code}${check()}${go}}`;
    }
    case 'send': {
      const code = channel(scope, statement.channel);
      const setup = `const c=${code.id},q=${queue(scope, code, 'c')};${rawValues(scope, statement)}`;
      const body = byFieldCount(fieldCounts(scope, code), (count) => {
        const given = statement.args.length;
        const wrong = given === count ? '' : `soft=${FAULT.sendFields};sft(p,${outerEdge},-1,-1);`;
        const put = `${wrong}${enqueue(scope, statement, count)}${go}`;
        const room = scope.unlimited ? `{${put}}` : `if(M[q]<CAP[sh(c)]){${put}}`;
        const lost = scope.loseMessages && !scope.unlimited ? `else{${go}}` : '';
        return `${keptValues(candidates(scope, code, count), given, count)}${room}${lost}`;
      });
      return `{${setup}${warn()}if(fault!==0)return 1;if(CAP[sh(c)]===0){fault=${FAULT.dstepRendezvous};return 1}${body}}`;
    }
    case 'receive': {
      const code = channel(scope, statement.channel);
      const setup = `const c=${code.id},q=${queue(scope, code, 'c')};`;
      const body = byFieldCount(fieldCounts(scope, code), (count) => {
        const look = `const s=${slot(scope, statement.args, statement.random, count)}(p,b,q);`;
        const wrong = cannotReceive(statement, count, true);
        const report = missingFields(statement, count, `sft(p,${outerEdge},-1,-1)`);
        const take = `${dequeue(scope, statement, count)}${report}if(fault!==0)return 1;${go}`;
        const taken = wrong ? `fault=${FAULT.messageFields};return 1;` : take;
        return `${look}if(fault!==0)return 1;if(s>=0){${taken}}`;
      });
      return `{${setup}${warn()}if(fault!==0)return 1;${body}}`;
    }
    case 'dstep': {
      const name = dstepFunction(scope, statement.body, outerEdge);
      return `{const t=${name}(p,b);if(fault!==0)return 1;if(t){${go}}}`;
    }
    default:
      throw new Error('impossible: neither the end of a process nor embedded C inside a compiled d_step');
  }
}
