import { describe, expect, test } from 'vitest';
import { UNLIMITED } from './budget.ts';
import {
  type AsyncRefiner,
  eachLook,
  type Look,
  refineUntilSettled,
  refineUntilSettledAsync,
} from './cegar.ts';

/** Is the number below ten? The abstraction knows it only up to a grain, which learning halves. */
function guess(secret: number) {
  let grain = 64;
  return {
    look: (): Look<number, string> => {
      const from = Math.floor(secret / grain) * grain;
      if (from + grain <= 10) return { kind: 'answer', answer: 'below' };
      return { kind: 'counterexample', counterexample: Math.max(10, from) };
    },
    learn: (witness: number) => {
      if (witness === secret) return { kind: 'answer', answer: 'not below' } as const;
      if (grain === 1) return { kind: 'nothing' } as const;
      grain /= 2;
      return { kind: 'refined' } as const;
    },
  };
}

const inTurns = ({ look, learn }: ReturnType<typeof guess>): AsyncRefiner<number, string> => ({
  look: async () => look(),
  learn: async (witness) => learn(witness),
});

describe('the loop', () => {
  test.each([
    [3, 'below'],
    [9, 'below'],
    [10, 'not below'],
    [40, 'not below'],
  ])('%i is %s, whether it waits or not', async (secret, expected) => {
    const end = refineUntilSettled(guess(secret), { budget: UNLIMITED });
    expect(end).toMatchObject({ kind: 'answer', answer: expected });
    expect(await refineUntilSettledAsync(inTurns(guess(secret)), { budget: UNLIMITED })).toEqual(end);
  });

  test('ends with the counterexample that nothing rules out', () => {
    const refiner = { ...guess(3), learn: () => ({ kind: 'nothing' }) as const };
    expect(refineUntilSettled(refiner, { budget: UNLIMITED })).toEqual({
      kind: 'open',
      counterexample: 10,
      rounds: 1,
    });
  });

  test('learns from as many counterexamples as it may', () => {
    expect(refineUntilSettled(guess(3), { budget: UNLIMITED, maxRounds: 2 })).toEqual({
      kind: 'limit',
      limit: 'rounds',
      rounds: 3,
    });
  });

  test('looks once even when the time is over, and never again', () => {
    let looks = 0;
    const budget = { ...UNLIMITED, timeLeft: () => false };
    const look = (): Look<number, string> => {
      looks++;
      return { kind: 'again' };
    };
    const end = refineUntilSettled({ ...guess(3), look }, { budget });
    expect([end, looks]).toEqual([{ kind: 'limit', limit: 'time', rounds: 1 }, 1]);
  });

  test('gives out every look before anything is learned from it', async () => {
    const seen: string[] = [];
    const { look, learn } = guess(3);
    const refiner: AsyncRefiner<number, string> = {
      look,
      learn: (witness) => {
        seen.push('learn');
        return learn(witness);
      },
    };
    for await (const one of eachLook(refiner, { budget: UNLIMITED })) seen.push(one.kind);
    expect(seen.slice(0, 4)).toEqual(['counterexample', 'learn', 'counterexample', 'learn']);
    expect(seen.at(-1)).toBe('answer');
  });

  test('a failure of the refiner is the caller’s', async () => {
    const refiner = {
      ...inTurns(guess(40)),
      learn: () => Promise.reject(new Error('the solver died')),
    };
    await expect(refineUntilSettledAsync(refiner, { budget: UNLIMITED })).rejects.toThrow('the solver died');
  });
});
