// The properties of a `.c` file: which there are, and the program in which a property is about errors that are reached.

import type { Budget } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { inTime } from './in-time.ts';
import type { LoadedC } from './load-c.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { NO_LEAKS, withLeaks } from './lower/leaks.ts';
import { lived } from './lower/lifetimes.ts';
import { lower } from './lower/lower.ts';
import { NO_OVERFLOW } from './lower/overflow.ts';
import { NO_UNDEFINED, withChecks } from './lower/undefined.ts';
import type { Program } from './program/program.ts';
import { TERMINATES } from './termination.ts';
import { warning } from './text/codes.ts';

export const ASSERTIONS = 'assertions';

/** The properties of a .c file that are asked when none is named. */
export const C_PROPERTIES: readonly string[] = [ASSERTIONS, NO_UNDEFINED];

/** All of them. */
export const ALL_C_PROPERTIES: readonly string[] = [...C_PROPERTIES, NO_LEAKS, NO_OVERFLOW, TERMINATES];

const statesNothing = ({ entry }: LoadedC): Diagnostic =>
  warning(
    'SPW5021',
    `nothing that ${entry.function} can call states a property`,
    null,
    'call reach_error(), use assert, label a statement ERROR, or ask for terminates',
  );

/** `assertions` is asked of a program that asserts nothing. */
export const withoutAssertions = (loaded: LoadedC, properties: readonly string[]): readonly Diagnostic[] =>
  properties.includes(ASSERTIONS) && !loaded.program.statesProperty && loaded.program.threads === undefined
    ? [statesNothing(loaded)]
    : [];

/** Whether signed numbers overflow is not seen in a program that was not read for it. Null where there is no time to do so. */
export function askedOf(loaded: LoadedC, property: string, budget?: Budget): LoadedC | null {
  if (property !== NO_OVERFLOW) return loaded;
  const program = lower(loaded.units, loaded.entry, PLAIN_C, [], budget, true);
  return program.ok ? { ...loaded, program: program.value, findsOverflows: true } : null;
}

/** The program whose errors are what the property excludes. */
export const programFor = (property: string, program: Program): Program =>
  property === NO_UNDEFINED ? withChecks(program) : property === NO_LEAKS ? withLeaks(program) : program;

/** The threads of a program, with tests of the lives of what they use; null when the time is over. */
export const threadsOf = ({ program }: LoadedC, budget: Budget): Program | null =>
  inTime(program, budget, () => lived(program));

export const isErrorLocation = (program: Program, location: number): boolean =>
  program.locations[location]!.kind === 'error' || program.locations[location]!.labels.includes('ERROR');
