// Questions about one composition, answered: engines are asked, separate code looks at every proof again, and formulas are told whether the system can deadlock.

import { type Budget, fractionOf, type Observer, shareOf } from '../base/budget.ts';
import type { DeadlockAnswer, FreeEvidence } from '../deadlock/deadlock.ts';
import { checkDeadlock } from '../deadlock/deadlock.ts';
import { toDocument } from '../deadlock/document.ts';
import type { CheckOptions } from '../engine/options.ts';
import {
  auditComposedDeadlock,
  auditComposedFormula,
  compositionDocument,
} from '../kripke/audit/composition-document.ts';
import { auditNoDeadlock, deadlockDocument } from '../kripke/audit/deadlock.ts';
import { auditLtl, toDocument as toLtlDocument } from '../kripke/audit/document.ts';
import { auditReducedDeadlock, auditReducedFormula, reducedDocument } from '../kripke/audit/stubborn.ts';
import { auditSymbolicDeadlock, auditSymbolicFormula } from '../kripke/audit/symbolic.ts';
import { symbolicDocument } from '../kripke/audit/symbolic-document.ts';
import { runOf } from '../kripke/run.ts';
import type { FormulaProof } from '../kripke/settle.ts';
import { isFormulaStrategy, settleFormula } from '../kripke/settle.ts';
import { STRATEGIES, type Strategy } from '../kripke/strategies.ts';
import { edgeCount, stateCount } from '../kripke/structure.ts';
import type { System } from '../kripke/system.ts';
import type { Syntax } from '../ltl/syntax.ts';
import { type Answer, type Checker, proved, refuted, unknown } from '../verdict/answer.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { CertificateDocument, Note, ProofEvidence, Stats } from '../verdict/verdict.ts';

export const DEADLOCK = 'deadlock-free';

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

/** A search that nobody repeats. */
function exhausted(search: Extract<FreeEvidence, { kind: 'exhaustion' }>): Looked {
  const { states, edges: transitions, reduced } = search;
  const evidence = { kind: 'exhaustion', states, transitions, ...(reduced ? { reduced } : {}) } as const;
  return { evidence, checkedBy: 'search' };
}

export class Session {
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
    const wanted = strategyOf(options);
    const strategy = isFormulaStrategy(wanted) ? wanted : 'portfolio';
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
    if (evidence.kind === 'exhaustion' && evidence.reduced === true) {
      const result = auditReducedDeadlock(system.components, shareOf(budget, 2).timeLeft);
      if (result === 'holds') return certified(reducedDocument(system, DEADLOCK), 'states');
      return result === 'limit' ? exhausted(evidence) : 'no-certificate';
    }
    const whole = auditNoDeadlock(system.components, null, shareOf(budget, 2).timeLeft);
    if (whole.result === 'free') return certified(deadlockDocument(system, null), 'states');
    if (whole.result !== 'limit') return 'no-certificate';
    // An exhausted search that is too large to be repeated slowly stands by itself.
    if (evidence.kind === 'exhaustion') return exhausted(evidence);
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
    if (proof.kind === 'reduced')
      return accepted(auditReducedFormula(system, formula, budget.timeLeft), reducedDocument(system, id));
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

function strategyOf({ monolithic, strategy }: CheckOptions): Strategy {
  if (monolithic === true) return 'monolithic';
  return STRATEGIES.find((known) => known === strategy) ?? 'portfolio';
}

const LIMITS = {
  time: 'time-limit',
  states: 'state-limit',
  memory: 'memory-limit',
  linear: 'linear-condition-open',
} as const satisfies Record<string, ReasonCode>;
