// What is said of a question that stays open: how far each engine came.

import type { Board } from '../engine/fact.ts';
import type { Unknown } from '../verdict/answer.ts';
import { unknown } from '../verdict/answer.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import { REASONS } from '../verdict/reasons.ts';
import type { Method, Suspicion } from '../verdict/verdict.ts';

export interface OpenReason {
  readonly reasonCode: ReasonCode;
  readonly reason: string;
  readonly method: Method | undefined;
  readonly evidence: Suspicion | undefined;
}

/** The suspicion of the engine that has one, why it is one, and what kept the last engine from settling it. */
export function reasonFrom(board: Board, property: string): OpenReason {
  const open = board.answers(property).filter((answer): answer is Unknown => answer.verdict === 'unknown');
  const last = open.at(-1);
  if (last === undefined)
    return {
      reasonCode: 'time-limit',
      reason: 'no analysis had come to an answer when the time was over',
      method: undefined,
      evidence: undefined,
    };
  const suspicion = open.findLast((answer) => answer.evidence !== undefined);
  const reason =
    suspicion === undefined || suspicion === last || suspicion.reason === last.reason
      ? last.reason
      : `${suspicion.reason}; no real run was found: ${last.reason}`;
  return {
    reasonCode: last.reasonCode,
    reason,
    method: suspicion?.method ?? last.method,
    evidence: suspicion?.evidence,
  };
}

/** An unknown from what the board says, for properties without an assembly of their own. */
export function openAnswer(board: Board, property: string): Unknown {
  const { reasonCode, reason, method, evidence } = reasonFrom(board, property);
  const notes = board.answers(property).at(-1)?.notes;
  return unknown(reasonCode in REASONS ? reasonCode : 'time-limit', reason, {
    method,
    evidence,
    stats: board.statsOf(property),
    notes,
  });
}
