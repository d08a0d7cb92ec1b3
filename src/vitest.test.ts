import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { drive } from './vitest.ts';

const machine = async (name: string): Promise<object> =>
  ((await import(`../corpus/xstate/${name}.ts`)) as { default: object }).default;

const [deadlock, flood, repaired, forwarding, stopped] = (await Promise.all(
  ['deadlock', 'flood', 'flood-repaired', 'forwarding', 'stopped'].map(machine),
)) as [object, object, object, object, object];

test('matchers say yes', async () => {
  await expect(flood).toBeBounded();
  await expect(repaired).toBeBounded({ scheduler: 'distributed' });
  await expect(repaired).toHandleItsEvents();
  await expect(repaired).toSatisfyFormula('[] (waiting -> <> measuring)', { scheduler: 'distributed' });
});

test('matchers say no, and why', async () => {
  await expect(async () => expect(flood).toBeBounded({ scheduler: 'distributed' })).rejects.toThrow(
    /sensor is not bounded: the mailbox of sensor\/display grows[\s\S]*from here on again/,
  );
  await expect(async () => expect(deadlock).toBeDeadlockFree({ scheduler: 'distributed' })).rejects.toThrow(
    /nothing can happen/,
  );
  await expect(async () => expect(forwarding).toBeLivelockFree()).rejects.toThrow(/busy for ever/);
  await expect(async () => expect(stopped).toHandleItsEvents()).rejects.toThrow(/TOGGLE is lost/);
  await expect(async () => expect(flood).toSatisfyFormula('<> nowhere')).rejects.toThrow(/nowhere/);
  await expect(async () => expect({}).toBeBounded()).rejects.toThrow(/expected a machine/);
});

test('a driven system is the real one', () => {
  const system = drive(repaired, { createActor });
  expect(system.states()).toEqual({ sensor: ['measuring'], 'sensor/display': ['ready'] });
  system.fire('sensor', 'xstate.after.10.sensor.measuring');
  expect(system.states()['sensor']).toEqual(['measuring']);
  expect(() => system.fire('sensor', 'nothing')).toThrow('no timer');
  expect(() => drive(forwarding, { createActor }).send('left', { type: 'SERVE' })).toThrow(
    'never comes to rest',
  );
});
