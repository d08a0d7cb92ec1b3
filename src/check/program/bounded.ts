// `bounded`: the answer about all queues, put together from what engines learned about single ones.

import type { Board, QueuesFact } from '../../engine/fact.ts';
import type { CheckOptions } from '../../engine/options.ts';
import type { Program } from '../../process/program.ts';
import type { Answer } from '../../verdict/answer.ts';
import { proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Note, ProofEvidence, ProofExplanation, QueueResult } from '../../verdict/verdict.ts';
import { worst } from '../../verdict/verdict.ts';
import { reasonFrom } from '../reasons.ts';
import { trustedFits } from './fits.ts';
import { assumptionsOn, reachedOn } from './knowledge.ts';

interface Row {
  readonly queue: QueueResult;
  /** What it rests on, when it is settled. */
  readonly fact: QueuesFact | null;
}

/** Null while no engine has named the queues. */
export function assembleBounded(board: Board, program: Program): Answer | null {
  const facts = board.queues();
  if (facts.length === 0) return null;
  const rows = mergedRows(facts).map((row) => withReached(row, board));
  const named = rows.map(({ queue }) => queue);
  const assumptions = assumptionsOn(board) ?? { neverFull: [], seesAll: false };
  const queues = trustedFits(program, assumptions, named);
  const stats = board.statsOf('bounded');
  const verdict = worst(queues.map((queue) => queue.verdict));
  if (verdict === 'refuted') {
    const culprit = rows.find((row) => row.fact?.backing?.evidence.kind === 'run')!.fact!;
    const { evidence } = culprit.backing!;
    if (evidence.kind !== 'run') throw new Error('impossible: a refuted queue without a run');
    return refuted(evidence.run, { queues, stats, notes: notesOf(facts, []) });
  }
  if (verdict === 'unknown') {
    const { reasonCode, reason, method, evidence } = reasonFrom(board, 'bounded');
    return unknown(reasonCode, reason, { method, evidence, queues, stats, notes: notesOf(facts, []) });
  }
  const used = [...new Set(rows.length === 0 ? [facts.at(-1)!] : rows.map((row) => row.fact!))];
  const last = used.at(-1)!;
  return proved(last.method, evidenceOf(used, rows), checkerOf(used), {
    queues,
    stats,
    notes: notesOf(facts, emptyQueueNotes(queues)),
    proof: explanationOf(used),
  });
}

/** Of proofs that are several, what each has to say. */
function explanationOf(used: readonly QueuesFact[]): ProofExplanation | undefined {
  const potentials = used.flatMap(({ proof }) => proof?.potentials ?? []);
  return potentials.length === 0 ? undefined : { kind: 'bound', potentials };
}

/** Is there nothing left to find out? A refuted model needs no more than a first look at the other queues; the exact maxima may be wanted. */
export function isBoundedSettled(board: Board, options: CheckOptions): boolean {
  const facts = board.queues();
  // The linear program names every queue; before its first round nobody knows which there are.
  if (!facts.some((fact) => fact.rows.length > 0 || fact.backing !== null)) return false;
  const queues = mergedRows(facts).map((row) => withReached(row, board).queue);
  const verdict = worst(queues.map((queue) => queue.verdict));
  const isExact =
    !options.exact || queues.every((queue) => queue.verdict === 'refuted' || queue.exact !== null);
  if (verdict === 'refuted')
    return options.allQueues !== true || (queues.every((queue) => queue.verdict !== 'unknown') && isExact);
  return verdict === 'proved' && isExact;
}

/** A bound that some run reaches is exact. */
function withReached(row: Row, board: Board): Row {
  const { name, verdict, bound, exact } = row.queue;
  if (verdict !== 'proved' || exact !== null || reachedOn(board)[name] !== bound) return row;
  return { ...row, queue: { ...row.queue, exact: bound } };
}

/** Refuted beats proved beats unknown; of proofs the smallest bound, the later one when they are equal. */
function mergedRows(facts: readonly QueuesFact[]): Row[] {
  const rows = new Map<string, Row>();
  for (const fact of facts) {
    for (const queue of fact.rows) {
      const known = rows.get(queue.name);
      const row: Row = { queue, fact: queue.verdict === 'unknown' ? null : fact };
      rows.set(queue.name, known === undefined ? row : better(known, row));
    }
  }
  return [...rows.values()];
}

function better(a: Row, b: Row): Row {
  if (b.queue.verdict === 'unknown') return a;
  if (a.queue.verdict === 'unknown') return { ...b, queue: { ...b.queue, ...placeOf(a.queue) } };
  if (a.queue.verdict !== b.queue.verdict)
    throw new Error(`impossible: engines contradict each other about the queue ${a.queue.name}`);
  if (a.queue.verdict === 'refuted') return a;
  const isTighter = (b.queue.bound ?? Infinity) <= (a.queue.bound ?? Infinity);
  const [best, other] = isTighter ? [b, a] : [a, b];
  const least = (x: number | null, y: number | null): number | null =>
    x === null ? y : y === null ? x : Math.min(x, y);
  const exact = a.queue.exact ?? b.queue.exact;
  return {
    fact: best.fact,
    queue: {
      ...best.queue,
      ...placeOf(a.queue),
      exact,
      certifiedBound: least(a.queue.certifiedBound, b.queue.certifiedBound),
      fits: best.queue.fits ?? other.queue.fits,
    },
  };
}

const placeOf = ({ at }: QueueResult): Pick<QueueResult, 'at'> => (at === undefined ? {} : { at });

/** One piece of evidence where one is enough; else which queues rest on which. */
function evidenceOf(used: readonly QueuesFact[], rows: readonly Row[]): ProofEvidence {
  const [only] = used;
  if (used.length === 1) return proofOf(only!);
  return {
    kind: 'parts',
    parts: used.map((fact) => ({
      queues: rows.filter((row) => row.fact === fact).map((row) => row.queue.name),
      method: fact.method,
      evidence: proofOf(fact),
    })),
  };
}

function proofOf({ backing }: QueuesFact): Exclude<ProofEvidence, { kind: 'parts' }> {
  const evidence = backing?.evidence;
  if (evidence === undefined || evidence.kind === 'run' || evidence.kind === 'parts')
    throw new Error('impossible: a proved queue without a proof');
  return evidence;
}

/** The weakest of the checkers that took part. */
function checkerOf(used: readonly QueuesFact[]) {
  const names = used.map(({ backing }) =>
    backing !== null && 'checkedBy' in backing ? backing.checkedBy : 'search',
  );
  return names.find((name) => name.includes('SMT')) ?? names.find((name) => name === 'search') ?? names[0]!;
}

function notesOf(facts: readonly QueuesFact[], more: readonly Note[]): readonly Note[] {
  return [...more, ...facts.flatMap((fact) => fact.notes ?? [])];
}

/** A queue that nothing is ever sent to is bounded, but hardly what the author meant. At the declared capacities, too: a full queue may lead there. */
function emptyQueueNotes(queues: readonly QueueResult[]): Note[] {
  const empty = queues.filter(
    ({ verdict, bound, fits }) => verdict === 'proved' && bound === 0 && fits === true,
  );
  if (empty.length === 0) return [];
  const names = empty.length > 4 ? `${empty.length} queues` : empty.map((queue) => queue.name).join(', ');
  const at = empty[0]!.at;
  return [
    { severity: 'hint', message: `nothing is ever sent to ${names}`, ...(at === undefined ? {} : { at }) },
  ];
}
