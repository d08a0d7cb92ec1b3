// A C program that repeats a refutation of a system. Threads share no memory, so each can be replayed by itself: in a process of
// its own, with events and procedures that follow the recorded run. When every thread has done its part the run is reproduced.

import { withEscapes } from '../../source/decode.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { declarationsOf, defineLines, HARNESS_LINE } from '../report/harness.ts';
import type { LoadedThread } from '../spec/load.ts';
import type { Unit } from '../syntax/parse.ts';

export interface SystemHarness {
  readonly title: string;
  readonly units: readonly Unit[];
  readonly threads: readonly { readonly loaded: LoadedThread; readonly confirmed: Confirmed }[];
  /** Names of the functions that are events or procedures. */
  readonly outside: ReadonlySet<string>;
  readonly defines: readonly string[];
}

export function systemHarness({ title, units, threads, outside, defines }: SystemHarness): string {
  const declarations = declarationsOf(units);
  const inputs = [...declarations.keys()].filter((name) => name.startsWith('__VERIFIER_nondet_'));
  const stubs = [...outside, ...inputs].flatMap((name) => {
    const declaration = declarations.get(name);
    return declaration === undefined ? [] : [stub(name, declaration)];
  });
  return [
    `/* ${title.replaceAll('*/', '* /')}`,
    '   Compile and run:  gcc -w -fwrapv -o harness THIS_FILE && ./harness   (-I for the folder of the C files)',
    '*/',
    '#include <stdio.h>',
    '#include <stdlib.h>',
    '#include <string.h>',
    '#include <sys/wait.h>',
    '#include <unistd.h>',
    ...defineLines(defines),
    RUNTIME,
    tables(threads),
    '#define main spillway_user_main',
    ...units.flatMap(({ file }) => [`#line 1 "${file.path.split('/').at(-1)}"`, withEscapes(file.text)]),
    '#undef main',
    ...stubs,
    'void reach_error() { spillway_end(); }',
    'void __VERIFIER_error() { spillway_end(); }',
    mainFunction(threads),
    '',
  ].join('\n');
}

const RUNTIME = `struct spillway_call { const char *name; long long value; };
static const struct spillway_call *spillway_script;
static const long long *spillway_values;
static unsigned spillway_length, spillway_at, spillway_count, spillway_next;
/* 0: all of the thread's part is done. */
static void spillway_end(void) { _exit(spillway_at == spillway_length ? 0 : 2); }
/* Behind its last event a thread may go on for ever without another one: that, too, is its part. */
static void spillway_quiet(void) { if (spillway_at == spillway_length) alarm(2); }
static long long spillway_event(const char *name)
{
    if (spillway_at == spillway_length) _exit(0);
    if (strcmp(spillway_script[spillway_at].name, name) != 0) _exit(2);
    long long value = spillway_script[spillway_at++].value;
    spillway_quiet();
    return value;
}
static long long spillway_input(void) { return spillway_next < spillway_count ? spillway_values[spillway_next++] : 0; }
void reach_error();
void __VERIFIER_error();`;

function tables(threads: SystemHarness['threads']): string {
  return threads
    .flatMap(({ confirmed }, i) => [
      `static const struct spillway_call spillway_script${i}[] = { ${[...confirmed.calls.map(({ name, value }) => `{ "${name}", ${value} }`), '{ 0, 0 }'].join(', ')} };`,
      `static const long long spillway_values${i}[] = { ${[...inputsOf(confirmed).map(({ cell, value }) => `${BigInt.asIntN(cell.width, value)}`), '0'].join(', ')} };`,
    ])
    .join('\n');
}

const inputsOf = ({ inputs }: Confirmed) =>
  inputs.filter(({ kind, source }) => kind === 'input' && source.startsWith('__VERIFIER_nondet_'));

function stub(name: string, head: string): string {
  const source = name.startsWith('__VERIFIER_nondet_') ? 'spillway_input()' : `spillway_event("${name}")`;
  return /^(static\s+)?void\b(?!\s*\*)/.test(head)
    ? `${head} { ${source}; }`
    : `${head} { return ${source}; }`;
}

function mainFunction(threads: SystemHarness['threads']): string {
  const runs = threads.map(({ loaded, confirmed }, i) => {
    const { function: name, arguments: args } = loaded.definition;
    return `    if (fork() == 0) {
        spillway_script = spillway_script${i}; spillway_length = ${confirmed.calls.length};
        spillway_values = spillway_values${i}; spillway_count = ${inputsOf(confirmed).length};
        spillway_quiet();
        ${name}(${args.join(', ')});
        spillway_end();
    }
    wait(&status);
    ok = ok && ((WIFEXITED(status) && WEXITSTATUS(status) == 0) || WIFSIGNALED(status));`;
  });
  return `int main(void)
{
    int ok = 1, status = 0;
${runs.join('\n')}
    puts(ok ? "${HARNESS_LINE}" : "spillway: the run is not reproduced");
    return ok ? 1 : 3;
}`;
}
