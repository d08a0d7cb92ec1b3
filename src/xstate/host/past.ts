// What a snapshot does not say of the children: who has told their end, and who runs though nobody knows them any more.

import type { References } from './references.ts';
import type { Step } from './step.ts';
import type { XEvent, XSnapshot } from './types.ts';

export interface Past {
  readonly ended: readonly string[];
  readonly orphans: readonly string[];
}

export const NO_PAST: Past = { ended: [], orphans: [] };

/** A child that tells its end is running no more. */
export function pastWith(
  { nameOf }: References,
  snapshot: XSnapshot,
  past: Past,
  event: XEvent,
  unseen: (message: string) => void,
): Past {
  const id = /^xstate\.(?:done|error)\.actor\.(.*)$/s.exec(event.type)?.[1];
  const child = id === undefined ? undefined : snapshot.children?.[id];
  if (child === undefined) return past;
  const name = nameOf(child);
  if (past.orphans.some((orphan) => orphan.startsWith(name.replace(/~\d+$/, ''))))
    unseen(`several actors have the id ${id}: which of them ends is not told apart`);
  return { ...past, ended: [...new Set([...past.ended, name])].sort() };
}

export function aliveIn({ nameOf }: References, snapshot: XSnapshot, { ended, orphans }: Past): Set<string> {
  const children = Object.values(snapshot.children ?? {}).map(nameOf);
  return new Set([...children.filter((name) => !ended.includes(name)), ...orphans]);
}

export function pastAfter({ nameOf }: References, before: XSnapshot | null, step: Step, past: Past): Past {
  const children = Object.values(step.snapshot?.children ?? {})
    .filter((child) => child !== undefined)
    .map(nameOf);
  const created = [...step.created.values()].map(({ name }) => name);
  const stopped = step.deferred.flatMap((raw) =>
    raw.kind === 'action' && raw.action.type === 'xstate.stopChild' && raw.action.params !== undefined
      ? [nameOf(raw.action.params as object)]
      : [],
  );
  const ended = past.ended.filter((name) => children.includes(name) && !created.includes(name));
  const known = before === null ? [] : Object.values(before.children ?? {}).map(nameOf);
  const orphans = [...past.orphans, ...known, ...created].filter(
    (name) =>
      !name.endsWith('*') &&
      !children.includes(name) &&
      !past.ended.includes(name) &&
      (!stopped.includes(name) || past.orphans.includes(name)),
  );
  return { ended, orphans: [...new Set(orphans)].sort() };
}
