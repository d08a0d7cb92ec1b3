// Task definitions of the software-verification competition, and the data models they name.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { SourceFile } from '../../source/source.ts';
import { readTask } from './task.ts';

const PROGRAM = `extern void reach_error(void); extern long __VERIFIER_nondet_long(void);
int main(void) { long x = __VERIFIER_nondet_long(); if (x > 2147483647LL || sizeof(int *) == 8) reach_error(); return 0; }`;

const task = (model: string) => `format_version: '2.0'
# which files
input_files: 'p.c'
properties:
  - property_file: ../unreach-call.prp
    expected_verdict: true
options:
  language: C
  data_model: ${model}
`;

async function verdict(model: string, path = 'sub/t.yml'): Promise<string | undefined> {
  const files: Record<string, string> = { 'sub/t.yml': task(model), 'sub/p.c': PROGRAM };
  const report = await checkModel({ paths: [path], files: { read: (name) => files[name] ?? null } });
  return report.properties[0]?.verdict;
}

test('the data model of a task decides', async () => {
  expect(await verdict('ILP32')).toBe('proved');
  expect(await verdict('LP64')).toBe('refuted');
});

test('what a task asks for is asked, beside the usual', async () => {
  const text = task('LP64').replace(
    'options:',
    "  - property_file: '../no-overflow.prp'\n  - property_file: termination.prp\noptions:",
  );
  const files: Record<string, string> = { 't.yml': text, 'p.c': 'int main(void) { return 0; }' };
  const report = await checkModel({ paths: ['t.yml'], files: { read: (name) => files[name] ?? null } });
  expect(report.properties.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'assertions proved',
    'no-undefined proved',
    'no-overflow proved',
    'terminates proved',
  ]);
});

test.each([
  ["input_files: 'a.c'", ['d/a.c']],
  ['input_files: "a.c"', ['d/a.c']],
  ['input_files: [\'a.c\', "b.i"]', ['d/a.c', 'd/b.i']],
  ['input_files:\n  - a.c\n  - /b.c\nproperties: []', ['d/a.c', '/b.c']],
])('%s', (text, inputs) => {
  expect(readTask(new SourceFile('d/t.yml', text))).toMatchObject({ inputs, dataModel: 'LP64' });
});

test.each([
  'input_files: []',
  'input_files:\n',
  "input_files: ''\nproperties: []",
  '# none\ninput_files:\nproperties:\n  - a.c',
])('a task without a file: %j', async (text) => {
  const read = (name: string) => (name === 't.yml' ? text : null);
  const { diagnostics } = await checkModel({ paths: ['t.yml'], files: { read } });
  expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'SPW5101 this task names no file',
  ]);
});

test.each([
  ['equal ones of two files may be one object', 'other == "abc"', 'unknown'],
  ['… or two', 'other != "abc"', 'unknown'],
  ['their texts are the same', 'other[1] == "abc"[1]', 'proved'],
  ['different ones are not', 'other != "abcd"', 'proved'],
  ['those of one file are one', '"abc" == mine', 'proved'],
  ['each is itself', 'other == same()', 'proved'],
])('string literals: %s', async (_, test, expected) => {
  const files: Record<string, string> = {
    't.yml': "input_files: ['a.c', 'b.c']\n",
    'a.c': `extern char *other; extern char *same(void); char *mine = "abc"; extern void reach_error(void);
int main(void) { if (!(${test})) reach_error(); return 0; }`,
    'b.c': 'char *other = "abc"; char *same(void) { return "abc"; }',
  };
  const request = { paths: ['t.yml'], properties: ['assertions'] };
  const report = await checkModel({ ...request, files: { read: (name) => files[name] ?? null } });
  expect(report.properties[0]?.verdict).toBe(expected);
});

test('what is no task is refused', () => {
  expect(readTask(new SourceFile('t.yml', 'name: x\n'))).toMatchObject({ code: 'SPW5101' });
  const other = readTask(new SourceFile('t.yml', task('LP32')));
  expect(other).toMatchObject({ code: 'SPW5101', message: "the data model 'LP32' is not known" });
});
