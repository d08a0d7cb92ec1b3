// The papers' examples as nets, by hand: what the analyses must say about them stands in the papers and in docs/boundedness.md.

import type { Net } from '../net.ts';
import { NetBuilder } from './net-builder.ts';

/** [Ciclo] Fig. 1 and 3: two clients and a server; with `progress` at client(0)'s receipt of ack. */
export function cicloFigure1(): Net {
  const b = new NetBuilder();
  for (const i of [0, 1]) b.queue(`ts[${i}]`, [`req${i}`, `rel${i}`], 2).queue(`tc[${i}]`, [`ack${i}`], 2);
  for (const i of [0, 1]) {
    b.process(`client(${i})`)
      .step('s1', 's2', { [`req${i}`]: 1 }, { text: `ts[${i}]!req` })
      .step('s2', 's3', { [`ack${i}`]: -1 }, { text: `tc[${i}]?ack`, progress: i === 0 })
      .step('s3', 's1', { [`rel${i}`]: 1 }, { text: `ts[${i}]!rel` });
  }
  b.process('server')
    .step('t1', 't2', { req0: -1 }, { text: 'ts[0]?req' })
    .step('t2', 't3', { ack0: 1 }, { text: 'tc[0]!ack' })
    .step('t3', 't1', { rel0: -1 }, { text: 'ts[0]?rel' })
    .step('t1', 't4', { req1: -1 }, { text: 'ts[1]?req' })
    .step('t4', 't5', { ack1: 1 }, { text: 'tc[1]!ack' })
    .step('t5', 't1', { rel1: -1 }, { text: 'ts[1]?rel' });
  return b.build();
}

/** [IBOC] Fig. 1: effect graphs of a two-process model, each edge one step. */
export function ibocFigure1(): Net {
  const b = new NetBuilder().queue('left-to-right', ['a', 'b']).queue('right-to-left', ['c']);
  b.process('left')
    .step('I', 's1')
    .step('s1', 's2', { b: 2, c: -1 })
    .step('s1', 's3', { b: 5, c: -1 })
    .step('s2', 's3', { a: 2, b: 1, c: -1 })
    .step('s3', 's2', { a: 2, c: -1 });
  b.process('right').step("I'", 's4', { c: 2 }).step('s4', 's5', { a: -1 }).step('s5', 's4', { b: -1, c: 1 });
  return b.build();
}

/** Two choices, k times in a row, in a loop: 2^k elementary cycles, and a queue that one of each pair fills and the other empties. */
export function independentChoices(k: number): Net {
  const b = new NetBuilder().queue('q', ['m']).queue('r', ['n']);
  const left = b.process('left');
  const right = b.process('right');
  for (let i = 0; i < k; i++) {
    const next = `${(i + 1) % k}`;
    left.step(`${i}`, next, { m: 1, n: -1 }).step(`${i}`, next, {});
    right.step(`${i}`, next, { m: -1, n: 1 }).step(`${i}`, next, {});
  }
  return b.build();
}
