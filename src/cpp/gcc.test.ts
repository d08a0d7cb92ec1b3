// The preprocessor against gcc's: the same tokens from the same text, or an error from both.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random as Generator } from '../base/random.ts';
import { SourceFile } from '../source/source.ts';
import { runProgram } from '../testing/run-program.ts';
import type { Dialect } from './dialect.ts';
import { lex } from './lex.ts';
import { preprocess } from './preprocess.ts';
import type { Random } from './random-text.fuzz.ts';
import { randomText } from './random-text.fuzz.ts';
import type { Token } from './token.ts';

const C: Dialect = {
  marks: '... <<= >>= -> ++ -- << >> <= >= == != && || += -= *= /= %= &= ^= |= ##',
  cWords: true,
  anglesLookBeside: false,
  argumentsKeepPlace: false,
  mostTokens: 4_000_000,
};

const TEXTS = Number(process.env['SPILLWAY_FUZZ'] ?? 25);

interface Outcome {
  readonly tokens: string;
  readonly failed: boolean;
}

function ours(path: string, text: string, read: (path: string) => string | null = () => null): Outcome {
  let failed = false;
  const reporter = { report: (_: string, severity: string) => void (failed ||= severity === 'error') };
  const { tokens } = preprocess(new SourceFile(path, text), { read }, {}, C, reporter);
  return { tokens: tokens.map(comparable).join('\n'), failed };
}

/** Blanks around an argument that expands to nothing show in strings that # makes, in gcc's own way. */
const comparable = ({ kind, text }: Token): string => (kind === 'string' ? text.replaceAll(' ', '') : text);

const ARGUMENTS = ['-E', '-P', '-undef', '-nostdinc', '-std=gnu17', '-w', '-x', 'c'];

function compilers(path: string): Outcome {
  const { stdout, status } = runProgram('cc', [...ARGUMENTS, path]);
  const kept = stdout.replace(/^#pragma.*$/gm, '');
  const tokens = lex(new SourceFile(path, kept), C).map(comparable);
  return { tokens: tokens.join('\n'), failed: status !== 0 };
}

const available = runProgram('cc', ['--version']).status === 0;
if (!available) console.warn('no C compiler: the preprocessor is not compared with gcc');

function generator(seed: number): Random {
  const generator = new Generator(seed);
  return (below) => generator.below(below);
}

test.skipIf(!available)(
  'random texts',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'spillway-cpp-'));
    const start = Number(process.env['SPILLWAY_SEED'] ?? 1);
    let compared = 0;
    for (let seed = start; seed < start + TEXTS; seed++) {
      const text = randomText(generator(seed * 7919));
      const path = join(folder, 'x.c');
      writeFileSync(path, text);
      const theirs = compilers(path);
      const mine = ours(path, text);
      expect({ seed, text, failed: mine.failed }).toEqual({ seed, text, failed: theirs.failed });
      if (theirs.failed) continue;
      compared++;
      expect({ seed, text, tokens: mine.tokens }).toEqual({ seed, text, tokens: theirs.tokens });
    }
    rmSync(folder, { recursive: true });
    expect(compared).toBeGreaterThan(TEXTS / 5);
  },
  0,
);

test
  .skipIf(!available)
  .each([
    '\\n',
    'a \\n b \\\\ c',
    '\\',
    'a\\ ',
    '\\\\',
    "it's\n",
    '"\\n" \'\\n\' \\n L"\\x41"',
    '@ ` \\u00e9',
  ])('# of backslashes inside and outside of literals: %s', (argument) => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-cpp-'));
  const path = join(folder, 'x.c');
  const text = `#define S(x) #x\nS(${argument})\n`;
  writeFileSync(path, text);
  expect(ours(path, text)).toEqual(compilers(path));
  rmSync(folder, { recursive: true });
});

test.skipIf(!available)('# and ## of digraphs, which stay as they are written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-cpp-'));
  const path = join(folder, 'x.c');
  const text = `%:define S(x) %:x
#define T(x) S(x)
#define P(x, y) x %:%: y
#define I(x) x
S(<: :> <% %> %: %:%:) T(I(<:) P(<, :) P(%:, %:)) P(a, b) <: 1 :>
`;
  writeFileSync(path, text);
  expect(ours(path, text)).toEqual(compilers(path));
  rmSync(folder, { recursive: true });
});

test.skipIf(!available)('the order in which arguments are expanded, and # of __VA_OPT__', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-cpp-'));
  const path = join(folder, 'x.c');
  const text = `#define A(x, ...) __VA_OPT__(x) __VA_ARGS__ x
#define B(x, y) x #y y ## 1 y x
#define C(x, ...) __VA_OPT__(y) x
A(__COUNTER__, __COUNTER__) B(__COUNTER__, __COUNTER__) C(__COUNTER__, __COUNTER__) A(__COUNTER__, C(__COUNTER__, __COUNTER__))
#define E e f
#define S(x, ...) #__VA_OPT__( a x "b\\\\" __VA_ARGS__ ) # __VA_OPT__() x
#define T(...) #__VA_OPT__(__VA_ARGS__ ## __VA_ARGS__)
S(1) S(E, E) S(E,) S(, 2) T(1, 2) T()
`;
  writeFileSync(path, text);
  expect(ours(path, text)).toEqual(compilers(path));
  rmSync(folder, { recursive: true });
});

test.skipIf(!available)('definitions that are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-cpp-'));
  const path = join(folder, 'x.c');
  const bodies = [
    'f(x) ## x',
    'f(x) x ##',
    'o %:%: 1',
    'o 1 ##',
    'f(x) # y',
    'f(x) x #',
    'f(...) #x',
    'f() #',
  ];
  const kept = ['o # x', 'o #', 'f(x, y...) #y', 'f(...) #__VA_ARGS__', 'f(x) a ## x'];
  const failures = [...bodies, ...kept].map((body) => {
    const text = `#define ${body}\n`;
    writeFileSync(path, text);
    return [body, ours(path, text).failed, compilers(path).failed];
  });
  expect(failures).toEqual([
    ...bodies.map((body) => [body, true, true]),
    ...kept.map((body) => [body, false, false]),
  ]);
  rmSync(folder, { recursive: true });
});

const HEADERS = '/usr/include';
const REAL = ['', '/sys', '/linux', '/net', '/netinet'];

test.skipIf(!available)(
  'real sources: the headers of the system, each on its own',
  () => {
    let compared = 0;
    const most = Number(process.env['SPILLWAY_FUZZ'] ?? 25);
    const arch = runProgram('cc', ['-print-multiarch']).stdout.trim();
    const folders = [HEADERS, `${HEADERS}/${arch}`];
    // What the standard predefines stays defined, whatever is asked for.
    const defined = runProgram('cc', [...ARGUMENTS, '-dM', '-x', 'c', '/dev/null']);
    const standard = new SourceFile('<standard>', defined.stdout);
    const read = (path: string): string | null => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    };
    for (const folder of REAL) {
      const names = namesIn(HEADERS + folder).slice(0, Math.ceil(most / REAL.length));
      for (const name of names) {
        const path = `${HEADERS}${folder}/${name}`;
        const { stdout, status } = runProgram('cc', [
          ...ARGUMENTS,
          ...folders.flatMap((f) => ['-I', f]),
          path,
        ]);
        let failed = false;
        const reporter = { report: (_: string, severity: string) => void (failed ||= severity === 'error') };
        const file = new SourceFile(path, read(path)!);
        const { tokens } = preprocess(file, { read }, { includes: folders }, C, reporter, [standard]);
        expect({ path, failed }).toEqual({ path, failed: status !== 0 });
        if (failed) continue;
        compared++;
        const theirs = lex(new SourceFile(path, stdout.replace(/^#pragma.*$/gm, '')), C);
        const words = (list: readonly { readonly text: string }[]) => list.map(({ text }) => text).join('\n');
        expect({ path, tokens: words(tokens) }).toEqual({ path, tokens: words(theirs) });
      }
    }
    expect(compared).toBeGreaterThan(4);
  },
  0,
);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.h'))
      .sort();
  } catch {
    return [];
  }
}
