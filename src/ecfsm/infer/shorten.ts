// A formula that was found is made readable: first whole kinds of atoms are left out, as long as the induction still proves it; then every atom that
// follows from the others of its disjunct, which changes nothing.

import type { Budget } from '../../base/budget.ts';
import type { Comparison, Disjunct, Protocol, SequenceAtom, StateVariable } from '../model.ts';
import { keyOf } from '../model.ts';
import { prepare } from '../safety/formula.ts';
import { Induction } from '../safety/induction.ts';
import type { Reading } from '../safety/reading.ts';
import { relationOf } from '../safety/reading.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula } from '../solver/linear.ts';
import { not } from '../solver/linear.ts';

type Relation = Comparison<StateVariable>;

const functionsIn = ({ sum }: Relation): string[] =>
  sum.terms.flatMap(([variable]) => (variable.kind === 'function' ? [variable.name] : []));

/** What may be left out, from what people write least to what they need most. */
const KINDS: readonly ((relation: Relation) => boolean)[] = [
  (relation) => functionsIn(relation).some((name) => name === 'minp' || name === 'maxp'),
  (relation) => functionsIn(relation).length > 1 && !functionsIn(relation).includes('len'),
  (relation) =>
    relation.relation === '<=' && functionsIn(relation).length === 1 && relation.sum.terms.length === 1,
  (relation) => relation.relation === '<=' && functionsIn(relation).includes('firstp'),
  (relation) => relation.relation === '<=' && functionsIn(relation).includes('lastp'),
  (relation) => functionsIn(relation).includes('len'),
];

export async function shortened(
  protocol: Protocol,
  formula: readonly Disjunct[],
  decider: Decider,
  budget: Budget,
): Promise<readonly Disjunct[]> {
  let current = formula.map(withoutTrifles);
  for (const isOfKind of KINDS) {
    const fewer = current.map((disjunct) => ({
      ...disjunct,
      relations: disjunct.relations.filter((relation) => !isOfKind(relation)),
    }));
    if (fewer.every(({ relations }, i) => relations.length === current[i]!.relations.length)) continue;
    const { failures, outOfTime } = await new Induction(prepare(protocol, fewer), decider).run(
      budget,
      1,
      () => {},
    );
    if (outOfTime) return current;
    if (failures.length === 0) current = fewer;
  }
  const result: Disjunct[] = [];
  for (const disjunct of current) {
    if (!budget.timeLeft()) return current;
    result.push(await withoutImplied(protocol, disjunct, decider));
  }
  return result;
}

/** Natural numbers are at least 0; nothing is said twice. */
function withoutTrifles(disjunct: Disjunct): Disjunct {
  const seen = new Set<string>();
  const relations = disjunct.relations.filter((relation) => {
    const { terms, constant } = relation.sum;
    if (relation.relation === '<=' && constant <= 0 && terms.every(([, factor]) => factor < 0)) return false;
    const key = JSON.stringify(relation);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  return { ...disjunct, relations };
}

async function withoutImplied(protocol: Protocol, disjunct: Disjunct, decider: Decider): Promise<Disjunct> {
  const induction = new Induction(prepare(protocol, [disjunct]), decider);
  const situations = induction.situations(disjunct, null, [], 1);
  if (situations === null) return disjunct;
  let { predicates, relations } = disjunct;
  const follows = async (
    wanted: (reading: Reading) => Formula,
    from: Pick<Disjunct, 'predicates' | 'relations'>,
  ) => {
    for (const { situation } of situations) {
      const { context, before } = situation;
      const claim = not(wanted(before));
      const known = [
        ...from.predicates.map(({ predicate, of }) => before.view(of).holds(predicate)),
        ...from.relations.map((relation) => relationOf(relation, before)),
      ];
      const problem = decider.problem([...context.facts, ...known], context.variables);
      if ((await problem.solve(claim)).kind !== 'unsatisfiable') return false;
    }
    return true;
  };
  for (const atom of [...relations].sort((a, b) => rank(b) - rank(a))) {
    const rest = relations.filter((other) => other !== atom);
    if (await follows((reading) => relationOf(atom, reading), { predicates, relations: rest }))
      relations = rest;
  }
  for (const atom of [...predicates].reverse()) {
    const rest = predicates.filter((other) => other !== atom);
    const holds = (reading: Reading): Formula => reading.view(atom.of).holds(atom.predicate);
    if (await follows(holds, { predicates: rest, relations })) predicates = rest;
  }
  return { ...disjunct, predicates: tidy(predicates), relations: equalities(relations) };
}

/** step1 and const say all that the weaker ones say. */
function tidy(predicates: readonly SequenceAtom[]): readonly SequenceAtom[] {
  const strong = ['const', 'step1'];
  const isStrong = (atom: SequenceAtom): boolean => strong.includes(atom.predicate);
  return predicates.filter(
    (atom) =>
      isStrong(atom) ||
      !predicates.some(
        (other) =>
          isStrong(other) &&
          keyOf(other.of) === keyOf(atom.of) &&
          !(other.predicate === 'const' && atom.predicate === 'st-inc'),
      ),
  );
}

const rank = (relation: Relation): number =>
  functionsIn(relation).length * 4 + relation.sum.terms.length + (relation.relation === '=' ? 0 : 2);

/** x <= y and y <= x are x = y. */
function equalities(relations: readonly Relation[]): readonly Relation[] {
  const keyOf = ({ sum }: Relation, sign: 1 | -1): string =>
    JSON.stringify([
      sum.terms.map(([variable, factor]) => [JSON.stringify(variable), sign * factor]).sort(),
      sign * sum.constant + 0,
    ]);
  const keys = new Set(relations.filter(({ relation }) => relation === '<=').map((one) => keyOf(one, 1)));
  const done = new Set<string>();
  return relations.flatMap((one) => {
    if (one.relation === '=' || !keys.has(keyOf(one, -1))) return [one];
    if (done.has(keyOf(one, -1))) return [];
    done.add(keyOf(one, 1));
    return [{ ...one, relation: '=' as const }];
  });
}
