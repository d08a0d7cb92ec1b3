// Questions to the language service: each has one answer, or null where there is nothing to say. The worker is started by the first of them.

import type { ModelReport } from '../src/verdict/verdict.ts';
import type { Model, ReaderAnswer, ReaderQuestion } from './messages.ts';

type Kind = ReaderAnswer['kind'];
export type Said<K extends Kind> = Extract<ReaderAnswer, { readonly kind: K }>;

export class Service {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, (answer: ReaderAnswer) => void>();
  private last = 0;
  private report: ModelReport | null = null;

  read(model: Model): Promise<Said<'diagnostics'> | null> {
    return this.ask(model, { kind: 'read' }, 'diagnostics');
  }

  complete(model: Model, offset: number): Promise<Said<'completions'> | null> {
    return this.ask(model, { kind: 'complete', offset }, 'completions');
  }

  hover(model: Model, offset: number): Promise<Said<'hover'> | null> {
    return this.ask(model, { kind: 'hover', offset }, 'hover');
  }

  /** What the last check found out; null for another model. */
  know(model: Model, report: ModelReport | null): void {
    this.report = report;
    if (this.worker !== null) void this.ask(model, { kind: 'know', report }, 'nothing');
  }

  private async ask<K extends Kind>(
    model: Model,
    question: ReaderQuestion,
    wanted: K,
  ): Promise<Said<K> | null> {
    const worker = this.started(model);
    const id = ++this.last;
    const answer = new Promise<ReaderAnswer>((resolve) => this.waiting.set(id, resolve));
    worker.postMessage({ ...question, id, model });
    const said = await answer;
    return said.kind === wanted ? (said as Said<K>) : null;
  }

  private started(model: Model): Worker {
    if (this.worker !== null) return this.worker;
    const worker = new Worker(new URL('./reader.js', import.meta.url), { type: 'module' });
    this.worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<ReaderAnswer>) => this.hear(data));
    // Without it the page works as well: there is nothing to say.
    worker.addEventListener('error', () => {
      for (const id of [...this.waiting.keys()]) this.hear({ id, kind: 'nothing' });
    });
    if (this.report !== null) void this.ask(model, { kind: 'know', report: this.report }, 'nothing');
    return worker;
  }

  private hear(answer: ReaderAnswer): void {
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
  }
}
