// One process for one question at a time. It is started when it is needed, and again after it died.

import { type ChildProcess, fork } from 'node:child_process';
import type { Answered } from '../check/elsewhere.ts';
import type { FromChild, QuestionData, ToChild } from './messages.ts';

/** The process that worked on the question ended. */
class WorkerDied extends Error {}

/** How long a process may go on after it was told to stop: milliseconds. */
const GRACE = 3000;

export class Slot {
  private child: ChildProcess | null = null;
  private readonly script: URL;

  constructor(script: URL) {
    this.script = script;
  }

  /** Rejects with WorkerDied when the process ends before it has an answer. */
  work(question: QuestionData, progress: (text: string) => void, signal: AbortSignal): Promise<Answered> {
    this.child ??= fork(this.script, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const { child } = this;
    return new Promise<Answered>((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      const over = (end: () => void): void => {
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
        child.off('message', hear).off('exit', died);
        end();
      };
      const hear = (message: FromChild): void => {
        if (message.kind === 'progress') progress(message.text);
        else if (message.kind === 'answer') over(() => resolve(message.answer));
        else over(() => reject(new Error(message.message)));
      };
      const died = (code: number | null, killedBy: string | null): void => {
        if (this.child === child) this.child = null;
        over(() => reject(new WorkerDied(`its process ended (${killedBy ?? `exit code ${code}`})`)));
      };
      const stop = (): void => {
        if (child.connected) child.send({ kind: 'cancel' } satisfies ToChild);
        late = setTimeout(() => child.kill('SIGKILL'), GRACE);
      };
      child.on('message', hear).on('exit', died);
      signal.addEventListener('abort', stop, { once: true });
      child.send({ kind: 'ask', question } satisfies ToChild);
    });
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }
}
