// Runs: a counterexample step by step, simulations at random or by choices, and whether a run is still possible in a changed model.

import { replay as replayRun, simulate as simulateModel } from '../api/api.ts';
import type { Runnable, SimulationEnd } from '../engine/language.ts';
import { blockageLines } from '../report/blocked-text.ts';
import { momentLines, stepLine } from '../report/step-text.ts';
import { type Diagnostic, hasErrors, render } from '../source/diagnostic.ts';
import { findRun } from '../verdict/find-run.ts';
import type { Run } from '../verdict/run.ts';
import { type Call, Refusal, type ValueSchema } from './schema.ts';
import { shortened, type Tool } from './tool.ts';
import { MODEL_ARGUMENTS, type Workspace } from './workspace.ts';

const COLUMNS = 100;
const STEPS_SHOWN = 20;
const MOST_STEPS = 5000;
const LONGEST_RUN = 100_000;

/** Where a run comes from. */
const RUN_ARGUMENTS = {
  report: { type: 'integer', minimum: 1, description: 'number of a report of this session' },
  property: { type: 'string', description: 'whose run; default: the first that is refuted' },
  file: {
    type: 'string',
    description: 'instead of a report: a JSON file with a run, or a report of `spillway check`',
  },
} as const satisfies Record<string, ValueSchema>;

function runNamed(call: Call, workspace: Workspace): Run {
  const file = call.text('file');
  const report = call.number('report') ?? workspace.reports().at(-1)?.number;
  if (file !== undefined) {
    const run = findRun(workspace.document(file));
    if (run === null) throw new Refusal(`${file}: no run in it`);
    if (run.steps.length > LONGEST_RUN)
      throw new Refusal(`${file}: the run has more than ${LONGEST_RUN} steps`);
    return run;
  }
  if (report === undefined) throw new Refusal('there is no report yet: call check first, or name a file');
  return workspace.runOf(report, call.text('property'));
}

export const showRun: Tool = {
  name: 'show_run',
  title: 'Show a run',
  description:
    'The steps of a counterexample, with queues and variables at one moment. Shows the end first (that is where it goes wrong); from and to choose other steps, state the moment.',
  schema: {
    type: 'object',
    properties: {
      ...RUN_ARGUMENTS,
      from: { type: 'integer', minimum: 1, description: 'first step to show' },
      to: { type: 'integer', minimum: 1, description: 'last step to show' },
      state: {
        type: 'integer',
        minimum: 0,
        description: 'queues and variables after this step; default: after the last one shown',
      },
    },
    additionalProperties: false,
  },
  run: async (call, workspace) => {
    const run = runNamed(call, workspace);
    const { length } = run.steps;
    const to = Math.min(length, call.number('to') ?? (call.number('from') ?? 0) + STEPS_SHOWN - 1, length);
    const last = call.number('from') === undefined && call.number('to') === undefined ? length : to;
    const from = Math.max(1, call.number('from') ?? last - STEPS_SHOWN + 1);
    const state = Math.min(length, call.number('state') ?? last);
    const text = [
      `${run.title}; ${length} steps${run.loopStart === null ? '' : `, from step ${run.loopStart + 1} on again and again`}`,
      ...stepLines(run, from, last),
      state === 0 ? 'before the first step:' : `after step ${state}:`,
      ...momentLines(run, state, { columns: COLUMNS, everything: true }),
      ...endLines(run, last),
    ].join('\n');
    return {
      text: shortened(text, 'give from and to for fewer steps'),
      data: { steps: length, from, to: last, loopStart: run.loopStart },
    };
  },
};

const stepLines = (run: Run, from: number, to: number): string[] =>
  run.steps.slice(from - 1, to).map((_, i) => stepLine(run, from - 1 + i, COLUMNS));

function endLines(run: Run, shownTo: number): string[] {
  if (shownTo < run.steps.length) return [`… ${run.steps.length - shownTo} further steps`];
  return [
    ...(run.growth ?? []).map(({ queue, perRound }) => `each round leaves ${perRound} more in ${queue}`),
    ...(run.blocked === undefined ? [] : blockageLines(run.blocked)),
  ];
}

export const simulate: Tool = {
  name: 'simulate',
  title: 'Simulate a model',
  description:
    'One run of a model: at random (the same seed gives the same run), or by your choices: give the numbers of the choices so far, and get what can happen next.',
  schema: {
    type: 'object',
    properties: {
      ...MODEL_ARGUMENTS,
      seed: { type: 'integer', minimum: 0, description: 'which random run (default 1)' },
      steps: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_STEPS,
        description: 'stop after so many steps (default 100)',
      },
      choices: {
        type: 'array',
        items: { type: 'integer' },
        description:
          'instead of at random: take these choices, counted from 1, one after the other ([] shows the first ones)',
      },
      unlimited: { type: 'boolean', description: 'channels never fill up' },
    },
    required: ['model'],
    additionalProperties: false,
  },
  run: async (call, workspace) => {
    const input = workspace.input(call);
    const loaded = await simulateModel({ ...input, unlimited: call.flag('unlimited') });
    refuse(loaded.diagnostics);
    if (loaded.model === null) throw new Refusal('models in this language cannot be run');
    const isByHand = call.has('choices');
    const { run, end, next } = isByHand
      ? byChoices(loaded.model, call.numbers('choices'))
      : atRandom(loaded.model, call);
    const bad = loaded.model.isBad(end);
    const { length } = run.steps;
    const text = [
      `${run.title} after ${length} steps`,
      ...stepLines(run, Math.max(1, length - STEPS_SHOWN + 1), length),
      ...momentLines(run, length, { columns: COLUMNS, everything: true }),
      ...endLines(run, length),
      ...(next === null
        ? []
        : next.length === 0
          ? ['nothing more can happen']
          : ['next:', ...next.map((label, i) => `  ${i + 1}  ${label}`)]),
    ].join('\n');
    return {
      text: shortened(text, 'give fewer steps'),
      data: { steps: length, end: end.kind, bad, ...(next === null ? {} : { choices: next }) },
    };
  },
};

interface Simulated {
  readonly run: Run;
  readonly end: SimulationEnd;
  /** Null for random runs. */
  readonly next: readonly string[] | null;
}

const atRandom = (model: Runnable, call: Call): Simulated => ({
  ...model.random(call.number('seed') ?? 1, call.number('steps') ?? 100),
  next: null,
});

function byChoices(model: Runnable, picks: readonly number[]): Simulated {
  if (picks.length > MOST_STEPS) throw new Refusal(`at most ${MOST_STEPS} choices`);
  const simulation = model.begin();
  for (const [i, pick] of picks.entries()) {
    const choices = simulation.choices();
    const chosen = choices[pick - 1];
    if (chosen === undefined)
      throw new Refusal(
        `choice ${i + 1} is ${pick}, but there ${choices.length === 1 ? 'is only 1' : `are ${choices.length}`} at that point`,
      );
    simulation.take(chosen);
  }
  const end = simulation.end() ?? { kind: 'open' };
  const next = simulation.choices().map((choice) => simulation.label(choice));
  return { run: simulation.run(end), end, next };
}

export const replay: Tool = {
  name: 'replay',
  title: 'Take a run again',
  description:
    'Takes a recorded run again on a model, every step on its real semantics. Use it after a change: is the counterexample still possible, and does it still go wrong?',
  schema: {
    type: 'object',
    properties: { ...MODEL_ARGUMENTS, ...RUN_ARGUMENTS },
    required: ['model'],
    additionalProperties: false,
  },
  run: async (call, workspace) => {
    const recorded = runNamed(call, workspace);
    const loaded = await replayRun({ ...workspace.input(call), run: recorded });
    refuse(loaded.diagnostics);
    if (loaded.model === null) throw new Refusal('models in this language are not run again');
    const { run, failedAt, refused } = loaded.model;
    const other = run.steps.findIndex((step, i) => step.text !== recorded.steps[i]?.text);
    const possible = failedAt === null && other < 0;
    const said = possible
      ? refused === undefined
        ? `the model still allows the whole run, and it still shows: ${recorded.title}`
        : `every step is possible, but the run does not show any more that ${recorded.title}: ${refused}`
      : other >= 0 && (failedAt === null || other < failedAt)
        ? `the run is of another model: step ${other + 1} was '${recorded.steps[other]?.text}', here it is '${run.steps[other]!.text}'`
        : `the run is not possible any more: step ${failedAt! + 1} (${recorded.steps[failedAt!]?.text}) cannot be taken`;
    const reached = possible ? run.steps.length : Math.min(run.steps.length, failedAt ?? run.steps.length);
    const text = [said, ...stepLines(run, Math.max(1, reached - 4), reached), ...endLines(run, reached)].join(
      '\n',
    );
    return {
      text: shortened(text, 'show_run has the recorded run'),
      data: { possible, shown: possible && refused === undefined, failedAt },
    };
  },
};

function refuse(diagnostics: readonly Diagnostic[]): void {
  if (!hasErrors(diagnostics)) return;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new Refusal(`the model has errors\n${errors.slice(0, 8).map(render).join('\n')}`);
}
