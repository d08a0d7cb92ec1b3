// What C means to us against what it means to gcc: random programs of several kinds are compiled and run on all small inputs, and so is what the
// lowering makes of them. The verdicts on some of them are compared, too. SPILLWAY_FUZZ=N runs N programs of each kind, SPILLWAY_VERDICTS=N runs N in all,
// more of those that take less time, asks for the verdict on each, and goes on behind a disagreement.

import type fc from 'fast-check';
import { expect, test } from 'vitest';
import { detourPrograms, ELSEWHERE } from './detour-programs.fuzz.ts';
import { featurePrograms } from './feature-programs.fuzz.ts';
import { floatPrograms } from './float-programs.fuzz.ts';
import { compareWithGcc, hasGcc, hasGcc32 } from './gcc-comparison.fuzz.ts';
import { heapPrograms } from './heap-programs.fuzz.ts';
import { initialisers } from './initialisers.fuzz.ts';
import { layouts } from './layouts.fuzz.ts';
import { libraryPrograms } from './library-programs.fuzz.ts';
import { recursiveNumbers } from './recursive-numbers.fuzz.ts';
import { recursivePrograms } from './recursive-programs.fuzz.ts';
import { unionPrograms } from './union-programs.fuzz.ts';
import { wildPrograms } from './wild-programs.fuzz.ts';

const VERDICTS = process.env['SPILLWAY_VERDICTS'];
const GIVEN = VERDICTS ?? process.env['SPILLWAY_FUZZ'];
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 5);
/** Ask for the verdict on every so many programs (1: on all): an execution costs far less. */
const JUDGED = VERDICTS === undefined ? process.env['SPILLWAY_JUDGED'] : '1';
/** Verdicts on them take seconds each and are mostly open; single-run.test.ts judges those of the same programs with their inputs written in. */
const SLOW = GIVEN === undefined ? 1e9 : 4;
if (hasGcc && !hasGcc32) console.log('skipped: programs for i386 against gcc (no gcc -m32; gcc-multilib)');
if (GIVEN === undefined)
  console.log(
    'left out: verdicts on programs with floats, recursion or features; SPILLWAY_FUZZ=N asks for them',
  );
if (!hasGcc) console.log('skipped: the meaning of C against gcc (no gcc on PATH)');

interface Kind {
  readonly name: string;
  readonly programs: fc.Arbitrary<string>;
  readonly count: number;
  readonly judged: number;
  /** How many of a thousand are of this kind where verdicts on all are asked for. */
  readonly share: number;
  readonly dataModel?: 'ILP32';
  readonly defined?: { readonly elsewhere: string };
}

/** On i386 `long` has 32 bits, and there is no __int128. */
const narrowed = wildPrograms.map((text) =>
  text
    .replaceAll('long c : 40', 'long long c : 40')
    .replaceAll('(__int128)', '(long long)')
    .replaceAll('<< 33', '<< 13'),
);

const narrowFeatures = featurePrograms.filter((text) => !text.includes('__int128'));

/** What gcc notes about these there, whatever it is told, looks like an error. */
const narrowLayouts = layouts.map((text) => text.replaceAll('_Atomic ', ''));

/** Nothing in them is undefined, and they are alone. */
const DEFINED = { elsewhere: '' };

const KINDS: readonly Kind[] = [
  { name: 'programs', programs: wildPrograms, count: 16, judged: 8, share: 160 },
  { name: 'initialisers', programs: initialisers, count: 16, judged: 1e9, share: 90, defined: DEFINED },
  { name: 'layouts', programs: layouts, count: 16, judged: 1e9, share: 60, defined: DEFINED },
  { name: 'recursion', programs: recursivePrograms, count: 4, judged: SLOW, share: 40 },
  { name: 'recursion over numbers', programs: recursiveNumbers, count: 4, judged: SLOW, share: 60 },
  {
    name: 'addresses on detours',
    programs: detourPrograms,
    count: 24,
    judged: 1,
    share: 150,
    defined: { elsewhere: ELSEWHERE },
  },
  { name: 'features', programs: featurePrograms, count: 12, judged: SLOW, share: 70, defined: DEFINED },
  {
    name: 'calls of the library',
    programs: libraryPrograms,
    count: 12,
    judged: SLOW,
    share: 50,
    defined: DEFINED,
  },
  { name: 'heaps', programs: heapPrograms, count: 8, judged: 4, share: 30, defined: DEFINED },
  {
    name: 'unions with addresses',
    programs: unionPrograms,
    count: 12,
    judged: 6,
    share: 60,
    defined: DEFINED,
  },
  { name: 'floats', programs: floatPrograms, count: 12, judged: SLOW, share: 7 },
  { name: 'programs for i386', programs: narrowed, count: 8, judged: 4, share: 120, dataModel: 'ILP32' },
  {
    name: 'features for i386',
    programs: narrowFeatures,
    count: 6,
    judged: 1e9,
    share: 40,
    dataModel: 'ILP32',
  },
  {
    name: 'initialisers for i386',
    programs: initialisers,
    count: 6,
    judged: 1e9,
    share: 60,
    dataModel: 'ILP32',
  },
  {
    name: 'calls of the library for i386',
    programs: libraryPrograms,
    count: 6,
    judged: 1e9,
    share: 20,
    dataModel: 'ILP32',
    defined: DEFINED,
  },
  { name: 'layouts for i386', programs: narrowLayouts, count: 8, judged: 1e9, share: 40, dataModel: 'ILP32' },
  {
    name: 'floats for i386',
    programs: floatPrograms,
    count: 5,
    judged: SLOW,
    share: 3,
    dataModel: 'ILP32',
  },
];

test.skipIf(!hasGcc).each(KINDS.filter(({ dataModel }) => dataModel === undefined || hasGcc32))(
  'random $name mean what they mean to gcc',
  { timeout: 0 },
  async ({ name, programs, count, judged, share, dataModel, defined }) => {
    const number =
      VERDICTS === undefined ? Number(GIVEN ?? count) : Math.ceil((Number(VERDICTS) * share) / 1000);
    const counts = await compareWithGcc({
      programs,
      count: number,
      seed: SEED,
      judged: Number(JUDGED ?? judged),
      dataModel: dataModel ?? 'LP64',
      goOn: VERDICTS !== undefined,
      ...(defined === undefined ? {} : { defined }),
    });
    console.log(`${number} random ${name} against gcc: ${JSON.stringify(counts)}`);
    // Some verdicts take seconds: on a busy machine there are none on programs with floats in time.
    if (number >= 60 && judged < 60 && share >= 100 && JUDGED === undefined)
      for (const verdict of ['proved', 'refuted'] as const) expect(counts[verdict]).toBeGreaterThan(0);
    // What functions from elsewhere did is guessed. (A few programs say nothing about how many there are.)
    if (defined === undefined && (number >= 60 || GIVEN === undefined))
      expect(counts.undefined).toBeLessThan(counts.runs / 4);
  },
);
