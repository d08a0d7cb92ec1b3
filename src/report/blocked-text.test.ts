import { expect, test } from 'vitest';
import type { Blockage } from '../verdict/blocked.ts';
import { blockageLines } from './blocked-text.ts';

const blockage: Blockage = {
  processes: ['alice', 'bob'].map((process) => ({
    process,
    at: { file: 'table.pml', line: 4, column: 1 },
    statement: 'fork?take',
    waitsFor: [
      {
        statement: 'fork?take',
        at: null,
        kind: 'message' as const,
        text: 'a message in fork, which is empty',
        queue: 'fork',
        helpers: [{ process: 'carol', text: 'is blocked itself' }],
      },
    ],
  })),
  circularWait: ['alice', 'bob'],
};

test('lines are broken between words where the terminal is narrow, and not where it is wide', () => {
  const wide = blockageLines(blockage);
  expect(wide).toHaveLength(4);
  for (const columns of [40, 60, 79]) {
    const lines = blockageLines(blockage, columns);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(wide.join(' ').replace(/\s+/g, ' '));
  }
});
