// The labels of an .aut file, numbered as they are met. A file may have a million transitions and a few hundred labels, so a label is looked up where it
// stands in the text: a text of its own is cut out for the first of its kind only.

export class Labels {
  readonly names: string[] = [];
  private readonly hashes: number[] = [];
  private slots = new Int32Array(256).fill(-1);

  /** The number of the label text[from..to), whose hash the caller has computed while it read the characters. */
  numberOf(text: string, from: number, to: number, hash: number): number {
    const mask = this.slots.length - 1;
    let slot = spread(hash) & mask;
    for (let id = this.slots[slot]!; id >= 0; id = this.slots[slot]!) {
      const name = this.names[id]!;
      if (this.hashes[id] === hash && name.length === to - from && text.startsWith(name, from)) return id;
      slot = (slot + 1) & mask;
    }
    const id = this.names.push(text.slice(from, to)) - 1;
    this.hashes.push(hash);
    this.slots[slot] = id;
    if (this.names.length * 2 > this.slots.length) this.grow();
    return id;
  }

  /** The number of a label that does not stand in the text as it is. */
  numberOfName(name: string): number {
    let hash = EMPTY_HASH;
    for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i));
    return this.numberOf(name, 0, name.length, hash);
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (const [id, hash] of this.hashes.entries()) {
      let slot = spread(hash) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }
}

export const EMPTY_HASH = 7;
export const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;
const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 7;
