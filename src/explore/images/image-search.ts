// Breadth-first search over *images* of states: after each step the state reached is replaced by one or several that stand for it, with a few
// numbers beside it. Two uses: a smaller system that has at least the model's behaviour (heads.ts), and a box in which loops are looked
// for (boxed.ts).

import type { Budget } from '../../base/budget.ts';
import { IntList } from '../../base/growable.ts';
import type { Choice } from '../choices.ts';
import type { Model } from '../compile.ts';
import { isLimit, isPassable } from '../faults.ts';
import { StateStore } from '../store.ts';

export interface Mapping {
  /** Statement by statement, or through atomic sequences as usual. */
  readonly micro: boolean;
  /** How many numbers stand beside each state. */
  readonly extras: number;
  /** Called while the machine holds the state before the steps. */
  before(extras: readonly number[]): void;
  /** Which steps are looked at; all of them when left out. */
  allows?(choices: readonly Choice[]): boolean;
  /** Called while the machine holds a state reached; it may change it. Each `emit` takes the loaded state as it is then; none: it is left out. */
  image(emit: (extras: readonly number[], mark: number) => void): void;
}

export interface ImageSpace {
  readonly model: Model;
  readonly mapping: Mapping;
  readonly store: StateStore;
  readonly parents: IntList;
  /** The steps of a state: targets[rowStart .. rowStart of the next), each with its mark. */
  readonly targets: IntList;
  readonly marks: IntList;
  readonly rowStart: IntList;
}

export interface ImageOutcome {
  readonly space: ImageSpace;
  /** Every image was expanded and no path ended early. */
  readonly complete: boolean;
  readonly states: number;
  readonly transitions: number;
}

/** The model must be compiled with unlimited capacity. `stop` is asked now and then: true ends the search. */
export function searchImages(
  model: Model,
  mapping: Mapping,
  budget: Budget,
  stop: (space: ImageSpace) => boolean = () => false,
): ImageOutcome {
  const search = new ImageSearch(model, mapping);
  const complete = search.run(budget, stop);
  return {
    space: search.space,
    complete,
    states: search.space.store.count,
    transitions: search.space.targets.length,
  };
}

const LOOK_EVERY = 256;

class ImageSearch {
  readonly space: ImageSpace;
  private cut = false;
  private current = -1;
  private buffer: Int32Array = new Int32Array(1024);

  constructor(model: Model, mapping: Mapping) {
    this.space = {
      model,
      mapping,
      store: new StateStore(),
      parents: new IntList(),
      targets: new IntList(),
      marks: new IntList(),
      rowStart: new IntList(),
    };
  }

  run(budget: Budget, stop: (space: ImageSpace) => boolean): boolean {
    const { model, store, rowStart, targets } = this.space;
    const { machine } = model;
    machine.peaks().fill(0);
    if (machine.initial() !== 0) return false;
    this.emit(new Array<number>(this.space.mapping.extras).fill(0), 0);
    // The initial state is nobody's step.
    targets.length = 0;
    for (let state = 0; state < store.count; state++) {
      if (state % LOOK_EVERY === 0) {
        const isOver = !budget.timeLeft() || store.bytes() > budget.maxMemory;
        if (isOver || store.count > budget.maxStates || stop(this.space)) return false;
      }
      rowStart.set(state, targets.length);
      this.current = state;
      expandImage(this.space, state, this.fault, (_choices, take) => take(this.emit));
    }
    rowStart.set(store.count, targets.length);
    return !this.cut;
  }

  private readonly fault = (code: number): void => {
    if (isLimit(code) || !isPassable(code)) this.cut = true;
  };

  private readonly emit = (extras: readonly number[], mark: number): void => {
    const { store, parents, targets, marks } = this.space;
    const { words, length } = keyOf(this.space, extras, this.buffer);
    this.buffer = words;
    const state = store.add(words, length);
    if (store.wasNew) parents.push(this.current);
    targets.push(state);
    marks.set(targets.length - 1, mark);
  };
}

/** The loaded state and the numbers beside it as words to keep. */
function keyOf(
  { model }: ImageSpace,
  extras: readonly number[],
  buffer: Int32Array,
): { words: Int32Array; length: number } {
  const own = model.machine.pack();
  const length = own + extras.length;
  const words = buffer.length >= length ? buffer : new Int32Array(2 * length);
  words.set(model.machine.words().subarray(0, own));
  extras.forEach((value, i) => void (words[own + i] = value));
  return { words, length };
}

type Emit = (extras: readonly number[], mark: number) => void;

/** Every step of a stored state with its choices; `take` gives the images of where it leads. */
function expandImage(
  { model, mapping, store }: ImageSpace,
  state: number,
  fault: (code: number) => void,
  onStep: (choices: readonly Choice[], take: (emit: Emit) => void) => void,
): void {
  const { machine } = model;
  const chunk = store.chunkOf(state);
  const end = machine.unpack(chunk, store.startOf(state));
  mapping.before(Array.from(chunk.subarray(end, end + mapping.extras)));
  const reached: { readonly words: Int32Array; readonly choices: readonly Choice[] }[] = [];
  const cursor = machine.open({
    micro: mapping.micro,
    step: (words, length) => {
      const choices = machine.choices().copy();
      if (mapping.allows?.(choices) !== false) reached.push({ words: words.slice(0, length), choices });
    },
    fault,
  });
  cursor.expand();
  for (const { words, choices } of reached)
    onStep(choices, (emit) => {
      machine.unpack(words, 0);
      mapping.image(emit);
    });
}

/** The choices along stored states, each a step's image from the one before; null where none fits any more. */
export function choicesAlongImages(space: ImageSpace, path: readonly number[]): Choice[] | null {
  const choices: Choice[] = [];
  let buffer: Int32Array = new Int32Array(1024);
  for (let i = 0; i + 1 < path.length; i++) {
    let found: readonly Choice[] | null = null;
    expandImage(
      space,
      path[i]!,
      () => {},
      (step, take) => {
        if (found !== null) return;
        take((extras) => {
          const key = keyOf(space, extras, buffer);
          buffer = key.words;
          if (space.store.equals(path[i + 1]!, key.words, key.length)) found = step;
        });
      },
    );
    if (found === null) return null;
    choices.push(...(found as readonly Choice[]));
  }
  return choices;
}

/** The states from the initial one to `state`, both included. */
export function pathToImage({ parents }: ImageSpace, state: number): number[] {
  const path: number[] = [];
  for (let at = state; at >= 0; at = parents.data[at]!) path.push(at);
  return path.reverse();
}
