import type { CertificateDocument } from '../../verdict/verdict.ts';
import { complain, openModel } from '../model.ts';
import { ANALYSIS_OPTIONS, MODEL_OPTIONS } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const audit: Verb = {
  name: 'audit',
  summary: 'check a certificate again, apart from the analysis that made it',
  help: `usage: spillway audit CERTIFICATE MODEL [options]

  -DNAME=VALUE -IDIR  as they were given when the certificate was made
  --data-model M      of a C program: ILP32 or LP64, likewise
  --quiet             say nothing; the exit code tells

The model is read and abstracted again; every inequality of the certificate is checked against it in exact integers.
No solver of linear programs takes part; what a refined proof says about the contents of messages is decided again, by
trying all values or by an SMT solver, and that is said. For C (.c, .spec) the certificate's states are checked against the program: the SMT solver
decides single bit-vector formulas. For .ecfsm the induction is done again for the certificate's formula. Exit code 0: the certificate proves what it claims. 2: it does not. 3: a file cannot be read.

example: spillway check ring.pml --certificates proofs && spillway audit proofs/ring.bounded.cert.json ring.pml
`,
  options: { ...MODEL_OPTIONS, 'data-model': ANALYSIS_OPTIONS['data-model'] },
  run: runAudit,
};

async function runAudit(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const [certificatePath, ...models] = args.positional;
  if (certificatePath === undefined || models.length === 0)
    throw new UsageError('give a certificate and a model');
  const text = io.readFile(certificatePath);
  const document = text === null ? null : readJson(text);
  if (document === null || typeof document !== 'object') {
    io.err(`${certificatePath}: ${text === null ? 'cannot be read' : 'is not JSON'}\n`);
    return EXIT.input;
  }
  const { entry, language, request, progress } = await openModel(models, args, io);
  if (language.audit === undefined)
    throw new UsageError(`${models[0]}: there are no certificates of ${entry.name} models`);
  const audited = await language
    .audit(document as CertificateDocument, request)
    .finally(() => progress.clear());
  const say = (line: string): void => {
    if (!args.flag('quiet')) io.out(`${line}\n`);
  };
  switch (audited.kind) {
    case 'errors':
      complain(
        audited.diagnostics.filter(({ severity }) => severity === 'error'),
        args,
        io,
      );
      return EXIT.input;
    case 'accepted':
      for (const sentence of audited.says) say(sentence.startsWith('(') ? sentence : `accepted: ${sentence}`);
      return EXIT.proved;
    case 'rejected':
      say(`rejected: ${audited.reason}`);
      return EXIT.unknown;
    case 'unsettled':
      say(`not settled: ${audited.reason}`);
      return EXIT.unknown;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
