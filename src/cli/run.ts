import { VERSION } from '../base/version.ts';
import { suggest } from '../source/diagnostic.ts';
import { parseArgs } from './args.ts';
import type { ExitCode, Io, Verb } from './verb.ts';
import { EXIT, InputError, UsageError } from './verb.ts';
import { VERBS } from './verbs.ts';

/** The whole command line in one function: arguments in, exit code out. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [first, ...rest] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    if (first === 'help' && rest[0] !== undefined) return runCli([rest[0], '--help'], io);
    io.out(overview());
    return first === undefined ? EXIT.usage : 0;
  }
  if (first === '--version' || first === '-V' || first === 'version') {
    io.out(`spillway ${VERSION}\n`);
    return 0;
  }
  const entry = VERBS.find((candidate) => candidate.name === first);
  if (entry === undefined) {
    const known = [...VERBS.map((candidate) => candidate.name), '--help', '--version'];
    const near = suggest(first, known);
    io.err(
      `spillway: there is no ${first.startsWith('-') ? 'option' : 'verb'} '${first}'${near ? `; did you mean '${near}'?` : ''}\nspillway --help lists the verbs\n`,
    );
    return EXIT.usage;
  }
  return runVerb(await entry.load(), rest, io);
}

async function runVerb(verb: Verb, argv: readonly string[], io: Io): Promise<ExitCode> {
  const endOfOptions = argv.indexOf('--');
  const options = endOfOptions < 0 ? argv : argv.slice(0, endOfOptions);
  if (options.includes('--help') || options.includes('-h')) {
    io.out(verb.help);
    return 0;
  }
  try {
    return await verb.run(parseArgs(argv, verb.options), io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`spillway ${verb.name}: ${error.message}\nspillway ${verb.name} --help shows how it is used\n`);
      return EXIT.usage;
    }
    if (error instanceof InputError) {
      io.err(`spillway ${verb.name}: ${error.message}\n`);
      return EXIT.input;
    }
    io.err(`spillway: a bug in Spillway: ${error instanceof Error ? error.message : String(error)}\n`);
    if (io.environment['SPILLWAY_DEBUG'] && error instanceof Error) io.err(`${error.stack}\n`);
    else io.err('please report it with the model; SPILLWAY_DEBUG=1 shows where it happened\n');
    return EXIT.bug;
  }
}

function overview(): string {
  const width = Math.max(...VERBS.map((verb) => verb.name.length));
  return [
    `spillway ${VERSION}: proves, refutes and explains properties of message-passing systems`,
    '',
    'usage: spillway VERB [options] MODEL…',
    '',
    ...VERBS.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
    '',
    "spillway VERB --help shows a verb's options and examples",
    '',
  ].join('\n');
}
