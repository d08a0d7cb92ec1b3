// Values that are not known: the output of a promise, the payload of an event from outside, a counter that was widened.
//
// User code is a black box, so an unknown value cannot be followed through it. What can be seen is whether a function *looked* at one: its
// arguments are handed over as views, and a view that gives out an unknown value marks the function that is running. A guard that was marked may
// be true or false (both are explored); what a marked function computed is unknown in turn. A function that was not marked computed its result
// from known values only, so the result is exact. Clocks and random numbers mark the running function in the same way.

/** The unknown value itself: stands for any value, survives every use, and marks the function that uses it. */
const target = (): unknown => ANY;
export const ANY: unknown = new Proxy(target, {
  get: (_, property) => {
    mark();
    if (property === 'send') unseen('an event is sent to an actor that is not known');
    if (property === Symbol.toPrimitive) return () => 1;
    if (property === Symbol.iterator) return function* nothing() {};
    if (property === 'then' || property === 'toJSON' || property === 'sessionId') return undefined;
    return ANY;
  },
  apply: () => {
    mark();
    return ANY;
  },
  construct: () => {
    mark();
    return ANY as object;
  },
  has: () => {
    mark();
    return true;
  },
  ownKeys: () => {
    mark();
    markKeys();
    return ['prototype'];
  },
  set: () => true,
});

/** Told when user code does what the exploration cannot follow. */
let tell: (message: string) => void = () => {};
export const onUnseen = (listener: (message: string) => void): void => {
  tell = listener;
};
export const unseen = (message: string): void => tell(message);

/** An event whose payload is not known: every property but its type. */
export const OPEN = Symbol('payload not known');

/** The type of an event that stands for every type a pattern (`*`, `mouse.*`) matches: a function that reads it looks at something unknown. */
export const STAND_IN = 'any.other.event';

interface Frame {
  marked: boolean;
  marks: number;
  /** How often it looked at a clock or asked for a random number. */
  looks: number;
  /** It listed the keys of an unknown value: which properties its result has is not known either. */
  keys: boolean;
}

const frames: Frame[] = [];

export function mark(): void {
  const frame = frames.at(-1);
  if (frame === undefined) return;
  frame.marked = true;
  if (++frame.marks > MOST_MARKS) throw new Error('a loop that waits for what is not known');
}

/** A function that looks so often waits for an unknown value to become another. */
const MOST_MARKS = 1_000;

/** The running function looks at a clock or asks for a random number, for the n-th time. */
export function look(): number {
  mark();
  const frame = frames.at(-1);
  return frame === undefined ? 0 : frame.looks++;
}

function markKeys(): void {
  const frame = frames.at(-1);
  if (frame !== undefined) frame.keys = true;
}

export interface Watched<T> {
  readonly result: T;
  readonly marked: boolean;
  readonly keys: boolean;
}

/** Runs a user's function in a frame of its own. What a marked function throws is not known to happen: null is its result. */
export function watch<T>(run: (isMarked: () => boolean) => T): Watched<T | undefined> {
  const frame: Frame = { marked: false, marks: 0, looks: 0, keys: false };
  frames.push(frame);
  try {
    const result = run(() => frame.marked);
    return { result, marked: frame.marked, keys: frame.keys };
  } catch (error) {
    if (!frame.marked) throw error;
    return { result: undefined, marked: true, keys: true };
  } finally {
    frames.pop();
  }
}

export const isRunningUserCode = (): boolean => frames.length > 0;

/** Does it contain an unknown value anywhere? */
function containsAny(value: unknown, seen = new Set<object>()): boolean {
  if (value === ANY) return true;
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (isReference(value)) return false;
  if ((value as { [OPEN]?: boolean })[OPEN] === true) return true;
  if (value instanceof Map) return [...value].some((entry) => containsAny(entry, seen));
  if (value instanceof Set) return [...value].some((entry) => containsAny(entry, seen));
  return Object.values(value).some((inner) => containsAny(inner, seen));
}

/** Actor references: objects with an identity of their own, not data. */
export const isReference = (value: object): boolean => 'sessionId' in value && 'send' in value;

const views = new WeakMap<object, object>();
const raws = new WeakMap<object, object>();

/** What a view shows. */
export const rawOf = (value: object): object => raws.get(value) ?? value;

/** The value as user code gets it: as it is where everything in it is known. */
export function view<T>(value: T): T {
  if (typeof value !== 'object' || value === null || raws.has(value) || !containsAny(value)) return value;
  const known = views.get(value);
  if (known !== undefined) return known as T;
  const open = (value as { [OPEN]?: boolean })[OPEN] === true;
  const made = new Proxy(value, {
    get: (object, property, receiver) => {
      const inner = Reflect.get(object, property, property === 'size' ? object : receiver);
      if (inner === ANY) {
        mark();
        return ANY;
      }
      if (open && property === 'type' && String(inner).endsWith(STAND_IN)) mark();
      if (inner === undefined && open && typeof property === 'string' && property !== 'toJSON') {
        mark();
        return ANY;
      }
      if (typeof inner === 'function' && (object instanceof Map || object instanceof Set)) {
        mark();
        return inner.bind(object);
      }
      return view(inner);
    },
    ownKeys: (object) => {
      if (open) {
        mark();
        markKeys();
      }
      return Reflect.ownKeys(object);
    },
  });
  views.set(value, made);
  raws.set(made, value);
  return made as T;
}

/** Does the text of a function show a choice? Then which parts of its result depend on an unknown value cannot be told. */
export const hasChoice = (fn: unknown): boolean =>
  typeof fn !== 'function' ||
  /\?|&&|\|\||\b(?:if|switch|for|while|try|do)\b|\[native code\]/.test(
    Function.prototype.toString.call(fn).replace(/\?\./g, '.'),
  );

/** The result of a marked function: its properties are unknown, or all of it where even those are not sure. */
export function blurred(watched: Watched<unknown>, fn: unknown): unknown {
  if (!watched.marked) return watched.result;
  const { result, keys } = watched;
  if (keys || hasChoice(fn) || typeof result !== 'object' || result === null || Array.isArray(result))
    return ANY;
  if (isReference(result)) return ANY;
  return Object.fromEntries(Object.keys(result).map((key) => [key, ANY]));
}
