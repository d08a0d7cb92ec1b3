import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('as the platform groups them', () => {
  for (const count of [0, 7, 12, 999, 1000, 12_345, 123_456, 1_234_567, 1_000_000_000])
    expect(counted(count)).toBe(count.toLocaleString('en'));
});
