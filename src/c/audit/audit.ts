// The second look at a proof: does what is written in the certificate follow from the program? It shares with the analysis the front end (text to
// control flow graph, with its points-to analysis), the parsers of specifications and formulas, and the solver that refutes single
// bit-vector formulas; not the abstraction, its caches, the refinement, the structures or the search.

import { type Budget, TimeOver, watchOf } from '../../base/budget.ts';
import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import { auditDeadlock } from '../../deadlock/document.ts';
import { auditNoDeadlock } from '../../kripke/audit/deadlock.ts';
import { auditFormula } from '../../kripke/audit/formula.ts';
import { isClasses, lump } from '../../kripke/audit/lump.ts';
import { SECOND_LOOK, writeOut } from '../../kripke/audit/product.ts';
import { auditSymbolicDeadlock } from '../../kripke/audit/symbolic.ts';
import { readSymbolic, SYMBOLIC_KIND } from '../../kripke/audit/symbolic-document.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { eachEdge } from '../../kripke/structure.ts';
import type { System } from '../../kripke/system.ts';
import { compose } from '../../kripke/system.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import { Solver } from '../../smt/solver.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { usesFloats } from '../program/expressions.ts';
import type { Program } from '../program/program.ts';
import { isOwnStep } from '../spec/names.ts';
import type { Task } from '../spec/tasks.ts';
import type { ComponentClaim, Observation } from './component.ts';
import { claimOf } from './component.ts';
import { INVARIANTS_KIND, lookAtInvariants } from './invariants.ts';
import { CERTIFICATE_KIND, readComponent } from './proof.ts';
import { lookAtRun, RUN_KIND } from './single-run.ts';
import type { Asked } from './structure.ts';
import { structureOf } from './structure.ts';
import { lookAtUnrolling, UNROLLING_KIND } from './unrolling.ts';

export type AuditResult = { readonly stats: AuditStats } & (
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Nothing is wrong so far, but it is too much to go through. */
  | { readonly kind: 'unfinished'; readonly reason: string }
);

export interface AuditStats {
  obligations: number;
  solverCalls: number;
  configurations: number;
  /** For formulas: runs that get stuck, if there are any, with their last state taken to go on for ever. */
  stuckRuns?: 'none' | 'satisfy it' | 'open';
}

interface Part {
  readonly name: string;
  readonly program: Program;
  readonly observation: Observation;
}

type Trouble = { readonly kind: 'rejected' | 'unfinished'; readonly reason: string };
const rejected = (reason: string): Trouble => ({ kind: 'rejected', reason });
const tooLarge = (): Trouble => ({
  kind: 'unfinished',
  reason: 'the composition is too large to go through again',
});

/** A program by itself: no error location, and no way out of the model, is reached. */
export const auditProgram = (
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
): Promise<AuditResult> => withinStack((stats) => lookAtProgram(program, isError, document, budget, stats));

/** A program by itself: every run ends, and no way out of the model is reached. */
export const auditTermination = (program: Program, document: unknown, budget: Budget): Promise<AuditResult> =>
  withinStack(async (stats) => {
    const { kind } = (document ?? {}) as { kind?: unknown };
    if (kind === RUN_KIND) return lookAtRun(program, () => false, document, budget, stats, true);
    // Where all loops were unrolled to their ends, all runs end.
    if (kind === UNROLLING_KIND) return lookAtUnrolling(program, () => false, document, budget, stats);
    return kind === INVARIANTS_KIND
      ? lookAtInvariants(program, () => false, document, budget, stats, true)
      : { ...rejected('it is a certificate of something else'), stats };
  });

/** A task of a specification. */
export const auditTask = (task: Task, document: unknown, budget: Budget): Promise<AuditResult> =>
  withinStack((stats) => lookAtTask(task, document, budget, stats));

/** Formulas along a very long stretch can be nested deeper than the call stack. */
async function withinStack(look: (stats: AuditStats) => Promise<AuditResult>): Promise<AuditResult> {
  const stats: AuditStats = { obligations: 0, solverCalls: 0, configurations: 0 };
  try {
    return await look(stats);
  } catch (error) {
    if (error instanceof TimeOver) return { kind: 'unfinished', reason: 'the time was over', stats };
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'unfinished', reason: 'formulas became too deep', stats };
  }
}

async function lookAtProgram(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<AuditResult> {
  const { kind } = (document ?? {}) as { kind?: unknown };
  if (kind === RUN_KIND) return lookAtRun(program, isError, document, budget, stats);
  if (kind === INVARIANTS_KIND) return lookAtInvariants(program, isError, document, budget, stats);
  if (kind === UNROLLING_KIND) return lookAtUnrolling(program, isError, document, budget, stats);
  const part = { name: 'main', program, observation: { isStop: isError, tests: [], places: [] } };
  const claims = await claimsOf([part], document, budget, stats);
  if (!Array.isArray(claims)) return { ...claims, stats };
  const reached = claims[0]!.states.find(({ location }) => isError(location));
  if (reached !== undefined)
    return { ...rejected(`the proof itself reaches an error (location ${reached.location})`), stats };
  return { kind: 'accepted', stats };
}

async function lookAtTask(
  task: Task,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<AuditResult> {
  const parts = task.threads.map((thread): Part => {
    const sinks = task.sinks(thread);
    const propositions = task.propositions(thread);
    return {
      name: thread.definition.name,
      program: thread.program,
      observation: {
        isStop: (location) => sinks.has(location),
        tests: propositions.flatMap(({ name, holds }) =>
          'test' in holds ? [{ name, test: holds.test }] : [],
        ),
        places: propositions.flatMap(({ name, holds }) => ('test' in holds ? [] : [{ name, ...holds }])),
      },
    };
  });
  const claims = await claimsOf(parts, document, budget, stats);
  if (!Array.isArray(claims)) return { ...claims, stats };
  const trouble = answer(task, parts, claims, document as CertificateDocument, budget, stats);
  return trouble === null ? { kind: 'accepted', stats } : { ...trouble, stats };
}

/** Every component is covered by its states; no state lies where the program goes on in a way that is not modelled. */
async function claimsOf(
  parts: readonly Part[],
  document: unknown,
  budget: Budget,
  stats: AuditStats,
): Promise<ComponentClaim[] | Trouble> {
  const { kind, components } = (document ?? {}) as Record<string, unknown>;
  if (kind !== CERTIFICATE_KIND || !Array.isArray(components) || components.length !== parts.length)
    return rejected('it is a certificate of something else');
  if (!isIntact(document as object)) return rejected(BROKEN_SEAL);
  const claims: ComponentClaim[] = [];
  const logic = parts.some(({ program }) => usesFloats(program)) ? 'QF_FPBV' : 'QF_BV';
  const solver = new Solver({ timeout: 120_000, logic, remaining: budget.remaining });
  try {
    for (const [i, { name, program, observation }] of parts.entries()) {
      const proof = readComponent(components[i], program);
      if (proof === null || proof.name !== name) return rejected(`the certificate does not describe ${name}`);
      const claim = claimOf(program, proof, observation, watchOf(budget));
      if (typeof claim === 'string') return rejected(`${name}: ${claim}`);
      if (claim.states.some(({ location }) => program.locations[location]!.kind === 'cut'))
        return rejected(`${name} leaves what is modelled`);
      stats.obligations += claim.obligations.stated;
      stats.solverCalls += claim.obligations.asked;
      const open = await claim.obligations.settle(solver, budget);
      if (open !== null) return { ...open, reason: `${name}: ${open.reason}` };
      claims.push(claim);
    }
    return claims;
  } finally {
    solver.dispose();
  }
}

function answer(
  task: Task,
  parts: readonly Part[],
  claims: readonly ComponentClaim[],
  document: CertificateDocument,
  budget: Budget,
  stats: AuditStats,
): Trouble | null {
  const { question } = task;
  const asked: Asked =
    question.kind === 'deadlock' ? 'deadlock' : question.never === undefined ? 'runs' : 'errors';
  const inOrder = question.kind === 'deadlock' || question.never !== undefined;
  const made = structures(parts, claims, asked, true, document, inOrder);
  if (typeof made === 'string') return rejected(made);
  if (task.reference !== undefined) return conformance(made[0]!, task.reference, budget, stats);
  if (question.kind === 'deadlock') return deadlock([...made, ...task.processes], document, budget, stats);
  if (question.never !== undefined)
    return never([...made, ...task.processes], question.never, document, budget, stats);
  const system = compose([...made, ...task.processes]);
  const formula = question.formula(system);
  if (formula === null) return rejected('the formula is not understood');
  const silent = ignoresHiddenSteps(formula, (event) => isOwnStep(system.events[event]!));
  const all = structures(parts, claims, asked, silent, document, true);
  if (typeof all === 'string') return rejected(all);
  return temporal([...all, ...task.processes], task, document, budget, stats);
}

function structures(
  parts: readonly Part[],
  claims: readonly ComponentClaim[],
  asked: Asked,
  silent: boolean,
  document: CertificateDocument,
  inOrder: boolean,
): Kripke[] | string {
  const result: Kripke[] = [];
  for (const [i, { name, program, observation }] of parts.entries()) {
    const { order } = (document['components'] as { order?: readonly number[] }[])[i]!;
    const propositions = [...observation.places, ...observation.tests].map((proposition) => proposition.name);
    // Linear proofs and classes speak of states by their numbers.
    const numbered =
      inOrder && (document['linear'] ?? document['classes']) !== undefined ? (order ?? []) : [];
    const made = structureOf(
      name,
      program,
      claims[i]!,
      observation.isStop,
      asked,
      silent,
      propositions,
      numbered,
    );
    if (typeof made === 'string') return made;
    result.push(made);
  }
  return result;
}

function deadlock(
  components: readonly Kripke[],
  document: CertificateDocument,
  budget: Budget,
  stats: AuditStats,
): Trouble | null {
  const linear = document['linear'];
  if (typeof linear === 'object' && linear !== null)
    if (provesNoDeadlock(compose(components), linear as CertificateDocument, budget)) return null;
  const { result, configurations } = auditNoDeadlock(components, null, budget.timeLeft);
  if (result === 'limit') return tooLarge();
  stats.configurations = configurations;
  return result === 'free' ? null : rejected('a deadlock can be reached');
}

/** By the linear condition, or by decision diagrams. */
function provesNoDeadlock(system: System, document: CertificateDocument, { timeLeft }: Budget): boolean {
  if (document.kind !== SYMBOLIC_KIND) return auditDeadlock(system, document) === null;
  const record = readSymbolic(system, document);
  return typeof record !== 'string' && auditSymbolicDeadlock(system, record, timeLeft) === 'holds';
}

function never(
  components: readonly Kripke[],
  names: readonly string[],
  document: CertificateDocument,
  budget: Budget,
  stats: AuditStats,
): Trouble | null {
  const isBad = ({ propositions, labels }: Kripke) =>
    labels.map((label) => label.some((id) => names.includes(propositions[id]!)));
  // Mostly no component has such a state at all.
  if (components.every((component) => !isBad(component).includes(true))) return null;
  const given = document['classes'];
  const relevant = components.map(({ propositions }) =>
    propositions.flatMap((name, id) => (names.includes(name) ? [id] : [])),
  );
  // The classes have every path that the structures have: what the one never reaches, the others do not.
  const looked = isClasses(given) ? lump(components, given, relevant) : components;
  if (looked === null) return rejected('the classes are not those of the structures');
  const bad = looked.map(isBad);
  const written = writeOut(looked, budget.timeLeft);
  if (written === null) return tooLarge();
  stats.configurations = written.configurations.length;
  const reached = written.configurations.some((states) => states.some((state, i) => bad[i]![state]));
  return reached ? rejected(`a state with ${names.join(' or ')} can be reached`) : null;
}

function temporal(
  components: readonly Kripke[],
  task: Task,
  document: CertificateDocument,
  budget: Budget,
  stats: AuditStats,
): Trouble | null {
  const formula = task.question.kind === 'ltl' ? task.question.formula(compose(components)) : null;
  if (formula === null) return rejected('the formula is not understood');
  const given = document['classes'];
  const { result, configurations, stuckRuns } = auditFormula(
    components,
    formula,
    isClasses(given) ? given : null,
    budget.timeLeft,
    true,
  );
  stats.configurations = configurations;
  if (stuckRuns !== undefined) stats.stuckRuns = stuckRuns;
  switch (result) {
    case 'holds':
      return null;
    case 'limit':
      return tooLarge();
    case 'violated':
      return rejected('a path violates the formula');
    case 'bad classes':
      return rejected('the classes are not those of the structures');
  }
}

/** Every sequence of the process's events that the component can do, the process can do: pairs of a state and the states the process can be in. */
function conformance(component: Kripke, process: Kripke, budget: Budget, stats: AuditStats): Trouble | null {
  const after = (states: readonly number[], event: number): number[] => {
    const targets = new Set<number>();
    for (const state of states) eachEdge(process, state, (e, to) => void (e === event && targets.add(to)));
    return [...targets].sort((a, b) => a - b);
  };
  const seen = new Map<string, readonly [number, readonly number[]]>();
  const visit = (state: number, possible: readonly number[]) =>
    void seen.set(`${state} ${possible.join()}`, [state, possible]);
  const start = [...new Set(process.initial)].sort((a, b) => a - b);
  for (const state of component.initial) visit(state, start);
  let failed = false;
  for (const [state, possible] of seen.values()) {
    if (seen.size > SECOND_LOOK || !budget.timeLeft()) return tooLarge();
    eachEdge(component, state, (event, to) => {
      const known = process.events.indexOf(component.events[event]!);
      const next = known < 0 ? possible : after(possible, known);
      if (next.length === 0) failed = true;
      else visit(to, next);
    });
  }
  stats.configurations = seen.size;
  return failed ? rejected('the thread does something that the process does not allow') : null;
}
