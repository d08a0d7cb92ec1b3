// One function per proctype that takes every executable edge of a process (`x<id>`), and one for its part in a
// rendezvous as receiver (`r<id>`).

import type { Edge, Location, Proctype } from '../process/program.ts';
import type { CodeContext } from './code-expression.ts';
import { truth } from './code-expression.ts';
import { actsOnHandshake, handshakeReceive } from './code-handshake.ts';
import { edgeCode } from './code-statement.ts';
import { FRAME } from './layout.ts';

export function expandFunction(scope: CodeContext, proctype: Proctype, name: string): string {
  const cases = proctype.locations.map((location) =>
    locationCode(proctype, location, (edge, isBlocker, blockers) =>
      edgeCode({ scope, edge, at: location.id, isBlocker, blockers, locations: proctype.locations }),
    ),
  );
  return `function ${name}(p,b){let n=0;${providedCode(scope, proctype, 'return 0;')}switch(S[b+${FRAME.location}]){\n${cases.join('\n')}\n}return n}`;
}

export function receiveFunction(scope: CodeContext, proctype: Proctype, name: string): string {
  const cases = proctype.locations.flatMap((location) => {
    const code = locationCode(proctype, location, (edge, isBlocker, blockers) =>
      handshakeReceive({ scope, edge, at: location.id, isBlocker, blockers, locations: proctype.locations }),
    );
    return actsOnHandshake(code) ? [code] : [];
  });
  if (cases.length === 0) return `function ${name}(){return 0}`;
  return `function ${name}(p,b,sp,se,c,r){let k=0;${providedCode(scope, proctype, 'return 0;')}switch(S[b+${FRAME.location}]){\n${cases.join('\n')}\n}return k}`;
}

function providedCode(scope: CodeContext, proctype: Proctype, otherwise: string): string {
  if (proctype.provided === null) return '';
  return `if(!${truth(scope, proctype.provided)}){fault=0;soft=0;${otherwise}}fault=0;soft=0;`;
}

function locationCode(
  proctype: Proctype,
  location: Location,
  codeOf: (edge: Edge, isBlocker: boolean, blockers: readonly number[]) => string,
): string {
  const edges = inOrder(location.edges.map((id) => proctype.edges[id]!));
  const blockers = new Set(edges.flatMap((edge) => edge.blockedBy));
  const flags = [...blockers].map((id) => `e${id}=false`);
  const declare = flags.length > 0 ? `let ${flags.join(',')};` : '';
  const code = edges.map((edge) => codeOf(edge, blockers.has(edge.id), [...blockers])).join('\n');
  return `case ${location.id}:{${declare}${code}}break;`;
}

/**
 * Edges that others wait for come before them; otherwise the order of the program, which is SPIN's. The order matters for
 * `else`: it looks only at the edges before it. (In a selection of its own it is the last; but a selection at the start of another
 * one's option shares that one's location, and options further down do not count.)
 */
function inOrder(edges: readonly Edge[]): Edge[] {
  const byId = new Map(edges.map((edge) => [edge.id, edge]));
  const done = new Set<number>();
  const result: Edge[] = [];
  const visit = (edge: Edge): void => {
    if (done.has(edge.id)) return;
    done.add(edge.id);
    for (const blocker of edge.blockedBy) {
      const other = byId.get(blocker);
      if (other !== undefined) visit(other);
    }
    result.push(edge);
  };
  for (const edge of edges) visit(edge);
  return result;
}
