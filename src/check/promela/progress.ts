// Progress on the concrete semantics: SPIN's labels, or the steps that `--progress` selects on the net.

import type { Model } from '../../explore/compile.ts';
import { processLabel } from '../../explore/names.ts';
import type { Progress } from '../../explore/pumping.ts';
import type { Abstraction } from '../../net/build.ts';
import { progressLocations } from '../../process/progress.ts';
import type { PromelaContext } from './context.ts';

/**
 * With selectors, a step counts as progress if the net's class of its process has progress on that edge; for a process that is none of the
 * classes by name, if any class of its proctype has. That may be more than the user named, so a loop without it is free of progress.
 */
export function progressOf(
  { program, request }: PromelaContext,
  { net }: Abstraction,
  model: Model,
): Progress {
  if ((request.options.progress ?? []).length === 0) return { kind: 'labels' };
  const labelled = program.proctypes.map((proctype) => progressLocations(proctype));
  const byClass = new Map(net.classes.map(({ name }) => [name, new Set<number>()]));
  const byProctype = program.proctypes.map(() => new Set<number>());
  for (const { class: owner, origin, progress } of net.transitions) {
    if (!progress) continue;
    const { name, proctype } = net.classes[owner]!;
    for (const edge of origin) {
      byClass.get(name)!.add(edge);
      byProctype[proctype]!.add(edge);
    }
  }
  const { machine, layout } = model;
  const channelName = (id: number): string => layout.queueNames[machine.nameOfChannel[id - 1]!]?.name ?? '?';
  return {
    kind: 'steps',
    isProgress: (proctype, edge, pid) => {
      if (labelled[proctype]!.has(program.proctypes[proctype]!.edges[edge]!.from)) return true;
      const edges = byClass.get(processLabel(model, pid, channelName)) ?? byProctype[proctype]!;
      return edges.has(edge);
    },
  };
}
