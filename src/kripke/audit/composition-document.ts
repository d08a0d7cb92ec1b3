// Proofs by minimising while composing as certificates, and their audit: for freedom from deadlock and for formulas.

import { atomsOf, conjunctsOf } from '../../ltl/conjuncts.ts';
import { ignoresHiddenSteps } from '../../ltl/hidden-steps.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import type { CompositionRecord } from '../minimise/proof.ts';
import type { Kripke } from '../structure.ts';
import type { System } from '../system.ts';
import { auditComposition, isRecord, type Unit } from './composition.ts';
import { documentOf, refusal } from './facts.ts';
import { SECOND_LOOK } from './product.ts';
import type { Graph } from './tableau.ts';
import { everyPathSatisfies } from './tableau.ts';

export const COMPOSITION_KIND = 'composition';

export type CompositionAudit = 'holds' | 'violated' | 'limit' | 'bad classes';

export const compositionDocument = (
  system: System,
  property: string,
  record: CompositionRecord,
): CertificateDocument => documentOf(system, COMPOSITION_KIND, property, record);

/** The certificate's proof, or a text that says why it is refused outright. */
export function readComposition(system: System, document: CertificateDocument): CompositionRecord | string {
  const refused = refusal(system, document, COMPOSITION_KIND);
  if (refused !== null) return refused;
  return isRecord(document) ? document : 'the certificate is malformed';
}

/** Branching bisimulation with explicit divergence keeps deadlocks, strong bisimulation does. */
export function auditComposedDeadlock(
  components: readonly Kripke[],
  { records, proofs }: CompositionRecord,
  timeLeft: () => boolean,
): CompositionAudit {
  const [proof, ...more] = proofs;
  if (proof === undefined || more.length > 0) return 'bad classes';
  const nothing = { events: new Set<string>(), propositions: new Set<string>() };
  const asked = { ...nothing, equivalence: proof.equivalence };
  const unit = auditComposition(components, records, proof.parts, asked, timeLeft);
  if (typeof unit === 'string') return unit;
  const reached = new Set(unit.initial);
  for (const node of reached) {
    if (unit.steps[node]!.length === 0) return 'violated';
    for (const { to } of unit.steps[node]!) reached.add(to);
  }
  return 'holds';
}

/** Each conjunct by a proof of its own; one that could see hidden steps only by strong bisimulation. */
export function auditComposedFormula(
  system: System,
  formula: Syntax,
  { records, proofs }: CompositionRecord,
  timeLeft: () => boolean,
): CompositionAudit {
  const parts = conjunctsOf(formula);
  if (parts.length !== proofs.length) return 'bad classes';
  const names = system.components.flatMap(({ propositions }) => propositions);
  for (const [i, part] of parts.entries()) {
    const { equivalence, parts: own } = proofs[i]!;
    if (equivalence === 'branching' && !ignoresHiddenSteps(part)) return 'bad classes';
    const atoms = atomsOf(part);
    const asked = {
      events: new Set([...atoms.events].map((id) => system.events[id]!)),
      propositions: new Set([...atoms.propositions].map((id) => names[id]!)),
      equivalence,
    };
    const unit = auditComposition(system.components, records, own, asked, timeLeft);
    if (typeof unit === 'string') return unit;
    const result = everyPath(part, unit, system.events, names, timeLeft);
    if (result !== 'holds') return result;
  }
  return 'holds';
}

function everyPath(
  formula: Syntax,
  unit: Unit,
  events: readonly string[],
  names: readonly string[],
  timeLeft: () => boolean,
): CompositionAudit {
  // No event of a model has an empty name.
  const graph: Graph = {
    initial: unit.initial,
    eachStep: (state, visit) => {
      for (const { label, to } of unit.steps[state]!) visit(label ?? '', to);
    },
  };
  const sets = unit.propositions.map((own) => new Set(own));
  const atoms = {
    event: (id: number) => events[id]!,
    holds: (proposition: number, state: number) => sets[state]!.has(names[proposition]!),
  };
  return everyPathSatisfies(formula, graph, atoms, SECOND_LOOK, timeLeft);
}
