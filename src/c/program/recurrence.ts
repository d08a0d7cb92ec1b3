// Has a run come back to where it was? Brent's method ("An improved Monte Carlo factorization algorithm", 1980): one moment is kept, compared with all that follow, and replaced at
// every power of two of the steps; a run that repeats itself is found out after at most three times the steps it takes to do so.

export class Recurrence {
  private readonly contents: () => Uint8Array;
  private location = -1;
  private kept: Uint8Array = new Uint8Array();
  private power = 1;
  private since = 0;

  /** `contents`: everything beside the location that decides how the run goes on. */
  constructor(contents: () => Uint8Array) {
    this.contents = contents;
  }

  /** Asked after every step. */
  isBackAt(location: number): boolean {
    if (location === this.location && isSame(this.kept, this.contents())) return true;
    if (++this.since < this.power) return false;
    this.location = location;
    this.kept = this.contents().slice();
    this.power *= 2;
    this.since = 0;
    return false;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
