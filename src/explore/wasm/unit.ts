// What the top of the generated text declares: arrays of 32-bit integers, constants, variables, functions.

export interface ArrayPlace {
  /** In bytes. */
  readonly address: number;
  readonly length: number;
  readonly content: readonly number[] | null;
}

export interface Inlined {
  readonly parameters: readonly string[];
  readonly body: string;
}

export class Unit {
  readonly arrays = new Map<string, ArrayPlace>();
  readonly constants = new Map<string, number>();
  /** By name: index and what it starts with. */
  readonly globals = new Map<string, { readonly index: number; readonly initial: number }>();
  /** By name: index, imported ones first, and the value of each parameter where a call leaves it out. */
  readonly functions = new Map<string, { readonly index: number; readonly defaults: readonly number[] }>();
  /** By name: functions whose body is written where they are called; parameters and text. */
  readonly inlined = new Map<string, Inlined>();
  /** The first address behind the arrays. */
  end: number;

  private readonly placed: ReadonlyMap<string, ArrayPlace>;

  constructor(start: number, placed: ReadonlyMap<string, ArrayPlace> = new Map()) {
    this.end = start;
    this.placed = placed;
  }

  addArray(name: string, length: number, content: readonly number[] | null): void {
    const elsewhere = this.placed.get(name);
    if (elsewhere !== undefined) {
      this.arrays.set(name, elsewhere);
      return;
    }
    this.arrays.set(name, { address: this.end, length, content });
    // Apart from each other: nothing is read beyond an array, but a vector of caches should not be shared between them either.
    this.end += Math.ceil(length / 16) * 64;
  }

  addGlobal(name: string, initial: number): void {
    this.globals.set(name, { index: this.globals.size, initial });
  }

  addFunction(name: string, defaults: readonly number[]): void {
    this.functions.set(name, { index: this.functions.size, defaults });
  }
}
