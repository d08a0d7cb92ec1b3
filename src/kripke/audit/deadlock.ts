// Freedom from deadlock, checked again: the composition is written out. Where it is too large, the proof names classes of states: a deadlock
// of the composition would show as a configuration of classes in which, for every event, a class of one who shares it has a state that
// refuses it ([MAGIC] Theorem 7).

import { IntStack } from '../../base/int-stack.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { Kripke } from '../structure.ts';
import { eachEdge } from '../structure.ts';
import type { System } from '../system.ts';
import { documentOf, refusal } from './facts.ts';
import type { Classes } from './lump.ts';
import { isClasses, lump } from './lump.ts';
import { MOST_STEPS, SECOND_LOOK, Unwritten, writeOut } from './product.ts';

export const DEADLOCK_KIND = 'deadlock-classes';

/** Without classes: the composition itself is gone through. */
export const deadlockDocument = (system: System, classes: Classes | null): CertificateDocument =>
  documentOf(system, DEADLOCK_KIND, 'deadlock-free', classes === null ? {} : { classes });

/** A text says why it is refused outright. */
export function auditDeadlockDocument(
  system: System,
  document: CertificateDocument,
  timeLeft: () => boolean,
): DeadlockAudit['result'] | string {
  const refused = refusal(system, document, DEADLOCK_KIND);
  if (refused !== null) return refused;
  const classes = document['classes'];
  if (classes !== undefined && !isClasses(classes)) return 'the certificate is malformed';
  return auditNoDeadlock(system.components, classes ?? null, timeLeft).result;
}

export interface DeadlockAudit {
  readonly result: 'free' | 'deadlock' | 'limit' | 'bad classes';
  readonly configurations: number;
  readonly steps: number;
}

export function auditNoDeadlock(
  components: readonly Kripke[],
  classes: Classes | null,
  timeLeft: () => boolean,
): DeadlockAudit {
  const nothing = { configurations: 0, steps: 0 };
  if (classes === null) return auditWhole(components, timeLeft);
  const none = components.map(() => []);
  const lumped = lump(components, classes, none);
  if (lumped === null) return { result: 'bad classes', ...nothing };
  const written = writeOut(lumped, timeLeft);
  if (written === null) return { result: 'limit', ...nothing };
  const refusers = refusersOf(components, classes, lumped);
  const isStuck = (configuration: readonly number[]): boolean =>
    refusers.every((sharing) =>
      sharing.some(({ component, states }) => states.has(configuration[component]!)),
    );
  return {
    result: written.configurations.some(isStuck) ? 'deadlock' : 'free',
    configurations: written.configurations.length,
    steps: written.steps.reduce((sum, own) => sum + own.length, 0),
  };
}

/** Without classes a deadlock is a configuration without steps. */
function auditWhole(components: readonly Kripke[], timeLeft: () => boolean): DeadlockAudit {
  if (components.length === 1) return auditAlone(components[0]!, timeLeft);
  const lazy = Unwritten.of(components);
  let steps = 0;
  const configurations = (): number => lazy?.configurations.length ?? 0;
  for (let id = 0; id < configurations(); id++) {
    if (configurations() > SECOND_LOOK || steps > MOST_STEPS || ((id & 255) === 0 && !timeLeft()))
      return { result: 'limit', configurations: 0, steps: 0 };
    const own = lazy!.stepsOf(id).length;
    if (own === 0) return { result: 'deadlock', configurations: configurations(), steps };
    steps += own;
  }
  return { result: lazy === null ? 'limit' : 'free', configurations: configurations(), steps };
}

/** One structure is its own composition. */
function auditAlone({ initial, edges: { first, target } }: Kripke, timeLeft: () => boolean): DeadlockAudit {
  const met = new Uint8Array(first.length - 1);
  const open = new IntStack();
  let configurations = 0;
  let steps = 0;
  let looks = 0;
  const meet = (state: number): void => {
    if (met[state] === 1) return;
    met[state] = 1;
    configurations++;
    open.push(state);
  };
  for (const state of initial) meet(state);
  while (open.size > 0) {
    const state = open.pop();
    if ((looks++ & 1023) === 0 && !timeLeft()) return { result: 'limit', configurations: 0, steps: 0 };
    if (first[state] === first[state + 1]) return { result: 'deadlock', configurations, steps };
    for (let i = first[state]!; i < first[state + 1]!; i++, steps++) meet(target[i]!);
  }
  return { result: 'free', configurations, steps };
}

/** For each event, those who share it, with the states (or classes) that may refuse it. */
function refusersOf(
  components: readonly Kripke[],
  classes: Classes,
  lumped: readonly Kripke[],
): { readonly component: number; readonly states: ReadonlySet<number> }[][] {
  const byEvent = new Map<string, { component: number; states: Set<number> }[]>();
  components.forEach((structure, component) => {
    // The lumped structure calls its states as the certificate calls the classes.
    const numbers = new Map(lumped[component]!.stateNames.map((name, number) => [name, number]));
    const numberOf = (state: number): number => numbers.get(String(classes[component]![state]))!;
    structure.events.forEach((name, event) => {
      const states = new Set<number>();
      structure.stateNames.forEach((_, state) => {
        let refuses = true;
        eachEdge(structure, state, (own) => {
          if (own === event) refuses = false;
        });
        if (refuses) states.add(numberOf(state));
      });
      byEvent.set(name, [...(byEvent.get(name) ?? []), { component, states }]);
    });
  });
  return [...byEvent.values()];
}
