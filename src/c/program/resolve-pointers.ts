// What the points-to analysis decides once it is done: the cells of all sites, what comes from outside, and which ways pointers from outside, or to the outside, take.

import type { CallBack } from './call-backs.ts';
import type { Expr } from './expr.ts';
import { type AddressFacts, Analysis } from './points-to.ts';
import type { MemoryObject, Operation, Program } from './program.ts';

/** A branch that is taken when a pointer means a function that is in none of the files. */
export interface OtherCallee {
  readonly operation: Extract<Operation, { kind: 'assume' }>;
  readonly pointer: Expr;
  /** Addresses of the functions that have branches of their own. */
  readonly covered: ReadonlySet<bigint>;
  /** The test before all branches, and what it is where there are no functions from outside: one of the branches can be taken. */
  readonly isFunction: Extract<Operation, { kind: 'defined' }>;
  readonly called: Expr;
}

/** What the lowering left open. */
export interface FromElsewhere {
  /** Operations that stand for effects from outside. */
  readonly clobbers: readonly Operation[];
  readonly otherCallees: readonly OtherCallee[];
  readonly callBacks: readonly CallBack[];
  /** Addresses that became numbers: nobody knows where these go. */
  readonly asNumbers: readonly Expr[];
  /** Variables that can be used elsewhere by their names. */
  readonly exported: ReadonlySet<MemoryObject>;
  /** Variables of functions that keep their values: functions of ours that are called from elsewhere change them. */
  readonly statics: ReadonlyMap<unknown, MemoryObject>;
}

/** Fills in the cells of all sites, and of the operations that stand for effects from outside; closes branches that only pointers from outside, or to the outside, take. */
export function resolvePointers(program: Program, elsewhere: FromElsewhere): AddressFacts {
  const { clobbers, otherCallees, callBacks, asNumbers, exported, statics } = elsewhere;
  const analysis = new Analysis(program, clobbers);
  analysis.run();
  const given = [...callBacks.flatMap((callBack) => callBack.given), ...asNumbers];
  let isKnown = analysis.functionsKnownOutside(given, exported);
  if (statics.size > 0 && callBacks.some(({ ours }) => [...ours].some(isKnown))) {
    analysis.show(statics.values());
    analysis.run();
    isKnown = analysis.functionsKnownOutside(given, exported);
  }
  const { pool } = program;
  for (const { operation, pointer, covered, isFunction, called } of otherCallees) {
    if (analysis.mayMeanOthers(pointer, covered)) continue;
    (operation as { test: Expr }).test = pool.false;
    (isFunction as { test: Expr }).test = called;
  }
  for (const { toError, toUndefined, toLoop, ours, stating, endless } of callBacks) {
    if (![...stating].some(isKnown)) (toError as { test: Expr }).test = pool.false;
    if (![...endless].some(isKnown)) (toLoop as { test: Expr }).test = pool.false;
    if (![...ours].some(isKnown)) (toUndefined as { test: Expr }).test = pool.false;
  }
  return analysis;
}
