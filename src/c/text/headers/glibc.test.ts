// The built-in headers against those of Debian's glibc: the same names, with the same types, sizes and values, in both data models.
// gcc reads both: its own, and ours written to a folder.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../../../testing/run-program.ts';
import { hasGcc, hasGcc32 } from '../../gcc-comparison.fuzz.ts';
import { SYSTEM_HEADERS } from './headers.ts';

const gcc = (args: readonly string[], input = ''): { stdout: string; stderr: string } =>
  runProgram('gcc', ['-w', '-xc', ...args, '-'], { input });

/** What other versions have more or less of is no fault of ours. */
const isKnown =
  hasGcc &&
  gcc(['-E', '-P'], '#include <features.h>\n__GNUC__ __GLIBC__ __GLIBC_MINOR__ __x86_64__').stdout.trim() ===
    '12 2 36 1';
if (!isKnown) console.log('skipped: the built-in headers against those of glibc 2.36 (with gcc 12)');

const folder = mkdtempSync(join(tmpdir(), 'spillway-headers-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [name, text] of SYSTEM_HEADERS) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  // The preprocessor gives each header once.
  writeFileSync(join(folder, name), `#pragma once\n${text}`);
}
const OURS = ['-nostdinc', '-isystem', folder];

const FLOATING = /f(?:16|32|64|128)x?(?:_[lr])?$/;
/** Reserved names are the library's own affair, but for these. */
const isAsked = (name: string): boolean =>
  !FLOATING.test(name) &&
  (!name.startsWith('_') || /^_(?:IO[FLN]BF|Exit|POSIX2?_\w*(?:MAX|MIN|BUF|S))$/.test(name));

/** In glibc only: signalling NaNs, what adjusts the system's clock, a tag, two calls about signals, mutexes of other kinds as constants. */
const MISSING =
  /^(?:SNAN|HUGE_VAL_F|(?:ADJ|MOD|STA)_|struct time(?:x|val)$|union pthread_attr_t$|pthread_attr_[gs]etsigmask_np$|PTHREAD_\w+_(?:INITIALIZER|SIGMASK)_NP$)/;
/** With parameters there. */
const MORE = new Set(['assert', 'pthread_cleanup_push', 'pthread_cleanup_pop']);

interface Text {
  readonly declarations: readonly string[];
  readonly macros: ReadonlyMap<string, string>;
}

function textOf(header: string, flags: readonly string[]): Text {
  const { stdout } = gcc([...flags, '-E', '-dD', '-P'], `#include <${header}>\n`);
  const macros = new Map<string, string>();
  const lines = stdout.split('\n').filter((line) => {
    const [, undefined_, name, text] = /^#(define|undef) (\w+)(?: (.*)|\(.*)?$/.exec(line) ?? [];
    if (undefined_ === 'undef') macros.delete(name!);
    else if (name !== undefined && !line.startsWith(`#define ${name}(`)) macros.set(name, text ?? '');
    return name === undefined;
  });
  return { declarations: declarationsIn(lines.join(' ')), macros };
}

function declarationsIn(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if ('({['.includes(text[i]!)) depth++;
    if (')}]'.includes(text[i]!)) depth--;
    const body =
      text[i] === '}' && depth === 0 && /\)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}$/.test(text.slice(from, i + 1));
    if (depth !== 0 || (text[i] !== ';' && !body)) continue;
    found.push(
      text
        .slice(from, i + 1)
        .replace(/__asm__\s*\("[^)]*\)/g, '')
        .trim(),
    );
    from = i + 1;
  }
  return found;
}

const withoutAttributes = (text: string): string =>
  text
    .replace(/__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)/g, '')
    .replace(/__extension__/g, '')
    .trim();

/** What a declaration declares: with `struct` before tags. */
function namesIn(declaration: string): string[] {
  const text = withoutAttributes(declaration);
  const tags = [...text.matchAll(/\b((?:struct|union|enum) \w+)\s*\{/g)].map((match) => match[1]!);
  const constants = /^enum\b[^{]*\{(.*?),?\s*\}/s.exec(text)?.[1]?.split(',') ?? [];
  const flat = text.replace(/\{.*\}/s, '');
  const pointer = /\(\*\s*(\w+)\)/.exec(flat)?.[1];
  const own =
    /^(?:typedef|extern)/.test(flat) &&
    (/(\w+)\s*\(/.exec(flat.replace(/\(\*/g, '@'))?.[1] ?? /(\w+)\s*(?:\[.*)?;$/.exec(flat)?.[1]);
  const isTypedef = flat.startsWith('typedef') && pointer !== undefined;
  return [
    ...tags,
    ...constants.map((item) => item.trim().split(/\W/)[0]!),
    ...(isTypedef ? [pointer] : own ? [own] : []),
  ];
}

const namesOf = ({ declarations, macros }: Text): Set<string> =>
  new Set(
    [...declarations.flatMap(namesIn), ...macros.keys()].filter((name) => isAsked(name.replace(/^.* /, ''))),
  );

const KIND = `#define KIND(e) _Generic((e), int: 1, unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, \\
  float: 7, double: 8, long double: 9, char *: 10, default: 11)
extern int printf(const char *, ...);
`;

/** Macros that are numbers or text once they are expanded. */
function constantsIn(header: string, flags: readonly string[], names: readonly string[]): string[] {
  const { stdout } = gcc(
    [...flags, '-E', '-P'],
    `#include <${header}>\n${names.map((name) => `\n@ "${name}" ${name}`).join('')}`,
  );
  return stdout
    .split('\n@')
    .slice(1)
    .map((part) => /^\s*"(\w+)"(.*)$/s.exec(part)!)
    .filter(([, , value]) =>
      /^[-\s()+*/%|&~<>.\d"]+$/.test(
        value!.replace(/\b(?:\d[\w.]*|long|int|double|sizeof)|(?:e[-+]\d+[A-Z]?)|"[^"]*"/gi, '1'),
      ),
    )
    .map(([, name]) => name!);
}

function compiled(source: string, flags: readonly string[]): string[] {
  const program = join(folder, 'program');
  const made = gcc([...flags, '-o', program], source);
  expect(made.stderr).toBe('');
  return runProgram(program, []).stdout.trim().split('\n');
}

const HEADERS = [...SYSTEM_HEADERS.keys()].filter((name) => !/^(?:bits|features)/.test(name));
const MODELS = [
  { model: 'LP64', flags: [] as string[] },
  { model: 'LP64, _GNU_SOURCE', flags: ['-D_GNU_SOURCE'] },
  ...(hasGcc32 ? [{ model: 'ILP32', flags: ['-m32', '-msse2', '-mfpmath=sse'] }] : []),
];
const CASES = MODELS.flatMap((model) => HEADERS.map((header) => ({ ...model, header })));

test.skipIf(!isKnown).each(CASES)('<$header>, $model', ({ header, flags }) => {
  const theirs = textOf(header, flags);
  const ours = textOf(header, [...flags, ...OURS]);
  const [named, known] = [namesOf(theirs), namesOf(ours)];
  const missing = [...named].filter((name) => !known.has(name) && !MISSING.test(name));
  const more = [...known].filter((name) => !named.has(name) && !MORE.has(name));
  expect(`missing: ${missing.join(' ')}; more: ${more.join(' ')}`).toBe('missing: ; more: ');
  // gcc refuses a declaration that does not agree with an earlier one.
  const plain = ours.declarations.filter(
    (text) => !text.includes('{') && namesIn(text).some((name) => named.has(name)),
  );
  expect(
    gcc([...flags, '-D__NO_CTYPE', '-fsyntax-only'], `#include <${header}>\n${plain.join('\n')}\n`).stderr,
  ).toBe('');
  const types = ours.declarations
    .filter((text) => text.includes('{') && !text.startsWith('enum'))
    .flatMap(namesIn)
    .filter((name) => named.has(name));
  const numbers = constantsIn(
    header,
    flags,
    [...theirs.macros.keys()].filter((name) => isAsked(name) && ours.macros.has(name)),
  );
  const enumerated = theirs.declarations
    .filter((text) => text.startsWith('enum'))
    .flatMap(namesIn)
    .filter((name) => known.has(name) && !name.includes(' '));
  const program = `#include <${header}>\n${KIND}int main(void) {
    ${types.map((type) => `printf("${type} %d %d\\n", (int)sizeof(${type}), (int)_Alignof(${type}));`).join('\n')}
    ${[...numbers, ...enumerated].map((name) => `printf("${name} %d %La %s\\n", KIND(${name}), KIND(${name}) == 10 ? 0.0L : (long double)_Generic((${name}), char *: 0, default: (${name})), _Generic((${name}), char *: (${name}), default: ""));`).join('\n')}
    return 0; }`;
  expect(compiled(program, [...flags, ...OURS])).toEqual(compiled(program, flags));
});
