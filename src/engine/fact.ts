// What engines learn about one model, on one board. Facts only grow: what was once known is lost by no later round, limit or crash.
// All of it is plain data, so that facts cross threads and machines.

import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { Answer, Checker } from '../verdict/answer.ts';
import { missingBacking } from '../verdict/answer.ts';
import type {
  ControlGraph,
  FormulaExplanation,
  LoopDependency,
  Method,
  Note,
  ProofEvidence,
  ProofExplanation,
  QueueResult,
  RunEvidence,
  Stats,
} from '../verdict/verdict.ts';

export type Fact =
  /** A definite answer closes the property; an unknown says how far an engine came. */
  | { readonly kind: 'answer'; readonly property: string; readonly engine: string; readonly answer: Answer }
  /** Some queues are settled, all by the same evidence; open rows say what else is known of a queue. */
  | QueuesFact
  /** Counts and times, to be shown whatever the verdict. */
  | { readonly kind: 'stats'; readonly property: string; readonly stats: Stats }
  /** What one engine found out for the benefit of others: plain data that the language's engines agree about. */
  | { readonly kind: 'knowledge'; readonly about: string; readonly value: unknown }
  /** The request makes no sense as it is. */
  | { readonly kind: 'diagnostic'; readonly diagnostic: PlacedDiagnostic }
  | ({ readonly kind: 'pictures' } & Pictures)
  /** Learned at the same moment: an answer is not given before all of them are known. */
  | { readonly kind: 'together'; readonly facts: readonly Fact[] };

export interface QueuesFact {
  readonly kind: 'queues';
  readonly engine: string;
  readonly rows: readonly QueueResult[];
  readonly method: Method;
  /** Null: nothing is settled, the rows only name the queues. */
  readonly backing:
    | { readonly evidence: ProofEvidence; readonly checkedBy: Checker }
    | { readonly evidence: RunEvidence }
    | null;
  /** The proof in words and numbers, when asked for. */
  readonly proof?: ProofExplanation;
  /** What the evidence took for granted. */
  readonly notes?: readonly Note[];
}

/** For reports that people look at. */
export interface Pictures {
  readonly graphs?: readonly ControlGraph[];
  readonly dependencies?: readonly LoopDependency[];
  readonly formula?: FormulaExplanation;
}

/** A fact that is not what it says it is. */
class UnbackedFact extends Error {}

export class Board {
  private readonly all: Fact[] = [];

  /** Refuses answers without evidence, wherever they come from. */
  add(fact: Fact): void {
    if (fact.kind === 'together') {
      for (const one of fact.facts) this.add(one);
      return;
    }
    const missing = problemOf(fact);
    if (missing !== null) throw new UnbackedFact(missing);
    this.all.push(fact);
  }

  get facts(): readonly Fact[] {
    return this.all;
  }

  /** The first proof or refutation; two engines that contradict each other are a bug worth stopping for. */
  definite(property: string): Answer | null {
    let found: Answer | null = null;
    for (const answer of this.answers(property)) {
      if (answer.verdict === 'unknown') continue;
      if (found !== null && found.verdict !== answer.verdict)
        throw new Error(`impossible: engines contradict each other about ${property}`);
      found ??= answer;
    }
    return found;
  }

  answers(property: string): readonly Answer[] {
    return this.all.flatMap((fact) =>
      fact.kind === 'answer' && fact.property === property ? [fact.answer] : [],
    );
  }

  queues(): readonly QueuesFact[] {
    return this.all.filter((fact) => fact.kind === 'queues');
  }

  /** What was said last about it. */
  knowledge(about: string): unknown {
    return this.all.findLast((fact) => fact.kind === 'knowledge' && fact.about === about)?.['value' as never];
  }

  statsOf(property: string): Stats {
    let result: Stats = {};
    for (const fact of this.all) {
      if (fact.kind !== 'stats' || fact.property !== property) continue;
      result = mergeStats(result, fact.stats);
    }
    return result;
  }

  /** Each once, though several rounds may have said it. */
  diagnostics(): readonly PlacedDiagnostic[] {
    const all = this.all.flatMap((fact) => (fact.kind === 'diagnostic' ? [fact.diagnostic] : []));
    return [...new Map(all.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
  }

  pictures(): Pictures {
    const result: { -readonly [Key in keyof Pictures]: Pictures[Key] } = {};
    for (const fact of this.all) {
      if (fact.kind !== 'pictures') continue;
      const { kind, graphs, ...rest } = fact;
      Object.assign(result, rest);
      if (graphs !== undefined) result.graphs = [...(result.graphs ?? []), ...graphs];
    }
    return result;
  }
}

/** Later counts win; times of stages are kept side by side. */
export function mergeStats(first: Stats, second: Stats): Stats {
  const milliseconds = { ...first.milliseconds, ...second.milliseconds };
  return { ...first, ...second, ...(Object.keys(milliseconds).length === 0 ? {} : { milliseconds }) };
}

function problemOf(fact: Fact): string | null {
  if (fact.kind === 'answer') return missingBacking(fact.answer);
  if (fact.kind !== 'queues') return null;
  const settled = fact.rows.find((row) => row.verdict !== 'unknown');
  if (settled === undefined) return null;
  const { backing } = fact;
  if (backing === null) return `the queue ${settled.name} is settled without evidence`;
  const fitting = backing.evidence.kind === 'run' ? 'refuted' : 'proved';
  return fact.rows.every((row) => row.verdict === 'unknown' || row.verdict === fitting)
    ? null
    : `the evidence about ${settled.name} does not fit its verdict`;
}
