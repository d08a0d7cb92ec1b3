import { LANGUAGES, type LanguageEntry } from '../../check/languages.ts';
import { suggest } from '../../source/diagnostic.ts';
import { complain, openModel, write } from '../model.ts';
import { MODEL_OPTIONS, MODEL_OPTIONS_HELP } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const convert: Verb = {
  name: 'convert',
  summary: 'write a model in another format',
  help: `usage: spillway convert MODEL… --to FORMAT [options]

  --to FORMAT         ${formatsByLanguage().join('\n                      ')}
  --out FILE          write to FILE instead of the terminal
  --property P        the question that the result should ask, for formats that ask one
                      (promela: deadlock-free, ltl:NAME, ltl:FORMULA)
  --compose           the models are components of one system
${MODEL_OPTIONS_HELP}

examples: spillway convert philosophers.lks --to promela -DN=4 --out philosophers.pml
          spillway convert sender.aut receiver.aut --compose --to aut
`,
  options: {
    ...MODEL_OPTIONS,
    to: { takes: 'value' },
    out: { takes: 'value' },
    property: { takes: 'list' },
    compose: { takes: 'nothing' },
  },
  run: runConvert,
};

function formatsByLanguage(): string[] {
  return LANGUAGES.flatMap(({ extensions, formats }) =>
    formats === undefined ? [] : [`of ${extensions.join(', ')}: ${formats.join(', ')}`],
  );
}

async function runConvert(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const paths = args.positional;
  if (paths.length > 1 && !args.flag('compose'))
    throw new UsageError('several models are converted as one system: add --compose');
  const format = args.value('to');
  if (paths.length > 0 && format === undefined) throw new UsageError('to which format? add --to FORMAT');
  const { entry, language, request, progress } = await openModel(paths, args, io);
  if (language.convert === undefined) throw new UsageError(`${entry.name} models cannot be converted`);
  const converted = await language
    .convert({ ...request, format: knownFormat(format!, entry), properties: args.list('property') })
    .finally(() => progress.clear());
  if (complain(converted.diagnostics, args, io) || converted.text === null) return EXIT.input;
  write(converted.text, args, io);
  return 0;
}

function knownFormat(format: string, { name, formats = [] }: LanguageEntry): string {
  if (formats.includes(format)) return format;
  const near = suggest(format, formats);
  throw new UsageError(
    `${name} models are not written as '${format}'${near ? `; did you mean ${near}?` : `; known: ${formats.join(', ')}`}`,
  );
}
