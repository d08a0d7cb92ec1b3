// A question in parts, so that several machines work on one model. Each property for itself; each engine for itself, with those whose findings it
// builds on; the cases that a language knows (each queue of `bounded`); and, where a swarm is asked for, each of its members. A case that
// stood a second look is a fact; facts about all of them make the answer, as facts of several engines do on one machine.

import type { Engine, Portfolio } from '../engine/engine.ts';
import type { Fact } from '../engine/fact.ts';
import type { Cases, Language } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { PropertyResult, QueueResult } from '../verdict/verdict.ts';
import { swarmEngines } from './swarm.ts';

export interface Part {
  readonly properties: readonly string[];
  /** Only these engines; all when left out. */
  readonly engines?: readonly string[];
  /** Only these queues of the one property; all when left out. */
  readonly queues?: readonly string[];
  /** True: the same is part of another question; what it leaves open says nothing. */
  readonly isHelp: boolean;
}

/** More parts of one property would cost more than they save. */
const MOST_CASES = 16;

/** The whole; where a swarm is asked for, a model is worth dividing from the start. */
export function firstParts(
  { portfolio }: Language<unknown>,
  properties: readonly string[],
  options: CheckOptions,
): readonly Part[] {
  const names = swarmEngines(options);
  const members = portfolio.flatMap(({ engine }) => {
    // A member answers when it has found all that it looks for: what one has must not wait for another.
    const open = properties.filter(
      (property) => names.includes(engine.name) && engine.settles(property, options),
    );
    return open.map((property) => ({ properties: [property], engines: [engine.name], isHelp: true }));
  });
  if (members.length === 0) return [{ properties, isHelp: false }];
  return [...properties.map((property) => ({ properties: [property], isHelp: false })), ...members];
}

/** What else can be asked of a model that is not answered yet, for those who have nothing else to do. */
export function furtherParts(
  { portfolio }: Language<unknown>,
  asked: readonly Part[],
  open: readonly string[],
  cases: ReadonlyMap<string, Cases>,
  options: CheckOptions,
): readonly Part[] {
  const plain = { ...options, swarm: 0 };
  const isAsked = (property: string): boolean =>
    asked.some(({ properties, engines }) => engines === undefined && properties.join() === property);
  const alone = open.filter((property) => !isAsked(property)).map((property) => [property]);
  const byCase = open.flatMap((property) =>
    groups(cases.get(property)?.names ?? []).map((queues) => ({ properties: [property], queues })),
  );
  const byEngine = open.flatMap((property) => {
    const able = portfolio.filter(({ engine }) => engine.settles(property, plain));
    return able.length < 2
      ? []
      : able.map(({ engine }) => ({ properties: [property], engines: chain(portfolio, engine) }));
  });
  return [...alone.map((properties) => ({ properties })), ...byCase, ...byEngine].map((part) => ({
    ...part,
    isHelp: true,
  }));
}

/** Nothing to divide where there is one. */
function groups(names: readonly string[]): string[][] {
  if (names.length < 2) return [];
  const size = Math.ceil(names.length / MOST_CASES);
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  );
}

/** The engine and those whose findings it builds on. */
function chain(portfolio: Portfolio<unknown>, engine: Engine<unknown>): string[] {
  const names = [engine.name];
  for (;;) {
    const before = portfolio.find((stage) => stage.engine.name === names[0])?.after;
    if (before === undefined) return names;
    names.unshift(before);
  }
}

/** What a case that was settled says about its queues; null where it does not say it of all of them. */
export function factsOf(
  result: PropertyResult,
  queues: readonly string[],
  known: readonly QueueResult[],
): readonly Fact[] | null {
  const rows = queues.flatMap((name) => {
    const row = result.queues?.find((one) => one.name === name);
    const own = known.find((one) => one.name === name);
    return row === undefined || own === undefined ? [] : [asKnownHere(row, own)];
  });
  const base = { kind: 'queues', engine: 'a case', method: result.method ?? 'flow' } as const;
  if (result.verdict === 'refuted') {
    const grown = rows.filter(({ verdict }) => verdict === 'refuted');
    return grown.length === 0 ? null : [{ ...base, rows: grown, backing: { evidence: result.evidence } }];
  }
  if (result.verdict !== 'proved' || rows.length < queues.length) return null;
  if (rows.some(({ verdict }) => verdict !== 'proved')) return null;
  const { evidence, checkedBy } = result;
  if (evidence.kind !== 'parts') return [{ ...base, rows, backing: { evidence, checkedBy } }];
  return evidence.parts.map((part) => ({
    ...base,
    method: part.method,
    rows: rows.filter(({ name }) => part.queues.includes(name)),
    backing: { evidence: part.evidence, checkedBy },
  }));
}

/** Where it is and what it may hold is known here. That sends never block is a matter of all queues: `assemble` decides. */
const asKnownHere = (row: QueueResult, { declared, at }: QueueResult): QueueResult => {
  const { name, verdict, bound, certifiedBound, exact } = row;
  const fits = verdict === 'proved' ? bound !== null && bound <= declared : false;
  const place = at === undefined ? {} : { at };
  return { name, verdict, bound, certifiedBound, exact, declared, fits, ...place };
};
