// C programs: `.c` alone, or a system of C files described by a `.spec`.

import { fractionOf, SILENT, UNLIMITED } from '../base/budget.ts';
import { answerC } from '../c/check-c.ts';
import type { LoadedC } from '../c/load-c.ts';
import { loadC } from '../c/load-c.ts';
import {
  ALL_C_PROPERTIES,
  C_PROPERTIES,
  isErrorLocation,
  threadsOf,
  withoutAssertions,
} from '../c/properties.ts';
import type { LoadedSpec } from '../c/spec/load.ts';
import { loadSpec } from '../c/spec/load.ts';
import { namesOfSpec, namesOfUnits } from '../c/spec/spec-names.ts';
import { tasksOf } from '../c/spec/tasks.ts';
import { answerSpec, threadGraphs } from '../c/systems/check.ts';
import { problem } from '../c/text/codes.ts';
import { answerThreads } from '../c/threads/answer.ts';
import { THREAD_PROPERTIES } from '../c/threads/search.ts';
import type { Engine } from '../engine/engine.ts';
import type { Language, Loaded, WorkRequest } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import { STRATEGIES } from '../kripke/strategies.ts';
import type { Diagnostic } from '../source/diagnostic.ts';

export type CModel =
  | { readonly kind: 'program'; readonly path: string; readonly loaded: LoadedC }
  | { readonly kind: 'system'; readonly path: string; readonly loaded: LoadedSpec };

const abstraction: Engine<CModel> = {
  name: 'predicate abstraction',
  settles: () => true,
  run: async ({ model, open, options }, budget, observer, learn) => {
    const { path } = model;
    const { defines = [], includes = [] } = options;
    const files = { read: () => null };
    const common = { path, files, defines, includes, function: options.function, budget, observer };
    const engine = abstraction.name;
    if (model.kind === 'program' && model.loaded.program.threads !== undefined) {
      const program = threadsOf(model.loaded, budget);
      if (program === null) return;
      const takesTurns = options.memoryModel === 'sequential';
      for (const { property, answer } of answerThreads(
        program,
        isErrorLocation,
        { properties: open, takesTurns },
        budget,
        observer,
      ))
        learn({ kind: 'answer', property, engine, answer });
      return;
    }
    if (model.kind === 'program') {
      for (const [i, property] of open.entries()) {
        const share = fractionOf(budget, i === open.length - 1 ? 1 : 2 / 3);
        const { answer, graph } = await answerC(model.loaded, property, { ...common, budget: share });
        learn({ kind: 'answer', property, engine, answer });
        if (graph !== null && (i === 0 || answer.verdict === 'refuted'))
          learn({ kind: 'pictures', graphs: [graph] });
      }
      return;
    }
    const request = { ...common, ...specOptions(options), properties: open };
    const graphs = await answerSpec(model.loaded, request, ({ property, answer }) =>
      learn({ kind: 'answer', property, engine, answer }),
    );
    learn({ kind: 'pictures', graphs });
  },
};

const namesOf = (model: CModel) =>
  model.kind === 'program'
    ? namesOfUnits([model.loaded.unit])
    : namesOfSpec(model.loaded.spec, model.loaded.file, model.loaded.units);

export const c: Language<CModel> = {
  name: 'c',
  load: async (request) => {
    request.observer.stage('parse');
    return load(request);
  },
  understand: async (request) => {
    const { model, diagnostics, sources } = await load({ ...request, budget: UNLIMITED, observer: SILENT });
    return { diagnostics, sources, names: model === null ? null : namesOf(model) };
  },
  questions: (model, asked, options) =>
    model.kind === 'program'
      ? questionsOfProgram(asked, model.loaded)
      : questionsOfSystem(model.loaded, asked, options),
  portfolio: [{ engine: abstraction }],
  graphs: async (request) => {
    const { model, ...rest } = await load(request);
    if (model === null) return { ...rest, model: null };
    if (model.kind === 'system') return { ...rest, model: threadGraphs(model.loaded, new Map()) };
    const { controlGraphOf } = await import('../c/report/graph.ts');
    return { ...rest, model: [controlGraphOf(model.loaded.entry.function, model.loaded.program, new Set())] };
  },
  audit: async (document, { paths, files, options, budget }) => {
    const { auditDocument } = await import('../c/audit-document.ts');
    const { defines = [], includes = [], dataModel, function: name } = options;
    const [path, ...others] = paths as readonly [string, ...string[]];
    const request = { path, others, files, defines, includes, dataModel, function: name, budget };
    const audited = await auditDocument({ document, ...request });
    if (audited.kind === 'errors') return audited;
    const { property, result } = audited;
    if (result.kind === 'accepted')
      return { kind: 'accepted', says: [`${property} holds (${result.stats.obligations} steps checked)`] };
    return { kind: result.kind === 'rejected' ? 'rejected' : 'unsettled', reason: result.reason };
  },
};

async function load({ paths, files, options, budget }: WorkRequest): Promise<Loaded<CModel>> {
  const [path, ...others] = paths as readonly [string, ...string[]];
  const { defines = [], includes = [], dataModel, function: name } = options;
  const request = { path, others, files, defines, includes, dataModel, function: name };
  if (path.endsWith('.spec')) {
    const { loaded, ...rest } = await loadSpec({ ...request, budget });
    return { ...rest, model: loaded === null ? null : { kind: 'system', path, loaded } };
  }
  const { loaded, ...rest } = await loadC({ ...request, budget });
  return { ...rest, model: loaded === null ? null : { kind: 'program', path, loaded } };
}

function questionsOfProgram(asked: readonly string[], loaded: LoadedC) {
  const { program } = loaded;
  const isAlone = program.threads === undefined;
  const known: readonly string[] = isAlone ? ALL_C_PROPERTIES : THREAD_PROPERTIES;
  const usual: readonly string[] = isAlone ? [...C_PROPERTIES, ...loaded.asked] : THREAD_PROPERTIES;
  const what = program.threads === undefined ? 'a .c file' : 'a .c file with threads';
  const diagnostics = asked
    .filter((id) => !known.includes(id))
    .map((id) => problem('SPW5109', `${what} has no property '${id}'`, null, `known: ${known.join(', ')}`));
  const properties = asked.length > 0 ? [...new Set(asked)] : usual;
  return { properties, diagnostics: [...diagnostics, ...withoutAssertions(loaded, properties)] };
}

function questionsOfSystem(loaded: LoadedSpec, asked: readonly string[], options: CheckOptions) {
  const { strategy } = options;
  const diagnostics: Diagnostic[] = [];
  if (strategy !== undefined && !STRATEGIES.some((known) => known === strategy))
    diagnostics.push({
      code: 'SPW3032',
      severity: 'error',
      message: `systems of threads have no strategy '${strategy}'`,
      span: null,
      help: `known: ${STRATEGIES.join(', ')}`,
    });
  const tasks = tasksOf({ ...specOptions(options), properties: asked }, loaded, diagnostics);
  return { properties: tasks.map(({ id }) => id), diagnostics };
}

const specOptions = ({ monolithic, strategy }: CheckOptions) => ({
  monolithic: monolithic === true,
  strategy,
});
