// Programs with functions that call themselves as deep as inputs say: guesses at contracts, each of which is put into the program and proved there, and checked
// by the audit as any other proof. The solver that guesses answers soon or, mostly, never; so it works while the other analyses do, and is ended when these have an answer.

import { type Budget, cancellable, fractionOf, TimeOver } from '../base/budget.ts';
import type { Answer } from '../verdict/answer.ts';
import { auditProgram } from './audit/audit.ts';
import { contractsCertificate, invariantsCertificate, provedIf } from './audit/verdict.ts';
import { inTime } from './in-time.ts';
import type { CRequest, LoadedC } from './load-c.ts';
import type { Contract } from './lower/contracts.ts';
import { lived } from './lower/lifetimes.ts';
import { lowerWithContracts } from './lower/lower.ts';
import { DEPTHS, isRecursionCut } from './lower/recursion.ts';
import { failingCalls } from './probe/failing-calls.ts';
import type { Confirmed } from './program/confirmed.ts';
import type { Program } from './program/program.ts';
import { ContractGuesses } from './reach/contracts.ts';
import { ensuredContracts } from './reach/ensured.ts';
import { proofByInvariants } from './reach/invariants.ts';
import type { Asking } from './reach/oracle.ts';
import { notesOf } from './report/notes.ts';

/** Of the time that is left, for reading and executing the program, for reading it otherwise, for what works meanwhile, and for guessing. */
const SHARE_OF_RUNS = 0.1;
const SHARE_OF_READING = 0.1;
const SHARE_OF_OTHERS = 0.85;
const SHARE_OF_GUESSES = 0.8;
const SHARE_OF_CALLS = 0.5;
/** For one question, whatever time there is; each that is open is asked again with more. */
const MOST_MILLISECONDS = [1500, 6000] as const;

export interface Asked {
  readonly property: string;
  /** The program whose errors are what the property excludes. */
  readonly programFor: (program: Program) => Program;
  readonly isError: (program: Program) => (location: number) => boolean;
}

/** A run in another reading of the program. */
export interface RunOf {
  readonly program: Program;
  readonly run: Confirmed;
}

/** A proof by contracts, a run to an error deep inside of calls, or what the other analysis says. */
export async function besideContracts<Other>(
  loaded: LoadedC,
  asked: Asked,
  request: CRequest,
  other: (budget: Budget, asking: Asking) => Promise<Other>,
  isOpen: (answer: Other) => boolean,
): Promise<{ readonly proof: Answer } | { readonly failing: RunOf } | { readonly other: Other }> {
  if (!isCutOff(loaded.program)) return { other: await other(request.budget, {}) };
  const deep = failingDeep(loaded, asked, request);
  // Where copies of the functions reach it, others find a shorter one.
  if (deep !== null && deep.depth > DEPTHS[0]!.deepest) return { failing: deep };
  const search = new ContractSearch(loaded, asked, request);
  const orDeep = (answer: Other) => (deep !== null && isOpen(answer) ? { failing: deep } : { other: answer });
  if (!search.canBegin) return orDeep(await other(request.budget, {}));
  let proof: Answer | null = null;
  const asking: Asking = {};
  const searching = search.run().then((found) => {
    proof = found;
    if (found !== null) asking.end?.();
  });
  const meanwhile = fractionOf(request.budget, SHARE_OF_OTHERS);
  const answer = await other(
    cancellable(meanwhile, () => proof !== null),
    asking,
  );
  if (!isOpen(answer)) search.end();
  await searching;
  return proof === null ? orDeep(answer) : { proof };
}

const isCutOff = ({ locations }: Program): boolean =>
  locations.some(({ kind, why }) => kind === 'cut' && isRecursionCut(why));

/** A run to an error, of functions that enter each other on a stack. */
function failingDeep(
  { units, entry, findsOverflows }: LoadedC,
  { programFor, isError }: Asked,
  request: CRequest,
): (RunOf & { readonly depth: number }) | null {
  const budget = fractionOf(request.budget, SHARE_OF_RUNS);
  const open = lowerWithContracts(units, entry, null, budget, {
    findsOverflows,
    calling: 'entered',
    mayUseAddresses: true,
  });
  const program = open && inTime(open, budget, () => lived(programFor(open)));
  const found = program && failingCalls(program, isError(program), budget.timeLeft);
  return found && { program: program!, ...found };
}

class ContractSearch {
  private readonly loaded: LoadedC;
  private readonly asked: Asked;
  private readonly request: CRequest;
  private readonly budget: Budget;
  /** The program with open contracts, and what the solver for Horn clauses is asked about it. */
  private readonly begun: { readonly open: Program; readonly guesses: ContractGuesses } | null;
  private isOver = false;

  constructor(loaded: LoadedC, asked: Asked, request: CRequest) {
    this.loaded = loaded;
    this.asked = asked;
    this.request = request;
    this.budget = cancellable(request.budget, () => this.isOver);
    this.begun = this.beginIn(fractionOf(this.budget, SHARE_OF_READING));
  }

  private beginIn(budget: Budget): { open: Program; guesses: ContractGuesses } | null {
    const { units, entry, findsOverflows } = this.loaded;
    const written = lowerWithContracts(units, entry, null, budget, { findsOverflows });
    if (written === null) return null;
    const open = inTime(written, budget, () => this.asked.programFor(written));
    if (open === null) return null;
    return { open, guesses: new ContractGuesses(open, this.asked.isError(open), budget) };
  }

  get canBegin(): boolean {
    return this.begun !== null;
  }

  /** Nobody waits for it any more. */
  end(): void {
    this.isOver = true;
    this.begun?.guesses.end();
  }

  /** A proof, or nothing. */
  async run(): Promise<Answer | null> {
    const { observer } = this.request;
    const begin = observer.now();
    const time = fractionOf(this.budget, SHARE_OF_GUESSES);
    const { open, guesses } = this.begun!;
    const proofWith = (contracts: readonly Contract[]) =>
      this.proofWith(contracts, this.budget, () => observer.now() - begin);
    for (const [go, milliseconds] of MOST_MILLISECONDS.entries()) {
      for await (const contracts of guesses.within(milliseconds, time)) {
        const found = await proofWith(contracts);
        if (found !== null) return found;
      }
      // The solver follows numbers that the program names, one call after the other: `f(2000)` is 2000 calls deep.
      const ensured = go === 0 ? await this.ensured(open, fractionOf(time, SHARE_OF_CALLS)) : null;
      const found = ensured && (await proofWith(ensured));
      if (found !== null) return found;
    }
    return null;
  }

  /** What calls that were executed have in common, as far as all bodies keep it. */
  private async ensured(open: Program, budget: Budget): Promise<readonly Contract[] | null> {
    const { units, entry, findsOverflows } = this.loaded;
    const read = (contracts: readonly Contract[]) => {
      const closed = lowerWithContracts(units, entry, contracts, budget, { findsOverflows });
      return closed && inTime(closed, budget, () => this.asked.programFor(closed));
    };
    try {
      return await ensuredContracts(open, read, budget);
    } catch (error) {
      if (error instanceof TimeOver || error instanceof RangeError) return null;
      throw error;
    }
  }

  private async proofWith(
    contracts: readonly Contract[],
    budget: Budget,
    spent: () => number,
  ): Promise<Answer | null> {
    const { property, programFor, isError } = this.asked;
    const { units, entry, findsOverflows } = this.loaded;
    const closed = lowerWithContracts(units, entry, contracts, budget, { findsOverflows });
    if (closed === null) return null;
    const looked = inTime(closed, budget, () => programFor(closed));
    if (looked === null) return null;
    const isBad = isError(looked);
    const isTarget = (location: number) => isBad(location) || looked.locations[location]!.kind === 'cut';
    const proof = await proofByInvariants(looked, isTarget, budget);
    if (proof === null) return null;
    const inner = invariantsCertificate(property, proof);
    const result = await auditProgram(looked, isBad, inner, budget);
    if (result.kind !== 'accepted') return null;
    const stats = {
      locations: looked.locations.length,
      edges: looked.edges.length,
      audit: { ...result.stats },
      milliseconds: { check: spent() },
    };
    const certificate = contractsCertificate(property, contracts, inner);
    return provedIf(result, certificate, { stats, notes: notesOf(looked) });
  }
}
