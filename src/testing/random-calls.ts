// Random Promela models in which processes are called like functions: started with a channel of the caller on which they answer, in loops, by way of others, with
// early returns, answers that nobody waits for or that never come, a lock made of a structure with channels and a counter. Finished processes lie
// around in every order. Plain seeded text; no meaning is intended.

import type { Pick } from './random-semantics.ts';
import { Text } from './trap-text.ts';

const DEPTH = 3;

export function randomCallsModel(pick: Pick): string {
  const text = new Text(pick);
  const one = <T>(items: readonly T[]): T => text.one(items);
  const worker = (level: number): string => {
    const call = (): string => {
      if (level + 1 >= DEPTH) return 'g = 1 - g';
      const target = level + 1 + pick(DEPTH - level - 1);
      const channel = one(['c', 'd']);
      const wait = one([
        `${channel}?0`,
        `${channel}?0`,
        `${channel}?_`,
        'skip',
        `if\n:: ${channel}?0\n:: true\nfi`,
      ]);
      return `run W${target}(l, ${channel}); ${wait}`;
    };
    const plain = (): string =>
      one([
        call,
        call,
        call,
        () => 'if\n:: true -> goto out\n:: true\nfi',
        () => 'g = 1 - g',
        () => 'h = (h + 1) % 3',
        () => 'assert(h != 2 || g == 0)',
        () => 'l.lock!true; g = 0; l.free!true',
        () => 'l.lock!true',
        () => 'c!1; c?1',
        () => 'if\n:: h == 1 -> skip\n:: else\nfi',
      ])();
    const middle = text.sequence(plain, 1, 1 + pick(2));
    const body = one([
      middle,
      middle,
      `do\n:: ${middle}\n:: ${one(['true', 'g == 1', 'else'])} -> break\nod`,
      `do\n:: ${plain()}\n:: break\nod`,
    ]);
    const answer = one(['back!0', 'back!0', 'back!0', 'back!1', 'skip', 'if\n:: back!0\n:: true\nfi']);
    return `proctype W${level}(L l; chan back) {\nchan c = [1] of { byte }; chan d = [${pick(3)}] of { byte }; byte n;\n${body};\nout: ${answer}\n}`;
  };
  const monitor = one([
    'proctype M(L l) { do :: l.lock?_; l.n = 1 - l.n; l.free?_ od }',
    'proctype M(L l) { end: do :: l.n == 0 -> l.lock?_; l.n = 1 :: l.n == 1 -> l.free?_; l.n = 0 od }',
  ]);
  return [
    'typedef L { chan lock = [0] of { bool }; chan free = [0] of { bool }; byte n };',
    'byte g, h;',
    ...Array.from({ length: DEPTH }, (_, level) => worker(level)),
    monitor,
    `init {\nL l; chan m = [1] of { byte };\nrun M(l);\n${one(['run W0(l, m); m?0', 'run W0(l, m); run W0(l, m); m?_', 'do\n:: run W0(l, m); m?0\nod', 'run W0(l, m)'])}\n}`,
    '',
  ].join('\n');
}
