import type { Automaton } from '../../ltl/automaton.ts';
import { edgeCount } from '../../ltl/automaton.ts';
import { degeneralise } from '../../ltl/degeneralise.ts';
import type { Formula } from '../../ltl/formula.ts';
import { FormulaFactory } from '../../ltl/formula.ts';
import { parseText } from '../../ltl/parser.ts';
import { printFormula } from '../../ltl/print.ts';
import { readHoa } from '../../ltl/read-hoa.ts';
import { simplify } from '../../ltl/rewrite.ts';
import { openVocabulary, toFormula } from '../../ltl/syntax.ts';
import { reduce, translate } from '../../ltl/translate.ts';
import { writeDot, writeHoa, writeNever } from '../../ltl/write.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { render } from '../../source/diagnostic.ts';
import { SourceFile } from '../../source/source.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

const FORMATS = ['hoa', 'never', 'dot', 'text'] as const;
type Format = (typeof FORMATS)[number];

export const ltl: Verb = {
  name: 'ltl',
  summary: 'show the Büchi automaton of a temporal formula',
  help: `usage: spillway ltl FORMULA [options]
       spillway ltl --hoa FILE [options]

  --format F      hoa (default), never (a Promela never claim), dot, or text (the simplified formula and sizes)
  --negate        the automaton of the negated formula, as a check uses it
  --generalised   keep several acceptance sets on edges (hoa, dot) instead of accepting states
  --hoa FILE      read an automaton in HOA format instead of a formula, and reduce it
  --out FILE      write to FILE

Names are propositions; event:NAME is an event, of which at most one happens at a time.

examples: spillway ltl 'G(request -> F response)'
          spillway ltl '[]<>p -> []<>q' --negate --format never
`,
  options: {
    format: { takes: 'value', choices: FORMATS },
    negate: { takes: 'nothing' },
    generalised: { takes: 'nothing' },
    hoa: { takes: 'value' },
    out: { takes: 'value' },
  },
  run: async (args, io) => runLtl(args, io),
};

function runLtl(args: ParsedArgs, io: Io): ExitCode {
  const format = formatOf(args.value('format') ?? 'hoa');
  const described = args.value('hoa') === undefined ? fromFormula(args, io) : fromHoa(args, io);
  if (described === null) return EXIT.input;
  const result = write(described, format, args.flag('generalised'));
  const target = args.value('out');
  if (target === undefined) io.out(result);
  else io.writeFile(target, result);
  return 0;
}

interface Described {
  readonly name: string;
  readonly automaton: Automaton;
  /** What `--format text` says before the sizes. */
  readonly lines: readonly string[];
}

/** Null after the errors have been printed. */
function fromFormula(args: ParsedArgs, io: Io): Described | null {
  const [text, ...more] = args.positional;
  if (text === undefined || more.length > 0) throw new UsageError('give one formula, in quotes');
  const { formula: syntax, diagnostics } = parseText(text, openVocabulary());
  for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
  if (syntax === null) return null;
  const factory = new FormulaFactory();
  const formula = toFormula(factory, syntax);
  const wanted = args.flag('negate') ? factory.not(formula) : formula;
  const automaton = translate(factory, wanted);
  if (automaton === null) {
    io.err(`${render(tooLarge())}\n`);
    return null;
  }
  const print = (part: Formula): string => printFormula(part, factory.atoms);
  return {
    name: args.flag('negate') ? `!(${text})` : text,
    automaton,
    lines: [`formula:     ${print(wanted)}`, `simplified:  ${print(simplify(factory, wanted))}`],
  };
}

function fromHoa(args: ParsedArgs, io: Io): Described | null {
  const path = args.value('hoa')!;
  if (args.positional.length > 0) throw new UsageError('give a formula or --hoa FILE, not both');
  if (args.flag('negate')) throw new UsageError('--negate is for formulas');
  const text = io.readFile(path);
  if (text === null) throw new UsageError(`${path}: no such file`);
  const { automaton, diagnostics } = readHoa(new SourceFile(path, text));
  for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
  if (automaton === null) return null;
  const lines = [`read:        ${automaton.edges.length} states, ${edgeCount(automaton)} edges`];
  return { name: path, automaton: reduce(automaton), lines };
}

function formatOf(text: string): Format {
  const format = FORMATS.find((candidate) => candidate === text);
  if (format === undefined) throw new UsageError(`there is no format '${text}': ${FORMATS.join(', ')}`);
  return format;
}

function write({ name, automaton, lines }: Described, format: Format, generalised: boolean): string {
  const buchi = degeneralise(automaton);
  const shown = generalised ? automaton : buchi;
  switch (format) {
    case 'hoa':
      return writeHoa(shown, name);
    case 'dot':
      return writeDot(shown, name);
    case 'never':
      return writeNever(buchi, name);
    default:
      return [
        ...lines,
        `generalised: ${automaton.edges.length} states, ${edgeCount(automaton)} edges, ${automaton.marks} acceptance sets`,
        `Büchi:       ${buchi.edges.length} states, ${edgeCount(buchi)} edges`,
        '',
      ].join('\n');
  }
}

function tooLarge(): Diagnostic {
  return {
    code: 'SPW3210',
    severity: 'error',
    message: 'the automaton of this formula is too large',
    span: null,
    help: 'split a conjunction into several properties',
  };
}
