// `spillway/vitest`: matchers for machines of XState, and the driver that tests written by `spillway test` use.
//
//   import 'spillway/vitest';
//   await expect(machine).toBeBounded();
//   await expect(machine).toSatisfyFormula('[] (loading -> <> (ready || failed))');

import { expect } from 'vitest';
import { createActor } from 'xstate';
import { type AskOptions, askMachine } from './check/machine.ts';
import type { Run } from './verdict/run.ts';

import { isMachine } from './xstate/host/types.ts';

export { type Driven, drive } from './xstate/drive.ts';
export type { AskOptions };

interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

async function judge(
  machine: unknown,
  property: string,
  says: string,
  options: AskOptions = {},
): Promise<Matched> {
  if (!isMachine(machine)) return { pass: false, message: () => 'expected a machine of XState 5 or 6' };
  const answer = await askMachine(machine, property, { createActor, ...options });
  const { id } = machine;
  const message = (): string => {
    if (answer.verdict === 'proved') return `${id} is proved to be ${says}`;
    if (answer.verdict === 'unknown') return `whether ${id} is ${says} is not known: ${answer.reason}`;
    return `${id} is not ${says}: ${answer.evidence.run.title}\n${steps(answer.evidence.run)}`;
  };
  return { pass: answer.verdict === 'proved', message };
}

const steps = (run: Run): string =>
  run.steps
    .slice(0, 40)
    .map(({ actors, text, at }, index) => {
      const again = index === run.loopStart ? '(from here on again and again)\n' : '';
      const place = at === null ? '' : `  ${at.file}:${at.line}`;
      return `${again}  ${index + 1}. ${run.actors[actors[0]!]}: ${text}${place}`;
    })
    .join('\n');

const matchers = {
  toBeBounded: (machine: unknown, options?: AskOptions) => judge(machine, 'bounded', 'bounded', options),
  toBeDeadlockFree: (machine: unknown, options?: AskOptions) =>
    judge(machine, 'deadlock-free', 'free of deadlock', options),
  toBeStuckFree: (machine: unknown, options?: AskOptions) =>
    judge(machine, 'stuck-free', 'free of actors that are stuck', options),
  toBeLivelockFree: (machine: unknown, options?: AskOptions) =>
    judge(machine, 'livelock-free', 'free of livelock', options),
  toBeErrorFree: (machine: unknown, options?: AskOptions) =>
    judge(machine, 'error-free', 'free of errors', options),
  toHandleItsEvents: (machine: unknown, options?: AskOptions) =>
    judge(machine, 'handled', 'such that every event that is sent is handled', options),
  toSatisfyFormula: (machine: unknown, formula: string, options?: AskOptions) =>
    judge(machine, `ltl:${formula}`, `such that ${formula}`, options),
};

expect.extend(matchers);

interface MachineMatchers {
  toBeBounded(options?: AskOptions): Promise<void>;
  toBeDeadlockFree(options?: AskOptions): Promise<void>;
  toBeStuckFree(options?: AskOptions): Promise<void>;
  toBeLivelockFree(options?: AskOptions): Promise<void>;
  toBeErrorFree(options?: AskOptions): Promise<void>;
  toHandleItsEvents(options?: AskOptions): Promise<void>;
  toSatisfyFormula(formula: string, options?: AskOptions): Promise<void>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the type parameter of vitest's own declaration.
  interface Matchers<T = any> extends MachineMatchers {}
}
