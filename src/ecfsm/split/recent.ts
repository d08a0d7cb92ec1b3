// What else a formula can be divided by, where liveness needs it: how far the messages under way have come. Two questions for each sending whose fields are fixed by the sender's
// registers: is the last message of its type the one that would be sent now? And which actions would receive what would be sent now? The first says what is known when the
// channel has been received empty, the second what sending into an empty channel leads to (`selective-repeat`: once every answer has arrived, the sender knows how far the receiver is).
//
// These are only questions: the parts of a disjunct describe the same states whatever is asked.

import type { Action, Comparison, Disjunct, Linear, Protocol, StateVariable } from '../model.ts';
import { fieldOf, fieldVariable, isField, sequenceOf } from '../model.ts';
import { combine } from '../resolve/linear.ts';
import { sameVariable } from '../resolve/terms.ts';

type Sum = Linear<StateVariable>;
const SAME = { same: sameVariable };
const ZERO: Sum = { terms: [], constant: 0 };
const plus = (a: Sum, b: Sum, factor: number): Sum => combine(a, b, factor, SAME);

/** Each is a conjunction to divide by; all at most once. */
export function recentConditions(protocol: Protocol, disjunct: Disjunct): Comparison<StateVariable>[][] {
  const possible = protocol.machines.flatMap(({ actions }, side) =>
    actions.filter(({ from, silent }) => from === disjunct.control[side] && silent === null),
  );
  const found = new Map<string, Comparison<StateVariable>[]>();
  const add = (conditions: readonly Comparison<StateVariable>[]): void => {
    const useful = conditions.filter(({ sum }) => sum.terms.length > 0);
    if (useful.length > 0) found.set(JSON.stringify(useful), useful);
  };
  for (const send of possible.filter(({ kind }) => kind === 'send')) {
    const fields = fixedFields(send);
    for (const take of possible)
      if (take.kind === 'receive' && take.channel === send.channel && take.type === send.type)
        add(conditionsFor(take, fields));
    for (const [field, value] of fields.entries()) if (value !== null) add(equal(lastOf(send, field), value));
  }
  return [...found.values()];
}

/** The fields that an equation fixes by registers alone. */
function fixedFields({ condition, fields, side }: Action): (Sum | null)[] {
  return Array.from({ length: fields }, (_, field): Sum | null => {
    for (const { sum, relation } of condition) {
      const [own, ...others] = sum.terms.filter(([variable]) => isField(variable));
      if (relation !== '=' || own?.[0] !== fieldVariable(field) || others.length > 0) continue;
      if (Math.abs(own[1]) !== 1) continue;
      const rest: Sum = {
        constant: sum.constant,
        terms: sum.terms.flatMap(([index, factor]): [StateVariable, number][] =>
          isField(index) ? [] : [[{ kind: 'register', side, index }, factor]],
        ),
      };
      return plus(ZERO, rest, -own[1]);
    }
    return null;
  });
}

const lastOf = ({ channel, type }: Action, field: number): Sum => ({
  constant: 0,
  terms: [[{ kind: 'function', name: 'lastp', of: sequenceOf(channel, type, field) }, 1]],
});

const equal = (a: Sum, b: Sum): Comparison<StateVariable>[] => [
  { relation: '<=', sum: plus(a, b, -1) },
  { relation: '<=', sum: plus(b, a, -1) },
];

/** The condition of a receiving action for these fields; what speaks of a field that is not fixed is left out. */
function conditionsFor(take: Action, fields: readonly (Sum | null)[]): Comparison<StateVariable>[] {
  return take.condition.flatMap(({ sum, relation }) => {
    let value: Sum | null = { terms: [], constant: sum.constant };
    for (const [variable, factor] of sum.terms) {
      const part: Sum | null = isField(variable)
        ? (fields[fieldOf(variable)] ?? null)
        : { terms: [[{ kind: 'register', side: take.side, index: variable }, 1]], constant: 0 };
      value = value === null || part === null ? null : plus(value, part, factor);
    }
    if (value === null) return [];
    const below: Comparison<StateVariable> = { relation: '<=', sum: value };
    return relation === '=' ? [below, { relation: '<=', sum: plus(ZERO, value, -1) }] : [below];
  });
}
