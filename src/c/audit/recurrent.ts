// A set of states that no run leaves: wherever one of its heads is passed in a state that satisfies what is written there, one of them is arrived at again, in such
// a state, whatever the inputs are (a closed recurrent set: Gupta, Henzinger, Majumdar, Rybalchenko and Xu, POPL 2008; Chen, Cook, Fuhs, Nimkar and O'Hearn,
// TACAS 2014). So a run that has come into it goes on for ever.
//
// For proofs it is enough that what the program can do is covered; here it must really be able to go on. Where operations could end a run without a condition that says so
// (memory through addresses, divisions and shifts by what is not constant, floating point) no set is accepted.

import type { Budget } from '../../base/budget.ts';
import { watchOf } from '../../base/budget.ts';
import { Solver } from '../../smt/solver.ts';
import type { Expr } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { Formulas } from './formula.ts';
import type { InvariantsProof } from './invariants.ts';
import { Obligations } from './obligations.ts';
import { readTest } from './proof.ts';
import { RegionReader } from './region.ts';

/** True when no run leaves the set. */
export async function isRecurrent(
  program: Program,
  { tests, invariants }: InvariantsProof,
  budget: Budget,
): Promise<boolean> {
  const formulas = new Formulas(watchOf(budget));
  const read = tests.map((text) => readTest(text, program, formulas));
  if (read.includes(null) || invariants.length === 0) return false;
  const held = new Map(invariants.map(([head, numbers]) => [head, numbers.map((number) => read[number]!)]));
  const isHead = (location: number) => held.has(location);
  for (const head of held.keys())
    if (program.locations[head]!.kind !== 'inner' || !edgesBehind(program, head, isHead).every(isPlain))
      return false;
  const obligations = new Obligations(formulas);
  const reader = new RegionReader(program, formulas, isHead);
  for (const [head, here] of held) {
    const arrivals = reader.from(head, new Map());
    if (typeof arrivals === 'string') return false;
    let goesOn = formulas.false;
    for (const { at, when, values } of arrivals) {
      if (!isHead(at)) continue;
      goesOn = formulas.apply('disj', 0, [goesOn, when]);
      for (const test of held.get(at)!) {
        const later = formulas.substitute(test, (variable) => values.get(Number(variable.value)) ?? variable);
        obligations.impossible([...here, when, formulas.not(later)], () => 'the set is left');
      }
    }
    obligations.impossible([...here, formulas.not(goesOn)], () => 'a run ends');
  }
  const solver = new Solver({ timeout: 120_000, logic: 'QF_BV', remaining: budget.remaining });
  try {
    return (await obligations.settle(solver, budget)) === null;
  } finally {
    solver.dispose();
  }
}

/** The edges that can be taken before the next head. */
function edgesBehind(program: Program, head: number, isHead: (location: number) => boolean): Edge[] {
  const outgoing = outgoingEdges(program);
  const edges = [...outgoing[head]!];
  const seen = new Set<number>();
  for (const { to } of edges) {
    if (isHead(to) || seen.has(to)) continue;
    seen.add(to);
    edges.push(...outgoing[to]!);
  }
  return edges;
}

/** Nothing in it ends a run but its own test. */
const isPlain = ({ operation }: Edge): boolean =>
  operation.kind !== 'store' &&
  operation.kind !== 'event' &&
  !(operation.kind === 'havoc' && !operation.exact) &&
  expressionsOf(operation).every(isTotal);

const PARTIAL = new Set(['udiv', 'sdiv', 'urem', 'srem', 'shl', 'lshr', 'ashr']);

function isTotal(expr: Expr): boolean {
  if (expr.hasLoad || expr.hasFloat) return false;
  const by = PARTIAL.has(expr.op) ? expr.args[1]! : null;
  if (by !== null && (by.op !== 'const' || by.value === 0n || isShiftTooFar(expr, by))) return false;
  return expr.args.every(isTotal);
}

const isShiftTooFar = ({ op, width }: Expr, by: Expr): boolean =>
  (op === 'shl' || op === 'lshr' || op === 'ashr') && by.value >= BigInt(width);
