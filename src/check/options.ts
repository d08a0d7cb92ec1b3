// Which options of an analysis a model's language knows. One that no model takes changes nothing: the user should hear of it.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { CheckOptions } from './language.ts';

const PROMELA = ['.pml', '.prom', '.promela'];
const STRUCTURES = ['.lks', '.aut'];

/** By the long name on the command line: the extensions of the models that take it. */
const TAKEN_BY = {
  method: PROMELA,
  progress: PROMELA,
  exact: PROMELA,
  'no-confirm': PROMELA,
  fair: PROMELA,
  monolithic: [...STRUCTURES, '.spec'],
  strategy: [...STRUCTURES, '.spec'],
  define: [...PROMELA, '.lks', '.c', '.spec'],
  include: [...PROMELA, '.c', '.spec'],
} as const satisfies Record<string, readonly string[]>;

type OptionName = keyof typeof TAKEN_BY;

function givenOptions(options: CheckOptions): OptionName[] {
  const extra = options.extra ?? {};
  const given: Record<OptionName, boolean> = {
    method: options.method !== undefined,
    progress: (options.progress ?? []).length > 0,
    exact: options.exact === true,
    'no-confirm': options.confirm === false,
    fair: extra['fair'] === true,
    monolithic: extra['monolithic'] === true,
    strategy: extra['strategy'] !== undefined,
    define: (options.defines ?? []).length > 0,
    include: (options.includes ?? []).length > 0,
  };
  return (Object.keys(TAKEN_BY) as OptionName[]).filter((name) => given[name]);
}

const takes = (path: string, option: OptionName): boolean =>
  TAKEN_BY[option].some((extension) => path.endsWith(extension));

export interface CheckedModel {
  readonly paths: readonly string[];
  readonly options: CheckOptions;
}

/** For each model the options that were given to it and that neither it nor any other model they were given to takes; said once. */
export function uselessOptions(models: readonly CheckedModel[]): readonly (readonly Diagnostic[])[] {
  const given = models.map(({ options }) => givenOptions(options));
  const isTaken = (option: OptionName): boolean =>
    models.some(
      ({ paths }, index) => given[index]!.includes(option) && paths.some((path) => takes(path, option)),
    );
  const said = new Set<OptionName>();
  return given.map((options) =>
    options.flatMap((option) => {
      if (isTaken(option) || said.has(option)) return [];
      said.add(option);
      return [warningAbout(option)];
    }),
  );
}

const SHORT: Partial<Record<OptionName, string>> = { define: '-D', include: '-I' };

const warningAbout = (option: OptionName): Diagnostic => ({
  code: 'SPW9005',
  severity: 'warning',
  message: `${SHORT[option] ?? `--${option}`} changes nothing here: models in this language do not take it`,
  span: null,
  help: `it is for ${TAKEN_BY[option].join(' ')}`,
});
