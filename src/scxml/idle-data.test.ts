import { expect, test } from 'vitest';
import { SourceFile } from '../source/source.ts';
import { forget, idleVariables } from './idle-data.ts';
import { readChart } from './read-chart.ts';

const idle = (data: string, content: string, given: readonly string[] = []): string[] => {
  const text = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel>${data}</datamodel><state id="s">${content}</state></scxml>`;
  const { chart, problems } = readChart(new SourceFile('a.scxml', text), () => null);
  expect(problems.list).toEqual([]);
  return [...idleVariables(chart!, new Set(given))].sort();
};

const COUNT = '<data id="n" expr="0"/>';
const assign = (location: string, expr: string) => `<assign location="${location}" expr="${expr}"/>`;
const on = (actions: string, cond = '') => `<transition event="e" ${cond}>${actions}</transition>`;

test.each([
  ['a counter nobody reads', COUNT, on(assign('n', 'n + 1')), ['n']],
  ['one that is logged', COUNT, on(`${assign('n', 'n + 1')}<log expr="n"/>`), ['n']],
  ['one that a condition reads', COUNT, on(assign('n', 'n + 1'), 'cond="n &lt; 3"'), []],
  [
    'one that decides through another',
    `${COUNT}<data id="m" expr="0"/>`,
    on(assign('n', 'n + 1') + assign('m', 'n'), 'cond="m"'),
    [],
  ],
  [
    'two that feed each other',
    `${COUNT}<data id="m" expr="0"/>`,
    on(assign('n', 'm + 1') + assign('m', 'n')),
    ['m', 'n'],
  ],
  [
    'one that is sent',
    COUNT,
    on(`${assign('n', 'n + 1')}<send event="x"><param name="n" expr="n"/></send>`),
    [],
  ],
  ['one that is sent by name', COUNT, on(`${assign('n', 'n + 1')}<send event="x" namelist="n"/>`), []],
  ['one whose assignment can throw', COUNT, on(assign('n', 'n.length')), []],
  ['one that takes what may be an object', `${COUNT}<data id="o" expr="{}"/>`, on(assign('n', 'o')), []],
  ['one with a big number', COUNT, on(assign('n', 'n + 1n')), []],
  ['one that a script touches', COUNT, on('<script>n++</script>'), []],
  ['one that an id is stored in', COUNT, on('<send event="x" idlocation="n"/>'), []],
  ['one that a loop writes', COUNT, on('<foreach array="[1]" item="n"/>'), []],
  ['one that may be reached by eval', COUNT, on(`${assign('n', 'n + 1')}<script>eval('x')</script>`), []],
])('%s', (_, data, content, expected) => {
  expect(idle(data, content)).toEqual(expected);
});

test('one that is given from outside', () => {
  expect(idle(COUNT, on(assign('n', 'n + 1')), ['n'])).toEqual([]);
});

test('forgetting keeps the rest', () => {
  expect(forget('["O","a",1,"n",["a",2]]', new Set(['n']))).toBe('["O","a",1,"n",["u"]]');
});
