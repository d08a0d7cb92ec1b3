// Promela: its front end, and the portfolio for programs.

import type { Language, Loaded, LoadRequest, Replayed, WorkRequest } from '../engine/language.ts';
import { compileModel, type Model } from '../explore/compile.ts';
import { replay as replayRun, showsByItself } from '../explore/replay.ts';
import { Simulation, type SimulationEnd, simulate as simulateRun } from '../explore/simulate.ts';
import { controlGraphs } from '../process/graphs.ts';
import type { Program } from '../process/program.ts';
import { loadPromela } from '../promela/load.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Run } from '../verdict/run.ts';
import type { ProgramModel } from './program/context.ts';
import { assembleProgram, isProgramSettled, PROGRAM_PORTFOLIO } from './program/portfolio.ts';
import { chooseProperties } from './program/properties.ts';

export const promela: Language<ProgramModel> = {
  name: 'promela',
  load: async (request) => {
    request.observer.stage('parse');
    return mapLoaded(read(request), (program) => ({ program }));
  },
  understand: ({ paths, files, options }) =>
    loadPromela(paths[0]!, files, {
      defines: options.defines ?? [],
      includes: options.includes ?? [],
      withNames: true,
    }),
  questions: ({ program }, asked, options) => chooseProperties(program, asked, options),
  portfolio: PROGRAM_PORTFOLIO,
  assemble: assembleProgram,
  isSettled: isProgramSettled,
  cases: async (...given) => (await import('./program/cases.ts')).programCases(...given),
  graphs: async (request) => mapLoaded(read(request), controlGraphs),
  simulate: async (request) => {
    return withCompiled(request, (model) => ({
      begin: () => new Simulation(model) as never,
      random: (seed: number, steps: number) => simulateRun(model, seed, steps),
      isBad: ({ kind }: { readonly kind: string }) =>
        (['fault', 'invalid-end-state'] satisfies SimulationEnd['kind'][] as string[]).includes(kind),
    }));
  },
  conform: async (log, observed, request) => {
    const { conform } = await import('../explore/conform.ts');
    return withCompiled(request, (model) => conform(model, log, observed, request.budget));
  },
  conformStates: async (trace, request) => {
    const { conformStates } = await import('../explore/conform-states.ts');
    return withCompiled(request, (model) => conformStates(model, trace, request.budget));
  },
  replay: async (recorded, request) => {
    const loaded = read(request);
    if (loaded.model === null) return { ...loaded, model: null };
    const { program } = { program: loaded.model };
    let best: Replayed | null = null;
    let failure: Diagnostic | null = null;
    for (const options of readingsOf(recorded)) {
      const compiled = compiledOnce(program, options);
      if (!compiled.ok) {
        failure = cannotRun(compiled.error);
        continue;
      }
      const attempt = replayRun(compiled.value, recorded);
      if (attempt.failedAt === null && attempt.refused === undefined) return { ...loaded, model: attempt };
      best ??= attempt;
    }
    const diagnostics = [...loaded.diagnostics, ...(best === null && failure !== null ? [failure] : [])];
    return { ...loaded, model: best, diagnostics };
  },
  foreignRun: async (text, request) => {
    const loaded = read(request);
    if (loaded.model === null) return { ...loaded, model: null };
    const compiled = compileModel(loaded.model, { capacity: 'declared', processes: 'spin' });
    if (!compiled.ok)
      return { ...loaded, model: null, diagnostics: [...loaded.diagnostics, cannotRun(compiled.error)] };
    const { replayTrail } = await import('../explore/spin-trail.ts');
    return { ...loaded, model: replayTrail(compiled.value, text) };
  },
  shows: (property, run) => showsByItself(property, run),
  audit: async (document, request) =>
    (await import('./program/audit.ts')).auditProgram(document, read(request)),
  convert: async (request) => {
    if (request.format === 'pnml')
      return (await import('./program/net-convert.ts')).convertNet(request, read(request));
    return (await import('./automaton-convert.ts')).convertPromelaFormulas(request);
  },
};

/** Several runs and certificates are looked at on behalf of one request. */
function read(request: LoadRequest): Loaded<Program> {
  const known = programs.get(request);
  if (known !== undefined) return known;
  const loaded = readAnew(request);
  programs.set(request, loaded);
  return loaded;
}

const programs = new WeakMap<LoadRequest, Loaded<Program>>();

/** A replay begins at the first state: who comes next may use the same machine. */
function compiledOnce(program: Program, options: ReturnType<typeof readingsOf>[number]) {
  const known = compilations.get(program) ?? new Map<string, ReturnType<typeof compileModel>>();
  compilations.set(program, known);
  const name = `${options.capacity} ${options.processes}`;
  const compiled = known.get(name) ?? compileModel(program, options);
  known.set(name, compiled);
  return compiled;
}

const compilations = new WeakMap<Program, Map<string, ReturnType<typeof compileModel>>>();

function readAnew({ paths, files, options }: LoadRequest): Loaded<Program> {
  const { program, diagnostics, sources } = loadPromela(paths[0]!, files, {
    defines: options.defines ?? [],
    includes: options.includes ?? [],
    formulas: options.formulas,
    invariants: options.invariants,
  });
  return { model: program, diagnostics, sources };
}

/** The model as it runs, for those who run it. */
function withCompiled<T>(
  request: WorkRequest & { readonly unlimited: boolean },
  use: (model: Model) => T,
): Loaded<T> {
  const loaded = read(request);
  if (loaded.model === null) return { ...loaded, model: null };
  const compiled = compileModel(loaded.model, { capacity: request.unlimited ? 'unlimited' : 'declared' });
  if (!compiled.ok)
    return { ...loaded, model: null, diagnostics: [...loaded.diagnostics, cannotRun(compiled.error)] };
  return { ...loaded, model: use(compiled.value) };
}

const mapLoaded = <A, B>({ model, ...rest }: Loaded<A>, to: (model: A) => B): Loaded<B> => ({
  ...rest,
  model: model === null ? null : to(model),
});

/** A run on unlimited channels was found with process numbers without limit, another one by SPIN's rules: that is tried first. */
function readingsOf(recorded: Run) {
  const unlimited = recorded.queues.some((queue) => queue.capacity === null);
  const capacity = unlimited ? 'unlimited' : 'declared';
  const orders = unlimited ? (['unlimited', 'spin'] as const) : (['spin', 'unlimited'] as const);
  return orders.map((processes) => ({ capacity, processes }) as const);
}

const cannotRun = ({
  reason,
  reasonCode,
  span,
}: {
  readonly reason: string;
  readonly reasonCode: string;
  readonly span: Diagnostic['span'];
}): Diagnostic => ({
  code: 'SPW1390',
  severity: 'error',
  message: `the model cannot be run: ${reason}`,
  span,
  help: `spillway explain ${reasonCode} says more`,
});
