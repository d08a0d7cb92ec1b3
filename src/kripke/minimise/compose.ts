// The order of composition: greedily the two parts that promise the smallest result, judged by their sizes and by how many events become hidden
// against how many stay open. Two parts whose product passes the limit are not tried again; what is left in the end may be several parts.

import type { System } from '../system.ts';
import type { Part, Setting } from './part.ts';
import { componentPart, composedPart } from './part.ts';
import type { SizeLimit } from './piece.ts';

export interface Composition {
  /** Their composition is equivalent to the system. */
  readonly parts: readonly Part[];
  /** Nodes of the largest product met on the way. */
  readonly largest: number;
}

/** Parts that were made for other questions about the same system. */
export type PartCache = Map<string, Part>;

interface Candidate {
  readonly a: number;
  readonly b: number;
  readonly score: number;
}

/** Null when a single component is already too much, or the time is over. */
export function composeParts(
  setting: Setting,
  limit: SizeLimit,
  cache: PartCache,
  report: (text: string) => void,
): Composition | null {
  const { system } = setting;
  const parts = new Map<number, Part>();
  let largest = 0;
  for (let component = 0; component < system.components.length; component++) {
    if (!limit.timeLeft()) return null;
    const part = cached(setting, cache, [component], () => componentPart(setting, component, limit));
    if (part === null) return null;
    parts.set(component, part);
  }
  const order = new Order(system, setting, parts);
  let next = system.components.length;
  for (let best = order.best(); best !== null; best = order.best()) {
    if (!limit.timeLeft()) return null;
    const a = parts.get(best.a)!;
    const b = parts.get(best.b)!;
    const components = [...a.components, ...b.components].sort((x, y) => x - y);
    const part = cached(setting, cache, components, () => composedPart(setting, a, b, limit));
    if (part === null) {
      order.forbid(best);
      continue;
    }
    largest = Math.max(largest, part.whole.nodes);
    order.replace(best, next, part);
    next++;
    report(`${parts.size} parts, ${part.whole.nodes} states reduced to ${part.reduced.nodes}`);
  }
  return { parts: [...parts.values()], largest };
}

/** A part depends on its components, on what is asked about them, and on the equivalence. */
function cached(
  { observed, equivalence, system, firstPropositions }: Setting,
  cache: PartCache,
  components: readonly number[],
  make: () => Part | null,
): Part | null {
  const inside = new Set(components);
  const events = [...observed.events].filter((event) =>
    system.participants[event]!.some((component) => inside.has(component)),
  );
  const owns = (proposition: number): boolean =>
    components.some(
      (component) =>
        proposition >= firstPropositions[component]! &&
        proposition < firstPropositions[component]! + system.components[component]!.propositions.length,
    );
  const propositions = [...observed.propositions].filter(owns);
  const key = `${equivalence} ${components.join()} ${events.join()} ${propositions.join()}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const part = make();
  if (part !== null) cache.set(key, part);
  return part;
}

class Order {
  private readonly system: System;
  private readonly setting: Setting;
  private readonly parts: Map<number, Part>;
  private readonly candidates = new Map<string, Candidate>();
  private readonly forbidden = new Set<string>();
  /** The part that each component is in. */
  private readonly home: Int32Array;

  constructor(system: System, setting: Setting, parts: Map<number, Part>) {
    this.system = system;
    this.setting = setting;
    this.parts = parts;
    this.home = Int32Array.from(system.components.keys());
    for (const id of parts.keys()) this.addNeighbours(id);
  }

  /** The most promising pair; null when one part is left or no pair is small enough. */
  best(): Candidate | null {
    let best: Candidate | null = null;
    for (const candidate of this.candidates.values())
      if (best === null || candidate.score < best.score) best = candidate;
    return best ?? this.unrelated();
  }

  forbid({ a, b }: Candidate): void {
    this.candidates.delete(keyOf(a, b));
    this.forbidden.add(keyOf(a, b));
  }

  replace({ a, b }: Candidate, id: number, part: Part): void {
    for (const gone of [a, b]) {
      this.parts.delete(gone);
      for (const [key, candidate] of this.candidates)
        if (candidate.a === gone || candidate.b === gone) this.candidates.delete(key);
    }
    this.parts.set(id, part);
    for (const component of part.components) this.home[component] = id;
    this.addNeighbours(id);
  }

  /** Parts that share no event: the two smallest. */
  private unrelated(): Candidate | null {
    const bySize = [...this.parts].sort((x, y) => x[1].reduced.nodes - y[1].reduced.nodes).slice(0, 8);
    for (const [i, [b]] of bySize.entries())
      for (const [a] of bySize.slice(0, i)) if (!this.forbidden.has(keyOf(a, b))) return { a, b, score: 0 };
    return null;
  }

  private addNeighbours(id: number): void {
    const neighbours = new Set<number>();
    for (const event of this.parts.get(id)!.reduced.alphabet)
      for (const component of this.system.participants[event]!) neighbours.add(this.home[component]!);
    neighbours.delete(id);
    for (const other of neighbours) {
      const key = keyOf(id, other);
      if (this.forbidden.has(key) || this.candidates.has(key)) continue;
      const score = this.score(id, other);
      this.candidates.set(key, { a: Math.min(id, other), b: Math.max(id, other), score });
    }
  }

  /** Small parts, few events left open, many hidden. */
  private score(a: number, b: number): number {
    const { system, setting, home } = this;
    const [one, other] = [this.parts.get(a)!.reduced, this.parts.get(b)!.reduced];
    const [fewer, more] = one.alphabet.size < other.alphabet.size ? [one, other] : [other, one];
    let shared = 0;
    let hidden = 0;
    for (const event of fewer.alphabet) {
      if (!more.alphabet.has(event)) continue;
      shared++;
      const inside = system.participants[event]!.every((component) => {
        const part = home[component];
        return part === a || part === b;
      });
      if (inside && !setting.observed.events.has(event)) hidden++;
    }
    const open = fewer.alphabet.size + more.alphabet.size - shared - hidden;
    return Math.log2(one.nodes * other.nodes) + 2 * Math.log2(1 + open) - Math.log2(1 + hidden);
  }
}

const keyOf = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`);
