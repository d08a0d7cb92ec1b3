// A certificate of a program, checked again: the net is built anew from the model, every claim is checked against it.

import { audit as auditDocument } from '../../certificate/document.ts';
import type { Audited, Loaded } from '../../engine/language.ts';
import { buildNet } from '../../net/build.ts';
import type { Program } from '../../process/program.ts';
import { auditRefined } from '../../refinement/document.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { type AbstractionRecipe, recipeOptions } from './abstract.ts';

export async function auditProgram(
  document: CertificateDocument,
  { model: program, diagnostics }: Loaded<Program>,
): Promise<Audited> {
  if (program === null) return { kind: 'errors', diagnostics };
  const recipe = recipeIn(document);
  const abstraction = buildNet(program, recipeOptions(recipe));
  const [unseen] = abstraction.unknowns;
  if (unseen !== undefined) return { kind: 'rejected', reason: unseen.reason };
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
  return { kind: 'accepted', says: [...says, ...solved] };
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
    // Not the document's to choose: a ranking must hold at every capacity, a bound is about unlimited ones.
    capacities: document.property === 'livelock-free' ? 'any' : 'unlimited',
    order: fields['order'] === 'ignored' ? 'ignored' : 'kept',
  };
}
