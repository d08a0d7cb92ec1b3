// Formulas as text, in the language they are read in: for reports, `split` and `infer`.

import { showRegex } from '../language/regex.ts';
import type {
  Comparison,
  Disjunct,
  Goal,
  Model,
  Protocol,
  SequenceAtom,
  StateVariable,
  Subsequence,
} from '../model.ts';
import { channelName } from '../model.ts';

function showSubsequence(protocol: Protocol, { channel, types, fields }: Subsequence): string {
  const alphabet = protocol.alphabets[channel]!;
  const name = channelName(protocol, channel);
  if (
    types.length === alphabet.length &&
    fields.every((field) => field === 0) &&
    !hasFields(protocol, channel)
  )
    return name;
  const shown = types.map((type, i) => {
    const names = protocol.fields[channel]![type]!;
    return names.length === 1 ? alphabet[type]! : `${alphabet[type]}.${names[fields[i]!]}`;
  });
  return `${name}, ${shown.length === 1 ? shown[0] : `{${shown.join(', ')}}`}`;
}

/** Has some message more than one field? Then it is said which one is meant. */
const hasFields = ({ fields }: Protocol, channel: number): boolean =>
  fields[channel]!.some((names) => names.length > 1);

function showVariable(protocol: Protocol, variable: StateVariable): string {
  if (variable.kind === 'function') return `${variable.name}(${showSubsequence(protocol, variable.of)})`;
  const machine = protocol.machines[variable.side]!;
  return `${machine.name}.${machine.registers[variable.index]}`;
}

export const showPredicate = (protocol: Protocol, { predicate, of }: SequenceAtom): string =>
  `${predicate}(${showSubsequence(protocol, of)})`;

/** Positive terms to the left, negative ones to the right. */
export function showComparison(protocol: Protocol, { sum, relation }: Comparison<StateVariable>): string {
  const part = (sign: 1 | -1, constant: number): string => {
    const terms = sum.terms
      .filter(([, factor]) => factor * sign > 0)
      .map(([variable, factor]) => {
        const shown = showVariable(protocol, variable);
        return factor * sign === 1 ? shown : `${factor * sign} * ${shown}`;
      });
    if (constant > 0 || terms.length === 0) terms.push(String(constant));
    return terms.join(' + ');
  };
  const { constant } = sum;
  // x - y + 1 <= 0 reads x < y.
  if (relation === '<=' && constant === 1 && sum.terms.some(([, factor]) => factor < 0))
    return `${part(1, 0)} < ${part(-1, 0)}`;
  return `${part(1, Math.max(0, constant))} ${relation} ${part(-1, Math.max(0, -constant))}`;
}

export function showAtoms(protocol: Protocol, disjunct: Disjunct): string[] {
  const { machines } = protocol;
  return [
    machines.map(({ name, states }, side) => `${name}@${states[disjunct.control[side]!]}`).join(', '),
    ...disjunct.shapes.map(
      (shape, channel) =>
        `${channelName(protocol, channel)}: ${showRegex(shape, protocol.alphabets[channel]!)}`,
    ),
    ...disjunct.predicates.map((atom) => showPredicate(protocol, atom)),
    ...disjunct.relations.map((comparison) => showComparison(protocol, comparison)),
  ];
}

/** One line; dots, which unfolding puts into names, cannot be written there. */
const showDisjunct = (protocol: Protocol, disjunct: Disjunct, name: string): string =>
  `  ${name} = ${showAtoms(protocol, disjunct).join(', ')};`;

/** Names that can be written, all different. */
function namesOf(invariant: readonly Disjunct[]): string[] {
  const used = new Set<string>();
  return invariant.map(({ name }) => {
    const plain = name.replaceAll('.', '_');
    let free = plain;
    for (let i = 2; used.has(free); i++) free = `${plain}_${i}`;
    used.add(free);
    return free;
  });
}

/** By its disjuncts; where it has none by its control states, which can always be written. */
function showGoal(
  { machines }: Protocol,
  { name, disjuncts, control }: Goal,
  names: readonly string[],
): string {
  const states = (control ?? []).map(
    (wanted, side) =>
      `${machines[side]!.name}@{${wanted.map((state) => machines[side]!.states[state]).join(', ')}}`,
  );
  const parts = disjuncts.length > 0 ? disjuncts.map((index) => names[index]!) : states;
  return parts.length > 0
    ? `goal ${name} = ${parts.join(', ')};`
    : `// goal ${name}: no disjunct is left of it`;
}

/** The model's own text with this invariant in place of its own, and goals given by their disjuncts or as they were written. */
export function showModel(model: Model, goals: 'by disjuncts' | 'as written'): string {
  const { protocol, invariant, frame } = model;
  const names = namesOf(invariant);
  const goalLines =
    goals === 'as written'
      ? model.goalTexts.map((text) => `${text};`)
      : model.goals.map((goal) => showGoal(protocol, goal, names));
  return [
    frame,
    'invariant {',
    ...invariant.map((disjunct, i) => showDisjunct(protocol, disjunct, names[i]!)),
    '}',
    ...(goalLines.length === 0 ? [] : ['', ...goalLines]),
    '',
  ].join('\n');
}
