// Which properties of a program to check: the ones asked for, or everything that the model can have. SPIN always asks for invalid end states
// and failing assertions; so do we.

import type { CheckOptions } from '../../engine/options.ts';
import type { Program } from '../../process/program.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { unknownProperty } from '../requests.ts';

const FIXED = [
  'bounded',
  'livelock-free',
  'deadlock-free',
  'stuck-free',
  'assertions',
  'acceptance',
] as const;

export interface ChosenProperties {
  readonly properties: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function chooseProperties(
  program: Program,
  asked: readonly string[],
  { progress = [] }: CheckOptions,
): ChosenProperties {
  if (asked.length === 0) return { properties: allOf(program, progress), diagnostics: [] };
  const known = [
    ...FIXED,
    ...program.formulas.map((formula) => `ltl:${formula.name}`),
    ...(program.claims.length > 0 ? ['never'] : []),
  ];
  const diagnostics = asked
    .filter((property) => !known.includes(property))
    .map((property) => unknownProperty(property, known));
  return { properties: [...new Set(asked)], diagnostics };
}

function allOf(program: Program, progress: readonly string[]): string[] {
  const locations = program.proctypes.flatMap((proctype) => proctype.locations);
  const has = (test: (location: (typeof locations)[number]) => boolean): boolean => locations.some(test);
  return [
    ...(program.channelSites.some((site) => site.capacity > 0) ? ['bounded'] : []),
    ...(progress.length > 0 || has((location) => location.isProgress) ? ['livelock-free'] : []),
    'deadlock-free',
    'assertions',
    ...(program.claims.length > 0 ? ['never'] : []),
    ...(has((location) => location.isAccept) ? ['acceptance'] : []),
    ...program.formulas.map((formula) => `ltl:${formula.name}`),
  ];
}
