import { expect, test } from 'vitest';
import { type Budget, shareOf, startBudget, UNLIMITED } from './budget.ts';

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

test('the answer is there when the time is over: start-up counts, and a little is left for the report', () => {
  let now = 1_300;
  const budget = startBudget({ timeout: 10 }, () => now, 1_000);
  expect(budget.remaining()).toBe(9_500);
  now = 10_799;
  expect(budget.timeLeft()).toBe(true);
  now = 10_800;
  expect(budget.timeLeft()).toBe(false);
  expect(startBudget({ timeout: 3600 }, () => 0).remaining()).toBe(3_599_500);
  expect(startBudget({ timeout: 1 }, () => 0).remaining()).toBe(850);
});
