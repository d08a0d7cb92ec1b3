// Which parameters a message can be sent with: the natural solutions of linear inequalities, the registers being known.
//
// One field after the other. The later fields are eliminated by adding up pairs of bounds (Fourier, Motzkin), which leaves an interval for the first one that contains
// every value it has in a solution; each is tried, and the rest solved for it. For the last field the interval is exact.

import type { Action, ActionVariable, Linear } from '../model.ts';
import { fieldOf, isField } from '../model.ts';

export interface Choices {
  readonly found: readonly (readonly number[])[];
  /** There are no others. */
  readonly complete: boolean;
}

/** Σ factors[i] · field[i] + constant <= 0 */
interface Bound {
  readonly factors: readonly number[];
  readonly constant: number;
}

/** Values of a field that lead to no solution, before the rest is given up. */
const MOST_FAILURES = 64;

/** Up to `tries` values of every field, the least first. */
export function choicesOf(action: Action, registers: readonly number[], tries: number): Choices {
  return action.fields === 1
    ? oneField(action, registers, tries)
    : solve(boundsOf(action, registers), action.fields, tries);
}

/** The same for one field, without the ado: most messages have one, and searches ask at every state. */
function oneField({ condition, updates }: Action, registers: readonly number[], tries: number): Choices {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  const narrow = ({ terms, constant }: Linear<ActionVariable>, sign: 1 | -1): void => {
    let factor = 0;
    let rest = sign * constant;
    for (const [variable, times] of terms)
      if (isField(variable)) factor += sign * times;
      else rest += sign * times * registers[variable]!;
    if (factor > 0) to = Math.min(to, Math.floor(-rest / factor));
    else if (factor < 0) from = Math.max(from, Math.ceil(-rest / factor));
    else if (rest > 0) to = -1;
  };
  for (const { sum, relation } of condition) {
    narrow(sum, 1);
    if (relation === '=') narrow(sum, -1);
  }
  for (const update of updates) narrow(update, -1);
  const last = Math.min(to, from + tries - 1);
  const found: number[][] = [];
  for (let value = from; value <= last; value++) found.push([value + 0]);
  return { found, complete: last >= to };
}

function boundsOf({ condition, updates, fields }: Action, registers: readonly number[]): Bound[] {
  const bound = ({ terms, constant }: Action['updates'][number], sign: 1 | -1): Bound => {
    const factors = Array.from({ length: fields }, () => 0);
    let total = constant;
    for (const [variable, factor] of terms)
      if (isField(variable)) factors[fieldOf(variable)]! += factor;
      else total += factor * registers[variable]!;
    return { factors: factors.map((factor) => sign * factor + 0), constant: sign * total };
  };
  return [
    ...condition.flatMap(({ sum, relation }) =>
      relation === '=' ? [bound(sum, 1), bound(sum, -1)] : [bound(sum, 1)],
    ),
    ...updates.map((update) => bound(update, -1)),
  ];
}

function solve(bounds: readonly Bound[], fields: number, tries: number): Choices {
  if (fields === 0)
    return { found: bounds.every(({ constant }) => constant <= 0) ? [[]] : [], complete: true };
  const { from, to } = intervalOf(projected(bounds, fields));
  const found: (readonly number[])[] = [];
  let complete = true;
  let [tried, failed] = [0, 0];
  for (let value = from; value <= to; value++) {
    if (tried >= tries || failed >= MOST_FAILURES) return { found, complete: false };
    const rest = solve(
      bounds.map((one) => withFirst(one, value)),
      fields - 1,
      tries,
    );
    complete &&= rest.complete;
    if (rest.found.length > 0) tried++;
    else failed++;
    found.push(...rest.found.map((others) => [value, ...others]));
  }
  return { found, complete };
}

const withFirst = ({ factors, constant }: Bound, value: number): Bound => ({
  factors: factors.slice(1),
  constant: constant + factors[0]! * value,
});

/** What the bounds say of the first field alone. */
function projected(bounds: readonly Bound[], fields: number): Bound[] {
  let rest = [...bounds];
  for (let field = fields - 1; field >= 1; field--) {
    const natural: Bound = {
      factors: Array.from({ length: fields }, (_, i) => (i === field ? -1 : 0)),
      constant: 0,
    };
    const all = [...rest, natural];
    const upper = all.filter(({ factors }) => factors[field]! > 0);
    const lower = all.filter(({ factors }) => factors[field]! < 0);
    rest = all.filter(({ factors }) => factors[field] === 0);
    for (const high of upper)
      for (const low of lower) {
        const sum = combined(high, low, field);
        // What may have lost precision is left out: the interval is only larger.
        if (Math.abs(sum.constant) < 2 ** 52) rest.push(sum);
      }
  }
  return rest;
}

/** The sum of both in which the field is gone. */
function combined(high: Bound, low: Bound, field: number): Bound {
  const [times, over] = [-low.factors[field]!, high.factors[field]!];
  return {
    factors: high.factors.map((factor, i) => factor * times + low.factors[i]! * over),
    constant: high.constant * times + low.constant * over,
  };
}

/** The natural numbers that satisfy bounds on the first field. */
function intervalOf(bounds: readonly Bound[]): { from: number; to: number } {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  for (const { factors, constant } of bounds) {
    const factor = factors[0]!;
    if (factor > 0) to = Math.min(to, Math.floor(-constant / factor));
    else if (factor < 0) from = Math.max(from, Math.ceil(-constant / factor));
    else if (constant > 0) return { from: 1, to: 0 };
  }
  return { from, to };
}
