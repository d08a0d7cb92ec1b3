import { UNLIMITED } from '../../base/budget.ts';
import { audit as auditDocument } from '../../certificate/document.ts';
import { auditKripke } from '../../check/kripke-audit.ts';
import { languageOf } from '../../check/languages.ts';
import { type AbstractionRecipe, recipeOptions } from '../../check/promela/abstract.ts';
import { buildNet } from '../../net/build.ts';
import { loadPromela } from '../../promela/load.ts';
import { auditRefined } from '../../refinement/document.ts';
import { hasErrors, render } from '../../source/diagnostic.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const audit: Verb = {
  name: 'audit',
  summary: 'check a certificate again, apart from the analysis that made it',
  help: `usage: spillway audit CERTIFICATE MODEL [options]

  -DNAME=VALUE -IDIR  as they were given when the certificate was made
  --quiet             say nothing; the exit code tells

The model is read and abstracted again; every inequality of the certificate is checked against it in exact integers.
No solver of linear programs takes part; what a refined proof says about the contents of messages is decided again, by
trying all values or by an SMT solver, and that is said. For C (.c, .spec) the certificate's states are checked against the program: the SMT solver
decides single bit-vector formulas. Exit code 0: the certificate proves what it claims. 2: it does not. 3: a file cannot be read.

example: spillway check ring.pml --certificates proofs && spillway audit proofs/ring.bounded.cert.json ring.pml
`,
  options: { define: MODEL_OPTIONS.define, include: MODEL_OPTIONS.include, quiet: { takes: 'nothing' } },
  run: runAudit,
};

async function runAudit(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const [certificatePath, model, ...more] = args.positional;
  const structures = model !== undefined && languageOf(model)?.name === 'kripke';
  if (certificatePath === undefined || model === undefined || (more.length > 0 && !structures))
    throw new UsageError('give a certificate and a model');
  const language = languageOf(model)?.name;
  if (language !== undefined && language !== 'promela' && language !== 'c' && !structures)
    throw new UsageError(`${model}: certificates are of Promela, C, .spec, .lks and .aut models`);
  const say = (text: string): void => {
    if (!args.flag('quiet')) io.out(text);
  };
  const text = io.readFile(certificatePath);
  const document = text === null ? null : readJson(text);
  if (document === null || typeof document !== 'object') {
    io.err(`${certificatePath}: ${text === null ? 'cannot be read' : 'is not JSON'}\n`);
    return EXIT.input;
  }
  if (language === 'c') return auditC(document, model, args, io, say);
  if (structures) return auditStructures(document, [model, ...more], args, io, say);
  const loaded = loadPromela(
    model,
    { read: io.readFile },
    { defines: args.list('define'), includes: args.list('include') },
  );
  for (const diagnostic of loaded.diagnostics)
    if (diagnostic.severity === 'error') io.err(`${render(diagnostic)}\n`);
  if (loaded.program === null || hasErrors(loaded.diagnostics)) return EXIT.input;

  const recipe = recipeIn(document);
  const abstraction = buildNet(loaded.program, recipeOptions(recipe));
  const [unseen] = abstraction.unknowns;
  if (unseen !== undefined) {
    say(`rejected: ${unseen.reason}\n`);
    return EXIT.unknown;
  }
  const audited =
    'kind' in document && document.kind === 'refined'
      ? await auditRefined(document, loaded.program, abstraction.net)
      : auditDocument(document, abstraction.net);
  if (!audited.ok) {
    say(`rejected: ${audited.error}\n`);
    return EXIT.unknown;
  }
  // The selectors are part of the claim: whoever reads the answer must see them.
  const also = recipe.progress.length === 0 ? '' : `, where progress is also ${recipe.progress.join(', ')}`;
  if (audited.value.property === 'livelock-free')
    say(`accepted: every run makes progress again and again${also}\n`);
  else if (audited.value.queues.length === 0) say('accepted: no queue is claimed to be bounded\n');
  else
    for (const { name, bound } of audited.value.queues)
      say(`accepted: ${name} never holds more than ${bound}\n`);
  const { contentsDecided = 0 } = audited.value as { readonly contentsDecided?: number };
  if (contentsDecided > 0)
    say(`(of the contents of messages, ${contentsDecided} facts were decided again by an SMT solver)\n`);
  return EXIT.proved;
}

function auditStructures(
  document: object,
  paths: readonly string[],
  args: ParsedArgs,
  io: Io,
  say: (text: string) => void,
): ExitCode {
  const audited = auditKripke(document, paths, { read: io.readFile }, args.list('define'));
  switch (audited.kind) {
    case 'errors':
      for (const diagnostic of audited.diagnostics)
        if (diagnostic.severity === 'error') io.err(`${render(diagnostic)}\n`);
      return EXIT.input;
    case 'rejected':
      say(`rejected: ${audited.reason}\n`);
      return EXIT.unknown;
    case 'accepted':
      say(
        audited.property === 'deadlock-free'
          ? 'accepted: the composition has no deadlock\n'
          : `accepted: ${audited.property} holds on every infinite path\n`,
      );
      return EXIT.proved;
  }
}

async function auditC(
  document: object,
  path: string,
  args: ParsedArgs,
  io: Io,
  say: (text: string) => void,
): Promise<ExitCode> {
  if (io.readFile(path) === null) {
    io.err(`${path}: cannot be read\n`);
    return EXIT.input;
  }
  const { auditDocument: auditDocumentOfC } = await import('../../c/audit/document.ts');
  const files = { read: io.readFile, ...(io.systemHeader && { systemHeader: io.systemHeader }) };
  const request = { document, path, files, defines: args.list('define'), includes: args.list('include') };
  const audited = await auditDocumentOfC({ ...request, budget: UNLIMITED });
  if (audited.kind === 'errors') {
    for (const diagnostic of audited.diagnostics)
      if (diagnostic.severity === 'error') io.err(`${render(diagnostic)}\n`);
    return EXIT.input;
  }
  const { property, result } = audited;
  if (result.kind === 'accepted') {
    say(`accepted: ${property} holds (${result.stats.obligations} steps checked)\n`);
    return EXIT.proved;
  }
  say(`${result.kind === 'rejected' ? 'rejected' : 'not settled'}: ${result.reason}\n`);
  return EXIT.unknown;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the document says about how to build the net; nonsense gives another net, which the audit notices. */
function recipeIn(document: object): AbstractionRecipe {
  const recipe = (document as { readonly abstraction?: unknown }).abstraction;
  const fields = typeof recipe === 'object' && recipe !== null ? (recipe as Record<string, unknown>) : {};
  const listOf = <T>(value: unknown, test: (item: unknown) => item is T): T[] =>
    Array.isArray(value) ? value.filter(test) : [];
  return {
    also: listOf(fields['also'], (item): item is number => Number.isSafeInteger(item)),
    progress: listOf(fields['progress'], (item): item is string => typeof item === 'string'),
    // Not the document's to choose: a ranking must hold at every capacity, a bound is about unlimited ones.
    capacities:
      (document as { readonly property?: unknown }).property === 'livelock-free' ? 'any' : 'unlimited',
    order: fields['order'] === 'ignored' ? 'ignored' : 'kept',
  };
}
