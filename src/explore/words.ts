// When can a loop that takes the word r from a queue and appends the word a go on for ever, starting with the contents w?
// (Theory of pumping runs: w·a^ω = r^ω, decided on a prefix by Fine and Wilf's theorem.)

/** Letters are messages, as strings. */
export type Word = readonly string[];

/**
 * True when the loop never misses a message and always finds the letter it takes: r is empty, or at least as many letters come as go and
 * w·a^ω = r^ω. Two words with periods |a| and |r| that agree on |w|+|a|+|r| letters agree for ever.
 */
export function repeatsForEver(contents: Word, appended: Word, removed: Word): boolean {
  if (removed.length === 0) return true;
  if (appended.length < removed.length) return false;
  const length = contents.length + appended.length + removed.length;
  for (let i = 0; i < length; i++) {
    const left = i < contents.length ? contents[i] : appended[(i - contents.length) % appended.length];
    if (left !== removed[i % removed.length]) return false;
  }
  return true;
}
