// Labelled Kripke structures and transition systems: .lks and .aut files, one or several composed.

import { shareOf } from '../base/budget.ts';
import type { DeadlockAnswer, DeadlockStrategy, FreeEvidence } from '../deadlock/deadlock.ts';
import { checkDeadlock, DEADLOCK_STRATEGIES } from '../deadlock/deadlock.ts';
import { toDocument } from '../deadlock/document.ts';
import {
  auditComposedDeadlock,
  auditComposedFormula,
  compositionDocument,
} from '../kripke/audit/composition-document.ts';
import { auditNoDeadlock, deadlockDocument } from '../kripke/audit/deadlock.ts';
import { auditLtl, toDocument as toLtlDocument } from '../kripke/audit/document.ts';
import type { Classes } from '../kripke/audit/lump.ts';
import { resolveFormula } from '../kripke/formulas.ts';
import { graphOf } from '../kripke/graph.ts';
import { problem } from '../kripke/lexer.ts';
import { loadModel } from '../kripke/load.ts';
import type { KripkeModel } from '../kripke/model.ts';
import { runOf } from '../kripke/run.ts';
import type { FormulaAnswer, FormulaProof } from '../kripke/settle.ts';
import { FORMULA_STRATEGIES, partOf, settleFormula } from '../kripke/settle.ts';
import type { Kripke } from '../kripke/structure.ts';
import { edgeCount, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Syntax } from '../ltl/syntax.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors, suggest } from '../source/diagnostic.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import { REASONS } from '../verdict/reasons.ts';
import type {
  CertificateDocument,
  Evidence,
  ModelReport,
  Note,
  PropertyResult,
  Stats,
} from '../verdict/verdict.ts';
import type { CheckRequest, Language } from './language.ts';

export const kripke: Language = {
  name: 'kripke',
  extensions: ['.lks', '.aut'],
  check: checkKripke,
};

const DEADLOCK = 'deadlock-free';
type Question = { readonly id: string; readonly formula: Syntax | null };

async function checkKripke(request: CheckRequest): Promise<ModelReport> {
  const { paths, files, options, observer } = request;
  observer.stage('load');
  const { model, diagnostics: found, sources } = loadModel(paths, files, options.defines ?? []);
  const diagnostics: Diagnostic[] = [...found];
  const report = { files: paths, language: 'kripke', sources };
  if (model === null) return { ...report, properties: [], diagnostics };
  const system = compose(model.components);
  const questions = questionsOf(request, model, system, diagnostics);
  if (hasErrors(diagnostics)) return { ...report, properties: [], diagnostics };
  const session = new Session(request, system);
  const properties: PropertyResult[] = [];
  for (const question of questions) {
    properties.push(
      question.formula === null ? await session.deadlock() : await session.ltl(question.id, question.formula),
    );
  }
  const graphs = canBeDrawn(model.components) ? model.components.map(graphOf) : [];
  return { ...report, properties, diagnostics, ...(graphs.length > 0 ? { graphs } : {}) };
}

/** Pictures of more than this are no help to anybody. */
const canBeDrawn = (components: readonly Kripke[]): boolean =>
  components.length <= 24 && components.every((structure) => edgeCount(structure) <= 5_000);

/** What the command line asks, else what the files state, else freedom from deadlock. */
function questionsOf(
  { properties, options }: CheckRequest,
  model: KripkeModel,
  system: System,
  diagnostics: Diagnostic[],
): readonly Question[] {
  const strategy = options.extra?.['strategy'];
  if (strategy !== undefined && !DEADLOCK_STRATEGIES.some((known) => known === strategy)) {
    const help = `known: ${DEADLOCK_STRATEGIES.join(', ')}`;
    diagnostics.push(problem('SPW3032', `structures have no strategy '${strategy}'`, null, help));
  }
  const stated = [
    ...(model.deadlockFree ? [DEADLOCK] : []),
    ...model.formulas.map(({ name }) => `ltl:${name}`),
  ];
  const wanted = properties.length > 0 ? properties : stated.length > 0 ? stated : [DEADLOCK];
  return wanted.map((id) => {
    if (id.startsWith('ltl:'))
      return { id, formula: resolveFormula(model, system, id.slice(4), diagnostics) };
    if (id !== DEADLOCK) {
      const near = suggest(id, [DEADLOCK, ...stated]);
      const help =
        near === null
          ? `known: ${[DEADLOCK, 'ltl:NAME', 'ltl:FORMULA'].join(', ')}`
          : `did you mean '${near}'?`;
      diagnostics.push(problem('SPW3030', `structures have no property '${id}'`, null, help));
    }
    return { id, formula: null };
  });
}

class Session {
  private readonly request: CheckRequest;
  private readonly system: System;
  private answer: DeadlockAnswer | null = null;

  constructor(request: CheckRequest, system: System) {
    this.request = request;
    this.system = system;
  }

  private get monolithic(): boolean {
    return this.request.options.extra?.['monolithic'] === true;
  }

  private get strategy(): DeadlockStrategy {
    if (this.monolithic) return 'monolithic';
    const given = this.request.options.extra?.['strategy'];
    return DEADLOCK_STRATEGIES.find((strategy) => strategy === given) ?? 'portfolio';
  }

  async deadlock(): Promise<PropertyResult> {
    const { budget, observer } = this.request;
    const begin = observer.now();
    this.answer = await checkDeadlock(this.system, this.strategy, budget, observer);
    const checked = observer.now();
    const looked = this.answer.kind === 'free' ? this.lookAgain(this.answer.evidence) : null;
    const milliseconds = { check: checked - begin, audit: observer.now() - checked };
    const stats = this.stats({ ...this.answer.stats, milliseconds });
    return {
      id: DEADLOCK,
      ...deadlockResult(this.system, this.answer),
      ...looked,
      stats,
      reproduce: this.reproduce(DEADLOCK),
    };
  }

  async ltl(id: string, formula: Syntax): Promise<PropertyResult> {
    const { budget, observer } = this.request;
    const begin = observer.now();
    observer.stage(id);
    const strategy = FORMULA_STRATEGIES.find((known) => known === this.strategy) ?? 'portfolio';
    // The second look at a proof takes about as long as the first.
    const answer = settleFormula(this.system, formula, strategy, partOf(budget, 0.7), observer);
    const checked = observer.now();
    const audit = answer.kind === 'holds' ? this.audit(id, formula, answer.proof) : null;
    const audited = observer.now();
    const notes = await this.deadlockNotes();
    const deadlock = observer.now() - audited;
    const milliseconds = { check: checked - begin, audit: audited - checked, deadlock };
    return {
      id,
      ...ltlResult(this.system, id, answer),
      ...audit,
      stats: this.stats({ ...answer.stats, milliseconds }),
      reproduce: this.reproduce(id),
      ...(notes.length > 0 ? { notes } : {}),
    };
  }

  /** Separate code looks at every proof again; a linear one was looked at when it was found. */
  private lookAgain(evidence: FreeEvidence): Partial<PropertyResult> {
    if (evidence.kind === 'proof') return {};
    const { observer, budget } = this.request;
    observer.stage('audit');
    const { components } = this.system;
    if (evidence.kind === 'composition') {
      const result = auditComposedDeadlock(components, evidence.record, budget.timeLeft);
      if (result === 'holds') return {};
      return unknown(result === 'limit' ? 'unchecked-proof' : 'no-certificate');
    }
    const certified = (classes: Classes | null): Partial<PropertyResult> => ({
      evidence: { kind: 'certificate', certificate: deadlockDocument(this.system, classes) },
    });
    const whole = auditNoDeadlock(components, null, shareOf(budget, 2).timeLeft);
    if (whole.result === 'free') return certified(null);
    if (whole.result !== 'limit') return unknown('no-certificate');
    // An exhausted search that is too large to be repeated slowly stands by itself.
    if (evidence.kind === 'exhaustion') return {};
    const { result } = auditNoDeadlock(components, evidence.classes, budget.timeLeft);
    if (result === 'free') return certified(evidence.classes);
    return unknown(result === 'limit' ? 'unchecked-proof' : 'no-certificate');
  }

  /** No proof of a formula is reported that a second look does not accept. */
  private audit(id: string, formula: Syntax, proof: FormulaProof): Partial<Core> {
    this.request.observer.stage('audit');
    const { timeLeft } = this.request.budget;
    if (proof.kind === 'composition') {
      const result = auditComposedFormula(this.system, formula, proof.record, timeLeft);
      const certificate = compositionDocument(this.system, id, proof.record);
      return audited(result, certificate);
    }
    const certificate = toLtlDocument(this.system, id, proof.classes);
    const audit = auditLtl(this.system, formula, certificate, timeLeft);
    return audited(typeof audit === 'string' ? audit : audit.result, certificate);
  }

  /** Only infinite paths count for LTL: where the system may get stuck, the answer says less than it seems to ([MAGIC] section 4). */
  private async deadlockNotes(): Promise<readonly Note[]> {
    const { budget, observer } = this.request;
    this.answer ??= await checkDeadlock(this.system, this.strategy, partOf(budget, 0.3), observer);
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

  private reproduce(id: string): string {
    const { paths, options } = this.request;
    const words = [
      'spillway check',
      ...paths,
      ...(options.compose && paths.length > 1 ? ['--compose'] : []),
      ...(options.defines ?? []).map((define) => `-D${define}`),
      '--property',
      id,
      ...(this.monolithic ? ['--monolithic'] : []),
    ];
    return words.map((word, index) => (index === 0 ? word : quoted(word))).join(' ');
  }
}

function audited(result: string, certificate: CertificateDocument): Partial<Core> {
  if (result === 'holds') return { evidence: { kind: 'certificate', certificate } };
  return unknown(result === 'limit' ? 'unchecked-proof' : 'no-certificate');
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

type Core = Pick<PropertyResult, 'verdict' | 'method' | 'reason' | 'reasonCode' | 'evidence'>;

const LIMITS = {
  time: 'time-limit',
  states: 'state-limit',
  memory: 'memory-limit',
  linear: 'linear-condition-open',
} as const satisfies Record<string, ReasonCode>;

const unknown = (code: ReasonCode): Core => ({
  verdict: 'unknown',
  reason: REASONS[code].title,
  reasonCode: code,
});

function deadlockResult(system: System, answer: DeadlockAnswer): Core {
  const { method } = answer;
  if (answer.kind === 'unknown') return { ...unknown(LIMITS[answer.limit]), method };
  if (answer.kind === 'deadlock') {
    const run = runOf(system, answer.path, 'a deadlock: no event is possible at the end');
    return { verdict: 'refuted', method, evidence: { kind: 'run', run } };
  }
  const evidence = freeEvidence(system, answer);
  return { verdict: 'proved', method, ...(evidence === null ? {} : { evidence }) };
}

function freeEvidence(system: System, answer: DeadlockAnswer & { kind: 'free' }): Evidence | null {
  switch (answer.evidence.kind) {
    case 'proof':
      return { kind: 'certificate', certificate: toDocument(system, answer.evidence.proof) };
    case 'exhaustion':
      return { kind: 'exhaustion', states: answer.evidence.states, transitions: answer.evidence.edges };
    case 'composition': {
      const certificate = compositionDocument(system, DEADLOCK, answer.evidence.record);
      return { kind: 'certificate', certificate };
    }
    case 'quotients':
      return null;
  }
}

function ltlResult(system: System, id: string, answer: FormulaAnswer): Core {
  const { method } = answer;
  switch (answer.kind) {
    case 'holds':
      return { verdict: 'proved', method };
    case 'violated': {
      const run = runOf(system, answer.path, `an infinite path that violates ${id.slice(4)}`);
      return { verdict: 'refuted', method, evidence: { kind: 'run', run } };
    }
    case 'limit':
      return { ...unknown(answer.limit), method };
  }
}
