// The processes at the start. Where a proctype reads `_pid`, its instances are told apart: their numbers are known.

import type { ProctypeId, Program } from '../process/program.ts';
import { ANY, type Value } from './value.ts';

export interface StartedProcess {
  readonly proctype: ProctypeId;
  readonly pid: Value;
  readonly instances: number;
}

export function initialProcesses(program: Program): StartedProcess[] {
  const started: StartedProcess[] = [];
  for (const proctype of program.proctypes) {
    if (proctype.active > 0) started.push({ proctype: proctype.id, pid: ANY, instances: proctype.active });
  }
  return started;
}
