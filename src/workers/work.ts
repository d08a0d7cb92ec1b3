// One engine on one model, away from the thread that asked: the model is read again from the files that came along, and kept for the next engine.

import { type Budget, cancellable, type Help, type Observer } from '../base/budget.ts';
import type { RemoteModel } from '../check/check.ts';
import { LANGUAGES } from '../check/languages.ts';
import { filesOf } from '../check/snapshot.ts';
import { Board, type Fact } from '../engine/fact.ts';
import type { Language } from '../engine/language.ts';
import { failureOf } from '../engine/scheduler.ts';
import type { WorkerMessage, WorkMessage } from './messages.ts';

const PROGRESS_EVERY = 100;

interface Kept {
  readonly key: string;
  readonly language: Language<unknown>;
  readonly model: unknown;
}

let kept: Kept | null = null;

export async function work(
  message: WorkMessage,
  help: Help,
  tell: (message: WorkerMessage) => void,
  isMemoryOver?: () => boolean,
): Promise<void> {
  try {
    const flag = new Int32Array(message.cancel);
    const end = performance.now() + message.remaining;
    const budget: Budget = cancellable(
      {
        timeLeft: () => performance.now() < end,
        remaining: () => Math.max(0, end - performance.now()),
        maxStates: message.maxStates,
        maxMemory: message.maxMemory,
        ...(isMemoryOver === undefined ? {} : { isMemoryOver }),
        help,
      },
      () => Atomics.load(flag, 0) !== 0,
    );
    const observer = quietObserver(tell);
    const { language, model } = await modelOf(message.model, budget, observer);
    const stage = language.portfolio.find(({ engine }) => engine.name === message.engine);
    if (stage === undefined) throw new Error(`there is no engine '${message.engine}'`);
    const board = new Board();
    for (const fact of message.facts) board.add(fact);
    const learn = (fact: Fact): void => {
      board.add(fact);
      tell({ kind: 'fact', fact });
    };
    const { open, model: remote } = message;
    await stage.engine.run({ model, open, options: remote.options, board }, budget, observer, learn);
    tell({ kind: 'done' });
  } catch (error) {
    tell(failureOf(error));
  }
}

async function modelOf(remote: RemoteModel, budget: Budget, observer: Observer): Promise<Kept> {
  const key = JSON.stringify([remote.language, remote.paths, remote.options, remote.files]);
  if (kept?.key === key) return kept;
  kept?.language.dispose?.(kept.model);
  kept = null;
  const language = await LANGUAGES.find(({ name }) => name === remote.language)!.load();
  const { paths, options } = remote;
  const files = filesOf(remote.files);
  const { model } = await language.load({ paths, options, files, budget, observer });
  if (model === null) throw new Error('the model cannot be read in another thread');
  kept = { key, language, model };
  return kept;
}

/** Searches report progress very often; another thread need not hear all of it. */
function quietObserver(tell: (message: WorkerMessage) => void): Observer {
  let last = 0;
  return {
    stage: (text) => tell({ kind: 'stage', text }),
    progress: (text) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell({ kind: 'progress', text });
    },
    now: () => performance.now(),
  };
}
