// The processes at the start. They are numbered from 0 in the order of declaration, `init` included, so where a proctype reads
// `_pid` its instances are told apart.

import type { Expression } from '../process/expression.ts';
import type { Proctype, ProctypeId, Program } from '../process/program.ts';
import { walkInitialiser, walkStatement } from '../process/walk.ts';
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
  const visitor = {
    expression: ({ kind }: Expression): void => {
      found ||= kind === '_pid';
    },
  };
  for (const { statement } of proctype.edges) walkStatement(statement, visitor);
  for (const id of proctype.locals) walkInitialiser(program.variables[id]!.initial, visitor);
  return found;
}
