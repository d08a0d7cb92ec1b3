// Sources that nobody here wrote, by reference: single-file libraries of Debian's package libstb-dev (in the public domain), two to eight thousand lines
// each, included as programs include them. gcc executes the same programs where nothing is open.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SILENT } from '../base/budget.ts';
import { checkC } from '../check/testing.ts';
import { systemHeader } from '../disk/files.ts';
import { runProgram } from '../testing/run-program.ts';
import { hasGcc } from './gcc-comparison.fuzz.ts';

const isThere = hasGcc && existsSync('/usr/include/stb/stb_image.h');
if (!isThere) console.log("skipped: real C sources (no gcc, or no headers of Debian's libstb-dev)");

interface Source {
  readonly name: string;
  readonly header: string;
  readonly defines: string;
  /** Statements of main; `FAIL(e)` is an error when e holds. */
  readonly body: string;
  readonly expected: 'proved' | 'refuted';
  /** Inputs are open: there is not one run that gcc could show. */
  readonly isOpen?: true;
}

const IMAGE = { header: 'stb_image.h', defines: 'STB_IMAGE_IMPLEMENTATION STBI_NO_STDIO STBI_NO_SIMD' };
const DATA = { header: 'stb_ds.h', defines: 'STB_DS_IMPLEMENTATION' };
const FONT = { header: 'stb_truetype.h', defines: 'STB_TRUETYPE_IMPLEMENTATION' };
const DXT = { header: 'stb_dxt.h', defines: 'STB_DXT_IMPLEMENTATION' };

const SOURCES: readonly Source[] = [
  {
    ...IMAGE,
    name: 'bits reversed twice are the same again',
    body: 'int r = __VERIFIER_nondet_int(); if (r < 0 || r > 65535) return 0; FAIL(stbi__bitreverse16(stbi__bitreverse16(r)) != r);',
    expected: 'proved',
    isOpen: true,
  },
  {
    ...IMAGE,
    name: 'white is as bright as it gets',
    body: 'int r = __VERIFIER_nondet_int(), g = __VERIFIER_nondet_int(); if (r < 0 || r > 255 || g < 0 || g > 255) return 0; FAIL(stbi__compute_y(r, g, 255) > 250);',
    expected: 'refuted',
    isOpen: true,
  },
  {
    ...IMAGE,
    name: 'sizes that do not overflow',
    body: 'FAIL(!stbi__mul2sizes_valid(46340, 46340)); FAIL(stbi__mul2sizes_valid(46341, 46342)); FAIL(stbi__high_bit(0x8000) != 15); FAIL(stbi__bitcount(0xff00ff) != 16);',
    expected: 'proved',
  },
  {
    ...DATA,
    name: 'hashes of two texts differ',
    body: 'FAIL(stbds_hash_bytes("abc", 3, 7) == stbds_hash_bytes("abd", 3, 7));',
    expected: 'proved',
  },
  {
    ...DATA,
    name: '… and those of one are equal',
    body: 'FAIL(stbds_hash_string("spill", 1) == stbds_hash_string("spill", 1));',
    expected: 'refuted',
  },
  {
    ...FONT,
    name: 'numbers of a font file, read byte by byte',
    body: 'unsigned char b[4] = { 1, 2, 255, 254 }; FAIL(ttUSHORT(b) != 258 || ttSHORT(b + 2) != -2 || ttULONG(b) != 0x0102fffe);',
    expected: 'proved',
  },
  {
    ...DXT,
    name: 'colours of 16 bits',
    body: 'unsigned char c[4]; stb__From16Bit(c, 0xffff); FAIL(c[0] != 255 || c[1] != 255); FAIL(stb__As16Bit(255, 255, 255) == 0xffff);',
    expected: 'refuted',
  },
];

const textOf = ({ header, defines, body }: Source): string => `${defines
  .split(' ')
  .map((name) => `#define ${name}\n`)
  .join('')}#include <stb/${header}>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define FAIL(e) if (e) reach_error()
int main(void) { ${body} return 0; }
`;

/** Does it come to an error? */
function failsInGcc(text: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-real-'));
  try {
    const [source, program] = [join(folder, 'x.c'), join(folder, 'x')];
    writeFileSync(source, `${text}void reach_error(void) { _Exit(1); }\n`);
    const { stderr } = runProgram('gcc', [
      '-w',
      '-fwrapv',
      '-include',
      'stdlib.h',
      '-o',
      program,
      source,
      '-lm',
    ]);
    expect(stderr).toBe('');
    return runProgram(program, []).status === 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!isThere).each(SOURCES)('$header: $name', { timeout: 0 }, async (source) => {
  const text = textOf(source);
  const { properties, diagnostics } = await checkC({
    path: 'x.c',
    files: { read: (path: string) => (path === 'x.c' ? text : null), systemHeader },
    properties: ['assertions'],
    observer: SILENT,
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(properties[0]!.verdict).toBe(source.expected);
  if (source.isOpen !== true) expect(failsInGcc(text)).toBe(source.expected === 'refuted');
});
