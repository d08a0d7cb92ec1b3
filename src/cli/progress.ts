// Progress on stderr: one line that is overwritten, only on a terminal, only for work longer than a second.

import type { Observer } from '../base/budget.ts';
import type { Io } from './verb.ts';

const QUIET_FOR = 1000;
const REDRAW_EVERY = 100;

export interface ProgressLine extends Observer {
  /** What is being worked on: `model 3 of 12: ring.pml`. */
  subject(text: string): void;
  /** Removes the line, before something else is printed. */
  clear(): void;
}

export function progressLine(io: Io, silent: boolean): ProgressLine {
  const enabled = !silent && io.stderrIsTerminal;
  const begin = io.now();
  let subject = '';
  let stage = '';
  let detail = '';
  let drawnAt = 0;
  let visible = false;

  const draw = () => {
    const now = io.now();
    if (!enabled || now - begin < QUIET_FOR || now - drawnAt < REDRAW_EVERY) return;
    drawnAt = now;
    visible = true;
    // A line that wraps could not be overwritten; the time needs room, too.
    const width = Math.max(10, Math.min(100, (io.columns ?? 80) - 10));
    const text = [subject, stage, detail].filter((part) => part !== '').join(' · ');
    io.err(`\r\x1b[K${text.slice(0, width)} (${Math.round((now - begin) / 1000)} s)`);
  };
  return {
    subject: (text) => {
      subject = text;
      stage = '';
      detail = '';
      draw();
    },
    stage: (name) => {
      stage = name;
      detail = '';
      draw();
    },
    progress: (text) => {
      detail = text;
      draw();
    },
    now: () => io.now(),
    clear: () => {
      if (visible) io.err('\r\x1b[K');
      visible = false;
    },
  };
}
