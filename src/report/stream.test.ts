import { expect, test } from 'vitest';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { TextStream } from './stream.ts';

const hint = (message: string): PlacedDiagnostic => ({
  code: 'SPW1391',
  severity: 'hint',
  message,
  at: null,
});

test('what an engine found to say is printed after the verdicts, what was known before them once', () => {
  let text = '';
  const stream = new TextStream([['a.pml']], {}, (more) => {
    text += more;
  });
  const property = { id: 'p', verdict: 'unknown', reason: 'why', reasonCode: 'time-limit' } as never;
  stream.begin(0, ['p'], [hint('early')]);
  stream.verdict(0, property);
  const diagnostics = [hint('early'), hint('late'), hint('later')];
  stream.end(0, { files: ['a.pml'], properties: [property], diagnostics } as unknown as ModelReport);
  const lines = text.split('\n');
  expect(lines.filter((line) => line.includes('early'))).toHaveLength(1);
  expect(text.indexOf('early')).toBeLessThan(text.indexOf('UNKNOWN'));
  expect(text.indexOf('late')).toBeGreaterThan(text.indexOf('UNKNOWN'));
  expect(lines.slice(-4)).toEqual(['hint[SPW1391]: late', '', 'hint[SPW1391]: later', '']);
});
