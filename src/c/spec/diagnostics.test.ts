// Where mistakes in C files and specifications are shown.

import { expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { parseC } from '../syntax/parse.ts';
import { loadSpec } from './load.ts';

test('a missing semicolon is missing at the end of its line', async () => {
  const text = 'int main(void) {\n  int x = 1\n  x = 2;\n  return 0;\n}\n';
  const files = { read: () => null };
  const parsed = await parseC(new SourceFile('a.c', text), { files, defines: [], includes: [] });
  const [problem] = parsed.ok ? [] : parsed.error;
  expect(problem!.message).toBe("';' is missing here");
  expect(problem!.span!.start).toBe(text.indexOf('1\n') + 1);
});

test('an event that is called with other arguments than it declares', async () => {
  const texts: Readonly<Record<string, string>> = {
    'e.c': 'void take(int i);\nvoid run(void) { take(7); }\n',
    'e.spec': 'use "e.c";\nevent take(0..2);\nthread T = run();\ndeadlock-free;\n',
  };
  const files = { read: (path: string) => texts[path] ?? null };
  const { diagnostics } = await loadSpec({ path: 'e.spec', files, defines: [], includes: [] });
  const problem = diagnostics.find(({ code }) => code === 'SPW5103')!;
  expect(problem.message).toContain("'take' is called only with arguments outside");
  const { file, start, end } = problem.span!;
  expect(file.path).toBe('e.c');
  expect(file.text.slice(start, end)).toContain('take(7)');
});
