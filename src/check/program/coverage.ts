// `--coverage`: what no run executes, as hints at the statements. SPIN lists the states that no process came to; a guard that was tried and
// never true counts as reached there, here it is said in other words.

import { coverageOf, type Unexecuted } from '../../explore/coverage.ts';
import { stepText } from '../../explore/names.ts';
import type { Program } from '../../process/program.ts';
import { type Diagnostic, type PlacedDiagnostic, placed } from '../../source/diagnostic.ts';
import { concreteModel, limitReason } from './concrete.ts';
import type { ProgramWork } from './work.ts';

export const coverage: ProgramWork = {
  run: ({ model }, budget, observer, learn) => {
    const tell = (diagnostic: PlacedDiagnostic): void => learn({ kind: 'diagnostic', diagnostic });
    const compiled = concreteModel(model, 'declared');
    if (!compiled.ok) return tell(notKnown(compiled.error.reason));
    observer.stage('coverage');
    const { incomplete, unexecuted, states } = coverageOf(compiled.value, budget, observer);
    if (incomplete !== null) return tell(notKnown(limitReason(incomplete, states).reason));
    // A process at its end that waits for younger ones to die has nothing left to execute.
    const missing = unexecuted.filter(({ edge, isReached }) => edge.statement.kind !== 'end' || !isReached);
    for (const one of onePerPlace(missing)) tell(hintOf(model.program, one));
  },
};

const notKnown = (reason: string): PlacedDiagnostic => ({
  code: 'SPW1392',
  severity: 'hint',
  message: `which statements are never executed is not known: ${reason}`,
  at: null,
});

/** A statement may be on several edges (after the options of a choice inside it): it is unexecuted when all of them are. */
function onePerPlace(unexecuted: readonly Unexecuted[]): readonly Unexecuted[] {
  const keyOf = ({ proctype, edge: { span } }: Pick<Unexecuted, 'proctype' | 'edge'>): string =>
    JSON.stringify([proctype.id, span.file.path, span.start, span.end]);
  const missing = new Set(unexecuted.map(({ edge }) => edge));
  const executed = new Set(
    [...new Set(unexecuted.map(({ proctype }) => proctype))].flatMap((proctype) =>
      proctype.edges.filter((edge) => !missing.has(edge)).map((edge) => keyOf({ proctype, edge })),
    ),
  );
  const first = new Map<string, Unexecuted>();
  for (const one of unexecuted) {
    const key = keyOf(one);
    const known = first.get(key);
    if (!executed.has(key) && (known === undefined || (one.isReached && !known.isReached)))
      first.set(key, one);
  }
  return [...first.values()];
}

function hintOf(program: Program, { proctype, edge, isReached }: Unexecuted): PlacedDiagnostic {
  const { span, statement } = edge;
  const text = stepText(program, edge);
  const message =
    statement.kind === 'end'
      ? `'${proctype.name}' never ends`
      : isReached
        ? `never executed: '${text}' in '${proctype.name}' is reached, but never executable`
        : `unreached: no run comes to '${text}' in '${proctype.name}'`;
  const hint: Diagnostic = { code: 'SPW1391', severity: 'hint', message, span };
  return placed(hint);
}
