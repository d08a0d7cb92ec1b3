import { expect, test } from 'vitest';
import { render, suggest } from './diagnostic.ts';
import { SourceFile } from './source.ts';

test('a diagnostic shows the line, underlines the stretch and says what to do', () => {
  const file = new SourceFile('a.pml', 'byte x;\nactive proctype p() { y = 1 }\n');
  const span = { file, start: 30, end: 31 };
  expect(
    render({
      code: 'SPW1101',
      severity: 'error',
      message: "there is no variable 'y'",
      span,
      help: "did you mean 'x'?",
    }),
  ).toMatchInlineSnapshot(`
    "error[SPW1101]: there is no variable 'y'
      --> a.pml:2:23
       |
     2 | active proctype p() { y = 1 }
       |                       ^
      help: did you mean 'x'?"
  `);
});

test('nothing of a source reaches the terminal as a command, and long lines are shown in part', () => {
  const text = `${'x'.repeat(5000)}\u001b[2J${'y'.repeat(5000)}`;
  const file = new SourceFile('a.pml', text);
  const span = { file, start: 5000, end: 5001 };
  const shown = render({ code: 'SPW1003', severity: 'error', message: "unknown '\u001b'", span });
  expect(shown).not.toContain('\u001b');
  expect(shown).toContain('a.pml:1:5001');
  const [, , , line, mark] = shown.split('\n');
  expect(line!.length).toBeLessThan(200);
  expect(line![mark!.indexOf('^')]).toBe('\uFFFD');
});

test.each([
  ['chekc', ['check', 'graph'], 'check'],
  ['proprety', ['property', 'progress'], 'property'],
  ['zzz', ['check', 'graph'], null],
  ['x', ['y'], null],
  ['n', ['m', 'N'], 'N'],
])('%s is near %j', (wrong, known, near) => {
  expect(suggest(wrong, known)).toBe(near);
});

test('bytes that are no UTF-8 are shown as such, and the mark stands below its place', () => {
  const file = new SourceFile('a.c', 'char *s = "\u{10ffe9}" + nothing;');
  const start = file.text.indexOf('nothing');
  const span = { file, start, end: start + 7 };
  const [, , , line, mark] = render({ code: 'SPW5010', severity: 'error', message: 'no', span }).split('\n');
  expect(line).toContain('"\uFFFD\uFFFD"');
  expect(mark!.indexOf('^')).toBe(line!.indexOf('nothing'));
});
