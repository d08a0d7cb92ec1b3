// Labelled Kripke structures and transition systems: .lks and .aut files, one or several composed.

import type { Engine } from '../engine/engine.ts';
import type { Language } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { graphOf } from '../kripke/graph.ts';
import { problem } from '../kripke/lexer.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import { namesOfLks } from '../kripke/names.ts';
import { parseLks } from '../kripke/parser.ts';
import { replayRun } from '../kripke/run.ts';
import { STRATEGIES } from '../kripke/strategies.ts';
import type { Kripke } from '../kripke/structure.ts';
import { edgeCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import { DEADLOCK, Session } from './kripke-session.ts';
import { unknownProperty } from './requests.ts';

/** A structure with so many edges takes a thread as long to read as this thread needs to settle most questions about it. */
const MANY_EDGES = 200_000;
const LONG_LOOK = 3_000;

export interface StructureModel {
  readonly model: KripkeModel;
  readonly system: System;
}

/** One session per model and thread: several questions rest on whether the system can deadlock. */
const sessions = new WeakMap<StructureModel, Session>();

const deadlocks: Engine<StructureModel> = {
  name: 'deadlocks of the composition',
  settles: (property) => property === DEADLOCK,
  run: async ({ model, options }, budget, observer, learn) => {
    const answer = await sessionOf(model).deadlock({ options, budget, observer });
    learn({ kind: 'answer', property: DEADLOCK, engine: deadlocks.name, answer });
  },
};

const formulas: Engine<StructureModel> = {
  name: 'formulas on the composition',
  settles: (property) => property.startsWith('ltl:'),
  run: async ({ model, options, open }, budget, observer, learn) => {
    for (const property of open) {
      const formula = resolveFormula(model.model, model.system, property.slice(4), []);
      if (formula === null) throw new Error(`impossible: ${property} was resolved before`);
      const answer = await sessionOf(model).ltl(property, formula, { options, budget, observer });
      learn({ kind: 'answer', property, engine: formulas.name, answer });
    }
  },
};

/** Pictures of more than this are no help to anybody. */
const canBeDrawn = (components: readonly Kripke[]): boolean =>
  components.length <= 24 && components.every((structure) => edgeCount(structure) <= 5_000);

const pictures: Engine<StructureModel> = {
  name: 'pictures',
  settles: () => false,
  run: ({ model: { model } }, _budget, _observer, learn) => {
    if (canBeDrawn(model.components)) learn({ kind: 'pictures', graphs: model.components.map(graphOf) });
  },
};

export const kripke: Language<StructureModel> = {
  name: 'kripke',
  understand: ({ paths, files, options }) => {
    const path = paths[0]!;
    const { diagnostics, sources } = loadModel(paths, files, options.defines ?? []);
    const file = new SourceFile(path, files.read(path) ?? '');
    return {
      diagnostics,
      sources,
      names: path.endsWith('.aut') ? null : namesOfLks(file, parseLks(file, [])),
    };
  },
  load: async ({ paths, files, options, observer }) => {
    observer.stage('load');
    const { model, diagnostics, sources } = loadModel(paths, files, options.defines ?? []);
    return {
      model: model === null ? null : { model, system: compose(model.components) },
      diagnostics,
      sources,
    };
  },
  questions: questionsOf,
  firstLook: ({ system: { components } }) =>
    components.length === 1 && edgeCount(components[0]!) > MANY_EDGES ? LONG_LOOK : undefined,
  portfolio: [{ engine: deadlocks }, { engine: formulas }, { engine: pictures, pictures: true }],
  graphs: async ({ paths, files, options }) => {
    const { model, ...rest } = loadModel(paths, files, options.defines ?? []);
    return { ...rest, model: model === null ? null : model.components.map(graphOf) };
  },
  simulate: async ({ paths, files, options }) => {
    const { StructureSimulation, simulateStructures } = await import('../kripke/simulation.ts');
    const { model, ...rest } = loadModel(paths, files, options.defines ?? []);
    if (model === null) return { ...rest, model: null };
    const system = compose(model.components);
    return {
      ...rest,
      model: {
        begin: () => new StructureSimulation(system) as never,
        random: (seed, steps) => simulateStructures(system, seed, steps),
        isBad: ({ kind }) => kind === 'deadlock',
      },
    };
  },
  replay: async (recorded, { paths, files, options }) => {
    const { model, ...rest } = loadModel(paths, files, options.defines ?? []);
    return { ...rest, model: model === null ? null : replayRun(compose(model.components), recorded) };
  },
  audit: async (document, { paths, files, options }) =>
    (await import('./kripke-audit.ts')).auditKripke(document, paths, files, options.defines ?? []),
  convert: async (request) =>
    request.format === 'hoa'
      ? (await import('./automaton-convert.ts')).convertKripkeFormulas(request)
      : (await import('./kripke-convert.ts')).convertKripke(request),
};

/** What the command line asks, else what the files state, else freedom from deadlock. */
function questionsOf(
  { model, system }: StructureModel,
  asked: readonly string[],
  { strategy }: CheckOptions,
): { readonly properties: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  if (strategy !== undefined && !STRATEGIES.some((known) => known === strategy)) {
    const help = `known: ${STRATEGIES.join(', ')}`;
    diagnostics.push(problem('SPW3032', `structures have no strategy '${strategy}'`, null, help));
  }
  const stated = model.formulas.map(({ name }) => `ltl:${name}`);
  const properties = asked.length > 0 ? asked : [DEADLOCK, ...stated];
  for (const id of properties) {
    if (id.startsWith('ltl:')) resolveFormula(model, system, id.slice(4), diagnostics);
    else if (id !== DEADLOCK)
      diagnostics.push(unknownProperty(id, [DEADLOCK, ...stated, 'ltl:NAME', 'ltl:FORMULA']));
  }
  return { properties, diagnostics };
}

function sessionOf(model: StructureModel): Session {
  const known = sessions.get(model) ?? new Session(model.system);
  sessions.set(model, known);
  return known;
}
