// Refined proofs as certificates: potentials, multipliers, and the claims about the code that the rows are derived from. The audit
// derives every row again from the program.

import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import type { QueueBound } from '../boundedness/model.ts';
import { checker } from '../certificate/check.ts';
import { digestNet } from '../certificate/digest.ts';
import {
  type Audited,
  integerFromJson,
  integerToJson,
  type Json,
  list,
  object,
  PotentialTable,
  potentialFromJson,
  potentialToJson,
  proofFromJson,
  seal,
  unsealed,
  weightsFromJson,
  weightsToJson,
} from '../certificate/document.ts';
import type { Net } from '../net/net.ts';
import type { Program, VariableId } from '../process/program.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { checkLivelockProof, checkRefinedBound } from './check.ts';
import { settled } from './contents-smt.ts';
import { codeContext } from './context.ts';
import type { LivelockProof, RefinedPotential } from './proof.ts';
import { type Claim, Facts } from './rows.ts';

export interface RefinedClaim {
  readonly queue: number;
  readonly bound: bigint;
  readonly proof: RefinedPotential;
}

const header = (net: Net, property: string, abstraction: unknown) =>
  ({
    format: 'spillway-certificate',
    version: 1,
    property,
    kind: 'refined',
    net: digestNet(net),
    abstraction: (abstraction ?? null) as Json,
  }) as const;

export function refinedBoundDocument(
  net: Net,
  plain: readonly QueueBound[],
  refined: readonly RefinedClaim[],
  abstraction: unknown,
): CertificateDocument {
  const table = new PotentialTable();
  const queues = plain.flatMap(({ queue, name, certifiedBound, proof }): Json[] =>
    proof === null ? [] : [{ queue, name, bound: certifiedBound!, proof: table.proof(proof) }],
  );
  for (const { queue, bound, proof } of refined)
    queues.push({
      queue,
      name: net.queues[queue]!.name,
      bound: integerToJson(bound),
      refined: refinedToJson(proof),
    });
  return seal({ ...header(net, 'bounded', abstraction), potentials: table.entries, queues });
}

export const refinedRankingDocument = (
  net: Net,
  proof: LivelockProof,
  abstraction: unknown,
): CertificateDocument =>
  seal({ ...header(net, 'livelock-free', abstraction), proof: livelockToJson(proof) });

/** With the number of answers that an SMT solver had to give about the contents of messages. */
export type AuditedRefined = Audited & { readonly contentsDecided: number };

/** What a refined certificate proves about the program and its net; or why it proves nothing. */
export async function auditRefined(
  document: unknown,
  program: Program,
  net: Net,
): Promise<Result<AuditedRefined, string>> {
  const opened = unsealed(document, net);
  if (!opened.ok) return opened;
  const fields = opened.value;
  const context = codeContext(program, net);
  if (context === null) return err('the program does something that cannot be seen through');
  const facts = new Facts(context);
  try {
    // Nothing is taken over about the contents of messages: the questions come up again, and are decided again.
    const audited = await settled(facts, () => auditFields(fields, facts));
    return audited.ok ? ok({ ...audited.value, contentsDecided: facts.contents.solved }) : audited;
  } catch (problem) {
    if (problem instanceof Error && problem.message.startsWith('the certificate is malformed'))
      return err(problem.message);
    throw problem;
  }
}

function auditFields(fields: { readonly [key: string]: unknown }, facts: Facts): Result<Audited, string> {
  if (fields['property'] !== 'livelock-free') return auditQueues(fields, facts);
  const checked = checkLivelockProof(facts, livelockFromJson(fields['proof'], 0));
  return checked.ok ? ok({ property: 'livelock-free' }) : checked;
}

function auditQueues(fields: { readonly [key: string]: unknown }, facts: Facts): Result<Audited, string> {
  const { net } = facts.context;
  const check = checker(net);
  const potentials = list(fields['potentials']).map(potentialFromJson);
  const queues: { name: string; bound: bigint }[] = [];
  for (const entry of list(fields['queues'])) {
    const item = object(entry);
    const queue = Number(integerFromJson(item['queue']));
    const name = net.queues[queue]?.name;
    if (name === undefined || name !== item['name']) return err(`the model has no such queue ${queue}`);
    const bound =
      item['refined'] === undefined
        ? check.bound(queue, proofFromJson(item['proof'], potentials))
        : checkRefinedBound(facts, queue, refinedFromJson(item['refined']));
    if (!bound.ok) return err(`queue ${name}: ${bound.error}`);
    if (bound.value !== integerFromJson(item['bound']))
      return err(
        `queue ${name}: the proof shows ${bound.value}, the certificate claims ${String(item['bound'])}`,
      );
    queues.push({ name, bound: bound.value });
  }
  return ok({ property: 'bounded', queues });
}

const refinedToJson = ({ potential, links, components, rows }: RefinedPotential): Json => ({
  potential: potentialToJson(potential),
  links: weightsToJson(links),
  components: components.map(({ class: netClass, location }) => [netClass, location]),
  rows: rows.map(({ claim, multiplier }) => ({
    claim: claimToJson(claim),
    multiplier: integerToJson(multiplier),
  })),
});

function refinedFromJson(value: unknown): RefinedPotential {
  const fields = object(value);
  return {
    potential: potentialFromJson(fields['potential']),
    links: weightsFromJson(fields['links']),
    components: list(fields['components']).map((pair) => {
      const [netClass, location] = numbers(pair);
      return { class: netClass!, location: location! };
    }),
    rows: list(fields['rows']).map((item) => {
      const row = object(item);
      return { claim: claimFromJson(row['claim']), multiplier: integerFromJson(row['multiplier']) };
    }),
  };
}

const numbers = (value: unknown): number[] => list(value).map((item) => Number(integerFromJson(item)));

function claimToJson(claim: Claim): Json {
  switch (claim.kind) {
    case 'ranking': {
      const { step, operation, forms, depth } = claim.test;
      return {
        kind: 'ranking',
        cycle: claim.cycle,
        test: [step, operation],
        forms,
        depth,
        lambda: claim.lambda.map(integerToJson),
        mu: claim.mu.map(integerToJson),
      };
    }
    case 'messages':
      return {
        kind: 'messages',
        cycle: claim.cycle,
        receive: [claim.receive.step, claim.receive.operation],
        test: [claim.test.step, claim.test.operation],
        place: claim.place,
      };
    case 'cyclic':
      return {
        kind: 'cyclic',
        cycle: claim.cycle,
        test: [claim.test.step, claim.test.operation],
        form: claim.form,
      };
    case 'counter':
      return { kind: 'counter', class: claim.class, variable: claim.variable, upwards: claim.upwards };
  }
}

function claimFromJson(value: unknown): Claim {
  const fields = object(value);
  const pair = (key: string): { step: number; operation: number } => {
    const [step, operation] = numbers(fields[key]);
    return { step: step ?? -1, operation: operation ?? -1 };
  };
  const number = (key: string): number => Number(integerFromJson(fields[key]));
  switch (fields['kind']) {
    case 'ranking':
      return {
        kind: 'ranking',
        cycle: numbers(fields['cycle']),
        test: { ...pair('test'), forms: numbers(fields['forms']), depth: number('depth') === 2 ? 2 : 1 },
        lambda: list(fields['lambda']).map(integerFromJson),
        mu: list(fields['mu']).map(integerFromJson),
      };
    case 'messages':
      return {
        kind: 'messages',
        cycle: numbers(fields['cycle']),
        receive: pair('receive'),
        test: pair('test'),
        place: number('place'),
      };
    case 'cyclic':
      return { kind: 'cyclic', cycle: numbers(fields['cycle']), test: pair('test'), form: number('form') };
    case 'counter':
      return {
        kind: 'counter',
        class: number('class'),
        variable: number('variable') as VariableId,
        upwards: fields['upwards'] === true,
      };
    default:
      throw new Error('the certificate is malformed: a claim of no known kind');
  }
}

function livelockToJson(proof: LivelockProof): Json {
  if (proof.kind === 'leaf') return { goal: proof.goal, refined: refinedToJson(proof.proof) };
  return {
    on: claimToJson(proof.on.claim),
    never: livelockToJson(proof.never),
    both: livelockToJson(proof.both),
  };
}

const MAX_DEPTH = 200;

function livelockFromJson(value: unknown, depth: number): LivelockProof {
  if (depth > MAX_DEPTH) throw new Error('the certificate is malformed: its cases are nested too deeply');
  const fields = object(value);
  if ('refined' in fields) {
    const goal = fields['goal'] === 'steps' ? 'steps' : Number(integerFromJson(fields['goal']));
    return { kind: 'leaf', goal, proof: refinedFromJson(fields['refined']) };
  }
  const claim = claimFromJson(fields['on']);
  if (claim.kind !== 'ranking') throw new Error('the certificate is malformed: a case split on no ranking');
  return {
    kind: 'split',
    on: { claim },
    never: livelockFromJson(fields['never'], depth + 1),
    both: livelockFromJson(fields['both'], depth + 1),
  };
}
