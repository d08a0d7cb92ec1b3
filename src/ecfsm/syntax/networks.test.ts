// Several machines, several fields, messages that wait: what the texts mean, and what is said of mistakes in them.

import { describe, expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { channelName } from '../model.ts';
import { showAtoms } from '../report/print.ts';
import { readModel } from '../resolve/read.ts';
import { modelOf } from '../testing/testing.ts';

const BASE = `machine A {
  states s, w;
  registers x;
  init s where x = 0;
  put: s -> w send D(seq, bit) to B when seq = x, bit <= 1;
  got: w -> s receive K(n) from B when n = x do x := n + 1;
}
machine B {
  states s, t;
  init s;
  take: s -> t receive D(n, b) from A;
  pass: t -> s send E(n) to C when n = 0;
  give: s send K(n) to A;
  defer A in t;
}
machine C like A with B = D { }
machine D { states s; init s; take: s receive D(n, b) from C; give: s send K(n) to C; over: s receive E from B; }
invariant {
  P = A@s, B@s, C@s, D@s, A->B: D*, B->A: e, B->C: e, C->D: e, D->C: e, B->D: e, inc(A->B, D.seq), maxp(A->B, D.bit) <= 1, A.x >= lastp(A->B, D.1);
}
goal G = P;
`
  .replace('pass: t -> s send E(n) to C', 'pass: t -> s send E(n) to D')
  .replace(' B->C: e,', '');

function mistakes(from: string, to: string): string[] {
  expect(BASE).toContain(from);
  const { diagnostics } = readModel(new SourceFile('t.ecfsm', BASE.replace(from, to)));
  return diagnostics.map(
    ({ code, span }) => `${code} ${span === null ? '' : span.file.text.slice(span.start, span.end)}`,
  );
}

test('the channels are those that actions name; a copy speaks with others', () => {
  const { protocol, invariant } = modelOf(BASE);
  expect(protocol.channels.map((_, channel) => channelName(protocol, channel))).toEqual([
    'A->B',
    'B->A',
    'B->D',
    'C->D',
    'D->C',
  ]);
  expect(protocol.fields[0]).toEqual([['seq', 'bit']]);
  expect(protocol.machines[1]!.deferred).toEqual([[], [0]]);
  expect(showAtoms(protocol, invariant[0]!).slice(-3)).toEqual([
    'inc(A->B, D.seq)',
    'maxp(A->B, D.bit) <= 1',
    'lastp(A->B, D.seq) <= A.x',
  ]);
});

describe('mistakes', () => {
  test.each([
    ['nobody to send to', ' to B when', ' when', 'SPW4117 D'],
    ['nobody to receive from', 'receive K(n) from B', 'receive K(n)', 'SPW4117 K'],
    ['an unknown machine', ' to B when', ' to X when', 'SPW4106 X'],
    ['itself', ' to B when', ' to A when', 'SPW4106 A'],
    ['another number of fields', 'receive D(n, b) from A', 'receive D(n) from A', 'SPW4118 D'],
    ['two parameters of one name', 'D(seq, bit)', 'D(seq, seq)', 'SPW4102 seq'],
    ['waiting and received', 'defer A in t', 'defer A in s', 'SPW4119 s'],
    ['waiting for a stranger', 'defer A in t', 'defer D in t', 'SPW4116 D'],
    ['waiting in an unknown state', 'defer A in t', 'defer A in u', 'SPW4103 u'],
    ['an unknown field', 'D.bit) <= 1', 'D.flag) <= 1', 'SPW4120 flag'],
    ['a field beyond the last', 'D.bit) <= 1', 'D.3) <= 1', 'SPW4120 3'],
    ['two fields of one type', 'D.bit) <= 1', '{D.seq, D.bit}) <= 1', 'SPW4120 (A->B, {D.seq, D.bit})'],
    ['no such channel', 'C->D: e', 'C->B: e', 'SPW4106 C'],
    ['no control state', ' D@s,', '', 'SPW4202 P'],
    ['a new name for nobody', 'with B = D', 'with D = B', 'SPW4106 D'],
  ])('%s', (_, from, to, expected) => {
    expect(mistakes(from, to)).toContain(expected);
  });

  test('too many machines', () => {
    const many = Array.from({ length: 17 }, (_, i) => `machine M${i} { states s; init s; }`).join('\n');
    const { diagnostics } = readModel(new SourceFile('t.ecfsm', many));
    expect(diagnostics.map(({ code }) => code)).toEqual(['SPW4101']);
  });
});
