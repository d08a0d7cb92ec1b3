import { expect, test } from 'vitest';
import { unknownProperty } from './requests.ts';

const KNOWN = ['bounded', 'livelock-free', 'deadlock-free', 'assertions', 'ltl:done'];

test.each([
  ['deadlock', "did you mean 'deadlock-free'?"],
  ['livelock', "did you mean 'livelock-free'?"],
  ['bouded', "did you mean 'bounded'?"],
  ['ltl:don', "did you mean 'ltl:done'?"],
  ['xyz', 'known here: bounded, livelock-free, deadlock-free, assertions, ltl:done'],
])('--property %s', (asked, help) => {
  expect(unknownProperty(asked, KNOWN).help).toBe(help);
});
