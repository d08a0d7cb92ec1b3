import { expect, test } from 'vitest';
import type { CheckOptions } from '../engine/options.ts';
import { uselessOptions } from './options.ts';

const messages = (...models: (readonly [string, CheckOptions])[]) =>
  uselessOptions(models.map(([path, options]) => ({ paths: [path], options }))).map((list) =>
    list.map(({ message, help }) => `${message.split(' ')[0]} ${help}`),
  );

test('an option that the language does not know is named, with the models that take it', () => {
  expect(messages(['a.c', { method: 'flow', progress: ['x'] }])).toEqual([
    [
      '--method it is for .pml .prom .promela .prm .pr .pm .p .spin',
      '--progress it is for .pml .prom .promela .prm .pr .pm .p .spin',
    ],
  ]);
  expect(messages(['a.c', { monolithic: true }])).toEqual([['--monolithic it is for .lks .aut .spec']]);
  expect(messages(['a.ecfsm', { defines: ['N=2'], confirm: false, exact: true }])[0]).toHaveLength(3);
});

test('what the language takes, and what is not given, is not mentioned', () => {
  expect(messages(['a.pml', { method: 'cycles', exact: true, defines: ['X'], fair: true }])).toEqual([[]]);
  expect(messages(['a.spec', { strategy: 'linear', defines: ['X'], includes: ['.'] }])).toEqual([[]]);
  expect(messages(['a.lks', { confirm: true, exact: false, progress: [], defines: [] }])).toEqual([[]]);
});

test('one model that takes it is enough; otherwise it is said once', () => {
  const method = { method: 'flow' } as const;
  expect(messages(['a.c', method], ['b.pml', method])).toEqual([[], []]);
  expect(messages(['a.c', method], ['b.lks', method])).toEqual([
    ['--method it is for .pml .prom .promela .prm .pr .pm .p .spin'],
    [],
  ]);
  // Given to one model only, by the configuration: others do not count.
  expect(messages(['a.c', method], ['b.pml', {}])).toEqual([
    ['--method it is for .pml .prom .promela .prm .pr .pm .p .spin'],
    [],
  ]);
});
