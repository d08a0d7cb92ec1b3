import { CONVERTERS } from '../../check/convert.ts';
import { LANGUAGES, languageOf } from '../../check/languages.ts';
import { hasErrors, render, suggest } from '../../source/diagnostic.ts';
import { limitsOf, MODEL_OPTIONS, MODEL_OPTIONS_HELP, startBudget } from '../model-options.ts';
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
  return [...new Set(CONVERTERS.map(({ language }) => language))].map((name) => {
    const extensions = LANGUAGES.find((language) => language.name === name)?.extensions ?? [];
    const formats = CONVERTERS.filter(({ language }) => language === name).flatMap((one) => one.formats);
    return `of ${extensions.join(', ')}: ${formats.join(', ')}`;
  });
}

async function runConvert(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const paths = args.positional;
  if (paths.length === 0) throw new UsageError('which model? give a file');
  if (paths.length > 1 && !args.flag('compose'))
    throw new UsageError('several models are converted as one system: add --compose');
  const apart = paths.length > 1 ? paths.find((path) => languageOf(path)?.name !== 'kripke') : undefined;
  if (apart !== undefined) throw new UsageError(`${apart}: only .lks and .aut models are composed`);
  const format = args.value('to');
  if (format === undefined) throw new UsageError('to which format? add --to FORMAT');
  const convertModel = await converterFor(paths[0]!, format).load();
  const { text, diagnostics } = await convertModel({
    paths,
    files: { read: io.readFile },
    format,
    properties: args.list('property'),
    defines: args.list('define'),
    includes: args.list('include'),
    budget: startBudget(limitsOf(args), io),
  });
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === 'error' || !args.flag('quiet')) io.err(`${render(diagnostic)}\n`);
  }
  if (text === null || hasErrors(diagnostics)) return EXIT.input;
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
  return 0;
}

function converterFor(path: string, format: string) {
  const language = languageOf(path);
  if (language === null) throw new UsageError(`${path}: the language is not known`);
  const candidates = CONVERTERS.filter((converter) => converter.language === language.name);
  const found = candidates.find((converter) => converter.formats.includes(format));
  if (found !== undefined) return found;
  const known = candidates.flatMap(({ formats }) => formats);
  if (known.length === 0) throw new UsageError(`${language.name} models cannot be converted`);
  const near = suggest(format, known);
  throw new UsageError(
    `${language.name} models are not written as '${format}'${near ? `; did you mean ${near}?` : `; known: ${known.join(', ')}`}`,
  );
}
