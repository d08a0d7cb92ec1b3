// What every edge does, as JavaScript text: it moves its process, reports the step (`out`, or `chn` when an atomic sequence goes on), and takes its changes back.

import type { Edge, Location } from '../process/program.ts';
import type { CodeContext } from './code-expression.ts';
import { FRAME, HEADER } from './layout.ts';

export interface EdgeContext {
  readonly scope: CodeContext;
  readonly edge: Edge;
  /** Where it is taken; of nested selections that is not always where it begins. */
  readonly at: number;
  /** Of the proctype. */
  readonly locations: readonly Location[];
  /** Other edges of the location wait for this one (`unless`): its executability is kept in `e<id>`. */
  readonly isBlocker: boolean;
  /** All of the location that others wait for. */
  readonly blockers: readonly number[];
}

/**
 * Where the order of deaths does not matter, a process that arrives at its end is gone with that step. (Not after a rendezvous, where the
 * partner's frame must stay in its place: there the end is a step of its own.)
 */
export function diesWith(locations: readonly Location[], edge: Edge): boolean {
  return edge.statement.kind !== 'end' && !edge.keepsControl && locations[edge.to]!.isFinal;
}

/**
 * Changes that are few and known need no log: they are taken back by hand, which is shorter and sooner. Not where a step may be traced, nor where
 * frames move when a process dies.
 */
export const byHand = ({ bare, anyOrderOfDeath }: CodeContext): boolean => bare && !anyOrderOfDeath;

/** The process moves; what takes it back, unless the log does. */
export function moving({ edge, scope, at }: EdgeContext): { move: string; back: string } {
  if (edge.to === edge.from) return { move: '', back: '' };
  const cell = `b+${FRAME.location}`;
  if (!byHand(scope)) return { move: `w(${cell},${edge.to});`, back: '' };
  return { move: `S[${cell}]=${edge.to};`, back: `S[${cell}]=${at};` };
}

/** Nothing but the change and the move: functions of code-moves.ts do it, with a name that ends in this. */
export const isShort = ({ scope, isBlocker }: EdgeContext): boolean =>
  byHand(scope) && !scope.isClaim && !scope.features.last && !isBlocker;

export const endOf = ({ edge }: EdgeContext): '' | 'C' => (edge.keepsControl ? 'C' : '');

/** Their last arguments: the edge, where it leads, where it is taken. */
export const movement = ({ edge, at }: EdgeContext): string =>
  `${edge.id},${edge.to === edge.from ? at : edge.to},${at}`;

/** Marks the edge as executable and moves the process. */
export function commit(context: EdgeContext): string {
  const { edge, isBlocker, scope, locations } = context;
  const { move, back } = moving(context);
  const last = scope.features.last && !scope.isClaim ? `w(${HEADER.last},p);` : '';
  const blocker = isBlocker ? `e${edge.id}=true;` : '';
  const death = scope.anyOrderOfDeath && diesWith(locations, edge) ? 'die(p,b);' : '';
  const report = scope.isClaim ? 'claimed' : edge.keepsControl ? 'chn' : 'out';
  if (isShort(context)) return `n+=go${endOf(context)}(p,b,${movement(context)});`;
  return `${move}${death}${last}n++;${blocker}${report}(p,${edge.id});${back}`;
}

/** What is logged is taken back afterwards, and the marks of what changed. */
export function undone({ bare }: CodeContext, code: string): string {
  const marks = bare && MAKES_MARKS.test(code);
  return `const m=u${marks ? ',g=qn' : ''};${code}undo(m)${marks ? ';qn=g' : ''}`;
}

/** It marks something itself, or a d_step does. */
const MAKES_MARKS = /\bmq\(|\bd\d+\(/;

/** A runtime error makes the edge count as executable (the model did something wrong, it is not blocked) but leads nowhere. */
export function afterFault({ edge, isBlocker }: EdgeContext, mayFault: boolean): string {
  if (!mayFault) return '';
  return `if(fault!==0){flt(p,${edge.id});n++;${isBlocker ? `e${edge.id}=true;` : ''}}else `;
}

/** Errors that are passed are reported as soon as the statement was looked at. */
export const warned = ({ edge }: EdgeContext, { mayWarn }: CodeContext): string =>
  mayWarn ? `if(soft!==0)sft(p,${edge.id},-1,-1);` : '';

export const fresh = (scope: CodeContext): CodeContext => ({
  ...scope,
  mayFault: false,
  mayWarn: false,
  hasEffect: false,
});
