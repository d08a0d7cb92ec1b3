import { expect, test } from 'vitest';
import { writePnml } from '../petri/write-pnml.ts';
import { programOf } from '../promela/testing.ts';
import { buildNet } from './build.ts';
import { plainNet } from './petri.ts';

const pnml = (text: string): string =>
  writePnml(plainNet(buildNet(programOf(text)).net, { name: 'model' }).petri);
const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

test('locations and message types are places, statements are transitions', () => {
  const text = pnml('chan q = [1] of { bit }; active [2] proctype p() { q!1 } active proctype c() { q?1 }');
  expect(count(text, /<place /g)).toBe(5);
  expect(count(text, /<transition /g)).toBe(2);
  expect(count(text, /<arc /g)).toBe(6);
  expect(text).toContain('<name><text>p@s0</text></name><initialMarking><text>2</text></initialMarking>');
});

test('a rendezvous is one transition of both sides', () => {
  const text = pnml(`
    chan r = [0] of { bit };
    active proctype p() { r!1 }
    active proctype a() { r?1 }
    active proctype b() { r?1 }
  `);
  expect(count(text, /<transition /g)).toBe(2);
  expect(text).toContain('p: r!1 / a: r?1');
});

test('a started process is a token in its initial location; markup in texts is escaped', () => {
  const text = pnml('proctype w() { skip } init { byte i; do :: i < 2 -> run w(); i++ :: else -> break od }');
  expect(text).toContain('i &lt; 2');
  expect(count(text, /<place /g)).toBeGreaterThan(4);
});
