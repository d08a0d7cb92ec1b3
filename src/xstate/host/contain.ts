// What user code must not do while it is loaded and explored, as far as a process can keep it from it: end the process, open connections, and
// take clocks and random numbers for data. (Files are the business of Node's permission model; see session.ts.)

import { createRequire } from 'node:module';
import { isRunningUserCode, mark, unseen } from './any.ts';

/** Instants and numbers that user code sees when it is explored: the same every time. */
const SOME_INSTANT = 1_700_000_000_000;
const SOME_NUMBER = 0.5;

export interface Trespass {
  readonly what: string;
  readonly stack: string;
}

/** `tell` hears of what was refused. */
export function contain(tell: (trespass: Trespass) => void): void {
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
  clocks();
  timers();
}

function clocks(): void {
  const look = (what: string): boolean => {
    if (!isRunningUserCode()) return false;
    mark();
    void what;
    return true;
  };
  const RealDate = Date;
  const now = RealDate.now.bind(RealDate);
  class WatchedDate extends RealDate {
    constructor(...parts: unknown[]) {
      if (parts.length === 0) super(look('the clock') ? SOME_INSTANT : now());
      else super(...(parts as [number]));
    }
    static override now(): number {
      return look('the clock') ? SOME_INSTANT : now();
    }
  }
  globalThis.Date = WatchedDate as DateConstructor;
  const random = Math.random.bind(Math);
  Math.random = () => (look('a random number') ? SOME_NUMBER : random());
  const elapsed = performance.now.bind(performance);
  performance.now = () => (look('the clock') ? 0 : elapsed());
  const uuid = crypto.randomUUID.bind(crypto);
  Object.defineProperty(crypto, 'randomUUID', {
    value: () => (look('a random number') ? '00000000-0000-4000-8000-000000000000' : uuid()),
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
