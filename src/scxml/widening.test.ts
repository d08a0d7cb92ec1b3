// Counters without end that conditions ask; what invoked charts still send when they are taken down.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';

const files = (texts: Record<string, string>) => ({ read: (path: string) => texts[path] ?? null });

async function verdicts(
  text: string,
  properties: readonly string[],
  scheduler = 'distributed',
  others: Record<string, string> = {},
) {
  const report = await checkModel({
    paths: [Object.keys(others)[0] ?? 'a.scxml'],
    files: files({ 'a.scxml': text, ...others }),
    properties,
    options: { scheduler: scheduler as never },
    budget: { ...UNLIMITED, maxStates: 400 },
    observer: SILENT,
  });
  expect(report.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return report.properties.map(({ id, verdict, notes, reason }) => ({ id, verdict, notes, reason }));
}

const chart = (data: string, states: string): string =>
  `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="c"><datamodel>${data}</datamodel>${states}</scxml>`;

test('a counter without end that a condition asks', async () => {
  const text = chart(
    '<data id="n" expr="0"/><data id="sum" expr="0"/>',
    `<state id="a"><transition event="go" cond="n % 7 != 3" target="b"><assign location="n" expr="n + 1"/><assign location="sum" expr="sum + n"/></transition>
     <transition event="go" target="b"><assign location="n" expr="n + 2"/></transition></state>
     <state id="b"><transition event="back" target="a"/></state>`,
  );
  const [bounded, deadlock, livelock] = await verdicts(text, ['bounded', 'deadlock-free', 'livelock-free']);
  expect([bounded!.verdict, deadlock!.verdict, livelock!.verdict]).toEqual(['proved', 'proved', 'proved']);
  expect((deadlock!.notes ?? []).map(({ message }) => message)).toContain(
    'widened: n of c takes too many values to be told apart: it may be anything',
  );
});

test('what only some value of the counter does is refuted with the real values, or not at all', async () => {
  const never = chart(
    '<data id="n" expr="0"/>',
    `<state id="a"><transition event="go" cond="n &gt;= 0"><assign location="n" expr="n + 1"/></transition><transition event="go" target="stuck"/></state>
     <state id="stuck"><onentry><send event="nobody" target="#_scxml_nobody"/></onentry><transition event="x.y" cond="false"/></state>`,
  );
  const [stuck] = await verdicts(never, ['reachable']);
  expect(stuck!.verdict).not.toBe('proved');
  const soon = chart(
    '<data id="n" expr="0"/>',
    `<state id="a"><onentry><raise event="tick"/></onentry><transition event="tick" cond="n &lt; 3" target="a"><assign location="n" expr="n + 1"/></transition>
     <transition event="tick" target="b"/></state><state id="b"/>`,
  );
  expect((await verdicts(soon, ['livelock-free']))[0]!.verdict).toBe('proved');
});

test('a counter that is sent, or may throw, is not widened', async () => {
  const sent = chart(
    '<data id="n" expr="0"/>',
    `<state id="a"><transition event="go"><assign location="n" expr="n + 1"/><send event="told"><param name="n" expr="n"/></send></transition><transition event="told"/></state>`,
  );
  expect((await verdicts(sent, ['deadlock-free']))[0]!.verdict).toBe('unknown');
});

const PARENT = (handler: string): string =>
  chart(
    '',
    `<state id="on"><invoke id="child"><content><scxml version="1.0" name="child" datamodel="null"><state id="s"><onexit>${handler}</onexit><transition event="never"/></state></scxml></content></invoke>
     <transition event="off" target="off"/></state>
     <state id="off"><transition event="bye" target="said"/></state><state id="said"/>`,
  );
const LOG = chart(
  '',
  '<state id="quiet"><transition event="bye" target="heard"/></state><state id="heard"/>',
);
const SYSTEM = { instances: { c: { chart: 'a.scxml' }, log: { chart: 'log.scxml' } } };

test('an invoked chart that is taken down still says its last word to others', async () => {
  const others = { 'a.system.json': JSON.stringify(SYSTEM), 'log.scxml': LOG };
  const unreached = async (handler: string, scheduler: string): Promise<string[]> => {
    const [reachable] = await verdicts(PARENT(handler), ['reachable'], scheduler, others);
    return (reachable!.notes ?? [])
      .map(({ message }) => message)
      .filter((message) => /said|heard/.test(message));
  };
  for (const scheduler of ['in-process', 'distributed']) {
    const told = await unreached('<send event="bye" target="#_scxml_log"/>', scheduler);
    expect(told).toEqual(['no run reaches the state said of c']);
    // To its parent it must not get through, whatever it calls it.
    for (const target of ['#_parent', '#_scxml_c'])
      expect((await unreached(`<send event="bye" target="${target}"/>`, scheduler)).sort()).toEqual([
        'no run reaches the state heard of c (2)',
        'no run reaches the state said of c',
      ]);
  }
});
