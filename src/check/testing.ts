// For tests: one C program or system, asked directly.

import { type Budget, type Observer, SILENT, UNLIMITED } from '../base/budget.ts';
import type { FileSystem } from '../source/source.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';

export interface CRequest {
  readonly path: string;
  readonly files: FileSystem;
  readonly defines?: readonly string[];
  readonly includes?: readonly string[];
  readonly properties?: readonly string[];
  readonly monolithic?: boolean;
  readonly strategy?: string | undefined;
  readonly dataModel?: 'ILP32' | 'LP64' | undefined;
  readonly budget?: Budget;
  readonly observer?: Observer;
}

export function checkC(request: CRequest): Promise<ModelReport> {
  const { path, files, defines, includes, properties, monolithic, strategy, dataModel, budget, observer } =
    request;
  return checkModel({
    paths: [path],
    files,
    properties: properties ?? [],
    options: {
      defines: defines ?? [],
      includes: includes ?? [],
      monolithic: monolithic ?? false,
      ...(strategy === undefined ? {} : { strategy }),
      ...(dataModel === undefined ? {} : { dataModel }),
    },
    budget: budget ?? UNLIMITED,
    observer: observer ?? SILENT,
  });
}

/** The verdict on one C program; the first message where it is refused. */
export async function verdictOf(
  text: string,
  property: string,
  dataModel?: 'ILP32' | 'LP64',
): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const { properties, diagnostics } = await checkC({ path: 'x.c', files, properties: [property], dataModel });
  return properties[0]?.verdict ?? diagnostics[0]!.message;
}
