// What user code must not do while it is loaded and explored, as far as a process can keep it from it: end the process, open connections, and
// take clocks and random numbers for data. (Files are the business of Node's permission model; see session.ts.)

import { createRequire } from 'node:module';
import { isRunningUserCode, look, unseen } from './any.ts';

/** Instants and numbers that user code sees when it is explored: the same every time, but never the same twice, for some loops wait for another. */
const instant = (n: number): number => 1_700_000_000_000 + n;
const number = (n: number): number => (0.5 + n * 0.618_033_988_749) % 1;

export interface Trespass {
  readonly what: string;
  readonly stack: string;
}

/** `tell` hears of what was refused, `noticed` of clocks and random numbers that a function of the model asks for. */
export function contain(
  tell: (trespass: Trespass) => void,
  noticed: (what: string, stack: () => string) => void,
): void {
  const refuse = (what: string) => (): never => {
    const error = new Error(`${what} is not allowed in a model`);
    tell({ what, stack: error.stack ?? '' });
    throw error;
  };
  for (const name of ['exit', 'abort', 'kill', 'reallyExit', 'dlopen', 'disconnect'] as const)
    Object.defineProperty(process, name, { value: refuse(`process.${name}`), writable: false });
  const require = createRequire(import.meta.url);
  const net = require('node:net') as { Socket: { prototype: object }; Server: { prototype: object } };
  Object.defineProperty(net.Socket.prototype, 'connect', { value: refuse('a network connection') });
  Object.defineProperty(net.Server.prototype, 'listen', { value: refuse('a network server') });
  const dgram = require('node:dgram') as { Socket: { prototype: object } };
  for (const name of ['bind', 'send', 'connect'])
    Object.defineProperty(dgram.Socket.prototype, name, { value: refuse('a network connection') });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
    Object.defineProperty(globalThis, name, { value: refuse(name), configurable: true });
  clocks(noticed);
  timers();
}

/** Stacks take long to be written, and loops look a thousand times: whoever is told asks for those it wants. */
function clocks(noticed: (what: string, stack: () => string) => void): void {
  /** What user code sees; null: it is not user code that asks. */
  const seen = <T>(what: string, value: (n: number) => T): T | null => {
    if (!isRunningUserCode()) return null;
    noticed(what, () => new Error().stack ?? '');
    return value(look());
  };
  const RealDate = Date;
  const now = RealDate.now.bind(RealDate);
  class WatchedDate extends RealDate {
    constructor(...parts: unknown[]) {
      if (parts.length === 0) super(seen('the clock', instant) ?? now());
      else super(...(parts as [number]));
    }
    static override now(): number {
      return seen('the clock', instant) ?? now();
    }
  }
  globalThis.Date = WatchedDate as DateConstructor;
  const random = Math.random.bind(Math);
  Math.random = () => seen('a random number', number) ?? random();
  const elapsed = performance.now.bind(performance);
  performance.now = () => seen('the clock', (n) => n) ?? elapsed();
  const uuid = crypto.randomUUID.bind(crypto);
  const someUuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  Object.defineProperty(crypto, 'randomUUID', {
    value: () => seen('a random number', someUuid) ?? uuid(),
  });
}

/** What user code does later, of itself, is out of sight. */
function timers(): void {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const) {
    const real = globalThis[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(globalThis, name, {
      value: (...args: unknown[]) => {
        if (!isRunningUserCode()) return real(...args);
        unseen(`an action or a guard calls ${name}: what that does later is not seen`);
        return 0;
      },
      writable: true,
      configurable: true,
    });
  }
}
