// Numbers sets of numbers: equal sets get equal numbers. A hash table with open addressing.

export class Signatures {
  private readonly sets: (readonly number[])[] = [];
  private slots = new Int32Array(1 << 10).fill(-1);

  get(id: number): readonly number[] {
    return this.sets[id]!;
  }

  /** Doubles and order do not matter; the array is sorted in place. */
  intern(numbers: number[]): number {
    const set = ascending(numbers);
    let slot = hash(set) & (this.slots.length - 1);
    for (let id = this.slots[slot]!; id >= 0; id = this.slots[slot]!) {
      if (equal(this.sets[id]!, set)) return id;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    const id = this.sets.push(set.slice()) - 1;
    this.slots[slot] = id;
    if (2 * this.sets.length > this.slots.length) this.grow();
    return id;
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    this.sets.forEach((set, id) => {
      let slot = hash(set) & (this.slots.length - 1);
      while (this.slots[slot]! >= 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = id;
    });
  }
}

/** Sorted, without doubles, in place. */
function ascending(numbers: number[]): number[] {
  if (numbers.length < 2) return numbers;
  numbers.sort((a, b) => a - b);
  let kept = 1;
  for (let i = 1; i < numbers.length; i++)
    if (numbers[i] !== numbers[kept - 1]) numbers[kept++] = numbers[i]!;
  numbers.length = kept;
  return numbers;
}

function hash(numbers: readonly number[]): number {
  let value = 0x811c9dc5;
  for (const number of numbers) {
    value = Math.imul(value ^ (number | 0), 0x9e3779b1);
    value = Math.imul(value ^ Math.floor(number / 2 ** 32), 0x85ebca6b);
    value ^= value >>> 15;
  }
  return value >>> 0;
}

function equal(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
