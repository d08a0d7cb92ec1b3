// Enumerates every way a computation with open choices can go. The computation is an ordinary function that asks `choose(n)`
// wherever it does not know; it is run again and again until every sequence of answers has been given.

export class Choices {
  private readonly trail: { options: number; taken: number }[] = [];
  private position = 0;

  /** One of 0..options−1; every one of them in some run. */
  choose(options: number): number {
    if (options <= 1) return 0;
    const step = this.trail[this.position];
    if (step === undefined) this.trail.push({ options, taken: 0 });
    this.position++;
    return step?.taken ?? 0;
  }

  /** How many questions were asked this time, in which there was something to choose. */
  get asked(): number {
    return this.position;
  }

  /** To the next sequence of answers; false when all have been given. */
  next(): boolean {
    this.position = 0;
    for (let last = this.trail.pop(); last !== undefined; last = this.trail.pop()) {
      if (last.taken + 1 < last.options) {
        this.trail.push({ options: last.options, taken: last.taken + 1 });
        return true;
      }
    }
    return false;
  }
}
