// Engines on several lanes end in any order: what an answer rests on must not depend on it. The lanes here are no threads but turns, and how many an engine
// waits before it begins is drawn at random: no clock decides anything.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { Random } from '../../base/random.ts';
import { Board } from '../../engine/fact.ts';
import { type Ended, type Host, inlineHost, settle } from '../../engine/scheduler.ts';
import { programOf } from '../../promela/testing.ts';
import { assembleBounded, isBoundedSettled } from './bounded.ts';
import { PROGRAM_PORTFOLIO } from './portfolio.ts';

const MOST_TURNS = 12;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function shuffledLanes(lanes: number, seed: number, inline: Host): Host {
  const random = new Random(seed);
  return {
    lanes,
    pause: null,
    start: (engine, work, learn, observer) => {
      let cancelled = false;
      const run = async (): Promise<Ended> => {
        for (let left = random.below(MOST_TURNS); left > 0 && !cancelled; left--) await turn();
        return cancelled ? { kind: 'done' } : inline.start(engine, work, learn, observer).done;
      };
      const cancel = () => void (cancelled = true);
      return { done: run(), cancel, kill: cancel };
    },
  };
}

test.each([
  [
    'a request and its answer',
    'chan q = [1] of { byte }; chan r = [1] of { byte };' +
      'active proctype client() { do :: q!1; r?_ od } active proctype server() { do :: q?_; r!1 od }',
  ],
  [
    'a message that is sent once',
    'chan q = [4] of { byte }; active proctype p() { q!1; q!2 } active proctype c() { do :: q?_ od }',
  ],
])('%s: the certificate, whichever engine is sooner', async (_, text) => {
  const program = programOf(text);
  for (let seed = 1; seed <= 20; seed++) {
    const inline = inlineHost(PROGRAM_PORTFOLIO, { program }, {});
    const question = {
      properties: ['bounded', 'deadlock-free'],
      options: {},
      isSettled: (property: string, board: Board) =>
        property === 'bounded' ? isBoundedSettled(board, {}) : board.definite(property) !== null,
    };
    const host = shuffledLanes(2 + (seed % 3), seed, inline);
    const board = await settle(question, PROGRAM_PORTFOLIO as never, host, UNLIMITED, SILENT, new Board());
    const answer = assembleBounded(board, program)!;
    expect(answer.verdict === 'proved' && answer.evidence.kind, `seed ${seed}`).toBe('certificate');
  }
});
