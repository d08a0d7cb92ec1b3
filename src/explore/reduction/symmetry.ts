// Symmetry where it is plain. Where nothing in a model can see the numbers of processes, two processes of one proctype can change places: their frames
// are of one shape and run one program, whatever their parameters hold, and everybody else sees only channels and variables. So a state and the same state
// with the frames of one proctype in another order have the same future, up to that order. A search keeps one of them: the one whose packed
// frames are in ascending order (code-packing.ts). (Ip and Dill, Better verification through symmetry, 1996, with the symmetry found instead of declared;
// together with stubborn sets: Emerson, Jha, Peled, Combining partial order and symmetry reductions, 1997.)
//
// What could tell two such processes apart, and is excluded: `_pid`, `_nr_pr`, numbers that `run` gives, remote references, priorities, `_last`, `enabled`,
// `pc_value` (sensitive.ts); the order of deaths, so that finished processes must stay (immortal.ts); channels of their own, which are numbered in the
// order of the processes; exclusive control, so that states inside an atomic sequence stay as they are; never claims.

import type { Proctype, ProctypeId, Program } from '../../process/program.ts';
import { walkStatement } from '../../process/walk.ts';
import type { Choice } from '../choices.ts';
import { compileModel, type Model } from '../compile.ts';
import { FRAME, HEADER } from '../layout.ts';
import type { StateSpace, Violation } from '../search.ts';
import { usesProcessNumbers } from '../sensitive.ts';
import { pathTo } from '../trail.ts';

/** A model without deaths that takes states for equal which differ in the order of such processes; null where there are none. */
export function symmetricModel(still: Model): Model | null {
  const { program, features, options, claim, layout } = still;
  if (options.immortal !== true || claim !== null || usesProcessNumbers(program, features)) return null;
  const several = severalTimes(program);
  const symmetric = program.proctypes
    .map(({ id }) => id)
    .filter((id) => several.has(id) && layout.localChannels[id]!.length === 0);
  if (symmetric.length === 0) return null;
  const compiled = compileModel(program, { ...options, symmetric });
  return compiled.ok ? compiled.value : null;
}

interface Start {
  readonly by: ProctypeId;
  readonly of: ProctypeId;
  /** The same process may do it again. */
  readonly again: boolean;
}

/** Proctypes of which there may be more than one process: two at the beginning, or more that are started. */
function severalTimes(program: Program): Set<ProctypeId> {
  const starts = program.proctypes.flatMap(startsIn);
  const counts = new Map(program.proctypes.map(({ id, active }) => [id, Math.min(2, active)]));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { id, active } of program.proctypes) {
      const more = starts
        .filter((start) => start.of === id && counts.get(start.by)! > 0)
        .reduce((sum, start) => sum + (start.again ? 2 : counts.get(start.by)!), 0);
      const count = Math.min(2, active + more);
      if (count > counts.get(id)!) isNew = true;
      counts.set(id, Math.max(count, counts.get(id)!));
    }
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([id]) => id));
}

function startsIn(proctype: Proctype): Start[] {
  const found: Start[] = [];
  for (const { statement, from, to } of proctype.edges)
    walkStatement(statement, {
      expression: (expression) => {
        if (expression.kind !== 'run') return;
        const again = statement.kind === 'dstep' || leadsTo(proctype, to, from);
        found.push({ by: proctype.id, of: expression.proctype, again });
      },
    });
  return found;
}

function leadsTo({ edges, locations }: Proctype, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const location of seen) for (const id of locations[location]!.edges) seen.add(edges[id]!.to);
  return seen.has(to);
}

/**
 * A violation of the model with symmetry as a run of the model without: the states of its path are only known up to the order of processes, so a run is
 * taken step by step, each to a state that is the next one of the path in that sense. There always is one.
 */
export function plainTrail(plain: Model, space: StateSpace, violation: Violation): Choice[] {
  const { machine } = plain;
  const path = pathTo(space, violation.state);
  machine.initial();
  let words = machine.copy();
  const taken: Choice[] = [];
  for (const next of path.slice(1)) {
    const step = stepTo(plain, words, space, next);
    if (step === null) throw new Error('impossible: a step up to symmetry that cannot be taken');
    taken.push(...step.choices);
    words = step.words;
  }
  if (violation.choices.length === 0) return taken;
  return [...taken, ...failingStep(plain, words, violation)];
}

interface Step {
  readonly choices: readonly Choice[];
  readonly words: Int32Array;
}

function stepTo({ machine }: Model, from: Int32Array, space: StateSpace, next: number): Step | null {
  const ordered = space.model;
  let found: Step | null = null;
  space.store.loadInto(ordered.machine, next);
  const wanted = upToOrder(ordered);
  const cursor = machine.open({
    step: (words, length) => {
      if (found !== null) return;
      ordered.machine.unpack(words, 0);
      if (upToOrder(ordered) === wanted)
        found = { choices: machine.choices().copy(), words: words.slice(0, length) };
    },
  });
  machine.unpack(from, 0);
  cursor.expand();
  return found;
}

/** The loaded state up to the order of processes. Who holds control is one of those that are exactly like it. */
function upToOrder({ machine, layout, options }: Model): string {
  const { cells, frames } = machine;
  const holder = cells[HEADER.exclusive]!;
  if (holder < 0) return machine.copy().join();
  const frame = frames[holder]!;
  const type = cells[frame + FRAME.type]! as ProctypeId;
  const own = cells.slice(frame + FRAME.variables, frame + layout.frameSize[type]!);
  const who = options.symmetric?.includes(type) ? [cells[frame + FRAME.location], ...own] : [holder];
  cells[HEADER.exclusive] = -1;
  return `${type}:${who.join()}:${machine.copy().join()}`;
}

/** The same error by the same statements, whoever executes them. */
function failingStep({ machine }: Model, from: Int32Array, violation: Violation): readonly Choice[] {
  const edgesOf = (choices: readonly Choice[]): string =>
    choices.map(([, edge, , partnerEdge]) => `${edge},${partnerEdge}`).join();
  const wanted = edgesOf(violation.choices);
  let found: readonly Choice[] | null = null;
  const cursor = machine.open({
    step: () => {},
    fault: (code, choices) => {
      const steps = choices.copy();
      if (code === violation.fault && edgesOf(steps) === wanted) found ??= steps;
    },
  });
  machine.unpack(from, 0);
  cursor.expand();
  if (found === null) throw new Error('impossible: an error up to symmetry that does not happen');
  return found;
}
