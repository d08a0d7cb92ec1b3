// The z3 program on PATH, over a pipe. The end of an answer is found by an echoed marker.

import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Backend } from './backend.ts';

const living = new Set<ChildProcessWithoutNullStreams>();
let exitHandlerSet = false;

export async function openNative(milliseconds: number, program = 'z3'): Promise<Backend | null> {
  const child = spawn(program, ['-in', '-smt2', ...lifetime(milliseconds)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!started) return null;
  if (!exitHandlerSet) {
    exitHandlerSet = true;
    process.once('exit', () => {
      for (const one of living) one.kill('SIGKILL');
    });
  }
  living.add(child);
  return new NativeBackend(child);
}

/** Should this process be killed, a solver that works on a question would never hear of it: it ends by itself a while after it was needed. */
const lifetime = (milliseconds: number): string[] =>
  milliseconds < LONG ? [`-T:${Math.ceil(Math.max(0, milliseconds) / 1000) + GRACE_SECONDS}`] : [];
const LONG = 1e9;
const GRACE_SECONDS = 30;

class NativeBackend implements Backend {
  readonly name = 'native';
  private readonly child: ChildProcessWithoutNullStreams;
  private output = '';
  private marker = 0;
  private waiting: { marker: string; answer: (text: string | null) => void } | null = null;
  private dead = false;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => this.receive(chunk));
    child.stderr.resume();
    child.stdin.on('error', () => this.die());
    child.on('error', () => this.die());
    child.on('close', () => this.die());
    this.keepAlive(false);
  }

  run(commands: string, limitMilliseconds: number): Promise<string | null> {
    if (this.dead) return Promise.resolve(null);
    if (this.waiting !== null) throw new Error('impossible: two questions to one solver at once');
    const marker = `done-${++this.marker}`;
    return new Promise((resolve) => {
      this.keepAlive(true);
      const timer = Number.isFinite(limitMilliseconds)
        ? setTimeout(() => this.dispose(), Math.min(limitMilliseconds, 2 ** 31 - 1))
        : null;
      this.waiting = {
        marker,
        answer: (text) => {
          if (timer !== null) clearTimeout(timer);
          this.keepAlive(false);
          resolve(text);
        },
      };
      this.child.stdin.write(`${commands}\n(echo "${marker}")\n`);
    });
  }

  dispose(): void {
    this.child.kill('SIGKILL');
    this.die();
  }

  private receive(chunk: string): void {
    this.output += chunk;
    if (this.waiting === null) return;
    const { marker, answer } = this.waiting;
    const tail = `${marker}\n`;
    if (!this.output.endsWith(tail)) return;
    const text = this.output.slice(0, -tail.length);
    this.output = '';
    this.waiting = null;
    answer(text);
  }

  private die(): void {
    this.dead = true;
    living.delete(this.child);
    this.waiting?.answer(null);
    this.waiting = null;
  }

  /** An idle solver must not keep the program from ending; a busy one must. */
  private keepAlive(busy: boolean): void {
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr] as unknown as Socket[]) {
      if (busy) stream.ref();
      else stream.unref();
    }
    if (busy) this.child.ref();
    else this.child.unref();
  }
}
