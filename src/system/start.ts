// The processes at the start. They are numbered from 0 in the order of declaration, `init` included, so where a proctype reads
// `_pid` its instances are told apart.

import type { Expression } from '../process/expression.ts';
import type { Proctype, ProctypeId, Program } from '../process/program.ts';
import { forEachExpression } from './recursion.ts';
import { forEachPart } from './uses.ts';
import { ANY, type Value } from './value.ts';

export interface StartedProcess {
  readonly proctype: ProctypeId;
  readonly pid: Value;
  readonly instances: number;
}

export function initialProcesses(program: Program): StartedProcess[] {
  const started: StartedProcess[] = [];
  let next = 0;
  for (const proctype of program.proctypes) {
    const first = next;
    next += proctype.active;
    if (proctype.active === 0) continue;
    if (!readsPid(program, proctype))
      started.push({ proctype: proctype.id, pid: ANY, instances: proctype.active });
    else for (let pid = first; pid < next; pid++) started.push({ proctype: proctype.id, pid, instances: 1 });
  }
  return started;
}

function readsPid(program: Program, proctype: Proctype): boolean {
  let found = false;
  const look = (expression: Expression): void =>
    forEachPart(expression, (part) => {
      if (part.kind === '_pid') found = true;
      if (part.kind === 'read' || part.kind === 'remote-read') lookInCell(part.cell.path);
      if (part.kind === 'channel-query' || part.kind === 'poll') lookInCell(part.channel.path);
    });
  const lookInCell = (path: readonly { readonly kind: string; readonly index?: Expression }[]): void => {
    for (const step of path) if (step.index !== undefined) look(step.index);
  };
  for (const { statement } of proctype.edges) {
    forEachExpression(statement, look);
    if (statement.kind === 'send' || statement.kind === 'receive') lookInCell(statement.channel.path);
    if (statement.kind === 'assign') lookInCell(statement.target.path);
    if (statement.kind === 'receive')
      for (const arg of statement.args) if (arg.kind === 'store') lookInCell(arg.target.path);
  }
  for (const id of proctype.locals) {
    const { initial } = program.variables[id]!;
    if (initial?.kind === 'each') look(initial.value);
    if (initial?.kind === 'list') initial.values.forEach(look);
  }
  return found;
}
