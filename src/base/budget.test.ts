import { expect, test } from 'vitest';
import { type Budget, shareOf, UNLIMITED } from './budget.ts';

test('shares leave time for the others, and pass on what they do not use', () => {
  let now = 0;
  const whole: Budget = { ...UNLIMITED, remaining: () => 90 - now, timeLeft: () => now < 90 };
  const first = shareOf(whole, 3);
  expect(first.remaining()).toBe(30);
  now = 10;
  expect(first.timeLeft()).toBe(true);
  const second = shareOf(whole, 2);
  expect(second.remaining()).toBe(40);
  now = 30;
  expect(first.timeLeft()).toBe(false);
  expect(shareOf(whole, 1)).toBe(whole);
  expect(shareOf(UNLIMITED, 4)).toBe(UNLIMITED);
});
