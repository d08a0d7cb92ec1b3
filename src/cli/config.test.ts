import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

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

  test.each([
    ['{', 'this is not JSON'],
    ['[]', 'the configuration is an object'],
    ['{ "models": 3 }', '"models" must be a list'],
    ['{ "models": [], "timeuot": 3 }', 'there is no key "timeuot"'],
    ['{ "models": [{}] }', 'a model needs "model"'],
    ['{ "models": [{ "model": "a.pml", "expect": { "bounded": "yes" } }] }', "what is expected of 'bounded'"],
    ['{ "models": ["a.pml"], "timeout": "long" }', '"timeout" must be a positive number'],
  ])('%s is refused', (text, message) => {
    const { jobs, diagnostics } = readConfig('spillway.config.json', text);
    expect(jobs).toEqual([]);
    expect(diagnostics[0]?.message).toContain(message);
  });
});
