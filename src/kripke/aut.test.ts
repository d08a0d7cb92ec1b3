// .aut files as people and tools write them: whatever the blanks and quotes, the same structure is read.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceFile } from '../source/source.ts';
import { parseAut } from './aut.ts';
import type { Kripke } from './structure.ts';
import { eachEdge } from './structure.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 100);

const read = (text: string): Kripke | null => parseAut(new SourceFile('m.aut', text), 'm', []);

const edgesOf = (structure: Kripke): string[] =>
  structure.stateNames.flatMap((_, state) => {
    const own: string[] = [];
    eachEdge(structure, state, (event, target) => own.push(`${state} ${structure.events[event]} ${target}`));
    return own;
  });

type Transition = readonly [source: number, label: string, target: number];

/** Ways to write a transition; the last ones only where the label needs no quotes. */
const WAYS: readonly ((t: Transition) => string)[] = [
  ([s, a, t]) => `(${s}, "${escaped(a)}", ${t})`,
  ([s, a, t]) => `(${s},"${escaped(a)}",${t})`,
  ([s, a, t]) => `  ( ${s} ,  "${escaped(a)}" , ${t} )  \r`,
  ([s, a, t]) => `\n(${s}, "${[...a].map((c) => `\\${c}`).join('')}", ${t})`,
  ([s, a, t]) => `(${s},${a},${t})`,
  ([s, a, t]) => `(${s}, ${a} , ${t})\t`,
];
const escaped = (label: string): string => label.replace(/["\\]/g, '\\$&');

const label = fc.oneof(
  fc.constantFrom('a', 'b', 'i', 'tau', 'm.i', 'send !1', 'x,y', 'quo"te', 'back\\slash', '(', 'é', 'a.b[1]'),
  fc.string({ minLength: 1, maxLength: 4 }).filter((text) => text.trim() === text && !/[\n\r]/.test(text)),
);

test('every way to write a transition reads as the same', () => {
  const line = fc.tuple(fc.nat(5), label, fc.nat(5), fc.nat(WAYS.length - 1));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const header = `des (0, ${lines.length}, 6)`;
      const written = (way: (t: Transition, chosen: number) => string): string =>
        [header, ...lines.map(([s, a, t, chosen]) => way([s, a, t], chosen))].join('\n');
      const plain = read(written((t) => WAYS[0]!(t)));
      const mixed = read(written((t, chosen) => WAYS[/[\s",\\]/.test(t[1]) ? chosen % 4 : chosen]!(t)));
      const meant = lines.map(([s, a, t]) => `${s} ${a === 'i' || a === 'tau' ? `m.${a}` : a} ${t}`);
      expect(new Set(edgesOf(plain!))).toEqual(new Set(meant));
      expect(edgesOf(plain!).length).toBe(new Set(meant).size);
      expect(mixed).toEqual(plain);
      expect(new Set(plain!.events).size).toBe(plain!.events.length);
    }),
    { numRuns: RUNS, seed: 20773 },
  );
});

test('states with many edges and many labels are packed in order', () => {
  const lines = Array.from({ length: 600 }, (_, i) => `(0, "l${(i * 7919) % 300}", ${(i * 31) % 7})`);
  const structure = read(`des (0, ${lines.length}, 7)\n${lines.join('\n')}\n`)!;
  const { first, event, target } = structure.edges;
  expect(first[1]).toBe(event.length);
  for (let i = 1; i < event.length; i++)
    expect(event[i - 1]! * 7 + target[i - 1]!).toBeLessThan(event[i]! * 7 + target[i]!);
});
