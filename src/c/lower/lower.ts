// From C files to one control flow graph: declares everything, then inlines from the entry function.

import { type Budget, fractionOf, TimeOver, UNLIMITED, watchOf } from '../../base/budget.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { followArrays } from '../program/arrays.ts';
import { Pool, symbolNumber } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import { resolvePointers } from '../program/resolve-pointers.ts';
import { type CType, ILP32, LP64 } from '../program/types.ts';
import type { Unit } from '../syntax/parse.ts';
import { Refusal, tooDeep } from '../text/codes.ts';
import { hideAddresses } from './address-numbers.ts';
import { functionNamesUsed, mentionedIn } from './address-taken.ts';
import { unaliased } from './aliases.ts';
import { type Calls, PLAIN_C } from './calls-of-spec.ts';
import type { Reading } from './context.ts';
import { Context, SeesFloatBits } from './context.ts';
import { NoContracts, nothingFound } from './contract-body.ts';
import { type Calling, type Contract, ContractPlan, NeedsContract } from './contracts.ts';
import { forgetFixedAddresses } from './conversions.ts';
import { shortageOf } from './cut-short.ts';
import { type Entry, enter, entryIn } from './entry.ts';
import { callsAtexit, Exits } from './exits.ts';
import { withExtents } from './extents.ts';
import { declareFunction, declareGlobal, forgetVariablesFromElsewhere } from './file-scope.ts';
import { foldConstants } from './fold.ts';
import { withoutUnseenGaps } from './gaps.ts';
import { globalsOf } from './globals.ts';
import { layoutsFor, usedAtKnownPlaces, withNarrowedSites, withTables } from './heap-layouts.ts';
import { NO_PLAN, placeOf, withCounts, withLarge, withLayouts, withSized } from './heap-plan.ts';
import { expand } from './inlining.ts';
import { lowerThreads, namesOf, threadsOf } from './instances.ts';
import { linked } from './linking.ts';
import { shareLiterals } from './literals-of-files.ts';
import { mayDiffer, SeesOrders, settleOrders } from './orders.ts';
import { overflowsAsErrors } from './overflow.ts';
import { lowerTest, type NamedTest, withoutLoads } from './predicates.ts';
import { propagateConstants } from './propagate.ts';
import { prune } from './prune.ts';
import { tellOldSizes } from './reallocate.ts';
import { DEPTHS } from './recursion.ts';
import { findAgain } from './round-trips.ts';
import { keepsStandardInput } from './scanning.ts';
import { Scope } from './scope.ts';
import { areSeedsOpen } from './seeds.ts';
import { StartsThread, ThreadPlan } from './thread-plan.ts';

/** Of the time that is left, for reading a program with deeper recursion. */
const SHARE_OF_DEPTH = 0.2;
/** How often a program is read again for what its heap looks like. */
const MOST_READINGS = 16;

export function lower(
  units: readonly Unit[],
  entry: Entry,
  calls: Calls,
  predicates: readonly NamedTest[] = [],
  budget: Budget = UNLIMITED,
  findsOverflows = false,
): Result<Program, readonly Diagnostic[]> {
  if (units.some(({ isUnread }) => isUnread)) return ok(unread(units[0]!, predicates.length));
  try {
    return ok(lowerWithThreads(units, entry, calls, predicates, budget, findsOverflows));
  } catch (error) {
    if (error instanceof TimeOver) return ok(unread(units[0]!, predicates.length));
    if (error instanceof Refusal) return err([error.diagnostic]);
    if (error instanceof RangeError) return err([tooDeep(units[0]!.file)]);
    throw error;
  }
}

/**

 * Which functions are started as threads, whether bits of floating-point numbers are looked at, or the order of objects, how deep recursion goes, and what is allocated is found
 * out by trying.
 */
function lowerWithThreads(
  units: readonly Unit[],
  entry: Entry,
  calls: Calls,
  predicates: readonly NamedTest[],
  budget: Budget,
  findsOverflows: boolean,
): Program {
  let reading: Reading = {
    sizes: units[0]!.dataModel === 'ILP32' ? ILP32 : LP64,
    threads: null,
    nanBitsMatter: false,
    ordersMatter: false,
    depth: DEPTHS[0]!,
    heap: NO_PLAN,
    contracts: null,
    findsOverflows,
  };
  const readOnce = (watch: () => void): Lowered => {
    for (;;)
      try {
        return lowerAll(units, entry, calls, predicates, reading, watch);
      } catch (error) {
        if (error instanceof SeesFloatBits) {
          reading = { ...reading, nanBitsMatter: true };
          continue;
        }
        if (error instanceof SeesOrders) {
          reading = { ...reading, ordersMatter: true };
          continue;
        }
        if (!(error instanceof StartsThread)) throw error;
        const known: readonly string[] = reading.threads?.functions ?? [];
        const functions = error.function === '' ? known : [...known, error.function];
        reading = { ...reading, threads: new ThreadPlan(functions) };
      }
  };
  const forDepth = fractionOf(budget, SHARE_OF_DEPTH);
  const again = watchOf(forDepth);
  /** Until nothing more is found out about the heap. */
  const read = (watch: () => void): { readonly program: Program; readonly isTooShallow: boolean } => {
    let { program, layouts, large } = readOnce(watch);
    for (let round = 0; ; round++) {
      // Threads have no graph that one run could follow, and among them it counts whether an object is declared to be atomic.
      if (reading.threads !== null) return { program, isTooShallow: false };
      const { isTooShallow, counts } = shortageOf(program, forDepth);
      const heap = withCounts(withLarge(withLayouts(reading.heap, layouts), large), counts);
      if (heap === reading.heap || round === MOST_READINGS) return { program, isTooShallow };
      reading = { ...reading, heap };
      const next = unlessTooLarge(() => readOnce(again));
      if (next === null) return { program, isTooShallow };
      ({ program, layouts, large } = next);
    }
  };
  const shallow = read(watchOf(budget));
  let { isTooShallow } = shallow;
  let chosen = { program: shallow.program, reading };
  for (const depth of DEPTHS.slice(1)) {
    if (!isTooShallow) break;
    reading = { ...reading, depth };
    const deeper = unlessTooLarge(() => read(again));
    if (deeper === null) break;
    ({ isTooShallow } = deeper);
    if (!isTooShallow) chosen = { program: deeper.program, reading };
  }
  return withOtherReading(chosen.program, chosen.reading.heap.isOpen, (sized) => {
    reading = { ...chosen.reading, heap: withSized(chosen.reading.heap, sized) };
    return unlessTooLarge(() => readOnce(watchOf(budget)).program);
  });
}

/**
 * The program with sizes told apart by cases, and the one with sizes that are decided at run time where there are more; that one first where runs are known to ask for many.
 * By cases it is known what small objects hold.
 */
function withOtherReading(
  byCases: Program,
  isOpen: boolean,
  read: (sized: ReadonlySet<string>) => Program | null,
): Program {
  const cuts = byCases.locations.filter(({ kind, wanted }) => kind === 'cut' && wanted !== undefined);
  if (cuts.length === 0 || byCases.threads !== undefined) return byCases;
  const places = new Set(cuts.map(({ span }) => placeOf(span)));
  const first = isOpen ? read(places) : null;
  return first === null
    ? { ...byCases, otherReading: () => read(places) }
    : { ...first, otherReading: () => byCases };
}

/** How a program is read with contracts. */
export interface ContractReading {
  readonly calling?: Calling;
  readonly mayUseAddresses?: boolean;
  readonly findsOverflows?: boolean | undefined;
}

/** Programs that are not read with contracts. */
const STOPS = [NoContracts, StartsThread, SeesFloatBits, SeesOrders];

/**
 * The program with contracts for all functions that call themselves: with these, or open ones. Null where there is none, or where they cannot say what a
 * function does (contracts.ts).
 */
export function lowerWithContracts(
  units: readonly Unit[],
  entry: Entry,
  given: readonly Contract[] | null,
  budget: Budget = UNLIMITED,
  { calling = 'apart', mayUseAddresses = false, findsOverflows = false }: ContractReading = {},
): Program | null {
  const sizes = units[0]!.dataModel === 'ILP32' ? ILP32 : LP64;
  const depth = DEPTHS[0]!;
  const plain = {
    ...{ sizes, threads: null, nanBitsMatter: false, ordersMatter: false },
    ...{ depth, heap: NO_PLAN, findsOverflows },
  };
  const read = (contracts: ContractPlan) =>
    unlessTooLarge(
      () => lowerAll(units, entry, PLAIN_C, [], { ...plain, contracts }, watchOf(budget)).program,
    );
  // Where calls enter functions, pointers that these are given are what they are.
  const isOpen = given === null || calling === 'apart';
  let plan = new ContractPlan(nothingFound(mayUseAddresses), isOpen ? null : [], calling);
  for (;;)
    try {
      const open = read(plan);
      if (open === null || plan.cells.length === 0) return null;
      return given === null || (given.length === 0 && calling !== 'apart')
        ? open
        : read(plan.withContracts(given, calling));
    } catch (error) {
      if (STOPS.some((kind) => error instanceof kind)) return null;
      if (!(error instanceof NeedsContract)) throw error;
      plan = error.plan;
    }
}

/** Null where the graph, the stack that makes it, or the time it takes would be too large. */
function unlessTooLarge<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError || error instanceof TimeOver) return null;
    throw error;
  }
}

function lowerAll(
  units: readonly Unit[],
  entry: Entry,
  calls: Calls,
  predicates: readonly NamedTest[],
  reading: Reading,
  watch: () => void,
): Lowered {
  const { threads: plan } = reading;
  const first = units[0]!.file;
  const context = new Context(calls, { file: first, start: 0, end: 0 }, reading);
  return context.pool.underWatch(watch, () =>
    lowerUnits(context, linked(units, watch), entry, predicates, plan),
  );
}

interface Lowered {
  readonly program: Program;
  /** What the bytes of allocations should be taken for. */
  readonly layouts: ReadonlyMap<string, CType>;
  /** Large variables that are worth following. */
  readonly large: ReadonlySet<string>;
}

const UNREAD = 'the time was over before the program was read';
export const isUnread = ({ locations }: Program): boolean => locations[1]?.why === UNREAD;

/** What is left of a program that could not be read in time: nothing is known of what it does. */
function unread({ file }: Unit, predicates: number): Program {
  const pool = new Pool();
  const span = { file, start: 0, end: 0 };
  const location = (id: number, kind: 'inner' | 'cut', why: string) => ({
    ...{ id, kind, why, span },
    ...{ function: '', labels: [] },
  });
  return {
    ...{ pool, objects: [], cells: [], sites: [], entry: 0, notes: [] },
    predicates: Array.from({ length: predicates }, () => pool.false),
    ...{ initial: new Map(), initialBytes: new Map(), statesProperty: true },
    globals: { reads: new Set(), writes: new Set() },
    allocations: new Map(),
    locations: [location(0, 'inner', ''), location(1, 'cut', UNREAD)],
    edges: [{ id: 0, from: 0, to: 1, operation: { kind: 'skip' }, span }],
  };
}

function lowerUnits(
  context: Context,
  units: readonly Unit[],
  entry: Entry,
  predicates: readonly NamedTest[],
  plan: ThreadPlan | null,
): Lowered {
  const { calls } = context;
  const first = units[0]!.file;
  const globals = context.scope;
  const scopes = units.map(() => new Scope(globals));
  shareLiterals(context, units, scopes);
  units.forEach((unit, i) => {
    context.scope = scopes[i]!;
    context.items = unit.items;
    for (const item of unit.items) {
      if (item.kind === 'function') declareFunction(context, item);
      else declareGlobal(context, item);
    }
  });
  const { watch } = context.pool;
  context.takesLabels = units.some((unit) => mentionedIn(unit, false, watch).takesLabels);
  context.mentioned = new Set(units.flatMap((unit) => [...functionNamesUsed(unit, true, watch)]));
  context.keepsStandardInput = keepsStandardInput(units, watch);
  context.areSeedsOpen = areSeedsOpen(units, watch);
  units.forEach((unit, i) => {
    for (const name of functionNamesUsed(unit, false, watch)) {
      const entity = scopes[i]!.find(name);
      if (entity?.kind === 'function') context.addressTaken.add(unaliased(entity));
    }
  });
  const start = context.here!;
  plan?.prepare(context, { file: first, start: 0, end: 0 });
  const found = entryIn([globals, ...scopes], entry);
  const { contracts } = context;
  contracts?.begin(context, scopes, { file: first, start: 0, end: 0 });
  forgetVariablesFromElsewhere(context, units, { file: first, start: 0, end: 0 });
  forgetFixedAddresses(context, { file: first, start: 0, end: 0 });
  const { span: end } = found.definition!;
  // A thread of a specification does not end the program.
  if (calls === PLAIN_C && callsAtexit(units, watch)) context.exits = new Exits(context);
  enter(context, found, entry);
  if (contracts !== null && context.exits !== null)
    throw new NoContracts('functions that are called at the end');
  if (context.exits === null) context.exit('the end', end);
  else {
    context.exits.leave(context, end);
    context.exits.finish(context, end);
  }
  if (plan !== null) lowerThreads(context, plan);
  contracts?.finish(context, (entity, values, span) => expand(context, entity, values, span));
  const tests = predicates.map((predicate) => lowerTest(context, found, predicate));
  // A predicate over a local variable speaks of 0 until the variable's declaration is executed; the program cannot see it before.
  for (const test of tests)
    for (const symbol of test.symbols) {
      const cell = context.memory.cells[symbolNumber(symbol)]!;
      if (cell.object.kind === 'local' && !context.initial.has(cell.id))
        context.initial.set(cell.id, context.pool.const(0n, cell.width));
    }
  tellOldSizes(context);
  const marked = prune({
    predicates: [],
    pool: context.pool,
    objects: context.memory.objects,
    cells: context.memory.cells,
    sites: context.memory.sites,
    locations: context.locations,
    edges: context.edges,
    entry: start,
    ...(plan === null
      ? {}
      : { threads: threadsOf(plan, start), atomicHolder: plan.holder, threadNames: namesOf(context) }),
    ...(contracts === null ? {} : { contracts: contracts.cells }),
    ...(context.weakOrder === null ? {} : { weakOrder: context.weakOrder }),
    initial: context.initial,
    initialBytes: context.initialBytes,
    notes: context.notes,
    statesProperty: context.statesProperty,
    allocations: context.allocations,
    globals: { reads: new Set(), writes: new Set() },
  });
  const written = context.findsOverflows ? overflowsAsErrors(marked, context.overflowingConstant) : marked;
  let facts = resolvePointers(written, context);
  // What contracts change is filled in below.
  const isPlain = plan === null && contracts === null;
  if (isPlain && findAgain(written, context, facts)) facts = resolvePointers(written, context);
  if (plan === null && !context.ordersMatter && mayDiffer(context.orders, facts)) throw new SeesOrders();
  settleOrders(context, written, facts);
  contracts?.fillIn(context);
  const inside = withExtents(withoutUnseenGaps(written, context.gapWrites));
  const { program, holders } = hideAddresses(inside, context, facts);
  const exact = tests.map((test, i) => withoutLoads(program, test, predicates[i]!.span));
  const touched = globalsOf(program, tests, context.statics);
  const whole = { ...program, globals: touched, predicates: exact };
  // What is known along one thread's way is not known where others write; where contracts are looked for arguments stay what they are.
  const isOneWay = plan === null && contracts?.isOpen !== true;
  const fold = (one: Program): Program => foldConstants(one, context.passedOver);
  const folded = fold(whole);
  const settled = isOneWay ? withNarrowedSites(folded, facts, context) : folded;
  // Sites are narrowed once, by what holds on all runs: a program with tests has fewer.
  const simplify = (one: Program): Program =>
    isOneWay ? withTables(propagateConstants(fold(one)), facts, context) : fold(one);
  // Only a program by itself: what systems and threads know of memory are bytes.
  const followed =
    isOneWay && calls === PLAIN_C ? followArrays(whole, facts, holders, context.clobbers) : null;
  return {
    program: { ...settled, ...followed, written: { program: { ...whole, ...followed }, simplify } },
    layouts: layoutsFor(settled, facts, context),
    large: usedAtKnownPlaces(settled),
  };
}
