import { describe, expect, test } from 'vitest';
import type { Run } from '../verdict/run.ts';
import { renderRun, TRACE_FORMATS } from './trace.ts';
import { messagesOf } from './trace-messages.ts';

const at = (line: number) => ({ file: 'models/ring.pml', line, column: 1 });
const step = (actor: number, text: string, line: number, events: Run['steps'][number]['events'] = []) => ({
  actors: [actor],
  text,
  at: at(line),
  events,
  changes: [],
  choice: [actor, 0],
});

const RUN: Run = {
  title: 'q grows & <grows>',
  actors: ['producer', 'consumer(1)', 'late'],
  queues: [
    { name: 'q', capacity: null },
    { name: 'r', capacity: 0 },
  ],
  initial: [{ name: 'x', value: '0' }],
  steps: [
    step(0, 'q!a', 3, [{ kind: 'send', queue: 'q', message: 'a' }]),
    step(0, 'q!b', 4, [{ kind: 'send', queue: 'q', message: 'b' }]),
    step(1, 'q??b', 9, [{ kind: 'receive', queue: 'q', message: 'b', position: 1 }]),
    { ...step(1, 'r!x → r?y', 10, [{ kind: 'rendezvous', queue: 'r', message: '7' }]), actors: [1, 0] },
    step(0, 'run late()', 5, [{ kind: 'start', actor: 2 }]),
    { ...step(2, 'x = 1', 20), changes: [{ name: 'x', value: '1' }] },
    step(2, '-end-', 21, [{ kind: 'end' }]),
    step(0, 'q!a', 3, [{ kind: 'send', queue: 'q', message: 'a' }]),
  ],
  loopStart: 7,
  growth: [{ queue: 'q', perRound: 1 }],
};

describe('a run in every form', () => {
  test('who is blocked, why, and in which circle', () => {
    const wait = {
      statement: 'q?c',
      at: at(9),
      kind: 'message',
      text: 'a c in q',
      queue: 'q',
      helpers: [],
    } as const;
    const blocked = {
      processes: ['producer', 'consumer(1)'].map((process) => ({
        process,
        at: at(9),
        statement: 'q?c',
        waitsFor: [wait],
      })),
      circularWait: ['producer', 'consumer(1)'],
    };
    const { growth: _, ...still } = RUN;
    const run: Run = { ...still, loopStart: null, blocked };
    for (const format of ['text', 'sequence'] as const)
      expect(renderRun(run, format)).toContain('circular wait: producer → consumer(1) → producer');
    expect(renderRun(run, 'mermaid')).toContain('Note over P0: waits for a c in q');
    expect(renderRun(run, 'mermaid')).toContain('P1--xP0: waits for');
    expect(renderRun(run, 'svg')).toContain('waits: q?c');
  });

  test('messages find their receivers, also out of order', () => {
    const messages = messagesOf(RUN).flatMap(({ sent }) => sent);
    expect(messages.map(({ text, sentAt, receivedAt }) => [text, sentAt, receivedAt])).toEqual([
      ['a', 0, null],
      ['b', 1, 2],
      ['a', 7, null],
    ]);
  });

  test('text: aligned steps with places, queues, changes, the loop', () => {
    expect(renderRun(RUN, 'text')).toBe(`q grows & <grows>

1  ring.pml:3   producer                q!a         q = [a]
2  ring.pml:4   producer                q!b         q = [a b]
3  ring.pml:9   consumer(1)             q??b        q = [a]
4  ring.pml:10  consumer(1) → producer  r!x → r?y   r: 7
5  ring.pml:5   producer                run late()  starts a process
6  ring.pml:20  late                    x = 1       x = 1
7  ring.pml:21  late                    -end-
     ── from here on, again and again ──
8  ring.pml:3   producer                q!a         q = [a a]

each round leaves 1 more in q
at the end:
  q = [a a]
`);
  });

  test('sequence diagram in text', () => {
    expect(renderRun(RUN, 'sequence')).toBe(`q grows & <grows>

     producer     consumer(1)  late
   1 q!a ▸1       │
   2 q!b ▸2       │
   3 │            2▸ q?b
   4 ══▶ r?7      r!7 ══▶
   5 starts late  │
   6 │            │            x = 1
   7 │            │            -end-
     ═══ loop ═══
   8 q!a ▸3       │
`);
  });

  test('Mermaid', () => {
    const text = renderRun(RUN, 'mermaid');
    expect(text.split('\n')[0]).toBe('sequenceDiagram');
    expect(text).toContain('  P0-)Q0: a\n');
    expect(text).toContain('  P1->>P0: r 7\n');
    expect(text).toContain('  loop for ever\n  P0-)Q0: a\n  end\n');
  });

  test('SVG is well formed and escapes what users write', () => {
    const text = renderRun(RUN, 'svg');
    expect(text).toContain('q grows &amp; &lt;grows&gt;');
    const opened = [...text.matchAll(/<([a-z]+)(?:\s[^>]*[^/])?>/g)].map(([, name]) => name);
    const closed = [...text.matchAll(/<\/([a-z]+)>/g)].map(([, name]) => name);
    expect(opened.sort()).toEqual(closed.sort());
    expect(text).not.toMatch(/NaN|undefined/);
  });

  test('the picture is as wide as its title, and no two labels of one process overlap', () => {
    const title = 'x'.repeat(200);
    expect(Number(/width="(\d+)"/.exec(renderRun({ ...RUN, title }, 'svg'))![1])).toBeGreaterThan(1500);
    const labels = [...renderRun(RUN, 'svg').matchAll(/class="label halo" x="(\d+)" y="(\d+)"/g)];
    expect(labels.length).toBeGreaterThan(4);
    for (const [i, one] of labels.entries())
      for (const other of labels.slice(i + 1))
        if (one[1] === other[1]) expect(Math.abs(Number(one[2]) - Number(other[2]))).toBeGreaterThan(9);
  });

  test('ITF has a state before the first step, one after each, and the loop', () => {
    const document = JSON.parse(renderRun(RUN, 'itf'));
    expect(document.states).toHaveLength(RUN.steps.length + 1);
    expect(document.loop).toBe(7);
    expect(document.states[2]).toMatchObject({ q: ['a', 'b'], x: 0, step: 'producer: q!b' });
    expect(document.vars).toEqual(['step', 'q', 'r', 'x']);
  });

  test.each(TRACE_FORMATS)('%s of a run without steps', (format) => {
    expect(() => renderRun({ ...RUN, steps: [], loopStart: null }, format)).not.toThrow();
  });
});
