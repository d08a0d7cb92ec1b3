// Progress on the concrete semantics: SPIN's labels, or the steps that `--progress` selects on the net.

import type { Model } from '../../explore/compile.ts';
import { processLabel } from '../../explore/names.ts';
import type { Progress } from '../../explore/round.ts';
import type { Abstraction } from '../../net/build.ts';
import { progressLocations } from '../../process/progress.ts';
import type { ProgramContext } from './context.ts';

/** The net whose transitions know which steps the selectors mean. */
export type NetProgress = Pick<Abstraction, 'net'>;

export interface ConcreteProgress {
  readonly progress: Progress;
  /**
   * Every step asked about so far was told exactly. Otherwise more than the user named counted as progress: a loop without it is still free
   * of progress, but finding none proves nothing.
   */
  readonly isExact: () => boolean;
}

/**
 * With selectors, a step counts as progress if the net's class of its process has progress on that edge; for a process that is none of the
 * classes by name, if any class of its proctype has.
 */
export function progressOf(
  { program }: ProgramContext,
  selected: NetProgress | null,
  model: Model,
): ConcreteProgress {
  if (selected === null) return { progress: { kind: 'labels' }, isExact: () => true };
  const { net } = selected;
  const labelled = program.proctypes.map((proctype) => progressLocations(program, proctype));
  const byClass = new Map(
    net.classes.map(({ name }) => [name, { some: new Set<number>(), others: new Set<number>() }]),
  );
  const byProctype = program.proctypes.map(() => new Set<number>());
  for (const { class: owner, origin, progress } of net.transitions) {
    const { name, proctype } = net.classes[owner]!;
    for (const edge of origin) {
      const { some, others } = byClass.get(name)!;
      (progress ? some : others).add(edge);
      if (progress) byProctype[proctype]!.add(edge);
    }
  }
  const { machine, layout } = model;
  const channelName = (id: number): string => layout.queueNames[machine.nameOfChannel[id - 1]!]?.name ?? '?';
  let exact = true;
  const isProgress = (proctype: number, edge: number, pid: number): boolean => {
    if (labelled[proctype]!.has(program.proctypes[proctype]!.edges[edge]!.from)) return true;
    const edges = byClass.get(processLabel(model, pid, channelName));
    if (edges === undefined) {
      exact &&= !byProctype[proctype]!.has(edge);
      return byProctype[proctype]!.has(edge);
    }
    exact &&= !(edges.some.has(edge) && edges.others.has(edge));
    return edges.some.has(edge);
  };
  return { progress: { kind: 'steps', isProgress }, isExact: () => exact };
}
