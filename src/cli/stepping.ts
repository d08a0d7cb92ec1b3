// Stepping by hand: through a run under construction (simulate -i), and through a recorded one (replay -i). Both go back, jump and search.

import type { Simulation, SimulationEnd } from '../engine/language.ts';
import { clipped, findStep, momentLines, stepLine } from '../report/step-text.ts';
import type { Run } from '../verdict/run.ts';
import type { Io } from './verb.ts';

const WIDEST = 100;
const widthOf = ({ columns }: Io): number => Math.max(40, Math.min(WIDEST, columns ?? WIDEST));
const STOPPED: SimulationEnd = { kind: 'stopped' };

const SIMULATE_HELP = `  a number   take that step; Enter takes the first
  b          back one step; b 3: three steps
  j 12       to after step 12, forwards as far as steps were taken before
  /text      which of the steps taken so far say it
  v          all queues and variables
  q          stop here
`;
const REPLAY_HELP = `  Enter      the next step
  b          back one step; b 3: three steps
  j 12       to step 12; a number alone does the same
  /text      the next step that says it: a process, a statement, a variable, :LINE; / alone: again
  v          all queues and variables
  q          stop
`;

/** A letter and what follows it: `b 3`, `/text`. */
function commandOf(answer: string): { readonly name: string; readonly rest: string } {
  const text = answer.trim();
  if (text.startsWith('/')) return { name: '/', rest: text.slice(1).trim() };
  const [, name = '', rest = ''] = /^([a-z?]*)\s*(.*)$/.exec(text) ?? [];
  return { name, rest };
}

const countOf = (text: string, otherwise: number): number => (/^\d+$/.test(text) ? Number(text) : otherwise);

/** Asks for every step; going back takes the steps before once more. */
export async function stepByHand(
  begin: () => Simulation,
  io: Io,
): Promise<{ readonly run: Run; readonly end: SimulationEnd }> {
  let simulation = begin();
  /** The numbers of the choices, of which `taken` are taken; those beyond were undone. */
  let picks: number[] = [];
  let taken = 0;
  const take = (pick: number): void => {
    simulation.take(simulation.choices()[pick]!);
    taken++;
  };
  const goTo = (target: number): void => {
    const goal = Math.max(0, Math.min(picks.length, target));
    if (goal < taken) {
      simulation = begin();
      taken = 0;
    }
    while (taken < goal) take(picks[taken]!);
  };
  let everything = false;
  for (;;) {
    const end = simulation.end();
    const run = simulation.run(end ?? STOPPED);
    const choices = simulation.choices();
    show(run, run.steps.length, everything, io);
    everything = false;
    if (end !== null) io.err('nothing more can happen here\n');
    for (const [i, choice] of choices.entries())
      io.err(`${clipped(`  ${i + 1}  ${simulation.label(choice)}`, widthOf(io))}\n`);
    const asked =
      end === null ? `which one (1-${choices.length}, b back, ? help, q stop)? ` : 'b back, Enter to stop? ';
    const answer = await io.ask(asked);
    if (answer === null || answer.trim() === 'q') return { run, end: end ?? STOPPED };
    const { name, rest } = commandOf(answer);
    if (name === 'b') goTo(taken - countOf(rest, 1));
    else if (name === 'j') goTo(countOf(rest, taken));
    else if (name === 'v') everything = true;
    else if (name === '?' || name === 'h') io.err(SIMULATE_HELP);
    else if (name === '/') found(run, rest, io);
    else if (end !== null && answer.trim() === '') return { run, end };
    else {
      const pick = answer.trim() === '' ? 0 : Number(answer) - 1;
      if (choices[pick] === undefined)
        io.err(`a number from 1 to ${choices.length}, please; ? shows what else there is\n`);
      else {
        picks = [...picks.slice(0, taken), pick];
        take(pick);
      }
    }
  }
}

function found(run: Run, text: string, io: Io): void {
  const hits: number[] = [];
  for (let from = 0; from < run.steps.length; ) {
    const hit = findStep(run, from, text);
    if (hit === null || hit < from) break;
    hits.push(hit);
    from = hit + 1;
  }
  for (const hit of hits) io.err(`${stepLine(run, hit, widthOf(io))}\n`);
  if (hits.length === 0) io.err(`no step so far says '${text}'\n`);
}

function show(run: Run, taken: number, everything: boolean, io: Io): void {
  const columns = widthOf(io);
  io.err(`${taken === 0 ? 'before the first step' : `step ${stepLine(run, taken - 1, columns)}`}\n`);
  for (const line of momentLines(run, taken, { columns, everything })) io.err(`${line}\n`);
}

/** Through a recorded run, forwards and back. */
export async function stepThrough(run: Run, io: Io): Promise<void> {
  const { length } = run.steps;
  const columns = widthOf(io);
  let taken = Math.min(1, length);
  let everything = false;
  let wanted = '';
  while (length > 0) {
    if (run.loopStart !== null && taken === run.loopStart + 1)
      io.out('── from here on, again and again ──\n');
    io.out(`${stepLine(run, taken - 1, columns)}\n`);
    for (const line of momentLines(run, taken, { columns, everything })) io.out(`${line}\n`);
    everything = false;
    const answer = await io.ask(
      taken === length ? 'the end; b back, q to stop ' : 'Enter for the next step, ? for help, q to stop ',
    );
    if (answer === null) return;
    const { name, rest } = commandOf(answer);
    const go = (target: number): void => {
      taken = Math.max(1, Math.min(length, target));
    };
    if (name === 'q') return;
    if (name === '' && rest === '' && taken === length) return;
    if (name === '') go(countOf(rest, taken + 1));
    else if (name === 'b') go(taken - countOf(rest, 1));
    else if (name === 'j') go(countOf(rest, taken));
    else if (name === 'v') everything = true;
    else if (name === '/') {
      wanted = rest === '' ? wanted : rest;
      const hit = findStep(run, taken, wanted);
      if (hit === null) io.out(`no step says '${wanted}'\n`);
      else go(hit + 1);
    } else io.out(REPLAY_HELP);
  }
}
