import { edgeCount } from '../../ltl/automaton.ts';
import { degeneralise } from '../../ltl/degeneralise.ts';
import type { Formula } from '../../ltl/formula.ts';
import { FormulaFactory } from '../../ltl/formula.ts';
import { parseText } from '../../ltl/parser.ts';
import { printFormula } from '../../ltl/print.ts';
import { simplify } from '../../ltl/rewrite.ts';
import { openVocabulary, toFormula } from '../../ltl/syntax.ts';
import { translate } from '../../ltl/translate.ts';
import { writeDot, writeHoa, writeNever } from '../../ltl/write.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors, render } from '../../source/diagnostic.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

const FORMATS = ['hoa', 'never', 'dot', 'text'] as const;
type Format = (typeof FORMATS)[number];

export const ltl: Verb = {
  name: 'ltl',
  summary: 'show the Büchi automaton of a temporal formula',
  help: `usage: spillway ltl FORMULA [options]

  --format F      hoa (default), never (a Promela never claim), dot, or text (the simplified formula and sizes)
  --negate        the automaton of the negated formula, as a check uses it
  --generalised   keep several acceptance sets on edges (hoa, dot) instead of accepting states
  --out FILE      write to FILE

Names are propositions; event:NAME is an event, of which at most one happens at a time.

examples: spillway ltl 'G(request -> F response)'
          spillway ltl '[]<>p -> []<>q' --negate --format never
`,
  options: {
    format: { takes: 'value' },
    negate: { takes: 'nothing' },
    generalised: { takes: 'nothing' },
    out: { takes: 'value' },
  },
  run: async (args, io) => runLtl(args, io),
};

function runLtl(args: ParsedArgs, io: Io): ExitCode {
  const [text, ...more] = args.positional;
  if (text === undefined || more.length > 0) throw new UsageError('give one formula, in quotes');
  const format = formatOf(args.value('format') ?? 'hoa');
  const { formula: syntax, diagnostics } = parseText(text, openVocabulary());
  for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
  if (syntax === null || hasErrors(diagnostics)) return EXIT.input;
  const factory = new FormulaFactory();
  const formula = toFormula(factory, syntax);
  const wanted = args.flag('negate') ? factory.not(formula) : formula;
  const name = args.flag('negate') ? `!(${text})` : text;
  const result = describe(factory, wanted, name, format, args.flag('generalised'));
  if (result === null) {
    io.err(`${render(tooLarge())}\n`);
    return EXIT.input;
  }
  const target = args.value('out');
  if (target === undefined) io.out(result);
  else io.writeFile(target, result);
  return 0;
}

function formatOf(text: string): Format {
  const format = FORMATS.find((candidate) => candidate === text);
  if (format === undefined) throw new UsageError(`there is no format '${text}': ${FORMATS.join(', ')}`);
  return format;
}

function describe(
  factory: FormulaFactory,
  formula: Formula,
  name: string,
  format: Format,
  generalised: boolean,
): string | null {
  const automaton = translate(factory, formula);
  if (automaton === null) return null;
  const shown = generalised && format !== 'never' ? automaton : degeneralise(automaton);
  switch (format) {
    case 'hoa':
      return writeHoa(shown, name);
    case 'dot':
      return writeDot(shown, name);
    case 'never':
      return writeNever(degeneralise(automaton), name);
    default:
      return [
        `formula:     ${printFormula(formula, factory.atoms)}`,
        `simplified:  ${printFormula(simplify(factory, formula), factory.atoms)}`,
        `generalised: ${automaton.edges.length} states, ${edgeCount(automaton)} edges, ${automaton.marks} acceptance sets`,
        `Büchi:       ${degeneralise(automaton).edges.length} states, ${edgeCount(degeneralise(automaton))} edges`,
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
