// When can a loop of a run be repeated for ever, with mailboxes that grow?
//
// Two configurations are alike but for their mailboxes, and a loop of moves leads from one to the other. Let a mailbox hold w at the start of the
// loop, let the loop take the word u out of it and append v. All that the moves depend on, apart from the contents of mailboxes, is the same after
// the loop; so it can be repeated exactly if each round finds u again, that is, if the words w v v v … and u u u … are equal as far as
// they are read. Both are periodic after w, so they are equal for ever if they agree on |w| + |u| + |v| letters (Fine and Wilf).
// A mailbox from which nothing is taken asks for nothing. The mailbox grows if |v| > |u|.
//
// Assumes that nothing in the loop looks at the length of a growing mailbox: the caller leaves out loops with offers, which wait for
// an empty mailbox, and with stops, which clear one.

export interface Traffic {
  /** What is in the mailbox when the loop begins. */
  readonly before: readonly number[];
  readonly taken: readonly number[];
  readonly sent: readonly number[];
}

/** What each mailbox gains in a round; null if the loop cannot be repeated for ever, or nothing grows. */
export function growthOf(mailboxes: readonly Traffic[]): number[] | null {
  if (!mailboxes.every(repeats)) return null;
  const growth = mailboxes.map(({ taken, sent }) => sent.length - taken.length);
  return growth.every((gain) => gain >= 0) && growth.some((gain) => gain > 0) ? growth : null;
}

function repeats({ before, taken, sent }: Traffic): boolean {
  if (taken.length === 0) return true;
  if (sent.length < taken.length) return false;
  const letters = before.length + taken.length + sent.length;
  for (let i = 0; i < letters; i++) {
    const supplied = i < before.length ? before[i] : sent[(i - before.length) % sent.length];
    if (supplied !== taken[i % taken.length]) return false;
  }
  return true;
}
