// .lks and .aut models from the command line: verdicts, exit codes, evidence, conversions, and SPIN asked the same question.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { sealed } from '../base/digest.ts';
import { runCli } from '../cli/run.ts';
import { auditDeadlock } from '../deadlock/document.ts';
import { loadCorpus } from '../kripke/corpus.fuzz.ts';
import { modelCheck } from '../kripke/model-check.ts';
import { printLks } from '../kripke/print-lks.ts';
import { promelaFormula } from '../kripke/print-promela-ltl.ts';
import { deadlockModel, formulaModel } from '../kripke/promela.ts';
import { build, naiveProduct, recipes } from '../kripke/random.fuzz.ts';
import { isPath } from '../kripke/replay.ts';
import { pathOfRun } from '../kripke/run.ts';
import { compose } from '../kripke/system.ts';
import { vocabularyOf } from '../kripke/vocabulary.ts';
import { parseText } from '../ltl/parser.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';

let scratch: ReturnType<typeof scratchIo>;
beforeEach(() => {
  scratch = scratchIo();
});
afterEach(() => scratch.remove());

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const code = await runCli(argv, scratch.io);
  return { code, out: scratch.takeOutput(), err: scratch.takeErrors() };
}

const verdicts = (json: string): Record<string, string> =>
  Object.fromEntries(
    JSON.parse(json).properties.map((p: { id: string; verdict: string }) => [p.id, p.verdict]),
  );

test('without --property: what the file states', async () => {
  const { code, out } = await run('check', 'corpus/kripke/section4.lks', '--format', 'json');
  expect(code).toBe(1);
  expect(verdicts(out)).toEqual({
    'deadlock-free': 'proved',
    'ltl:c_leads_to_r': 'proved',
    'ltl:b_leads_to_r': 'refuted',
    'ltl:d_with_r': 'proved',
    'ltl:d_then_r': 'refuted',
  });
});

test('every model of the corpus answers as expected', { timeout: 0 }, async () => {
  const args = ['--config', 'corpus/kripke/spillway.config.json', '--timeout', '3600'];
  const { code, out } = await run('check', ...args);
  expect(code, out).toBe(0);
});

test('a formula on the command line, and both engines', async () => {
  for (const extra of [[], ['--monolithic']]) {
    const proved = await run(
      'check',
      'corpus/kripke/rw.lks',
      '-DN=2',
      '--property',
      'ltl:G !(writing[1] && writing[2])',
      ...extra,
    );
    expect(proved.code).toBe(0);
    const refuted = await run(
      'check',
      'corpus/kripke/rw.lks',
      '-DN=2',
      '--property',
      'ltl:forall i in 1..N: F reading[i]',
      ...extra,
    );
    expect(refuted.code).toBe(1);
    expect(refuted.out).toContain('for ever');
  }
});

test('an answer that rests on a system that can deadlock says so', async () => {
  const { code, out } = await run(
    'check',
    'corpus/kripke/dpd.lks',
    '--property',
    'ltl:G !(eating[0] && eating[1])',
  );
  expect(code).toBe(0);
  expect(out.replace(/\s+/g, ' ')).toContain('warning: this answer rests on a system that can deadlock');
});

test('the certificate of a proof passes the audit, the run of a refutation is a path', async () => {
  const args = ['--property', 'deadlock-free', '--strategy', 'linear', '--format', 'json'];
  const proof = await run('check', 'corpus/kripke/rw.lks', ...args);
  const { certificate } = JSON.parse(proof.out).properties[0].evidence;
  expect(auditDeadlock(loadCorpus('rw').system, certificate)).toBeNull();
  expect(auditDeadlock(loadCorpus('rw', ['N=5']).system, certificate)).toContain('another model');
  const refutation = await run('check', 'corpus/kripke/dpd.lks', '--format', 'json');
  const { system } = loadCorpus('dpd');
  const path = pathOfRun(system, JSON.parse(refutation.out).properties[0].evidence.run);
  expect(path !== null && isPath(system, path)).toBe(true);
});

test.each(['portfolio', 'linear', 'minimised', 'refinement', 'monolithic'])(
  'spillway audit accepts the certificate (%s), and only for its own model',
  async (strategy) => {
    const args = ['--property', 'deadlock-free', '--strategy', strategy, '--certificates', 'proofs'];
    await run('check', 'corpus/kripke/rw.lks', '-DN=3', ...args);
    const file = 'proofs/rw.deadlock-free.cert.json';
    expect(await run('audit', file, 'corpus/kripke/rw.lks', '-DN=3')).toMatchObject({
      code: 0,
      out: 'accepted: the composition has no deadlock\n',
    });
    expect((await run('audit', file, 'corpus/kripke/rw.lks', '-DN=4')).code).toBe(2);
    expect((await run('audit', file, 'corpus/kripke/missing.lks')).code).toBe(3);
  },
);

test.each(['portfolio', 'minimised', 'refinement', 'monolithic'])(
  'spillway audit accepts the certificate of a formula (%s), and only for that formula',
  async (strategy) => {
    const args = ['--property', 'ltl:exclusion', '--strategy', strategy, '--certificates', 'proofs'];
    await run('check', 'corpus/kripke/rw.lks', '-DN=3', ...args);
    const file = 'proofs/rw.ltl_exclusion.cert.json';
    expect(await run('audit', file, 'corpus/kripke/rw.lks', '-DN=3')).toMatchObject({
      code: 0,
      out: 'accepted: ltl:exclusion holds on every infinite path\n',
    });
    expect((await run('audit', file, 'corpus/kripke/rw.lks', '-DN=4')).code).toBe(2);
    const certificate = JSON.parse(scratch.io.readFile(file)!);
    for (const property of ['ltl:G F start_read[1]', 'ltl:nothing', 'bounded']) {
      scratch.io.writeFile('other.json', JSON.stringify(sealed({ ...certificate, property })));
      expect((await run('audit', 'other.json', 'corpus/kripke/rw.lks', '-DN=3')).code).toBe(2);
    }
  },
);

test.each([
  ['broken.lks', 'component P {', []],
  ['stray.lks', 'component P { A = ( a -> A ). B = ( a -> A ). }', []],
  ['empty.lks', '', []],
  ['broken.aut', 'des (0, 1', []],
  ['formula.lks', 'component P { A = ( a -> A ). }\nltl f { G b }', []],
  ['fine.lks', 'component P { A = ( a -> A ). }', ['--property', 'bounded']],
  ['fine.lks', 'component P { A = ( a -> A ). }', ['--property', 'ltl:G (']],
  ['fine.lks', 'component P { A = ( a -> A ). }', ['--strategy', 'PC']],
])('errors in the input end with exit code 3: %s', async (name, text, extra) => {
  scratch.io.writeFile(name, text);
  const { code, out } = await run('check', name, ...extra);
  expect(code).toBe(3);
  expect(out).toMatch(/error\[SPW[39]\d\d\d\]/);
});

test('several .aut files with --compose are one system', async () => {
  scratch.io.writeFile('a.aut', 'des (0, 2, 2)\n(0, "x", 1)\n(1, "y", 0)\n');
  scratch.io.writeFile('b.aut', 'des (0, 2, 2)\n(0, "y", 1)\n(1, "x", 0)\n');
  expect((await run('check', 'a.aut', 'b.aut')).code).toBe(0);
  const composed = await run('check', 'a.aut', 'b.aut', '--compose');
  expect(composed.code).toBe(1);
  expect(composed.out).toContain('deadlock');
  expect((await run('convert', 'a.aut', 'b.aut', '--compose', '--to', 'aut')).out).toBe('des (0, 0, 1)\n');
});

test('simulate and replay: the same seed gives the same run, and the model allows it', async () => {
  const argv = ['simulate', 'corpus/kripke/rw.lks', '--seed', '5', '--steps', '30', '--format', 'json'];
  const first = await run(...argv);
  expect((await run(...argv)).out).toBe(first.out);
  scratch.io.writeFile('run.json', first.out);
  expect((await run('replay', 'run.json', 'corpus/kripke/rw.lks')).code).toBe(0);
  const other = await run('replay', 'run.json', 'corpus/kripke/dpd.lks');
  expect(other.code).toBe(1);
  expect(other.err).toContain('not possible in this model');
  expect((await run('simulate', 'corpus/kripke/fig5.lks')).code).toBe(1);
});

test('convert: every format, and what goes wrong', async () => {
  const lks = await run('convert', 'corpus/kripke/fig5.lks', '--to', 'lks');
  scratch.io.writeFile('again.lks', lks.out);
  expect((await run('convert', 'again.lks', '--to', 'lks')).out).toBe(lks.out);
  expect((await run('convert', 'corpus/kripke/fig5.lks', '--to', 'dot')).out).toContain('doublecircle');
  expect((await run('convert', 'corpus/kripke/fig5.lks', '--to', 'aut')).out).toContain('des (0, 10, 8)');
  expect((await run('convert', 'corpus/kripke/fig5.lks', '--to', 'pomela')).err).toContain(
    'did you mean promela',
  );
  expect((await run('convert', 'corpus/kripke/fig5.lks')).code).toBe(64);
  scratch.io.writeFile('two.lks', 'component P { init A, B; A = ( a -> B ). B = ( a -> A ). }');
  expect((await run('convert', 'two.lks', '--to', 'aut')).code).toBe(3);
});

describe.skipIf(!hasProgram('spin') || !hasProgram('gcc'))('SPIN is asked the same question', () => {
  /** Does SPIN find an error? */
  function spinRefutes(model: string, compile: readonly string[], run: readonly string[] = []): boolean {
    const answer = runPan(
      model,
      { spin: [], compile, run: ['-m20000', '-w16', ...run], small: true },
      (reason) => {
        throw new Error(`SPIN gave no answer: ${reason}`);
      },
    );
    return answer!.errors > 0;
  }

  test('deadlocks of random compositions', { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(recipes(3, 3, 4), (all) => {
        const expected = naiveProduct(all).states.some(({ next }) => next.length === 0);
        const model = deadlockModel(compose(build(all)))!;
        expect(spinRefutes(model, ['-DSAFETY'])).toBe(expected);
      }),
      { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 10), seed: 20266 },
    );
  });

  test('formulas that SPIN would take minutes to translate become never claims', () => {
    const { system } = loadCorpus('rw', ['N=2']);
    const [a, b] = system.events;
    const claimOf = (text: string): string =>
      formulaModel(system, [promelaFormula('f', parseText(text, vocabularyOf(system)).formula!)], 12)!;
    for (const text of [`"${a}" W (G "${b}")`, `("${a}" W "${b}") -> F "${b}"`, `(F "${a}") <-> (G "${b}")`])
      expect(claimOf(text)).toContain('never f {');
    for (const text of [`"${a}" W "${b}"`, `G ("${a}" -> F "${b}")`])
      expect(claimOf(text)).toContain('ltl f {');
  });

  test('formulas on random compositions', { timeout: 3_600_000 }, () => {
    const texts = [
      'G (event:a -> F p0_0)',
      'F G !event:b',
      '(!p0_1) W event:a',
      'G F event:a || F p0_0',
      'p0_0 R !event:b',
      // Never claims: SPIN has no X, and is slow on nested formulas.
      'G (p0_0 -> F (event:a && F p0_1))',
      'G (event:a -> X p0_0)',
      'X X p0_1 -> F X event:b',
      '(!p0_0) W (G event:a)',
      '(F p0_0) <-> (p0_1 U event:b)',
    ];
    fc.assert(
      fc.property(recipes(2, 3, 3), fc.constantFrom(...texts), fc.constantFrom(0, 12), (all, text, few) => {
        const system = compose(build(all));
        const { formula } = parseText(text, vocabularyOf(system));
        fc.pre(formula !== null);
        const ours = modelCheck(system, formula!, {}, UNLIMITED, SILENT).kind === 'violated';
        const model = formulaModel(system, [promelaFormula('f', formula!)], few)!;
        expect(spinRefutes(model, ['-DNOSTUTTER', '-DNOREDUCE'], ['-a'])).toBe(ours);
      }),
      { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 5), seed: 20267 },
    );
  });

  test.each([
    ['rw', 3, false],
    ['dpn', 4, false],
    ['dpn-butler', 3, false],
    ['dpd', 4, true],
    ['ucosn', 3, false],
    ['ucosd', 3, true],
  ])('%s with n = %i', (name, n, expected) => {
    const { system } = loadCorpus(name, [`N=${n}`]);
    expect(spinRefutes(deadlockModel(system)!, ['-DSAFETY'])).toBe(expected);
  });
});

test('what is converted to .lks gives the same answers', async () => {
  const { system } = loadCorpus('ucosd', ['N=3']);
  scratch.io.writeFile('flat.lks', printLks(system.components, [], true));
  expect((await run('check', 'flat.lks')).code).toBe(1);
});
