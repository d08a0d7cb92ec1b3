// The two-level loop of [MAGIC] section 10 for one property: extract structures by predicate abstraction, check their composition (itself by
// refinement of quotients, in the kripke and deadlock rooms), validate the counterexample one thread at a time on the program,
// refine the threads that cannot follow it.

import { type Budget, fractionOf, type Observer } from '../../base/budget.ts';
import { type Look, refineUntilSettledAsync } from '../../base/cegar.ts';
import { checkDeadlock } from '../../deadlock/deadlock.ts';
import { toDocument } from '../../deadlock/document.ts';
import type { Classes } from '../../kripke/audit/lump.ts';
import { symbolicDocument } from '../../kripke/audit/symbolic-document.ts';
import { modelCheck } from '../../kripke/model-check.ts';
import type { Path } from '../../kripke/path.ts';
import { project } from '../../kripke/path.ts';
import type { Strategy } from '../../kripke/strategies.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { stateCount } from '../../kripke/structure.ts';
import type { System } from '../../kripke/system.ts';
import { compose } from '../../kripke/system.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { Run } from '../../verdict/run.ts';
import type { CertificateDocument, StatValue } from '../../verdict/verdict.ts';
import type { ComponentProof } from '../audit/proof.ts';
import type { Edge } from '../program/program.ts';
import type { Oracle } from '../reach/oracle.ts';
import { checkPath } from '../reach/path.ts';
import { isOwnStep } from '../spec/names.ts';
import type { Question } from '../spec/tasks.ts';
import { neverAlone } from './alone.ts';
import type { ProbeQuestion } from './probe.ts';
import { SystemProber } from './probe.ts';
import { systemRun } from './run.ts';
import type { Thread } from './thread.ts';
import type { Validation } from './validate.ts';
import { validate } from './validate.ts';

export type SessionResult = { readonly stats: Readonly<Record<string, StatValue>> } & (
  | {
      readonly kind: 'holds';
      readonly components: readonly ComponentProof[];
      /** For deadlock-freedom by the linear condition or by decision diagrams; for formulas by refinement. */
      readonly more: { readonly linear?: CertificateDocument; readonly classes?: Classes };
    }
  | {
      readonly kind: 'violated';
      readonly run: Run;
      readonly parts: readonly Extract<Validation, { kind: 'real' }>[];
    }
  | { readonly kind: 'bad-formula' }
  | {
      readonly kind: 'unknown';
      readonly code: ReasonCode;
      readonly reason: string;
      readonly path: readonly Edge[];
      /** The name of the thread whose path it is. */
      readonly thread: string;
    }
);

/** Products up to this size are searched as they are. */
const SMALL_PRODUCT = 50_000;

export class Session {
  private readonly threads: readonly Thread[];
  private readonly processes: readonly Kripke[];
  private readonly oracle: Oracle;
  private readonly budget: Budget;
  private readonly observer: Observer;
  private rounds = 0;
  private inner = 0;
  private largest = 0;
  private linear: CertificateDocument | null = null;
  private classes: Classes | null = null;
  private extra: Readonly<Record<string, StatValue>> = {};
  /** Ways out of the model that can really be taken: nothing is proved past them. */
  private readonly openEnds = new Map<string, readonly Edge[]>();
  private readonly prober: SystemProber;

  constructor(
    threads: readonly Thread[],
    processes: readonly Kripke[],
    oracle: Oracle,
    budget: Budget,
    observer: Observer,
  ) {
    this.threads = threads;
    this.processes = processes;
    this.oracle = oracle;
    this.budget = budget;
    this.observer = observer;
    this.prober = new SystemProber(
      threads.map(({ name, loaded, propositions, live, isSink }) => ({
        name,
        program: loaded.program,
        events: loaded.events,
        labels: propositions,
        live,
        isSink,
      })),
      processes,
    );
  }

  async answer(question: Question, title: string): Promise<SessionResult> {
    let formula: Syntax | null = null;
    let events: readonly string[] = [];
    const asked =
      question.kind === 'deadlock' ? 'deadlock' : question.never === undefined ? 'runs' : 'errors';
    for (const thread of this.threads) thread.lookAt({ silent: true, question: asked });
    if (question.kind === 'ltl' && question.never !== undefined) {
      const alone = await this.alone(question.never);
      if (alone !== 'open') return alone;
    }
    const look = async (): Promise<Look<{ system: System; path: Path }, SessionResult>> => {
      const done = (answer: SessionResult) => ({ kind: 'answer', answer }) as const;
      this.rounds++;
      const system = await this.compose();
      if (system === null) return done(this.unknown('time-limit', 'the time or state limit was reached', []));
      const witness = this.probe(question, formula, events, title);
      if (witness !== null) return done(witness);
      const cut = await this.closeCuts();
      if (cut === 'refined') return { kind: 'again' };
      if (cut !== 'done') return done(cut);
      if (question.kind === 'ltl' && formula === null) {
        formula = question.formula(system);
        events = system.events;
        if (formula === null) return done({ kind: 'bad-formula', stats: this.stats() });
        if (!ignoresHiddenSteps(formula, (event) => isOwnStep(system.events[event]!))) {
          for (const thread of this.threads) thread.lookAt({ silent: false, question: asked });
          return { kind: 'again' };
        }
      }
      if (question.kind === 'ltl' && events.some((name, id) => system.events[id] !== name))
        throw new Error('impossible: the events of a formula have other numbers than before');
      const path =
        question.kind === 'ltl'
          ? this.checkFormula(system, formula!, question.monolithic)
          : await this.checkDeadlock(system, question.strategy);
      if (path === 'holds') return done(this.proved());
      if (path === 'limit')
        return done(this.unknown('time-limit', 'the time or state limit was reached', []));
      const names = question.kind === 'ltl' ? question.never : undefined;
      const counterexample = { system, path: names === undefined ? path : upTo(system, path, names) };
      return { kind: 'counterexample', counterexample };
    };
    const end = await refineUntilSettledAsync(
      {
        look,
        learn: async ({ system, path }) => {
          const outcome = await this.validateAll(system, path, title);
          return outcome === 'refined' ? { kind: 'refined' } : { kind: 'answer', answer: outcome };
        },
      },
      { budget: this.budget },
    );
    return end.kind === 'answer' ? end.answer : this.unknown('time-limit', 'the time limit was reached', []);
  }

  /**
   * What never holds in a thread by itself, with every event allowed, never holds in the system: no composition is needed. The threads' precision is
   * kept for what is left. `open`: some thread gets there by itself, or may leave the model; the others may keep it from that.
   */
  private async alone(names: readonly string[]): Promise<'open' | SessionResult> {
    const isAsked = ({ propositions }: Thread) => propositions.some(({ name }) => names.includes(name));
    if (this.processes.some(({ propositions }) => propositions.some((name) => names.includes(name))))
      return 'open';
    for (const thread of this.threads)
      if (isAsked(thread) && !(await neverAlone(thread, names, this.oracle, this.budget))) return 'open';
    // What is not asked about need only be followed as far as its structure goes.
    if ((await this.compose()) === null)
      return this.unknown('time-limit', 'the time or state limit was reached', []);
    return this.threads.some(({ extracted }) => extracted!.cuts.length > 0) ? 'open' : this.proved();
  }

  /** Does a run with some chosen inputs violate the property? Formulas that see every step are not asked: probes take long ones. */
  private probe(
    question: Question,
    formula: Syntax | null,
    events: readonly string[],
    title: string,
  ): SessionResult | null {
    const { budget, observer } = this;
    const isOwn = (event: number) => isOwnStep(events[event]!);
    const asked: ProbeQuestion | null =
      question.kind === 'deadlock'
        ? question
        : question.never !== undefined
          ? { kind: 'never', names: question.never }
          : formula !== null && ignoresHiddenSteps(formula, isOwn)
            ? { kind: 'ltl', formula, events }
            : null;
    const witness = asked === null ? null : this.prober.try(this.rounds, asked, budget, observer);
    if (witness === null) return null;
    const run = systemRun(witness.system, witness.path, this.threads, witness.parts, title);
    return { kind: 'violated', run, parts: witness.parts, stats: this.stats() };
  }

  private async compose(): Promise<System | null> {
    const structures: Kripke[] = [];
    for (const thread of this.threads) {
      const extracted = await thread.structure(this.budget);
      if (extracted === null) return null;
      structures.push(extracted.kripke);
    }
    const sizes = structures.map(stateCount);
    this.observer.progress(`round ${this.rounds}: structures of ${sizes.join(', ')} states`);
    return compose([...structures, ...this.processes]);
  }

  private checkFormula(system: System, formula: Syntax, monolithic: boolean): Path | 'holds' | 'limit' {
    // Quotients before products: threads that the formula does not speak of fall together, and a look at the whole product of many
    // threads costs more than all rounds of quotients. The whole comes last, where quotients have not settled it in their share of the time.
    const product = system.components.reduce((size, component) => size * stateCount(component), 1);
    const whole = monolithic || product <= SMALL_PRODUCT;
    let result = modelCheck(
      system,
      formula,
      { monolithic: whole },
      whole ? this.budget : fractionOf(this.budget, 0.6),
      this.observer,
    );
    if (!whole && result.kind === 'limit')
      result = modelCheck(system, formula, { monolithic: true }, this.budget, this.observer);
    this.inner += result.stats.iterations;
    this.largest = Math.max(this.largest, result.stats.largestProduct);
    this.extra = {
      automatonStates: result.stats.automatonStates,
      automatonEdges: result.stats.automatonEdges,
    };
    if (result.kind === 'holds') this.classes = result.classes;
    if (result.kind === 'holds') return 'holds';
    return result.kind === 'violated' ? result.path : 'limit';
  }

  private async checkDeadlock(system: System, strategy: Strategy): Promise<Path | 'holds' | 'limit'> {
    const result = await checkDeadlock(system, strategy, this.budget, this.observer);
    this.extra = result.stats;
    if (result.kind === 'free' && result.evidence.kind === 'proof')
      this.linear = toDocument(system, result.evidence.proof);
    if (result.kind === 'free' && result.evidence.kind === 'sets')
      this.linear = symbolicDocument(system, 'deadlock-free', result.evidence.record);
    if (result.kind === 'free') return 'holds';
    return result.kind === 'deadlock' ? result.path : 'limit';
  }

  /** Every way out of the model is refined away or found to be real. */
  private async closeCuts(): Promise<'done' | 'refined' | SessionResult> {
    let refined = false;
    for (const thread of this.threads) {
      for (const { location, path } of thread.extracted!.cuts) {
        const key = `${thread.name} ${location}`;
        if (this.openEnds.has(key)) continue;
        const edges = path.flatMap((block) => [...block.edges]);
        const checked = await checkPath(thread.loaded.program, edges, this.oracle);
        if (checked.kind === 'infeasible' && thread.exclude(checked)) {
          refined = true;
          break;
        }
        if (checked.kind === 'infeasible')
          return this.unknown(
            'no-predicate',
            `no predicate was found that excludes a path of ${thread.name}`,
            edges,
            thread.name,
          );
        this.openEnds.set(key, edges);
      }
    }
    return refined ? 'refined' : 'done';
  }

  private async validateAll(system: System, path: Path, title: string): Promise<'refined' | SessionResult> {
    const parts: Extract<Validation, { kind: 'real' }>[] = [];
    let refined = false;
    let undecided: (Extract<Validation, { kind: 'undecided' }> & { thread: string }) | null = null;
    for (const [component, thread] of this.threads.entries()) {
      const validation = await validate(
        thread,
        project(system, path, component),
        path.loopStart !== null,
        this.oracle,
      );
      if (validation.kind === 'real') parts.push(validation);
      else if (validation.kind === 'undecided') undecided ??= { ...validation, thread: thread.name };
      else if (thread.exclude(validation.path)) refined = true;
      else
        return this.unknown(
          'no-predicate',
          `no predicate was found that excludes a path of ${thread.name}`,
          validation.path.edges,
          thread.name,
        );
    }
    if (refined) return 'refined';
    if (undecided !== null)
      return this.unknown('no-predicate', undecided.reason, undecided.edges, undecided.thread);
    return {
      kind: 'violated',
      run: systemRun(system, path, this.threads, parts, title),
      parts,
      stats: this.stats(),
    };
  }

  private proved(): SessionResult {
    const [open] = this.openEnds;
    if (open === undefined) {
      const components = this.threads.map((thread) => thread.proof());
      const linear = this.linear === null ? {} : { linear: this.linear };
      const classes = this.classes === null ? {} : { classes: this.classes };
      return { kind: 'holds', components, more: { ...linear, ...classes }, stats: this.stats() };
    }
    const end = open[1].at(-1);
    const thread = this.threads.find(({ name }) => open[0].startsWith(`${name} `))!;
    const why =
      end === undefined ? 'the thread leaves the model' : thread.loaded.program.locations[end.to]!.why;
    return this.unknown('unsupported-construct', `${thread.name}: ${why}`, open[1], thread.name);
  }

  private unknown(code: ReasonCode, reason: string, path: readonly Edge[], thread = ''): SessionResult {
    return { kind: 'unknown', code, reason, path, thread, stats: this.stats() };
  }

  private stats(): Readonly<Record<string, StatValue>> {
    return {
      ...this.extra,
      refinements: this.rounds,
      iterations: this.inner,
      largestProduct: this.largest,
      predicates: this.threads.reduce((sum, { precision }) => sum + precision.predicates.length, 0),
      trackedVariables: this.threads.reduce((sum, { precision }) => sum + precision.tracked.size, 0),
      statesPerThread: this.threads.map(({ extracted }) =>
        extracted === null ? 0 : stateCount(extracted.kripke),
      ),
      solverCalls: this.oracle.asked,
    };
  }
}

/** The path up to the first configuration in which one of the propositions holds. */
function upTo(system: System, path: Path, names: readonly string[]): Path {
  const bad = system.components.map(({ propositions }) =>
    names.map((name) => propositions.indexOf(name)).filter((id) => id >= 0),
  );
  const end = path.states.findIndex((configuration) =>
    bad.some((ids, component) =>
      ids.some((id) => system.components[component]!.labels[configuration[component]!]!.includes(id)),
    ),
  );
  return end < 0
    ? path
    : { states: path.states.slice(0, end + 1), events: path.events.slice(0, end), loopStart: null };
}
