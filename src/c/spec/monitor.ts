// Conformance to a process: every sequence of the process's events that the thread can do is one the process can do. The process, made
// deterministic and complete, runs along as a monitor; a step it does not know leads to `violated`, where it stays. The monitor knows only events of the
// thread: it would take others by itself, and they are not the thread's doing.

import type { Kripke } from '../../kripke/structure.ts';
import { eachEdge, KripkeBuilder } from '../../kripke/structure.ts';

export const VIOLATED = 'violated';

export function monitorOf(process: Kripke, events: ReadonlySet<string>): Kripke {
  const builder = new KripkeBuilder(`${process.name} (monitor)`);
  const violated = builder.state('violated', [VIOLATED]);
  const ids = new Map<string, number>();
  const sets: number[][] = [];
  const idOf = (states: number[]): number => {
    const sorted = [...new Set(states)].sort((a, b) => a - b);
    const key = sorted.join();
    let id = ids.get(key);
    if (id === undefined) {
      id = builder.state(sorted.map((state) => process.stateNames[state]).join(' or '));
      ids.set(key, id);
      sets.push(sorted);
    }
    return id;
  };
  builder.initial(idOf([...process.initial]));
  for (let i = 0; i < sets.length; i++) {
    const from = ids.get(sets[i]!.join())!;
    process.events.forEach((name, event) => {
      if (!events.has(name)) return;
      const targets: number[] = [];
      for (const state of sets[i]!)
        eachEdge(process, state, (e, to) => void (e === event && targets.push(to)));
      builder.edge(from, name, targets.length === 0 ? violated : idOf(targets));
    });
  }
  for (const name of process.events) if (events.has(name)) builder.edge(violated, name, violated);
  // A violation stays visible even when the rest of the system is stuck.
  builder.edge(violated, `${process.name}.violated`, violated);
  const monitor = builder.build();
  if (monitor === null) throw new Error('impossible: a monitor without an initial state');
  return monitor;
}
