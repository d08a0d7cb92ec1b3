import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseArgs } from './args.ts';
import { readConfig } from './config.ts';
import { ANALYSIS_OPTIONS, analysisOptions } from './model-options.ts';

const schema = new Ajv({ allErrors: true, strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../schema/config.schema.json', import.meta.url), 'utf8')),
);

describe('a configuration', () => {
  test('lists models with what is expected of them; limits are inherited', () => {
    const { jobs, diagnostics } = readConfig(
      'models/spillway.config.json',
      '{ "timeout": 5, "models": ["a.pml", { "model": "b.pml", "expect": { "bounded": "refuted" }, "timeout": 9 }] }',
    );
    expect(diagnostics).toEqual([]);
    expect(jobs.map((job) => [job.paths, job.limits.timeout, job.expect])).toEqual([
      [['models/a.pml'], 5, {}],
      [['models/b.pml'], 9, { bounded: 'refuted' }],
    ]);
  });

  test('can say what the command line can; a model wins over the file', () => {
    const said = {
      fair: true,
      reduction: false,
      confirm: false,
      coverage: true,
      monolithic: true,
      strategy: 'linear',
      dataModel: 'LP64',
      scheduler: 'distributed',
      export: 'system',
      formulas: ['[] p'],
      invariants: 'x > 0',
      language: 'promela',
    };
    const document = {
      ...said,
      jobs: 3,
      reports: { junit: 'out/results.xml', markdown: '/summary.md' },
      certificates: 'proofs',
      models: ['a.pml', { model: 'b.pml', fair: false, reduction: true, language: 'c' }],
    };
    expect(schema(document)).toBe(true);
    const config = readConfig('models/spillway.config.json', JSON.stringify(document));
    expect(config.diagnostics).toEqual([]);
    expect(config).toMatchObject({
      threads: 3,
      certificates: 'models/proofs',
      reports: [
        { format: 'junit', file: 'models/out/results.xml' },
        { format: 'markdown', file: '/summary.md' },
      ],
    });
    const { language, ...options } = said;
    expect(config.jobs[0]).toMatchObject({ language, options: { ...options, invariants: ['x > 0'] } });
    expect(config.jobs[1]).toMatchObject({ language: 'c', options: { fair: false, reduction: true } });
  });

  test('knows every option of the analyses that the command line has', () => {
    const { jobs } = readConfig('c.json', '{ "models": ["a.pml"], "method": "flow", "strategy": "linear" }');
    const missing = Object.keys(analysisOptions(parseArgs([], ANALYSIS_OPTIONS))).filter(
      (key) => !(key in jobs[0]!.options),
    );
    expect(missing).toEqual([]);
  });

  test('-m32 and -m64 are words for a data model', () => {
    const model = (...words: string[]) => analysisOptions(parseArgs(words, ANALYSIS_OPTIONS)).dataModel;
    expect([model('-m32'), model('-m64'), model()]).toEqual(['ILP32', 'LP64', undefined]);
    expect(() => model('-m32', '--data-model', 'LP64')).toThrow('--data-model was given twice');
    expect(() => model('-m16')).toThrow('there is no option -m');
  });

  test('patterns stand for files; what is listed by name keeps its own entry', () => {
    const expand = (pattern: string): string[] | null =>
      pattern === '*.pml' ? ['m/a.pml', 'm/b.pml', 'm/c.pml'] : pattern.includes('*') ? [] : null;
    const text =
      '{ "models": [{ "model": "*.pml", "exact": true }, { "model": "b.pml", "timeout": 9 }, "*.pml"] }';
    const { jobs, diagnostics } = readConfig('m/c.json', text, expand);
    expect(diagnostics).toEqual([]);
    expect(jobs.map(({ paths, options, limits }) => [paths, options.exact, limits.timeout])).toEqual([
      [['m/a.pml'], true, undefined],
      [['m/c.pml'], true, undefined],
      [['m/b.pml'], false, 9],
    ]);
    const composed = readConfig('m/c.json', '{ "models": [{ "compose": ["*.pml", "d.pml"] }] }', expand);
    expect(composed.jobs[0]?.paths).toEqual(['m/a.pml', 'm/b.pml', 'm/c.pml', 'm/d.pml']);
    const none = readConfig('m/c.json', '{ "models": ["x/*.lks"] }', expand);
    expect(none.diagnostics[0]?.message).toBe('no file matches "x/*.lks"');
  });

  test('a comma too many is shown where it stands', () => {
    const { diagnostics } = readConfig('c.json', '{ "models": ["a.pml",] }');
    expect(diagnostics[0]).toMatchObject({
      message: "there is a comma too many before ']'",
      span: { start: 20 },
    });
  });

  test.each([
    ['{ "models": ["a.pml"], "fair": "yes" }', '"fair" must be true or false'],
    ['{ "models": ["a.pml"], "strategy": "luck" }', '"strategy" is "portfolio" or'],
    ['{ "models": ["a.pml"], "jobs": 0 }', '"jobs" must be a whole number'],
    ['{ "models": ["a.pml"], "reports": { "pdf": "a" } }', 'there is no format "pdf"'],
    ['{ "models": ["a.pml"], "reports": { "junit": 3 } }', 'the report "junit" needs a file'],
    ['{ "models": ["a.pml"], "language": 3 }', '"language" must be a text'],
    ['{', 'a key in double quotes is missing'],
    ['[]', 'the configuration is an object'],
    ['{ "models": 3 }', '"models" must be a list'],
    ['{ "models": [], "timeuot": 3 }', 'there is no key "timeuot"'],
    ['{ "models": [{}] }', 'a model needs "model"'],
    ['{ "models": [{ "model": "a.pml", "expect": { "bounded": "yes" } }] }', "what is expected of 'bounded'"],
    ['{ "models": ["a.pml"], "timeout": "long" }', '"timeout" must be a positive number'],
  ])('%s is refused', (text, message) => {
    const { jobs, diagnostics } = readConfig('spillway.config.json', text);
    expect(jobs).toEqual([]);
    expect(text === '{' || schema(JSON.parse(text))).toBe(text === '{' || text.includes('[{}]'));
    expect(diagnostics[0]?.message).toContain(message);
  });
});
