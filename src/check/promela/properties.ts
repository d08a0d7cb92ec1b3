// Which properties of a Promela model to check: the ones asked for, or everything that the model states or labels.

import type { Program } from '../../process/program.ts';
import { type Diagnostic, suggest } from '../../source/diagnostic.ts';

const FIXED = ['bounded', 'livelock-free', 'deadlock-free', 'assertions', 'acceptance'] as const;

export interface ChosenProperties {
  readonly properties: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function chooseProperties(
  program: Program,
  asked: readonly string[],
  progress: readonly string[],
): ChosenProperties {
  if (asked.length === 0) return { properties: stated(program, progress), diagnostics: [] };
  const known = [
    ...FIXED,
    ...program.formulas.map((formula) => `ltl:${formula.name}`),
    ...(program.claims.length > 0 ? ['never'] : []),
  ];
  const diagnostics = asked
    .filter((property) => !known.includes(property))
    .map((property): Diagnostic => {
      const near = suggest(property, known);
      return {
        code: 'SPW9003',
        severity: 'error',
        message: `the model has no property '${property}'`,
        span: null,
        help: near === null ? `known here: ${known.join(', ')}` : `did you mean ${near}?`,
      };
    });
  return { properties: [...new Set(asked)], diagnostics };
}

function stated(program: Program, progress: readonly string[]): string[] {
  const locations = program.proctypes.flatMap((proctype) => proctype.locations);
  const has = (test: (location: (typeof locations)[number]) => boolean): boolean => locations.some(test);
  const asserts = program.proctypes.some((proctype) =>
    proctype.edges.some((edge) => edge.statement.kind === 'assert'),
  );
  return [
    ...(program.channelSites.some((site) => site.capacity > 0) ? ['bounded'] : []),
    ...(progress.length > 0 || has((location) => location.isProgress) ? ['livelock-free'] : []),
    ...(has((location) => location.isEnd && !location.isFinal) ? ['deadlock-free'] : []),
    ...(asserts ? ['assertions'] : []),
    ...(program.claims.length > 0 ? ['never'] : []),
    ...(has((location) => location.isAccept) ? ['acceptance'] : []),
    ...program.formulas.map((formula) => `ltl:${formula.name}`),
  ];
}
