// Promela: load, choose the properties, run the portfolio of each.

import { shareOf } from '../../base/budget.ts';
import { controlGraphs } from '../../process/graphs.ts';
import { loadPromela } from '../../promela/load.ts';
import { hasErrors } from '../../source/diagnostic.ts';
import type { ModelReport, PropertyResult } from '../../verdict/verdict.ts';
import type { CheckRequest, Language } from '../language.ts';
import { checkBounded } from './bounded.ts';
import type { PromelaContext } from './context.ts';
import { loopDependencies } from './dependencies.ts';
import { checkLivelock } from './livelock.ts';
import { chooseProperties } from './properties.ts';
import { checkSafety } from './safety.ts';
import { checkTemporalProperty } from './temporal.ts';

export const promela: Language = {
  name: 'promela',
  extensions: ['.pml', '.prom', '.promela'],
  check: checkPromela,
};

async function checkPromela(request: CheckRequest): Promise<ModelReport> {
  const { options, observer } = request;
  observer.stage('parse');
  const loaded = loadPromela(request.paths[0]!, request.files, {
    defines: options.defines ?? [],
    includes: options.includes ?? [],
  });
  const report = { files: request.paths, language: 'promela', sources: loaded.sources };
  if (loaded.program === null) return { ...report, properties: [], diagnostics: loaded.diagnostics };

  const context: PromelaContext = { program: loaded.program, request, diagnostics: [] };
  const chosen = chooseProperties(loaded.program, request.properties, options.progress ?? []);
  const diagnostics = [...loaded.diagnostics, ...chosen.diagnostics];
  if (hasErrors(diagnostics)) return { ...report, properties: [], diagnostics };

  const properties: PropertyResult[] = [];
  for (const [index, property] of chosen.properties.entries()) {
    const budget = shareOf(request.budget, chosen.properties.length - index);
    const result = await checkProperty({ ...context, request: { ...request, budget } }, property);
    // A request that makes no sense has no verdict, only its diagnostics.
    if (!hasErrors(context.diagnostics)) properties.push(result);
  }
  const pictures = options.explain
    ? { graphs: controlGraphs(loaded.program), dependencies: await loopDependencies(context) }
    : {};
  return { ...report, properties, diagnostics: [...diagnostics, ...context.diagnostics], ...pictures };
}

async function checkProperty(context: PromelaContext, property: string): Promise<PropertyResult> {
  switch (property) {
    case 'bounded':
      return checkBounded(context);
    case 'livelock-free':
      return checkLivelock(context);
    case 'deadlock-free':
    case 'assertions':
      return checkSafety(context, property);
    default:
      return checkTemporalProperty(context, property);
  }
}
