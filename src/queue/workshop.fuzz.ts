// What the tests of the queue share: workers in processes of their own, models by name, checks by one process and through the queue.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Limits, type Observer, SILENT, startBudget } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { openQueue } from './elsewhere.ts';

/** Texts by path. */
export type Models = ReadonlyMap<string, string>;

const clock: Observer = { ...SILENT, now: () => performance.now() };
const PATIENCE = 3_600_000;

export class Workers {
  private readonly processes = new Set<ChildProcess>();
  private readonly command: readonly string[];
  private readonly environment: NodeJS.ProcessEnv;

  constructor(bundle: string, url: string, environment: NodeJS.ProcessEnv = {}, jobs = 1) {
    this.command = [join(bundle, 'cli.js'), 'worker', '--queue', url, '--jobs', String(jobs)];
    this.environment = environment;
  }

  /** Ready for questions when this is done. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, this.command, {
      env: { ...process.env, ...this.environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.processes.add(child);
    child.once('exit', () => this.processes.delete(child));
    await new Promise((resolve) => {
      child.stdout.on('data', resolve);
      child.once('exit', resolve);
    });
  }

  pids(): number[] {
    return [...this.processes].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  get count(): number {
    return this.processes.size;
  }

  /** Without a chance to say goodbye. */
  killOne(which: number): void {
    [...this.processes][which % this.processes.size]?.kill('SIGKILL');
  }

  async end(): Promise<void> {
    const gone = [...this.processes].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.processes) child.kill('SIGKILL');
    await Promise.all(gone);
  }
}

export interface Asked {
  readonly limits?: Limits;
  readonly secret?: string;
  readonly signal?: AbortSignal;
  readonly isFresh?: boolean;
  readonly swarm?: number;
  readonly observer?: Observer;
  readonly patience?: number;
  readonly divideAfter?: number;
  readonly properties?: readonly string[];
  /** Called for each model that is done, with how many are. */
  readonly onDone?: (path: string, count: number) => void;
}

/** Through the queue, all at once. */
export async function checkByQueue(
  models: Models,
  url: string,
  {
    limits = {},
    secret,
    signal,
    isFresh = true,
    swarm = 0,
    observer = clock,
    patience = PATIENCE,
    divideAfter = PATIENCE,
    properties = [],
    onDone,
  }: Asked = {},
): Promise<ReadonlyMap<string, ModelReport>> {
  const settings = { address: { url }, secret, patience, isFresh, divideAfter };
  const queue = await openQueue(settings, 1, () => performance.now());
  const reports = new Map<string, ModelReport>();
  try {
    await Promise.all(
      [...models].map(async ([path, text]) => {
        const report = await checkModel({
          paths: [path],
          files: { read: (name) => (name === path ? text : null) },
          options: { swarm },
          properties,
          observer,
          budget: startBudget(limits, () => performance.now()),
          elsewhere: queue.elsewhereFor(limits),
          ...(signal === undefined ? {} : { signal }),
        });
        if (reports.has(path)) throw new Error(`${path} was answered twice`);
        reports.set(path, report);
        onDone?.(path, reports.size);
      }),
    );
  } finally {
    await queue.close();
  }
  return reports;
}

export async function checkHere(
  models: Models,
  limits: Limits = {},
): Promise<ReadonlyMap<string, ModelReport>> {
  const reports = new Map<string, ModelReport>();
  for (const [path, text] of models)
    reports.set(
      path,
      await checkModel({
        paths: [path],
        files: { read: (name) => (name === path ? text : null) },
        observer: clock,
        budget: startBudget(limits, () => performance.now()),
      }),
    );
  return reports;
}

/** One line for each question, in the order of the models. */
export const verdictsOf = (models: Models, reports: ReadonlyMap<string, ModelReport>): string[] =>
  [...models.keys()].flatMap((path) =>
    (reports.get(path)?.properties ?? []).map(
      ({ id, verdict, reasonCode }) =>
        `${path} ${id} ${verdict}${reasonCode === undefined ? '' : ` ${reasonCode}`}`,
    ),
  );
