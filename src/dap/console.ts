// What can be typed into the debug console beside expressions.

import { blockageLines } from '../report/blocked-text.ts';
import { findStep, stepLine } from '../report/step-text.ts';
import type { Stop, Walk } from './walk.ts';

const CONSOLE_HELP = `an expression: x, a[i], client[0].tries, len(q) > 2, q[0]
choices        what can happen here (simulations)
take N         let that happen
goto N         to after step N
find TEXT      the next step that says it: a process, a statement, a variable, :LINE
steps          the steps around here
blocked        who waits for what at the end of the run`;

const WIDTH = 100;
const AROUND = 6;

export interface Said {
  readonly text: string;
  /** The walk has moved. */
  readonly stop?: Stop;
}

/** Null when it is no command. */
export function command(line: string, walk: Walk): Said | null {
  const [, name = '', rest = ''] = /^([a-z]+|\?)\s*(.*)$/.exec(line.trim()) ?? [];
  const { trace } = walk;
  switch (name) {
    case 'help':
    case '?':
      return { text: CONSOLE_HELP };
    case 'choices':
      return rest === '' ? { text: choicesText(walk) } : null;
    case 'take':
      return /^\d+$/.test(rest) ? take(walk, Number(rest)) : null;
    case 'goto':
      return /^\d+$/.test(rest) ? { text: '', stop: walk.goTo(Number(rest)) } : null;
    case 'find':
      return rest === '' ? null : find(walk, rest);
    case 'steps':
      return rest === '' ? { text: stepsText(walk) } : null;
    case 'blocked': {
      if (rest !== '') return null;
      const { blocked } = trace.run;
      return {
        text: blocked === undefined ? 'nothing is known to be blocked' : blockageLines(blocked).join('\n'),
      };
    }
    default:
      return null;
  }
}

function choicesText({ trace, moment }: Walk): string {
  if (trace.simulation === null) return 'a recorded run has no choices: "mode": "simulate" has';
  const choices = trace.simulation.choices(moment);
  if (choices.length === 0) return 'nothing more can happen here';
  return choices.map(({ label, proposed }, i) => `${proposed ? '>' : ' '} ${i + 1}  ${label}`).join('\n');
}

function take(walk: Walk, number: number): Said {
  const { trace, moment } = walk;
  if (trace.simulation === null) return { text: 'a recorded run has no choices: "mode": "simulate" has' };
  if (!trace.simulation.choose(moment, number - 1))
    return { text: `there is no choice ${number} here: 'choices' lists them` };
  walk.moments.forgetAfter(moment);
  return { text: '', stop: walk.stepOnce() };
}

function find(walk: Walk, text: string): Said {
  const { run } = walk.trace;
  const found =
    run.steps.length === 0 ? null : findStep(run, Math.min(walk.moment, run.steps.length - 1), text);
  if (found === null) return { text: `no step says '${text}'` };
  return { text: stepLine(run, found, WIDTH), stop: walk.goTo(found + 1) };
}

function stepsText({ trace, moment }: Walk): string {
  const { steps } = trace.run;
  if (steps.length === 0) return 'the run has no steps';
  const from = Math.max(0, moment - AROUND);
  return steps
    .slice(from, moment + AROUND)
    .map((_, i) => `${from + i + 1 === moment ? '>' : ' '} ${stepLine(trace.run, from + i, WIDTH)}`)
    .join('\n');
}
