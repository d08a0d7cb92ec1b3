// How many channels a model can have at most, where its text shows it. Beyond the global ones each process brings its own, so the question is how many
// processes are started. A step that lies on no cycle is taken once by a process at most, and starts one process when it is `run` or stores what `run` gives.
// Numbers of channels that are never given need no place in the tables of stubborn sets, and whoever may use any channel does not use these.

import { components, cyclicArcs } from '../../graph/components.ts';
import { digraph } from '../../graph/digraph.ts';
import type { Proctype, ProctypeId, Program, Statement } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
import type { Layout } from '../layout.ts';

export function mostChannels(program: Program, layout: Layout, limit: number): number {
  const starts = mostStarts(program);
  const local = layout.localChannels.reduce(
    (sum, slots, proctype) => (slots.length === 0 ? sum : sum + slots.length * starts[proctype]!),
    0,
  );
  return Math.min(limit, layout.globalChannels.length + local);
}

interface Start {
  readonly by: ProctypeId;
  readonly started: ProctypeId;
}

/** By proctype: how many processes of it are started in a run at most, infinite where that is not seen. */
export function mostStarts(program: Program): readonly number[] {
  const once = program.proctypes.flatMap(startsOnce);
  const seen = countsOf(once.map(({ started }) => started));
  const all: ProctypeId[] = [];
  walkProgram(program, null, {
    expression: (expression) => {
      if (expression.kind === 'run') all.push(expression.proctype);
    },
  });
  const everywhere = countsOf(all);
  const most = new Map<ProctypeId, number>();
  const isAsked = new Set<ProctypeId>();
  const mostOf = (id: ProctypeId): number => {
    const known = most.get(id);
    if (known !== undefined) return known;
    // It starts itself, by and by; or it is started in other ways, too.
    if (isAsked.has(id) || everywhere.get(id) !== seen.get(id)) return Number.POSITIVE_INFINITY;
    isAsked.add(id);
    const by = once.filter(({ started }) => started === id);
    const found = by.reduce((sum, start) => sum + mostOf(start.by), program.proctypes[id]!.active);
    most.set(id, found);
    return found;
  };
  return program.proctypes.map(({ id }) => mostOf(id));
}

/** What a process of the proctype starts by steps that it takes once at most. */
function startsOnce({ id, locations, edges }: Proctype): Start[] {
  const graph = digraph(
    locations.length,
    edges.map(({ from, to }) => ({ from, to })),
  );
  const repeated = new Set(cyclicArcs(graph, components(graph)));
  return edges.flatMap(({ statement }, at) => {
    const started = repeated.has(at) ? null : startedBy(statement);
    return started === null ? [] : [{ by: id, started }];
  });
}

function startedBy(statement: Statement): ProctypeId | null {
  const value =
    statement.kind === 'condition'
      ? statement.expression
      : statement.kind === 'assign'
        ? statement.value
        : null;
  return value?.kind === 'run' ? value.proctype : null;
}

function countsOf(started: readonly ProctypeId[]): Map<ProctypeId, number> {
  const counts = new Map<ProctypeId, number>();
  for (const id of started) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
