// C programs: `.c` alone, or a system of C files described by a `.spec`.

import { shellWord } from '../base/shell.ts';
import { checkC } from '../c/check-c.ts';
import { checkSpec } from '../c/spec/check.ts';
import { DEADLOCK_STRATEGIES } from '../deadlock/deadlock.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import type { CheckRequest, Language } from './language.ts';

export const c: Language = { name: 'c', extensions: ['.c', '.spec'], check };

async function check(request: CheckRequest): Promise<ModelReport> {
  const path = request.paths[0]!;
  const common = {
    path,
    files: request.files,
    defines: request.options.defines ?? [],
    includes: request.options.includes ?? [],
    properties: request.properties,
    budget: request.budget,
    observer: request.observer,
  };
  const strategy = request.options.extra?.['strategy'];
  if (
    path.endsWith('.spec') &&
    strategy !== undefined &&
    !DEADLOCK_STRATEGIES.some((known) => known === strategy)
  )
    return {
      files: request.paths,
      language: 'c',
      properties: [],
      diagnostics: [
        {
          code: 'SPW3032',
          severity: 'error',
          message: `systems of threads have no strategy '${strategy}'`,
          span: null,
          help: `known: ${DEADLOCK_STRATEGIES.join(', ')}`,
        },
      ],
      sources: new Map(),
    };
  const report = path.endsWith('.spec')
    ? await checkSpec({
        ...common,
        monolithic: request.options.extra?.['monolithic'] === true,
        strategy: typeof strategy === 'string' ? strategy : undefined,
      })
    : await checkC(common);
  const properties = report.properties.map((property) => ({
    ...property,
    reproduce: reproduce(request, property.id),
  }));
  return { files: request.paths, language: 'c', ...report, properties };
}

/** With what the preprocessor was told: without it, it may be another program. */
function reproduce({ paths, options }: CheckRequest, id: string): string {
  const strategy = options.extra?.['strategy'];
  return [
    'spillway check',
    ...paths.map(shellWord),
    `--property ${shellWord(id)}`,
    ...(options.defines ?? []).map((define) => `-D${shellWord(define)}`),
    ...(options.includes ?? []).map((folder) => `-I${shellWord(folder)}`),
    ...(options.extra?.['monolithic'] === true ? ['--monolithic'] : []),
    ...(typeof strategy === 'string' ? [`--strategy ${strategy}`] : []),
  ].join(' ');
}
