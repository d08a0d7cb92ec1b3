// What is kept of a snapshot between steps. What may grow without end is cut off: a key of a context with too many values becomes unknown (widened),
// children that are spawned again and again become a family. Either starts the exploration anew, with what was learned.

import { ANY } from './any.ts';
import { canonical } from './canonical.ts';
import type { Ledger } from './ledger.ts';
import { LearnedSomething } from './lessons.ts';
import type { LogicRecord } from './logics.ts';
import type { XSnapshot } from './types.ts';

export class Keeper {
  private readonly ledger: Ledger;
  private readonly values = new Map<string, Set<string>>();
  private readonly childSets = new Map<string, Set<string>>();

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  /** `before`: a family that was known then is known now, whoever of it was stopped or has ended. */
  kept(
    actor: string,
    record: LogicRecord,
    snapshot: XSnapshot,
    orphans: readonly string[],
    before: XSnapshot | null = null,
  ): XSnapshot {
    const { references } = this.ledger;
    if (record.kind !== 'machine') {
      const context = references.clean(snapshot.context);
      return { ...snapshot, context: this.widenedValue(record.name, context) };
    }
    const context = this.keptContext(record, snapshot.context);
    const children: Record<string, object> = {};
    const families = new Set<string>();
    const known = Object.entries(before?.children ?? {}).filter(([, child]) =>
      references.nameOf(child).endsWith('*'),
    );
    for (const [id, child] of [...known, ...Object.entries(snapshot.children ?? {})]) {
      if (child === undefined) continue;
      const name = references.nameOf(child);
      if (name.endsWith('*') && families.has(name)) continue;
      families.add(name);
      children[id] = references.of(name);
    }
    this.countChildren(actor, record, [...Object.values(children).map(references.nameOf), ...orphans]);
    return { ...snapshot, context, children };
  }

  private keptContext(record: LogicRecord, context: unknown): unknown {
    const clean = this.ledger.references.clean(context);
    if (typeof clean !== 'object' || clean === null) return clean;
    const listed = this.ledger.declared.context?.[record.name];
    return Object.fromEntries(
      Object.entries(clean).map(([key, value]) => {
        if (listed !== undefined && !listed.includes(key)) return [key, ANY];
        return [key, this.widenedValue(`${record.name}.${key}`, value)];
      }),
    );
  }

  private widenedValue(key: string, value: unknown): unknown {
    const { lessons, limits, references } = this.ledger;
    if (lessons.widened.has(key)) return ANY;
    const seen = this.values.get(key) ?? new Set();
    this.values.set(key, seen.add(canonical(value, references.nameOf)));
    if (seen.size > limits.values) {
      lessons.widened.add(key);
      throw new LearnedSomething(`${key} has too many values`);
    }
    return value;
  }

  /** Called when there are too many states: the key with the most values is widened. False when there is none. */
  widenMost(): boolean {
    const [most] = [...this.values].sort((a, b) => b[1].size - a[1].size);
    if (most === undefined || most[1].size < 4) return false;
    this.ledger.lessons.widened.add(most[0]);
    return true;
  }

  /** Children of this logic are counted, not told apart. */
  isFamily(parent: string, child: LogicRecord): boolean {
    return this.ledger.lessons.families.has(this.familyKey(parent, child));
  }

  private familyKey(parent: string, child: LogicRecord): string {
    return `${this.ledger.logicByActor.get(parent)?.name ?? parent}>${child.name}`;
  }

  private countChildren(actor: string, record: LogicRecord, names: readonly string[]): void {
    const { lessons, limits, logicByActor } = this.ledger;
    const sets = this.childSets.get(record.name) ?? new Set();
    this.childSets.set(record.name, sets.add(names.join(' ')));
    if (sets.size <= limits.childSets) return;
    const counts = new Map<string, number>();
    for (const name of names) {
      if (name.endsWith('*')) continue;
      const logic = logicByActor.get(name);
      if (logic !== undefined) {
        const key = this.familyKey(actor, logic);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1]);
    if (most === undefined || most[1] < 4) return;
    lessons.families.add(most[0]);
    throw new LearnedSomething(`${most[0]} is a family`);
  }
}
