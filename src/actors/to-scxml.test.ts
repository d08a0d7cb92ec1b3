// Shapes as SCXML: what is written is read again by our own reader without an error, and what is lost is said.

import { expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { readChart } from '../scxml/read-chart.ts';
import { SourceFile } from '../source/source.ts';
import { exploreMachine } from '../xstate/host/rounds.ts';
import { EXAMPLES } from '../xstate/machines.fuzz.ts';
import { toScxml } from './to-scxml.ts';

const converted = (machine: object, name = 'm') => {
  const explored = exploreMachine({ name, logic: machine as never });
  if (!explored.ok) throw new Error(explored.limit);
  return toScxml(explored.system);
};

test('delays are timers, guards are variables, each loss is said', () => {
  const { text, losses } = converted(
    createMachine({
      id: 'm',
      initial: 'a',
      states: {
        a: { after: { 500: 'b' }, on: { GO: { target: 'b', guard: 'isReady', actions: 'note' } } },
        b: {
          type: 'parallel',
          states: { x: {}, y: {} },
          onDone: 'a',
          always: { target: 'a', guard: 'isReady' },
        },
      },
      on: { RESET: '.a' },
    }),
  );
  expect(text).toContain('<onentry><send event="after.500.a" id="after.500.a" delay="500ms"/></onentry>');
  expect(text).toContain('<onexit><cancel sendid="after.500.a"/></onexit>');
  expect(text).toContain('<transition event="after.500.a" target="b"/>');
  expect(text).toContain('<data id="isReady" expr="true"/>');
  expect(text).toContain('<transition event="RESET" target="a"/>');
  expect(losses).toEqual([
    "m: the guard 'isReady' on GO of a is a variable of the data model, true at first",
    "m: the action 'note' on GO of a is a comment",
    "m: the guard 'isReady' on always of b is a variable of the data model, true at first",
  ]);
});

test.each(EXAMPLES.filter(({ name }) => !['spawner', 'sameTimers'].includes(name)))(
  '$name is well formed',
  ({ name, machine }) => {
    for (const document of converted(machine, name).text.split(/(?=<scxml )/)) {
      const { problems } = readChart(new SourceFile('a.scxml', document), () => null);
      expect(problems.list.map(({ message }) => message)).toEqual([]);
    }
  },
);
