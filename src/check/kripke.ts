// Labelled Kripke structures and transition systems: .lks and .aut files, one or several composed.

import { type Budget, fractionOf, type Observer, shareOf } from '../base/budget.ts';
import type { DeadlockAnswer, DeadlockStrategy, FreeEvidence } from '../deadlock/deadlock.ts';
import { checkDeadlock, DEADLOCK_STRATEGIES } from '../deadlock/deadlock.ts';
import { toDocument } from '../deadlock/document.ts';
import type { Engine } from '../engine/engine.ts';
import type { Language } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import {
  auditComposedDeadlock,
  auditComposedFormula,
  compositionDocument,
} from '../kripke/audit/composition-document.ts';
import { auditNoDeadlock, deadlockDocument } from '../kripke/audit/deadlock.ts';
import { auditLtl, toDocument as toLtlDocument } from '../kripke/audit/document.ts';
import { auditSymbolicDeadlock, auditSymbolicFormula } from '../kripke/audit/symbolic.ts';
import { symbolicDocument } from '../kripke/audit/symbolic-document.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { graphOf } from '../kripke/graph.ts';
import { problem } from '../kripke/lexer.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import { namesOfLks } from '../kripke/names.ts';
import { parseLks } from '../kripke/parser.ts';
import { replayRun, runOf } from '../kripke/run.ts';
import type { FormulaProof } from '../kripke/settle.ts';
import { FORMULA_STRATEGIES, settleFormula } from '../kripke/settle.ts';
import type { Kripke } from '../kripke/structure.ts';
import { edgeCount, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile } from '../source/source.ts';
import { type Answer, type Checker, proved, refuted, unknown } from '../verdict/answer.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { CertificateDocument, Note, ProofEvidence, Stats } from '../verdict/verdict.ts';
import { unknownProperty } from './requests.ts';

const DEADLOCK = 'deadlock-free';

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
  if (strategy !== undefined && !DEADLOCK_STRATEGIES.some((known) => known === strategy)) {
    const help = `known: ${DEADLOCK_STRATEGIES.join(', ')}`;
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

/** How a question is to be answered. */
interface Asked {
  readonly options: CheckOptions;
  readonly budget: Budget;
  readonly observer: Observer;
}

/** A proof that separate code accepted. */
interface Looked {
  readonly evidence: ProofEvidence;
  readonly checkedBy: Checker;
}

const certified = (certificate: CertificateDocument, checkedBy: Checker): Looked => ({
  evidence: { kind: 'certificate', certificate },
  checkedBy,
});

class Session {
  private readonly system: System;
  private answer: DeadlockAnswer | null = null;

  constructor(system: System) {
    this.system = system;
  }

  async deadlock({ options, budget, observer }: Asked): Promise<Answer> {
    const begin = observer.now();
    this.answer = await checkDeadlock(this.system, strategyOf(options), budget, observer);
    const { answer } = this;
    const checked = observer.now();
    const times = () =>
      this.stats({
        ...answer.stats,
        milliseconds: { check: checked - begin, audit: observer.now() - checked },
      });
    const { method } = answer;
    if (answer.kind === 'unknown')
      return unknown(LIMITS[answer.limit], undefined, { method, stats: times() });
    if (answer.kind === 'deadlock') {
      const run = runOf(this.system, answer.path, 'a deadlock: no event is possible at the end');
      return refuted(run, { method, stats: times() });
    }
    const looked = this.lookAgain(answer.evidence, budget, observer);
    return typeof looked === 'string'
      ? unknown(looked, undefined, { method, stats: times() })
      : proved(method, looked.evidence, looked.checkedBy, { stats: times() });
  }

  async ltl(id: string, formula: Syntax, asked: Asked): Promise<Answer> {
    const { options, budget, observer } = asked;
    const begin = observer.now();
    observer.stage(id);
    const strategy = FORMULA_STRATEGIES.find((known) => known === strategyOf(options)) ?? 'portfolio';
    // The second look at a proof takes about as long as the first.
    const answer = await settleFormula(this.system, formula, strategy, fractionOf(budget, 0.7), observer);
    const checked = observer.now();
    const looked = answer.kind === 'holds' ? this.audit(id, formula, answer.proof, asked) : null;
    const audited = observer.now();
    const notes = await this.deadlockNotes(asked);
    const deadlock = observer.now() - audited;
    const milliseconds = { check: checked - begin, audit: audited - checked, deadlock };
    const { method } = answer;
    const beside = { stats: this.stats({ ...answer.stats, milliseconds }), notes };
    if (answer.kind === 'limit') return unknown(answer.limit, undefined, { method, ...beside });
    if (answer.kind === 'violated') {
      const run = runOf(this.system, answer.path, `an infinite path that violates ${id.slice(4)}`);
      return refuted(run, { method, ...beside });
    }
    if (looked === null || typeof looked === 'string')
      return unknown(looked ?? 'no-certificate', undefined, { method, ...beside });
    return proved(method, { kind: 'certificate', certificate: looked }, 'states', beside);
  }

  /** Separate code looks at every proof again; a linear one was looked at when it was found. */
  private lookAgain(evidence: FreeEvidence, budget: Budget, observer: Observer): Looked | ReasonCode {
    const { system } = this;
    if (evidence.kind === 'proof') return certified(toDocument(system, evidence.proof), 'integers');
    observer.stage('audit');
    if (evidence.kind === 'composition') {
      const result = auditComposedDeadlock(system.components, evidence.record, budget.timeLeft);
      if (result !== 'holds') return result === 'limit' ? 'unchecked-proof' : 'no-certificate';
      return certified(compositionDocument(system, DEADLOCK, evidence.record), 'states');
    }
    if (evidence.kind === 'sets') {
      const result = auditSymbolicDeadlock(system, evidence.record, budget.timeLeft);
      if (result !== 'holds') return result === 'limit' ? 'unchecked-proof' : 'no-certificate';
      return certified(symbolicDocument(system, DEADLOCK, evidence.record), 'states');
    }
    const whole = auditNoDeadlock(system.components, null, shareOf(budget, 2).timeLeft);
    if (whole.result === 'free') return certified(deadlockDocument(system, null), 'states');
    if (whole.result !== 'limit') return 'no-certificate';
    // An exhausted search that is too large to be repeated slowly stands by itself.
    if (evidence.kind === 'exhaustion') {
      const { states, edges: transitions } = evidence;
      return { evidence: { kind: 'exhaustion', states, transitions }, checkedBy: 'search' };
    }
    const { result } = auditNoDeadlock(system.components, evidence.classes, budget.timeLeft);
    if (result !== 'free') return result === 'limit' ? 'unchecked-proof' : 'no-certificate';
    return certified(deadlockDocument(system, evidence.classes), 'states');
  }

  /** No proof of a formula is reported that a second look does not accept: the certificate, or why there is none. */
  private audit(
    id: string,
    formula: Syntax,
    proof: FormulaProof,
    { budget, observer }: Asked,
  ): CertificateDocument | ReasonCode {
    observer.stage('audit');
    const { system } = this;
    const accepted = (result: string, certificate: CertificateDocument): CertificateDocument | ReasonCode =>
      result === 'holds' ? certificate : result === 'limit' ? 'unchecked-proof' : 'no-certificate';
    if (proof.kind === 'composition') {
      const result = auditComposedFormula(system, formula, proof.record, budget.timeLeft);
      return accepted(result, compositionDocument(system, id, proof.record));
    }
    if (proof.kind === 'sets') {
      const result = auditSymbolicFormula(system, formula, proof.record, budget.timeLeft);
      return accepted(result, symbolicDocument(system, id, proof.record));
    }
    const certificate = toLtlDocument(system, id, proof.classes);
    const audit = auditLtl(system, formula, certificate, budget.timeLeft);
    return accepted(typeof audit === 'string' ? audit : audit.result, certificate);
  }

  /** Only infinite paths count for LTL: where the system may get stuck, the answer says less than it seems to ([MAGIC] section 4). */
  private async deadlockNotes({ options, budget, observer }: Asked): Promise<readonly Note[]> {
    this.answer ??= await checkDeadlock(this.system, strategyOf(options), fractionOf(budget, 0.3), observer);
    const tail = 'only infinite paths count, so a run that gets stuck satisfies every formula';
    if (this.answer.kind === 'deadlock')
      return [{ severity: 'warning', message: `this answer rests on a system that can deadlock: ${tail}` }];
    if (this.answer.kind === 'unknown')
      return [{ severity: 'warning', message: `it is not known whether the system can deadlock: ${tail}` }];
    return [];
  }

  private stats(own: Stats): Stats {
    const { components, events } = this.system;
    return {
      components: components.length,
      events: events.length,
      states: components.reduce((sum, structure) => sum + stateCount(structure), 0),
      edges: components.reduce((sum, structure) => sum + edgeCount(structure), 0),
      ...own,
    };
  }
}

function strategyOf({ monolithic, strategy }: CheckOptions): DeadlockStrategy {
  if (monolithic === true) return 'monolithic';
  return DEADLOCK_STRATEGIES.find((known) => known === strategy) ?? 'portfolio';
}

const LIMITS = {
  time: 'time-limit',
  states: 'state-limit',
  memory: 'memory-limit',
  linear: 'linear-condition-open',
} as const satisfies Record<string, ReasonCode>;
