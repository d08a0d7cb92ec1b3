// Formulas by decision diagrams, conjunct by conjunct. `G p` for a condition on single configurations and the event they are left with is looked up in what
// the components reach by themselves. Everything else is watched by the automaton of its negation (`hull.ts`): first by the one that the ltl room translates;
// when that finds no violation, once more by the one that the audit makes of the formula, whose sets are the certificate. Both have to agree.

import type { Budget } from '../../base/budget.ts';
import { conjunctsOf } from '../../ltl/conjuncts.ts';
import { FormulaFactory } from '../../ltl/formula.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import { toFormula } from '../../ltl/syntax.ts';
import { translate } from '../../ltl/translate.ts';
import type { Watcher } from '../audit/watcher.ts';
import { watcherOf } from '../audit/watcher.ts';
import type { NotProved } from '../path.ts';
import type { System } from '../system.ts';
import { watcherFrom } from './automaton.ts';
import { pathOf, type SymbolicStats } from './deadlock.ts';
import { EMPTY } from './diagram.ts';
import { fairLasso, hullOf } from './hull.ts';
import { isInvariant } from './invariant.ts';
import { withinLimits } from './limits.ts';
import type { SetsRecord, SymbolicRecord, WatchedRecord } from './proof.ts';
import { Recorder } from './proof.ts';
import { Space } from './space.ts';

type Open = NotProved<'time-limit' | 'memory-limit' | 'formula-too-large'>;

export type SymbolicFormula = { readonly stats: SymbolicStats } & (
  | { readonly kind: 'holds'; readonly record: SymbolicRecord }
  | Open
);

export function symbolicFormula(system: System, syntax: Syntax, budget: Budget): SymbolicFormula {
  const check = new FormulaCheck(system, budget);
  const result = withinLimits(
    () => check.run(syntax),
    (limit) => ({ kind: 'limit', limit: limit === 'time' ? 'time-limit' : 'memory-limit' }) as const,
  );
  return { ...result, stats: check.stats };
}

type Conjunct = { readonly kind: 'holds'; readonly proof: WatchedRecord | null } | Open;

class FormulaCheck {
  readonly stats = { diagramNodes: 0, reached: 0 };
  private readonly system: System;
  private readonly budget: Budget;
  private plainSpace: { readonly space: Space; readonly reached: number } | null = null;

  constructor(system: System, budget: Budget) {
    this.system = system;
    this.budget = budget;
  }

  run(syntax: Syntax): { readonly kind: 'holds'; readonly record: SymbolicRecord } | Open {
    const proofs: (WatchedRecord | null)[] = [];
    for (const part of conjunctsOf(syntax)) {
      const result = this.conjunct(part);
      if (result.kind !== 'holds') return result;
      proofs.push(result.proof);
    }
    return { kind: 'holds', record: { plain: proofs.includes(null) ? this.plainSets() : null, proofs } };
  }

  private conjunct(syntax: Syntax): Conjunct {
    const { space, reached } = this.plain();
    if (isInvariant(space, reached, syntax)) return { kind: 'holds', proof: null };
    const factory = new FormulaFactory();
    const formula = toFormula(factory, syntax);
    const automaton = translate(factory, factory.not(formula));
    const watcher = automaton === null ? null : watcherFrom(automaton);
    const second = watcherOf(syntax);
    if (watcher === null || second === null) return { kind: 'limit', limit: 'formula-too-large' };
    const found = this.watched(watcher);
    if (found.hull.set !== EMPTY) {
      const { trace, loopStart } = fairLasso(found.space, found.hull, watcher);
      return { kind: 'violated', path: pathOf(found.space, trace, loopStart), factory, formula };
    }
    const again = this.watched(second);
    if (again.hull.set !== EMPTY) throw new Error('impossible: two automata of one formula disagree');
    const recorder = new Recorder(again.space);
    const steps = again.hull.steps.map((step) => ({ ...step, set: recorder.set(step.set) }));
    return { kind: 'holds', proof: { ...recorder.reached(again.reached), steps } };
  }

  private watched(watcher: Watcher) {
    const space = Space.of(this.system, watcher, this.budget);
    const reached = space.forward.closure(space.initial);
    const hull = hullOf(space, watcher, reached);
    this.stats.diagramNodes = Math.max(this.stats.diagramNodes, space.diagrams.size);
    return { space, reached, hull };
  }

  private plain(): { readonly space: Space; readonly reached: number } {
    if (this.plainSpace === null) {
      const space = Space.of(this.system, null, this.budget);
      const reached = space.forward.closure(space.initial);
      this.plainSpace = { space, reached };
      this.stats.diagramNodes = Math.max(this.stats.diagramNodes, space.diagrams.size);
      this.stats.reached = space.diagrams.count(reached);
    }
    return this.plainSpace;
  }

  private plainSets(): SetsRecord {
    const { space, reached } = this.plain();
    return new Recorder(space).reached(reached);
  }
}
