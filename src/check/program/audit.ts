// A certificate of a program, checked again: the net is built anew from the model, every claim is checked against it.

import { audit as auditDocument } from '../../certificate/document.ts';
import type { Audited, Loaded } from '../../engine/language.ts';
import { type Abstraction, buildNet } from '../../net/build.ts';
import { plainNet } from '../../net/petri.ts';
import { auditPetri } from '../../petri/document.ts';
import type { Program } from '../../process/program.ts';
import { auditRefined } from '../../refinement/document.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { type AbstractionRecipe, recipeOptions } from './abstract.ts';
import { failureProblem, failuresOf } from './assertions-linear.ts';
import { queueSums } from './bounded-coverability.ts';
import { deadProblem } from './deadlock-linear.ts';

export async function auditProgram(
  document: CertificateDocument,
  { model: program, diagnostics }: Loaded<Program>,
): Promise<Audited> {
  if (program === null) return { kind: 'errors', diagnostics };
  const recipe = recipeIn(document);
  if (document.property === 'assertions') return auditAssertions(document, program, recipe);
  const abstraction = buildNet(program, recipeOptions(recipe));
  const [unseen] = abstraction.unknowns;
  if (unseen !== undefined) return { kind: 'rejected', reason: unseen.reason };
  if (document.kind === 'marking-equation' && program.traces.length > 0)
    return { kind: 'rejected', reason: 'the trace assertion was not checked' };
  const plainly = auditPlain(document, abstraction);
  if (plainly !== null) return plainly;
  const audited =
    document.kind === 'refined'
      ? await auditRefined(document, program, abstraction.net)
      : auditDocument(document, abstraction.net);
  if (!audited.ok) return { kind: 'rejected', reason: audited.error };
  const { contentsDecided = 0 } = audited.value as { readonly contentsDecided?: number };
  const solved =
    contentsDecided === 0
      ? []
      : [`(of the contents of messages, ${contentsDecided} facts were decided again by an SMT solver)`];
  if (audited.value.property === 'livelock-free') {
    // The selectors are part of the claim: whoever reads the answer must see them.
    const also = recipe.progress.length === 0 ? '' : `, where progress is also ${recipe.progress.join(', ')}`;
    return { kind: 'accepted', says: [`every run makes progress again and again${also}`, ...solved] };
  }
  const { queues } = audited.value;
  const says =
    queues.length === 0
      ? ['no queue is claimed to be bounded']
      : queues.map(({ name, bound }) => `${name} never holds more than ${bound}`);
  return { kind: 'accepted', says: [...says, ...solved], bounds: queues };
}

/** The assertions' locations are not in the model: the net is that of the program with them. */
function auditAssertions(
  document: CertificateDocument,
  program: Program,
  recipe: AbstractionRecipe,
): Audited {
  const rejected = (reason: string): Audited => ({ kind: 'rejected', reason });
  const failures = failuresOf(program);
  if (failures === null) return rejected('the assertions of a trace or a d_step were not checked');
  const abstraction = buildNet(failures.program, recipeOptions(recipe));
  const [unseen] = abstraction.unknowns;
  if (unseen !== undefined) return rejected(unseen.reason);
  if (abstraction.mayFail()) return rejected('some run may end in a runtime error');
  const { plain, question, targets } = failureProblem(abstraction, failures);
  const audited = auditPetri(document, plain.petri, { kind: 'never', question, targets });
  return audited.ok ? { kind: 'accepted', says: ['no assertion fails'] } : rejected(audited.error);
}

/** Certificates about the plain net; null for all others. */
function auditPlain(document: CertificateDocument, abstraction: Abstraction): Audited | null {
  if (document.kind === 'marking-equation' && document.property === 'deadlock-free') {
    if (abstraction.mayFail()) return { kind: 'rejected', reason: 'some run may end in a runtime error' };
    const { plain, question } = deadProblem(abstraction);
    const audited = auditPetri(document, plain.petri, { kind: 'never', question, targets: [] });
    return audited.ok
      ? { kind: 'accepted', says: ['no run ends in an invalid end state'] }
      : { kind: 'rejected', reason: audited.error };
  }
  if (document.kind !== 'coverability' || document.property !== 'bounded') return null;
  const sums = queueSums(abstraction);
  const audited = auditPetri(document, plainNet(abstraction.net).petri, { kind: 'bounds', sums });
  if (!audited.ok) return { kind: 'rejected', reason: audited.error };
  return {
    kind: 'accepted',
    says: audited.value.map(({ name, bound }) => `${name} never holds more than ${bound}`),
    bounds: audited.value,
  };
}

/** What the document says about how to build the net; nonsense gives another net, which the audit notices. */
function recipeIn(document: CertificateDocument): AbstractionRecipe {
  const recipe = document['abstraction'];
  const fields = typeof recipe === 'object' && recipe !== null ? (recipe as Record<string, unknown>) : {};
  const listOf = <T>(value: unknown, test: (item: unknown) => item is T): T[] =>
    Array.isArray(value) ? value.filter(test) : [];
  return {
    also: listOf(fields['also'], (item): item is number => Number.isSafeInteger(item)),
    progress: listOf(fields['progress'], (item): item is string => typeof item === 'string'),
    // Not the document's to choose: a ranking must hold at every capacity, deadlock is about the declared ones, a bound about unlimited ones.
    capacities: document.property === 'bounded' ? 'unlimited' : 'any',
    order: fields['order'] === 'ignored' ? 'ignored' : 'kept',
    limits: fields['limits'] === 'wide' ? 'wide' : 'usual',
    shared: document.property === 'assertions' ? 'asked' : 'tested',
  };
}
