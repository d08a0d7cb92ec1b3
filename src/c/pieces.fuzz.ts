// Random programs put together from pieces with random expressions in them: three inputs from 0 to 3. A piece is what stands outside of functions, and
// statements that add to `acc`; `@` in names becomes a number of its own.

import fc from 'fast-check';

export interface Piece {
  readonly outside?: string;
  /** E, F, G are expressions over the inputs and `acc` without effects; K is a constant from 1 to 5. */
  readonly inside: string;
}

const small = fc.constantFrom(
  'in1',
  'in2',
  'in3',
  'in1 + in2',
  'in2 - in3',
  'in1 * 2 - 1',
  'in3 ^ in1',
  'acc & 3',
  '(in1 > in2) + in3',
  'in2 << 1',
  'in1 - 3',
  '-in3',
  '1',
  '2',
);
const K = fc.integer({ min: 1, max: 5 }).map(String);

/** Holes are single capitals that stand alone, outside of strings: pieces use no such names. */
function filled(text: string, holes: Readonly<Record<string, string>>, number: number): string {
  return text
    .replace(/\b[EFGK]\b/g, (hole) => (hole === 'K' ? holes[hole]! : `(${holes[hole]})`))
    .replaceAll('@', String(number));
}

const pieceOf = (pieces: readonly Piece[]) =>
  fc.record({ which: fc.nat(pieces.length - 1), E: small, F: small, G: small, K });

const CHECKS = [
  'acc % 7 != 3',
  'acc % 1009 != 5',
  'acc * 2 == acc + acc',
  'acc != 12 && acc != -7',
  'acc > -100000',
];

/** Some of the pieces, one after the other; assertions about `acc` between them and at the end. */
export const programsOf = (choice: readonly Piece[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(pieceOf(choice), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...CHECKS),
      fc.constantFrom(...CHECKS),
    )
    .map(([chosen, first, last]) => {
      const pieces = chosen.map(({ which, ...holes }, i) => ({
        outside: filled(choice[which]!.outside ?? '', holes, i + 1),
        inside: filled(choice[which]!.inside, holes, i + 1),
      }));
      const macros = new Set<string>();
      const outside = pieces
        .flatMap((one) => one.outside.split('\n'))
        .filter((line) => {
          const isNew = !line.startsWith('#') || !macros.has(line);
          macros.add(line);
          return isNew;
        });
      return `#include <stddef.h>
#include <stdlib.h>
#include <string.h>
${[...new Set(outside)].join('\n')}
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int in1 = input(), in2 = input(), acc = 0, in3 = input();
  ${pieces.map((one) => one.inside).join(`\n  assert(${first});\n  `)}
  assert(${last});
  return 0;
}
`;
    });
