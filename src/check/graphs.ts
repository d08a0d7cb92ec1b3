// The graphs of a model's processes or components, for pictures.

import type { Budget, Observer } from '../base/budget.ts';
import { graphOf } from '../kripke/graph.ts';
import { loadModel } from '../kripke/load.ts';
import { controlGraphs } from '../process/graphs.ts';
import { loadPromela } from '../promela/load.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import type { ControlGraph } from '../verdict/verdict.ts';

export interface GraphRequest {
  readonly language: string;
  readonly path: string;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  readonly budget: Budget;
  readonly observer: Observer;
}

export interface Graphs {
  readonly graphs: readonly ControlGraph[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Null for languages without such graphs. */
export async function loadGraphs(request: GraphRequest): Promise<Graphs | null> {
  const { language, path, files, defines, includes } = request;
  if (language === 'promela') {
    const { program, diagnostics } = loadPromela(path, files, { defines, includes });
    return { graphs: program === null ? [] : controlGraphs(program), diagnostics };
  }
  if (language === 'ecfsm') return (await import('./ecfsm-tools.ts')).ecfsmGraphs(request);
  if (language === 'c') return cGraphs(request);
  if (language !== 'kripke') return null;
  const { model, diagnostics } = loadModel([path], files, defines);
  return { graphs: model === null ? [] : model.components.map(graphOf), diagnostics };
}

/** Of a system of threads each one; of a program the whole, with its calls in place. */
async function cGraphs(request: GraphRequest): Promise<Graphs> {
  if (request.path.endsWith('.spec')) {
    const [{ loadSpec }, { threadGraphs }] = await Promise.all([
      import('../c/spec/load.ts'),
      import('../c/spec/check.ts'),
    ]);
    const { loaded, diagnostics } = await loadSpec(request);
    return { graphs: loaded === null ? [] : threadGraphs(loaded, new Map()), diagnostics };
  }
  const [{ loadC }, { controlGraphOf }] = await Promise.all([
    import('../c/check-c.ts'),
    import('../c/graph.ts'),
  ]);
  const { loaded, diagnostics } = await loadC(request);
  const graphs = loaded === null ? [] : [controlGraphOf('main', loaded.program, new Set())];
  return { graphs, diagnostics };
}
