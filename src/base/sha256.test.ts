import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256Hex } from './sha256.ts';

test('the digest is that of Node, for texts of every length around the block size', () => {
  const ofNode = (text: string): string => createHash('sha256').update(text).digest('hex');
  expect(sha256Hex('')).toBe(ofNode(''));
  for (let length = 50; length < 140; length++)
    expect(sha256Hex('x'.repeat(length))).toBe(ofNode('x'.repeat(length)));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha256Hex(text) === ofNode(text)),
    { numRuns: 30 },
  );
});
