// Graphs of the processes and dependencies between loops, for reports that people look at.

import { controlGraphs } from '../../process/graphs.ts';
import { contextOf } from './context.ts';
import { loopDependencies } from './dependencies.ts';
import type { ProgramWork } from './work.ts';

export const pictures: ProgramWork = {
  run: async (task, budget, observer, learn) => {
    const dependencies = await loopDependencies(contextOf(task, budget, observer));
    learn({ kind: 'pictures', graphs: controlGraphs(task.model.program), dependencies });
  },
};
