import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scratchIo } from '../testing/memory-io.ts';
import { hasProgram } from '../testing/programs.ts';
import { nodeIo } from './io.ts';
import { runCli } from './run.ts';
import { InputError } from './verb.ts';
import { VERBS } from './verbs.ts';

describe('the command line', () => {
  let scratch: ReturnType<typeof scratchIo>;
  beforeEach(() => {
    scratch = scratchIo();
  });
  afterEach(() => scratch.remove());

  const run = async (...words: string[]) => {
    const code = await runCli(words, scratch.io);
    return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
  };

  test('every verb has help with an example', async () => {
    for (const { name } of VERBS) {
      const { code, out } = await run(name, '--help');
      expect(code, name).toBe(0);
      expect(out, name).toContain(`usage: spillway ${name}`);
      expect(out, name).toMatch(/example/);
    }
  });

  test.each([
    [[], 64, ''],
    [['chekc'], 64, "did you mean 'check'?"],
    [['check'], 64, 'which model?'],
    [['check', '--proprety', 'bounded', 'a.pml'], 64, 'did you mean --property?'],
    [['check', 'a.pml', '--format', 'xml'], 64, "there is no format 'xml'"],
    [['check', 'a.pml', '--report', 'junit'], 64, '--report takes FORMAT=FILE'],
    [['check', 'a.pml', '--report', 'pdf=a.pdf'], 64, "there is no format 'pdf'"],
    [['check', 'a.pml', '--report', 'json=a', '--report', 'junit=a'], 64, 'cannot both be written to a'],
    [['check', 'a.pml', '--timeout', 'soon'], 64, '--timeout takes a whole number'],
    [['check', 'a.pml', '--method', 'magic'], 64, '--method takes flow or cycles'],
    [['explain', 'SPW0000'], 64, 'nothing is called'],
  ])('%j is refused with %i', async (words, expected, message) => {
    const { code, err } = await run(...words);
    expect(code).toBe(expected);
    expect(err).toContain(message);
  });

  test('a missing file and an unknown language are errors of the input', async () => {
    const missing = await run('check', 'nowhere.pml');
    expect(missing.code).toBe(3);
    expect(missing.out).toContain('nowhere.pml: no such file');
    scratch.io.writeFile('model.xyz', 'no language at all');
    const strange = await run('check', 'model.xyz');
    expect(strange.code).toBe(3);
    expect(strange.out).toContain('the language is not known');
  });

  test('several reports of one run; one that cannot be written does not cost the others', async () => {
    const model = 'corpus/quickstart/flood.pml';
    const { code, out } = await run(
      'check',
      model,
      '--report',
      'json=r/a.json',
      '--report',
      'markdown=r/b.md',
    );
    expect(code).toBe(1);
    expect(out).toContain('REFUTED');
    expect(JSON.parse(scratch.io.readFile('r/a.json')!).model.files).toEqual([model]);
    expect(scratch.io.readFile('r/b.md')).toContain('## ❌ Spillway');
    const io = {
      ...scratch.io,
      writeFile: (path: string, text: string) => {
        if (path === 'no.json') throw new InputError('no.json: cannot be written');
        scratch.io.writeFile(path, text);
      },
    };
    const words = ['check', model, '--report', 'json=no.json', '--report', 'junit=yes.xml'];
    expect(await runCli(words, io)).toBe(3);
    expect(scratch.takeErrors()).toContain('no.json: cannot be written');
    expect(scratch.io.readFile('yes.xml')).toContain('<testsuites>');
  });

  test('a configuration names its reports and finds its models by patterns', async () => {
    const flood = scratch.io.readFile('corpus/quickstart/flood.pml')!;
    for (const name of ['m/one.pml', 'm/deep/two.pml', 'm/known.pml']) scratch.io.writeFile(name, flood);
    const known = { model: 'known.pml', properties: ['bounded'], expect: { bounded: 'refuted' } };
    const config = { reports: { markdown: 'summary.md' }, models: ['**/*.pml', known], jobs: 1 };
    scratch.io.writeFile('m/spillway.config.json', JSON.stringify(config));
    const { code, out } = await run(
      'check',
      '--config',
      'm/spillway.config.json',
      '--quiet',
      '--property',
      'bounded',
    );
    expect(code).toBe(1);
    expect(out.match(/^m\/.*/gm)).toEqual(['m/deep/two.pml', 'm/one.pml', 'm/known.pml']);
    expect(scratch.io.readFile('m/summary.md')).toContain('3 models: 0 proved, 3 refuted, 0 unknown');
  });

  test('only structures are composed: of two Promela models none is silently left out', async () => {
    const both = ['corpus/quickstart/ring.pml', 'corpus/quickstart/flood.pml'];
    const { code, out } = await run('check', ...both, '--compose');
    expect(code).toBe(3);
    expect(out).toContain('SPW9004');
    expect(out).not.toContain('PROVED');
  });

  test('C files that are composed are one program, for the check and for its certificates', async () => {
    scratch.io.writeFile('q.h', 'void put(int x); int get(void);\n');
    scratch.io.writeFile(
      'q.c',
      '#include "q.h"\nstatic int kept; void put(int x) { kept = x; } int get(void) { return kept; }\n',
    );
    scratch.io.writeFile(
      'm.c',
      '#include <assert.h>\n#include "q.h"\nint main(void) { put(3); assert(get() == WANTED); }\n',
    );
    const asked = ['check', 'm.c', 'q.c', '--property', 'assertions'];
    const whole = await run(...asked, '--compose', '-DWANTED=3', '--certificates', 'certificates');
    expect(whole).toMatchObject({ code: 0, out: expect.stringContaining('PROVED') });
    const certificate = 'certificates/m.assertions.cert.json';
    expect(await run('audit', certificate, 'm.c', 'q.c', '-DWANTED=3')).toMatchObject({ code: 0 });
    expect(await run('audit', certificate, 'm.c', 'q.c', '-DWANTED=4')).toMatchObject({
      code: 2,
      out: expect.stringContaining('rejected'),
    });
    const other = await run(...asked, '--compose', '-DWANTED=4');
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('q.c:2') });
    // Each by itself: nobody knows what the other does, and one has no main.
    const apart = await run(...asked, '-DWANTED=3');
    expect(apart).toMatchObject({
      code: 3,
      out: expect.stringContaining('--compose takes all files as one program'),
    });
    expect((await run('check', 'm.c', 'corpus/quickstart/ring.pml', '--compose')).out).toContain('SPW9004');
  });

  test('verbs refuse what they would otherwise leave out or take for something else', async () => {
    const both = ['corpus/quickstart/ring.pml', 'corpus/quickstart/flood.pml'];
    expect((await run('convert', ...both, '--compose', '--to', 'pnml')).err).toContain('only .lks and .aut');
    scratch.io.writeFile('c.json', '{}');
    expect((await run('audit', 'c.json', 'corpus/c/machine.c')).out).toContain('rejected');
    expect((await run('audit', 'c.json', 'corpus/scxml/battery.scxml')).err).toContain(
      'no certificates of scxml',
    );
    await run('check', 'corpus/quickstart/flood.pml', '--format', 'json', '--out', 'run.json');
    expect((await run('replay', 'run.json', 'corpus/c/machine.c')).code).toBe(2);
  });

  test('the command that repeats a check of C says what the preprocessor was told', async () => {
    scratch.io.writeFile(
      'a b.c',
      'void reach_error(void); int main(void) { if (N == 2) reach_error(); return 0; }',
    );
    const { code, out } = await run('check', 'a b.c', '-DN=2', '--format', 'json');
    expect(code).toBe(1);
    expect(JSON.parse(out).properties[0].reproduce).toBe(
      "spillway check 'a b.c' --property assertions -DN=2",
    );
  });

  test('a configuration or a trace that cannot be read is an error of the input', async () => {
    expect(await run('check', '--config', 'nowhere.json')).toMatchObject({
      code: 3,
      err: 'spillway check: nowhere.json: no such file, or not readable\n',
    });
    expect((await run('replay', 'nowhere.json', 'corpus/quickstart/ring.pml')).code).toBe(3);
    expect((await run('simulate', 'nowhere.pml')).code).toBe(3);
    expect((await run('cycles', 'corpus/kripke/rw.lks')).err).toContain('only Promela models');
  });

  test('the command line wins over the configuration, and every expectation is checked', async () => {
    const models = [
      { model: 'm.pml', properties: ['bounded'], expect: { assertions: 'refuted' }, defines: ['N=1'] },
    ];
    scratch.io.writeFile('m.pml', 'chan q = [2] of { byte }; active proctype p() { q!1; assert(N == 2) }');
    scratch.io.writeFile('spillway.config.json', JSON.stringify({ models }));
    const asWritten = await run('check');
    expect(asWritten.code).toBe(0);
    expect(asWritten.out).toMatch(/bounded +PROVED[\s\S]*assertions +REFUTED/);
    const other = await run('check', '-DN=2', '--property', 'assertions');
    expect(other.code).toBe(1);
    expect(other.out).not.toContain('bounded');
    expect(other.out).toMatch(/assertions +PROVED/);
  });

  test('a report that cannot be written is not a bug', async () => {
    const io = { ...scratch.io, writeFile: nodeIo().writeFile };
    expect(await runCli(['check', 'corpus/quickstart/ring.pml', '--out', scratch.folder], io)).toBe(3);
    expect(scratch.takeErrors()).toContain('cannot be written');
  });

  test('a run of another model is not accepted as one of this model', async () => {
    await run('check', 'corpus/quickstart/flood.pml', '--format', 'json', '--out', 'run.json');
    expect((await run('replay', 'run.json', 'corpus/quickstart/flood.pml')).code).toBe(0);
    const { code, err } = await run('replay', 'run.json', 'corpus/quickstart/ring.pml');
    expect(code).toBe(1);
    expect(err).toContain('the run is of another model');
  });

  test('completion knows every verb', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await run('completion', shell);
      expect(code).toBe(0);
      for (const { name } of VERBS) expect(out).toContain(name);
    }
  });

  test.skipIf(!hasProgram('bash'))('bash completes verbs, options, and the values of options', async () => {
    writeFileSync(`${scratch.folder}/c.bash`, (await run('completion', 'bash')).out);
    const complete = (...words: string[]): string => {
      const script = `source ${scratch.folder}/c.bash
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_spillway; echo "\${COMPREPLY[*]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim();
    };
    expect(complete('spillway', 'che')).toBe('check');
    expect(complete('spillway', 'check', '--forma')).toBe('--format');
    expect(complete('spillway', 'check', '--format', 'j')).toBe('json junit');
    expect(complete('spillway', 'graph', '--format', '')).toBe('dot mermaid svg');
  });

  test('folders are made with those above them; where none can be made it is an error of the input', () => {
    const { makeFolder } = nodeIo();
    makeFolder(`${scratch.folder}/a/b/c`);
    makeFolder(`${scratch.folder}/a/b/c`);
    expect(statSync(`${scratch.folder}/a/b/c`).isDirectory()).toBe(true);
    expect(() => makeFolder('/proc/spillway/x')).toThrow('cannot be written');
  });

  test('an option that no model takes is a warning, and changes no exit code', async () => {
    const { code, out } = await run('check', 'corpus/kripke/dpn.lks', '--method', 'flow', '--format', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(out).diagnostics).toMatchObject([{ code: 'SPW9005', severity: 'warning' }]);
    const mixed = ['corpus/kripke/dpn.lks', 'corpus/quickstart/ring.pml'];
    expect((await run('check', ...mixed, '--method', 'flow')).out).not.toContain('SPW9005');
  });

  test('a strategy that does not exist is an error for threads of C, too', async () => {
    const { code, out } = await run('check', 'corpus/c/dpn.spec', '--strategy', 'fast');
    expect(code).toBe(3);
    expect(out).toContain('known: portfolio');
  });

  test('explain lists and explains', async () => {
    expect((await run('explain')).out).toContain('time-limit');
    expect((await run('explain', 'time-limit')).out).toContain('--timeout');
    expect((await run('explain', 'ltl:p')).out).toContain('temporal formula');
  });
});
