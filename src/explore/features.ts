// Which parts of the language a program uses: the compiled code pays only for those, and what cannot be executed is refused.

import type { Proctype, Program, VariableId } from '../process/program.ts';
import { walkProgram } from '../process/walk.ts';
import type { Span } from '../source/source.ts';

export interface Features {
  readonly timeout: boolean;
  readonly last: boolean;
  /** Priorities change what may run only when the model mentions them, as in SPIN 6. */
  readonly priority: boolean;
  readonly enabled: boolean;
  /** Variables that some statement may change after they came to life. */
  readonly written: ReadonlySet<VariableId>;
  /** The first embedded C that the engine would have to execute. */
  readonly opaque: Span | null;
}

export function featuresOf(program: Program, claim: Proctype | null): Features {
  let timeout = false;
  let last = false;
  let enabled = false;
  let priority = program.proctypes.some((proctype) => proctype.priority !== null);
  let opaque: Span | null = null;
  const written = new Set<VariableId>();
  walkProgram(program, claim, {
    write: (cell) => void written.add(cell.variable),
    statement: (statement) => {
      if (statement.kind === 'opaque') opaque ??= statement.code.span;
    },
    expression: (expression) => {
      if (expression.kind === 'timeout') timeout = true;
      if (expression.kind === '_last') last = true;
      if (expression.kind === 'enabled') enabled = true;
      if (expression.kind === 'opaque') opaque ??= expression.span;
      if (expression.kind === 'run' && expression.priority !== null) priority = true;
      if (
        expression.kind === 'set_priority' ||
        expression.kind === 'get_priority' ||
        expression.kind === '_priority'
      )
        priority = true;
    },
  });
  return { timeout, last, priority, enabled: enabled || priority, written, opaque };
}
