// Values as the user writes them.

import type { Program, ScalarType } from '../process/program.ts';
import type { Queue } from './queues.ts';
import { ANY, queueOf, type Value } from './value.ts';

export function nameOfValue(
  program: Program,
  type: ScalarType,
  value: Value,
  queues: readonly Queue[],
): string {
  if (value === ANY) return '_';
  const queue = queueOf(value);
  if (queue !== null) return queues[queue]!.name;
  if (type.kind === 'mtype') {
    const set = program.mtypes.find((candidate) => candidate.set === type.set);
    const member = set?.members.find((candidate) => candidate.value === value);
    if (member !== undefined) return member.name;
  }
  return String(value);
}
