// A proof by minimising while composing, checked again from the components up: each part is multiplied out of its factors by the definition of the composition,
// what only it knows is hidden, the classes that the certificate names are judged by the definition of the bisimulation (`graph/bisimulation-check`), and one
// node is made of each class. Bisimilar parts can stand for one another in a composition: for strong bisimilarity, and for branching
// bisimilarity with explicit divergence where events are hidden only once everybody who shares them is inside. Names are compared, not numbers;
// nothing is shared with what found the proof.

import type { Step } from '../../graph/bisimulation-check.ts';
import { isBisimulation } from '../../graph/bisimulation-check.ts';
import type { ComponentRecord, CompositionRecord, PartRecord, ProductRecord } from '../minimise/proof.ts';
import type { Kripke } from '../structure.ts';
import { eachEdge } from '../structure.ts';

/** A part as a graph of its own. */
export interface Unit {
  readonly components: ReadonlySet<number>;
  readonly alphabet: ReadonlySet<string>;
  readonly initial: readonly number[];
  readonly steps: readonly (readonly Step[])[];
  /** The propositions of each node that are asked about, by name. */
  readonly propositions: readonly (readonly string[])[];
}

export interface Asked {
  readonly events: ReadonlySet<string>;
  readonly propositions: ReadonlySet<string>;
  readonly equivalence: 'strong' | 'branching';
}

export const isRecord = (value: unknown): value is CompositionRecord => {
  if (typeof value !== 'object' || value === null) return false;
  const { records, proofs } = value as { records?: unknown; proofs?: unknown };
  return (
    Array.isArray(records) && records.every(isPartRecord) && Array.isArray(proofs) && proofs.every(isProof)
  );
};

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isIndices = (value: unknown): value is number[] => Array.isArray(value) && value.every(isIndex);

function isPartRecord(value: unknown): value is PartRecord {
  const { component, of, pairs, classes } = (value ?? {}) as Record<string, unknown>;
  if (!isIndices(classes)) return false;
  return of === undefined ? isIndex(component) : isIndices(of) && of.length === 2 && isIndices(pairs);
}

function isProof(value: unknown): boolean {
  const { equivalence, parts } = (value ?? {}) as Record<string, unknown>;
  return (equivalence === 'strong' || equivalence === 'branching') && isIndices(parts);
}

export type Refused = 'bad classes' | 'limit';
/** Nodes and steps of one part that a second look goes through. */
const MOST_NODES = 1_500_000;
const MOST_STEPS = 6_000_000;

/** The composition of the parts of one proof, each reduced to its classes. */
export function auditComposition(
  components: readonly Kripke[],
  records: readonly PartRecord[],
  parts: readonly number[],
  asked: Asked,
  timeLeft: () => boolean,
): Unit | Refused {
  const review = new Review(components, records, asked, timeLeft);
  const units: Unit[] = [];
  for (const part of parts) {
    const unit = review.part(part, new Set());
    if (typeof unit === 'string') return unit;
    units.push(unit);
  }
  // Every component once.
  const inside = units.flatMap((unit) => [...unit.components]);
  if (inside.length !== components.length || new Set(inside).size !== components.length) return 'bad classes';
  let whole: Unit | null = null;
  for (const unit of units) {
    if (whole === null) whole = unit;
    else {
      const product = multiply(whole, unit, timeLeft);
      if (product === null) return 'limit';
      whole = product.unit;
    }
  }
  return whole ?? 'bad classes';
}

class Review {
  private readonly components: readonly Kripke[];
  private readonly records: readonly PartRecord[];
  private readonly asked: Asked;
  private readonly timeLeft: () => boolean;
  private readonly done = new Map<number, Unit | Refused>();
  /** For each event, who shares it. */
  private readonly sharers = new Map<string, number[]>();

  constructor(
    components: readonly Kripke[],
    records: readonly PartRecord[],
    asked: Asked,
    timeLeft: () => boolean,
  ) {
    this.components = components;
    this.records = records;
    this.asked = asked;
    this.timeLeft = timeLeft;
    components.forEach(({ events }, component) => {
      for (const event of events) this.sharers.set(event, [...(this.sharers.get(event) ?? []), component]);
    });
  }

  part(id: number, above: ReadonlySet<number>): Unit | Refused {
    const record = this.records[id];
    if (record === undefined || above.has(id)) return 'bad classes';
    let unit = this.done.get(id);
    if (unit === undefined) {
      unit = 'of' in record ? this.composed(record, new Set([...above, id])) : this.component(record);
      this.done.set(id, unit);
    }
    return unit;
  }

  private component({ component, classes }: ComponentRecord): Unit | Refused {
    const structure = this.components[component];
    if (structure === undefined) return 'bad classes';
    const { propositions } = this.asked;
    const unit: Unit = {
      components: new Set([component]),
      alphabet: new Set(structure.events),
      initial: structure.initial,
      steps: structure.stateNames.map((_, state) => {
        const steps: Step[] = [];
        eachEdge(structure, state, (event, to) => {
          steps.push({ label: structure.events[event]!, to });
        });
        return steps;
      }),
      propositions: structure.labels.map((label) =>
        label.map((own) => structure.propositions[own]!).filter((name) => propositions.has(name)),
      ),
    };
    return this.reduced(unit, classes);
  }

  private composed({ of, pairs, classes }: ProductRecord, above: ReadonlySet<number>): Unit | Refused {
    const a = this.part(of[0], above);
    const b = this.part(of[1], above);
    if (typeof a === 'string') return a;
    if (typeof b === 'string') return b;
    if ([...a.components].some((component) => b.components.has(component))) return 'bad classes';
    const product = multiply(a, b, this.timeLeft);
    if (product === null) return 'limit';
    const named = new Map<string, number>();
    for (let i = 0; i + 1 < pairs.length; i += 2) named.set(`${pairs[i]} ${pairs[i + 1]}`, classes[i / 2]!);
    const classOf = product.pairs.map((pair) => named.get(pair));
    return classOf.includes(undefined) ? 'bad classes' : this.reduced(product.unit, classOf as number[]);
  }

  /** Hides what only the unit knows, judges the classes, makes one node of each. */
  private reduced(unit: Unit, classOf: readonly number[]): Unit | Refused {
    const { events, equivalence } = this.asked;
    const nodes = unit.steps.length;
    if (classOf.length !== nodes) return 'bad classes';
    const stays = (event: string): boolean =>
      events.has(event) || this.sharers.get(event)!.some((component) => !unit.components.has(component));
    const steps = unit.steps.map((own) =>
      own.map(({ label, to }) => ({ label: label !== null && stays(label) ? label : null, to })),
    );
    // The classes are the names of the new nodes: 0, 1, … without gaps.
    const count = classOf.reduce((most, id) => Math.max(most, id + 1), 0);
    const first: number[] = [];
    classOf.forEach((id, node) => {
      first[id] ??= node;
    });
    const texts = unit.propositions.map((names) => [...names].sort().join('\n'));
    if (
      count > nodes ||
      first.length !== count ||
      classOf.some((id, node) => texts[first[id]!] !== texts[node])
    )
      return 'bad classes';
    for (let id = 0; id < count; id++) if (first[id] === undefined) return 'bad classes';
    if (!isBisimulation(steps, classOf, equivalence)) return 'bad classes';
    return {
      components: unit.components,
      alphabet: new Set([...unit.alphabet].filter(stays)),
      initial: [...new Set(unit.initial.map((node) => classOf[node]!))],
      steps: classSteps(steps, classOf, count, equivalence),
      propositions: first.map((node) => unit.propositions[node]!),
    };
  }
}

/** What the classes do. A hidden step inside a class stays as a step to itself where one can go on so for ever. */
function classSteps(
  steps: readonly (readonly Step[])[],
  classOf: readonly number[],
  count: number,
  equivalence: Asked['equivalence'],
): Step[][] {
  const result = Array.from({ length: count }, (): Map<string, Step> => new Map());
  const inner = steps.map((own, node) =>
    own.filter(({ label, to }) => label === null && classOf[to] === classOf[node]).map(({ to }) => to),
  );
  const lasting = equivalence === 'strong' ? null : hasCycle(inner);
  steps.forEach((own, node) => {
    const id = classOf[node]!;
    for (const { label, to } of own) {
      const step = { label, to: classOf[to]! };
      const isInner = label === null && step.to === id;
      if (isInner && lasting !== null && !lasting[node]) continue;
      result[id]!.set(`${label === null ? '' : `"${label}`} ${step.to}`, step);
    }
  });
  return result.map((own) => [...own.values()]);
}

/** For each node whether it can go on for ever: all but those whose every way ends. */
function hasCycle(next: readonly (readonly number[])[]): boolean[] {
  const before = next.map((): number[] => []);
  const ways = next.map((targets, node) => {
    for (const to of targets) before[to]!.push(node);
    return targets.length;
  });
  const ended = [...ways.keys()].filter((node) => ways[node] === 0);
  for (const node of ended) for (const from of before[node]!) if (--ways[from]! === 0) ended.push(from);
  const lasts = next.map(() => true);
  for (const node of ended) lasts[node] = false;
  return lasts;
}

function multiply(
  a: Unit,
  b: Unit,
  timeLeft: () => boolean,
): { readonly unit: Unit; readonly pairs: readonly string[] } | null {
  const numbers = new Map<string, number>();
  const found: (readonly [number, number])[] = [];
  const numberOf = (x: number, y: number): number => {
    const key = `${x} ${y}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = found.push([x, y]) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const initial = a.initial.flatMap((x) => b.initial.map((y) => numberOf(x, y)));
  const steps: Step[][] = [];
  let count = 0;
  for (let node = 0; node < found.length; node++) {
    if (found.length > MOST_NODES || count > MOST_STEPS) return null;
    if ((node & 255) === 0 && !timeLeft()) return null;
    const [x, y] = found[node]!;
    const own: Step[] = [];
    for (const { label, to } of a.steps[x]!) {
      if (label === null || !b.alphabet.has(label)) own.push({ label, to: numberOf(to, y) });
      else
        for (const other of b.steps[y]!)
          if (other.label === label) own.push({ label, to: numberOf(to, other.to) });
    }
    for (const { label, to } of b.steps[y]!)
      if (label === null || !a.alphabet.has(label)) own.push({ label, to: numberOf(x, to) });
    steps.push(own);
    count += own.length;
  }
  const unit = {
    components: new Set([...a.components, ...b.components]),
    alphabet: new Set([...a.alphabet, ...b.alphabet]),
    initial,
    steps,
    propositions: found.map(([x, y]) => [...a.propositions[x]!, ...b.propositions[y]!]),
  };
  return { unit, pairs: [...numbers.keys()] };
}
