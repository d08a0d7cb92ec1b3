// The refinement loop, for boundedness and livelock alike ([Ciclo] VII-B): ask the linear program → a counterexample → analyse its cycles → rows that
// rule it out → ask again. It ends with an answer, with a counterexample that nothing rules out, or with a budget.

import { type Budget, fractionOf, type Observer, SILENT, UNLIMITED } from '../base/budget.ts';
import { refineUntilSettledAsync } from '../base/cegar.ts';
import type { Ray } from '../counterexample/ray.ts';
import type { ExactVector } from '../lp/problem.ts';
import { loadSolver, type Solver } from '../lp/solver.ts';
import type { NetCycle } from '../net/cycles.ts';
import { indexNet } from '../net/encode-flow.ts';
import type { Net } from '../net/net.ts';
import type { Program } from '../process/program.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import type { CertificateDocument, Stats } from '../verdict/verdict.ts';
import { codeContext } from './context.ts';
import { type RefinedSystem, refinedSystem } from './refined-system.ts';
import { Facts } from './rows.ts';
import {
  cyclesOfPoint,
  DEFAULT_LIMITS,
  REFINEMENT_SHARE,
  type RefinementLimits,
  Refiner,
  rayOfPoint,
} from './search.ts';

export interface RefineOptions {
  readonly budget?: Budget;
  readonly observer?: Observer;
  readonly solver?: Solver;
  readonly limits?: Partial<RefinementLimits>;
  readonly abstraction?: CertificateDocument['abstraction'];
}

/** What was used up; `solver`: it gave no answer that could be confirmed. */
export type Limit = 'rounds' | 'time' | 'solver';

export interface Suspicion {
  readonly cycles: readonly NetCycle[];
  readonly ray: Ray;
}

export type Finding<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'suspicion'; readonly suspicion: Suspicion }
  | { readonly kind: 'stuck'; readonly limit: Limit };

export class Refinement {
  readonly refiner: Refiner;
  readonly limits: RefinementLimits;
  private readonly whole: Budget;
  private readonly observer: Observer;
  private readonly begin: number;
  private readonly lpsBefore: number;
  private rounds = 0;

  /** Null when the program does something that cannot be seen through. */
  static async open(program: Program, net: Net, options: RefineOptions): Promise<Refinement | null> {
    const context = codeContext(program, net);
    if (context === null) return null;
    const observer = options.observer ?? SILENT;
    observer.stage('refine');
    return new Refinement(new Facts(context), options.solver ?? (await loadSolver()), observer, options);
  }

  private constructor(facts: Facts, solver: Solver, observer: Observer, options: RefineOptions) {
    this.begin = observer.now();
    this.observer = observer;
    this.whole = options.budget ?? UNLIMITED;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.lpsBefore = solver.stats.lps;
    const index = indexNet(facts.context.net);
    this.refiner = new Refiner(
      facts,
      solver,
      index,
      fractionOf(this.whole, REFINEMENT_SHARE),
      this.limits.maxCycles,
    );
    this.refiner.addCounters();
  }

  /** Asks until there is an answer, or a suspicion of which nothing new is to be learned. `also`: cycles that need columns. */
  async run<T>(also: readonly NetCycle[], ask: (system: RefinedSystem) => Finding<T>): Promise<Finding<T>> {
    const { budget } = this.refiner;
    const end = await refineUntilSettledAsync<Suspicion, Finding<T>>(
      {
        look: () => {
          const system = this.system('rays', also);
          const finding: Finding<T> =
            system === null ? { kind: 'stuck', limit: budget.timeLeft() ? 'rounds' : 'time' } : ask(system);
          return finding.kind === 'suspicion'
            ? { kind: 'counterexample', counterexample: finding.suspicion }
            : { kind: 'answer', answer: finding };
        },
        learn: async ({ cycles }) => ({
          kind: (await this.refiner.learnFrom(cycles)) ? 'refined' : 'nothing',
        }),
      },
      { budget, maxRounds: this.limits.maxRounds - this.rounds },
    );
    // The look that gave an answer learned from nothing.
    this.rounds += end.kind === 'answer' ? end.rounds - 1 : end.rounds;
    if (end.kind === 'answer') return end.answer;
    return end.kind === 'open'
      ? { kind: 'suspicion', suspicion: end.counterexample }
      : { kind: 'stuck', limit: end.limit };
  }

  /** The linear program with the rows known so far; null when it has too many cycles. */
  system(kind: 'runs' | 'rays', also: readonly NetCycle[] = []): RefinedSystem | null {
    const { index, facts, rows, budget } = this.refiner;
    return refinedSystem(kind, index, facts.context, rows, also, this.limits.maxCycles, budget);
  }

  suspicionAt(system: RefinedSystem, point: ExactVector): Suspicion {
    const { index } = this.refiner;
    return { cycles: cyclesOfPoint(index, system, point), ray: rayOfPoint(index, point) };
  }

  statsAfter(before: Stats): Stats {
    const { refiner } = this;
    return {
      ...before,
      ...refiner.stats,
      lps: Number(before['lps'] ?? 0) + refiner.solver.stats.lps - this.lpsBefore,
      milliseconds: { ...before.milliseconds, refine: this.observer.now() - this.begin },
    };
  }

  /** Why a limit kept the question open. */
  reasonFor(limit: Limit): { readonly reason: string; readonly reasonCode: ReasonCode } {
    if (limit === 'solver')
      return {
        reasonCode: 'solver-inconclusive',
        reason: 'the solver gave no answer that could be confirmed',
      };
    if (limit === 'rounds')
      return {
        reasonCode: 'refinement-budget',
        reason: 'the refinement used up its rounds, cycles or case splits',
      };
    return this.whole.timeLeft()
      ? { reasonCode: 'refinement-budget', reason: 'the refinement used up its share of the time' }
      : { reasonCode: 'time-limit', reason: 'the time was over while the counterexample was being refined' };
  }
}
