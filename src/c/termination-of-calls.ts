// `terminates` where functions call themselves as deep as inputs say. The program is read so that calls enter functions for good, or do what contracts say (lower/contracts.ts): recursion
// becomes loops, for which measures are looked for as for any others, and the audit checks them with the contracts. First nothing is ensured, which is
// mostly enough; then what could be guessed (reach/ensured.ts). Read with calls that only enter, a run that comes back to the same state, or into a set of states that no run leaves, is one of
// the real program: calls inside of calls, of which none returns.

import { type Budget, fractionOf, TimeOver, watchOf } from '../base/budget.ts';
import { type Answer, refuted } from '../verdict/answer.ts';
import { auditTermination } from './audit/audit.ts';
import type { InvariantsProof } from './audit/invariants.ts';
import { contractsCertificate, invariantsCertificate, provedIf } from './audit/verdict.ts';
import type { CRequest } from './load-c.ts';
import type { Calling, Contract } from './lower/contracts.ts';
import { endlessCall } from './probe/call-stack.ts';
import { findLasso } from './probe/lasso.ts';
import { replay } from './probe/replay.ts';
import type { CellSet } from './program/cell-set.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Edge, Program } from './program/program.ts';
import { ensuredContracts } from './reach/ensured.ts';
import { liveCells } from './reach/liveness.ts';
import type { Oracle } from './reach/oracle.ts';
import { rankSearch } from './reach/ranking.ts';
import { recurrentRun } from './reach/recurrent.ts';
import { withOracle } from './reach/with-oracle.ts';
import { notesOf } from './report/notes.ts';
import { runOfLasso } from './report/run.ts';

/** The program with these contracts; null where there is none. */
export type ReadCalls = (contracts: readonly Contract[] | null, calling: Calling) => Program | null;

export interface Settled {
  readonly answer: Answer;
  readonly edges: readonly Edge[];
  /** The edges are its. */
  readonly program: Program;
}

const SHARE_OF_LASSO = 0.05;
const SHARE_OF_MEASURES = 0.35;
const SHARE_OF_SETS = 0.2;
const SHARE_OF_CONTRACTS = 0.8;

/** Null where nothing is found. */
export async function answerOfCalls(
  read: ReadCalls,
  property: string,
  actor: string,
  request: CRequest,
): Promise<Settled | null> {
  const search = new CallSearch(read, property, actor, request);
  try {
    return (
      (await search.comesBack()) ??
      search.comesBackLater() ??
      (await search.measured([], fractionOf(request.budget, SHARE_OF_MEASURES))) ??
      (await search.goesOn(fractionOf(request.budget, SHARE_OF_SETS))) ??
      (await search.ensured(fractionOf(request.budget, SHARE_OF_CONTRACTS)))
    );
  } catch (error) {
    if (error instanceof TimeOver || error instanceof RangeError) return null;
    throw error;
  }
}

class CallSearch {
  private readonly read: ReadCalls;
  private readonly property: string;
  private readonly actor: string;
  private readonly request: CRequest;
  private readonly begin: number;
  private readonly entering: Program | null;

  constructor(read: ReadCalls, property: string, actor: string, request: CRequest) {
    this.read = read;
    this.property = property;
    this.actor = actor;
    this.request = request;
    this.begin = request.observer.now();
    this.entering = read([], 'only entered');
  }

  /** A call is made again with the same arguments and shared variables. */
  async comesBack(): Promise<Settled | null> {
    const { entering, request } = this;
    if (entering === null) return null;
    const time = fractionOf(request.budget, SHARE_OF_LASSO);
    const lasso = entering.pool.underWatch(watchOf(request.budget), () =>
      findLasso(entering, liveCells(entering, []), time),
    );
    return lasso === null ? null : this.refutedBy(entering, lasso.run, lasso.loopAt, AGAIN);
  }

  /** The same, after other calls have returned. */
  comesBackLater(): Settled | null {
    const open = this.read(null, 'apart');
    const found =
      open === null ? null : endlessCall(open, fractionOf(this.request.budget, SHARE_OF_LASSO).timeLeft);
    return found === null ? null : this.refutedBy(open!, found.run, found.loopAt, AGAIN, true);
  }

  async goesOn(budget: Budget): Promise<Settled | null> {
    const { entering } = this;
    if (entering === null) return null;
    const going = await withOracle(entering, budget, (live, oracle) =>
      recurrentRun(entering, live, oracle, budget),
    );
    const run = going === null ? null : replay(entering, [{ ...going, to: 0, event: null }], [], [[]]);
    return going === null || run === null
      ? null
      : this.refutedBy(entering, run, going.loopAt, 'what is true here stays true, and no call returns');
  }

  private refutedBy(
    program: Program,
    run: Confirmed,
    loopAt: number,
    why: string,
    isByCalls = run.edges.slice(loopAt).some(({ to }) => program.locations[to]!.contract?.role === 'entry'),
  ): Settled {
    const title = `the program goes on for ever: ${isByCalls ? 'calls inside of calls without end, ' : ''}${why}`;
    const shown = runOfLasso(program, run, loopAt, this.actor, isByCalls ? title : GOES_ON);
    return { answer: refuted(shown, this.beside(program)), edges: run.edges, program };
  }

  /** By measures of loops and calls, when calls do what these say. */
  async measured(contracts: readonly Contract[], budget: Budget): Promise<Settled | null> {
    const program = this.read(contracts, 'entered');
    if (program === null) return null;
    const proof = await withOracle(program, budget, (live, oracle) =>
      measuresOf(program, live, oracle, budget),
    );
    if (proof === null) return null;
    const inner = invariantsCertificate(this.property, proof);
    const audit = await auditTermination(program, inner, this.request.budget);
    if (audit.kind !== 'accepted') return null;
    const certificate = contractsCertificate(this.property, contracts, inner);
    return { answer: provedIf(audit, certificate, this.beside(program)), edges: [], program };
  }

  /** By what calls are guessed to ensure. */
  async ensured(budget: Budget): Promise<Settled | null> {
    const open = this.read(null, 'apart');
    const contracts =
      open === null
        ? null
        : await ensuredContracts(open, (contracts) => this.read(contracts, 'entered'), budget);
    return contracts === null ? null : this.measured(contracts, budget);
  }

  private beside(program: Program) {
    return {
      notes: notesOf(program),
      stats: {
        locations: program.locations.length,
        edges: program.edges.length,
        milliseconds: { check: this.request.observer.now() - this.begin },
      },
    };
  }
}

const AGAIN = 'the same is called again, with the same values';
const GOES_ON = 'the program goes on for ever';

async function measuresOf(
  program: Program,
  live: readonly CellSet[],
  oracle: Oracle,
  budget: Budget,
): Promise<InvariantsProof | null> {
  const ranks = await rankSearch(program, live, oracle, budget);
  if (ranks === null) return null;
  return (await ranks.simple(fractionOf(budget, 0.6))) ?? (await ranks.thorough(budget));
}
