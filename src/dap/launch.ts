// From a launch configuration to what is walked along: the model is checked and its counterexample taken again, a recorded run is taken
// again, or a simulation begins. docs/debugging.md describes the configuration.

import { check, type ModelInput, replay, simulate } from '../api/api.ts';
import type { Replayed } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import { type Diagnostic, hasErrors, render, renderPlaced } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { findRun } from '../verdict/find-run.ts';
import type { Run } from '../verdict/run.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { type Arguments, DapError } from './protocol.ts';
import { recordedTrace, SimulatedTrace, type Trace } from './trace.ts';

/** What the session is given by whoever starts it. */
export interface DapHost {
  readonly files: FileSystem;
  /** Absolute: where relative paths start. */
  readonly folder: string;
  readonly threads: number | undefined;
}

export interface Launch {
  readonly mode: 'counterexample' | 'replay' | 'simulate';
  readonly input: ModelInput;
  readonly property: string | null;
  readonly runFile: string | null;
  readonly seed: number;
  readonly unlimited: boolean;
  /** How far `continue` goes in a simulation that meets no breakpoint. */
  readonly steps: number;
  /** Where the session begins: at the start of the run, or at its end. */
  readonly startAt: 'start' | 'end';
  readonly stopOnEntry: boolean;
}

const MODES = ['counterexample', 'replay', 'simulate'] as const;
const DEFAULT_STEPS = 1000;

export function readLaunch(args: Arguments, { files, folder }: DapHost): Launch {
  const cwd = text(args, 'cwd') ?? folder;
  const absolute = (path: string): string =>
    path.startsWith('/') || /^[A-Za-z]:/.test(path) ? path : `${cwd}/${path}`;
  const paths = list(args, 'program').map(absolute);
  if (paths.length === 0) throw new DapError('launch: "program" names the model', true);
  const missing = paths.find((path) => files.read(path) === null);
  if (missing !== undefined) throw new DapError(`${missing}: no such file, or not readable`, true);
  const run = text(args, 'run');
  const mode = MODES.find(
    (one) => one === (text(args, 'mode') ?? (run === null ? 'counterexample' : 'replay')),
  );
  if (mode === undefined) throw new DapError(`launch: "mode" is one of ${MODES.join(', ')}`, true);
  if (mode === 'replay' && run === null) throw new DapError('launch: "run" names the file of the run', true);
  const options: CheckOptions = {
    defines: list(args, 'defines'),
    includes: list(args, 'includes').map(absolute),
    ...(paths.length > 1 ? { compose: true } : {}),
  };
  const language = text(args, 'language');
  return {
    mode,
    input: {
      model: paths,
      files,
      options,
      limits: { timeout: count(args, 'timeout', 60) },
      ...(language === null ? {} : { language }),
    },
    property: text(args, 'property'),
    runFile: run === null ? null : absolute(run),
    seed: count(args, 'seed', 1),
    unlimited: args['unlimited'] === true,
    steps: Math.max(1, count(args, 'steps', DEFAULT_STEPS)),
    startAt: text(args, 'startAt') === 'end' ? 'end' : 'start',
    stopOnEntry: args['stopOnEntry'] !== false,
  };
}

function text(args: Arguments, key: string): string | null {
  const value = args[key] ?? null;
  if (value === null || typeof value === 'string') return value === '' ? null : value;
  throw new DapError(`launch: "${key}" is a text`, true);
}

function list(args: Arguments, key: string): readonly string[] {
  const value = args[key] ?? [];
  const all = Array.isArray(value) ? value : [value];
  if (all.every((one) => typeof one === 'string' && one !== '')) return all;
  throw new DapError(`launch: "${key}" is a text or a list of texts`, true);
}

function count(args: Arguments, key: string, otherwise: number): number {
  const value = args[key] ?? otherwise;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new DapError(`launch: "${key}" is a whole number`, true);
}

export interface Started {
  readonly trace: Trace;
  /** What the user should know, a line each. */
  readonly notes: readonly string[];
}

export async function startTrace(
  launch: Launch,
  { files, threads }: DapHost,
  signal: AbortSignal,
): Promise<Started> {
  if (launch.mode === 'simulate') return startSimulation(launch);
  const recorded =
    launch.mode === 'replay'
      ? recordedRun(files, launch.runFile!, launch.property)
      : await counterexample(launch, threads, signal);
  return again(launch, recorded);
}

async function startSimulation({ input, unlimited, seed }: Launch): Promise<Started> {
  const loaded = await simulate({ ...input, unlimited });
  refuse(loaded.diagnostics);
  if (loaded.model === null) throw new DapError('models in this language cannot be run', true);
  return { trace: new SimulatedTrace(loaded.model, seed), notes: [] };
}

/** The model may have changed since, or the file may be of another one: every step is taken again. */
async function again({ input }: Launch, run: Run): Promise<Started> {
  const loaded = await replay({ ...input, run });
  refuse(loaded.diagnostics);
  const { model } = loaded;
  if (model === null)
    return {
      trace: recordedTrace({ run, failedAt: null }),
      notes: ['Models in this language are not run again: the run is shown as it was recorded.'],
    };
  return { trace: recordedTrace(model), notes: doubts(model, run) };
}

function doubts({ failedAt, refused }: Replayed, recorded: Run): string[] {
  if (failedAt !== null)
    return [
      `Step ${failedAt + 1} (${recorded.steps[failedAt]?.text}) is not possible in this model: the run ends before it.`,
    ];
  return refused === undefined ? [] : [`The run does not show what it says (${recorded.title}): ${refused}.`];
}

function recordedRun(files: FileSystem, path: string, property: string | null): Run {
  const content = files.read(path);
  if (content === null) throw new DapError(`${path}: no such file, or not readable`, true);
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    throw new DapError(`${path}: not JSON`, true);
  }
  const run = findRun(property === null ? document : (partOf(document, property) ?? document));
  if (run === null)
    throw new DapError(`${path}: no run in it (a report has one where a property is refuted)`, true);
  return run;
}

/** The property of that name in a report. */
function partOf(document: unknown, property: string): unknown {
  if (typeof document !== 'object' || document === null) return null;
  if ((document as { id?: unknown }).id === property) return document;
  for (const value of Object.values(document)) {
    const found = partOf(value, property);
    if (found !== null) return found;
  }
  return null;
}

/** The first counterexample ends the check: nobody waits here for the other verdicts. */
async function counterexample(
  { input, property }: Launch,
  threads: number | undefined,
  signal: AbortSignal,
): Promise<Run> {
  const enough = new AbortController();
  signal.addEventListener('abort', () => enough.abort());
  let found: Run | null = null;
  const report = await check({
    ...input,
    ...(property === null ? {} : { properties: [property] }),
    ...(threads === undefined ? {} : { threads }),
    signal: enough.signal,
    onEvent: (event) => {
      if (event.kind !== 'verdict' || event.result.verdict !== 'refuted') return;
      found ??= event.result.evidence.run;
      enough.abort();
    },
  });
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DapError(errors.map(renderPlaced).join('\n'), true);
  if (signal.aborted) throw new DapError('the check was stopped');
  if (found === null) throw new DapError(nothingRefuted(report), true);
  return found;
}

function nothingRefuted({ properties }: ModelReport): string {
  const verdicts = properties.map(({ id, verdict, reason }) =>
    verdict === 'unknown' ? `${id} is not known (${reason})` : `${id} is proved`,
  );
  const said = verdicts.length === 0 ? 'there is nothing to check' : verdicts.join(', ');
  return `There is no counterexample: ${said}. With "mode": "simulate" the model can be run.`;
}

function refuse(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics))
    throw new DapError(
      diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(render)
        .join('\n'),
      true,
    );
}
