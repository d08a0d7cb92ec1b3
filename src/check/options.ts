// Which options of an analysis a model's language knows. One that no model takes changes nothing: the user should hear of it.

import { type CheckOptions, givenOptions, type OptionName } from '../engine/options.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { LANGUAGES, languageOf } from './languages.ts';

export interface CheckedModel {
  readonly paths: readonly string[];
  readonly options: CheckOptions;
}

const takes = (path: string, option: OptionName): boolean =>
  languageOf(path)?.options(path).includes(option) ?? true;

/** For each model the options that were given to it and that neither it nor any other model they were given to takes; said once. */
export function uselessOptions(models: readonly CheckedModel[]): readonly (readonly Diagnostic[])[] {
  // Composing is refused, not ignored, where it makes no sense.
  const given = models.map(({ options }): OptionName[] =>
    givenOptions(options).filter((option) => option !== 'compose'),
  );
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

function warningAbout(option: OptionName): Diagnostic {
  const extensions = LANGUAGES.flatMap((language) =>
    language.extensions.filter((extension) => language.options(extension).includes(option)),
  );
  return {
    code: 'SPW9005',
    severity: 'warning',
    message: `${SHORT[option] ?? `--${option}`} changes nothing here: models in this language do not take it`,
    span: null,
    help: `it is for ${extensions.join(' ')}`,
  };
}
