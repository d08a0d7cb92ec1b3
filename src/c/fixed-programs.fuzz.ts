// Programs for comparison with gcc whose inputs are written into them: each has one run.

import fc from 'fast-check';

const READ = '__VERIFIER_nondet_int()';

/** The three inputs become numbers from 0 to 3. */
export const withoutInputs = (programs: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(programs, fc.array(fc.nat(3), { minLength: 3, maxLength: 3 })).map(([text, numbers]) => {
    const given = `static const int fixed[3] = { ${numbers.join(', ')} };\nstatic unsigned fixedRead;\n`;
    return given + text.replaceAll(READ, 'fixed[fixedRead++]');
  });
