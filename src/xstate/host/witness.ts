// Data for a replay where a run rests on data that is not known: what an event carries, what a promise gives, the system's input.
//
// The run is first taken with values that only note how they are used (which properties are read, which methods are called). From that a shape is
// made, and filled with plain values: a few of every type, and the constants that the user's functions mention, each with its neighbours. A run counts
// as replayed when the real system takes it with plain data; that no data was found proves nothing.

import { Random } from '../../base/random.ts';
import { ANY, OPEN } from './any.ts';

/** How a value was used. */
interface Use {
  readonly parts: Map<string, Use>;
  /** Its result, where it was called. */
  result: Use | null;
  iterated: boolean;
}

const newUse = (): Use => ({ parts: new Map(), result: null, iterated: false });

/** Gives a value for each place where one is not known. */
export interface Filling {
  value(place: string): unknown;
  /** Properties of an event from outside besides those that are known. */
  parts(place: string): Record<string, unknown>;
}

export const NOTHING: Filling = { value: () => undefined, parts: () => ({}) };

/** The value with its unknown parts filled in. */
export function filled(value: unknown, place: string, filling: Filling): unknown {
  if (value === ANY) return filling.value(place);
  if (typeof value !== 'object' || value === null) return value;
  const open = (value as { [OPEN]?: true })[OPEN] === true;
  if (Object.getPrototypeOf(value) !== Object.prototype && !open)
    return Array.isArray(value) ? value.map((part, at) => filled(part, `${place}.${at}`, filling)) : value;
  const known = Object.entries(value).map(([key, part]) => [key, filled(part, `${place}.${key}`, filling)]);
  return Object.assign(open ? filling.parts(place) : {}, Object.fromEntries(known));
}

/** Values that note what is done with them, by place. */
class Spies implements Filling {
  readonly uses = new Map<string, Use>();

  value(place: string): unknown {
    const use = this.uses.get(place) ?? newUse();
    this.uses.set(place, use);
    return spyOn(use);
  }

  parts(place: string): Record<string, unknown> {
    const use = this.uses.get(place) ?? newUse();
    this.uses.set(place, use);
    return new Proxy<Record<string, unknown>>(
      {},
      {
        get: (known, key) =>
          typeof key === 'symbol' || key in known ? Reflect.get(known, key) : spyOn(partOf(use, key)),
      },
    );
  }
}

function partOf(use: Use, key: string): Use {
  const known = use.parts.get(key) ?? newUse();
  use.parts.set(key, known);
  return known;
}

function spyOn(use: Use): unknown {
  return new Proxy(() => {}, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive) return () => 1;
      if (key === Symbol.iterator) {
        use.iterated = true;
        return function* nothing() {};
      }
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined;
      return spyOn(partOf(use, key));
    },
    apply: () => spyOn((use.result ??= newUse())),
    has: () => true,
    ownKeys: () => [],
  });
}

/** Values of the shape that was seen. While they are tried they note what is asked of them besides; what counts are the same values, plain. */
export class Guess implements Filling {
  private readonly uses: Map<string, Use>;
  private readonly leaves: readonly unknown[];
  private readonly pick: (values: readonly unknown[]) => unknown;
  private readonly made = new Map<string, unknown>();

  constructor(
    uses: Map<string, Use>,
    leaves: readonly unknown[],
    pick: (values: readonly unknown[]) => unknown,
  ) {
    this.uses = uses;
    this.leaves = leaves;
    this.pick = pick;
  }

  /** The same values, without anything that notes their use. */
  plain(): Filling {
    const { made } = this;
    return {
      value: (place) => plainOf(made.get(place)),
      parts: (place) => plainOf(made.get(place)) as never,
    };
  }

  value(place: string): unknown {
    return this.at(place, (use) => this.valueOf(use));
  }

  parts(place: string): Record<string, unknown> {
    return this.at(place, (use) => this.object(use)) as Record<string, unknown>;
  }

  private at(place: string, make: (use: Use) => unknown): unknown {
    if (this.made.has(place)) return this.made.get(place);
    const use = this.uses.get(place) ?? newUse();
    this.uses.set(place, use);
    const value = make(use);
    this.made.set(place, value);
    return value;
  }

  private object(use: Use): Record<string, unknown> {
    const parts = [...use.parts].map(([key, part]) => [key, this.valueOf(part)] as const);
    const asked = new Proxy(Object.prototype, {
      get: (prototype, key) => {
        if (typeof key === 'string' && !(key in prototype) && key !== 'then' && key !== 'toJSON')
          partOf(use, key);
        return Reflect.get(prototype, key);
      },
    });
    return Object.assign(Object.create(asked), Object.fromEntries(parts));
  }

  private valueOf(use: Use): unknown {
    const keys = [...use.parts.keys()];
    if (use.result !== null) {
      const { result } = use;
      return () => this.valueOf(result);
    }
    if (keys.length === 0 && !use.iterated) return this.pick(this.leaves);
    const all = (prototype: object): boolean => keys.every((key) => key in prototype);
    if (use.iterated || (all(Array.prototype) && keys.some((key) => !(key in Object.prototype))))
      return this.pick([[], ['a'], [1], [{}], 'a', '']);
    if (all(String.prototype)) return this.pick(this.leaves.filter((leaf) => typeof leaf === 'string'));
    if (all(Number.prototype)) return this.pick(this.leaves.filter((leaf) => typeof leaf === 'number'));
    if (all(Date.prototype)) return new Date(0);
    return this.object(use);
  }
}

function plainOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainOf(part)]));
}

const PLAIN: readonly unknown[] = ['a', 1, true, 0, '', false, null, undefined, -1, 1000];
const MOST_GUESSES = 500;

/** One filling after the other: nothing at all, then guesses of the shape that was seen so far. */
export function* fillings(constants: readonly unknown[]): Generator<Filling, void> {
  yield NOTHING;
  const spies = new Spies();
  yield spies;
  if (spies.uses.size === 0) return;
  const leaves = [...PLAIN, ...constants];
  for (const [index] of leaves.entries())
    yield new Guess(spies.uses, leaves, (values) => values[index % values.length]);
  const random = new Random(1);
  for (let n = 0; n < MOST_GUESSES; n++) yield new Guess(spies.uses, leaves, (values) => random.pick(values));
}

const MOST_CONSTANTS = 24;

/** Numbers and texts that functions anywhere in the configuration mention. */
export function constantsIn(config: unknown): unknown[] {
  const found = new Set<unknown>();
  const seen = new Set<unknown>();
  const visit = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
      return;
    seen.add(value);
    if (typeof value === 'function') read(Function.prototype.toString.call(value));
    for (const part of Object.values(value)) visit(part);
  };
  const read = (text: string): void => {
    for (const [, number] of text.matchAll(/(?<![\w.$])(\d+(?:\.\d+)?)(?![\w.])/g))
      for (const near of [0, 1, -1]) found.add(Number(number) + near);
    for (const [, , word] of text.matchAll(/(["'`])((?:(?!\1)[^\\\n$]){1,30})\1/g)) found.add(word);
  };
  visit(config);
  return [...found].slice(0, MOST_CONSTANTS);
}
