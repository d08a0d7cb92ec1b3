// Whether stubborn sets are worth their time. To find one costs about as much as to take all steps of a state; where processes share everything none
// is smaller. Sampled, first a few, then more: when hardly
// any of the last states left something out, the next ones take all their steps unasked. (That is always right.)

const FIRST_SAMPLE = 128;
const LARGEST_SAMPLE = 1024;
/** One in so many of a sample: with fewer it does not pay. */
const ENOUGH = 16;
/** Times the size of the sample. */
const REST = 15;

export class Gain {
  private asked = 0;
  private saved = 0;
  private resting = 0;
  private sample = FIRST_SAMPLE;

  /** Ask for each state in turn. */
  isWorthIt(): boolean {
    if (this.resting > 0) {
      this.resting--;
      return false;
    }
    if (++this.asked > this.sample) {
      if (this.saved * ENOUGH < this.sample) this.resting = REST * this.sample;
      this.sample = Math.min(2 * this.sample, LARGEST_SAMPLE);
      this.asked = this.saved = 0;
    }
    return true;
  }

  note(): void {
    this.saved++;
  }
}
