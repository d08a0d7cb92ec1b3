// Whether stubborn sets are worth their time. To find one costs about as much as to take all steps of a state; where processes share everything none
// is smaller. Sampled: when hardly any of the last states left something out, the next ones take all their steps unasked. (That is always right.)

const SAMPLE = 1024;
/** Of a sample: with fewer it does not pay. */
const ENOUGH = 64;
const REST = 15 * SAMPLE;

export class Gain {
  private asked = 0;
  private saved = 0;
  private resting = 0;

  /** Ask for each state in turn. */
  isWorthIt(): boolean {
    if (this.resting > 0) {
      this.resting--;
      return false;
    }
    if (++this.asked > SAMPLE) {
      if (this.saved < ENOUGH) this.resting = REST;
      this.asked = this.saved = 0;
    }
    return true;
  }

  note(): void {
    this.saved++;
  }
}
