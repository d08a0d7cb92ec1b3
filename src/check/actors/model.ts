// What the engines for systems of actors take: any statechart language whose models hold an explored system can use them.

import type { ActorSystem, Scheduler } from '../../actors/system.ts';
import type { SourceFile } from '../../source/source.ts';
import type { Run } from '../../verdict/run.ts';
import type { Note } from '../../verdict/verdict.ts';

export interface ActorModel {
  readonly system: ActorSystem;
  readonly scheduler: Scheduler;
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** Formulas of the model, by name. */
  readonly formulas: Readonly<Record<string, string>>;
  /**
   * Takes the run on the language's own interpreter. Null: it happens there as it is told (or there is no other interpreter
   * than the semantics that found it); otherwise what is different.
   */
  readonly confirm?: (run: Run) => Promise<string | null>;
  /** Ends what the model holds. */
  readonly dispose?: () => void;
}

/** What every verdict rests on. */
export function restsOn({ system, scheduler }: ActorModel): Note[] {
  const message = scheduler === 'in-process' ? 'scheduler: in-process' : 'scheduler: distributed';
  const caveats = system.caveats
    .filter(({ kind }) => kind === 'widened')
    .map(
      ({ message: text, at }): Note => ({
        severity: 'hint',
        message: `widened: ${text}`,
        ...(at === null ? {} : { at }),
      }),
    );
  return [{ severity: 'hint', message }, ...caveats];
}

/** Why nothing can be proved, if so: something that happens in reality may not be in the model. */
export function unseen({ system }: ActorModel): string | null {
  const found = system.caveats.filter(({ kind }) => kind === 'unseen');
  return found.length === 0 ? null : found.map(({ message }) => message).join('; ');
}
