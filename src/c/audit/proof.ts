// The proof as it is written to disk: for each component the abstract states, and where each can lead.

import type { FloatOp } from '../program/floats.ts';
import { isFloatCompare, isFloatConversion, isFloatOp } from '../program/floats.ts';
import type { Program } from '../program/program.ts';
import type { Formula, Formulas } from './formula.ts';
import { ARGUMENTS, FIRST_UNKNOWN } from './formula.ts';

export const CERTIFICATE_KIND = 'c-states';

/** One component. All numbers are those of the program's graph, which the audit makes anew from the text. */
export interface ComponentProof {
  readonly name: string;
  /** Names of the cells that occur, for readers. */
  readonly cells: Readonly<Record<string, string>>;
  /** Tests over cells, in prefix notation: `(slt c12 5:32)`. */
  readonly tests: readonly string[];
  /** Location; cells and their values in turn; tests that hold; propositions that hold. */
  readonly states: readonly StateProof[];
  readonly initial: readonly number[];
  /** State, last edge of the stretch, and the states that it can lead to. */
  readonly steps: readonly (readonly number[])[];
  /** How the states are numbered in a linear proof; the others are passed through. */
  readonly order?: readonly number[];
}

export type StateProof = readonly [
  location: number,
  values: readonly (number | string)[],
  tests: readonly number[],
  labels: readonly string[],
];

/** Null when it has not even the shape of a proof. */
export function readComponent(value: unknown, program: Program): ComponentProof | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, tests, states, initial, steps, order } = value as Record<string, unknown>;
  const count = Array.isArray(states) ? states.length : 0;
  const good =
    typeof name === 'string' &&
    isListOf(tests, (test) => typeof test === 'string') &&
    isListOf(states, (state) => isState(state, program, (tests as unknown[]).length)) &&
    isListOf(initial, (state) => isIndex(state, count)) &&
    isListOf(steps, (step) => isStep(step, count)) &&
    (order === undefined || isListOf(order, (state) => isIndex(state, count)));
  return good ? (value as ComponentProof) : null;
}

export const isListOf = (value: unknown, test: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(test);
export const isIndex = (value: unknown, end: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < end;

function isState(value: unknown, { locations, cells }: Program, tests: number): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [location, values, held, labels] = value as unknown[];
  return (
    isIndex(location, locations.length) &&
    Array.isArray(values) &&
    values.length % 2 === 0 &&
    values.every((item, i) => (i % 2 === 0 ? isIndex(item, cells.length) : /^\d+$/.test(String(item)))) &&
    isListOf(held, (test) => isIndex(test, tests)) &&
    isListOf(labels, (label) => typeof label === 'string')
  );
}

const isStep = (value: unknown, states: number): boolean =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.every((item, i) => (i === 1 ? isIndex(item, Number.MAX_SAFE_INTEGER) : isIndex(item, states)));

/** What stands for any number of 32 bits in a test that speaks of all elements of an array, `(select c7 (add (sext:64 k) 4096:64))`. */
export const ANY = 'k';
export const ANY_VARIABLE: bigint = FIRST_UNKNOWN - 1n;

/** Numbers in tests have no more: products of endless ones would take endless time. */
const MOST_BITS = 1024;

/** A test of the proof; null when it is not understood. `forAny`: it may hold for any number. */
export function readTest(text: string, program: Program, formulas: Formulas, forAny = false): Formula | null {
  const result = readTerm(text, program, formulas, forAny);
  return result?.width === 0 ? result : null;
}

/** A test or a number; null when it is not understood. */
export function readTerm(
  text: string,
  { cells }: Program,
  formulas: Formulas,
  forAny = false,
): Formula | null {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const read = (): Formula | null => {
    const token = tokens[at++];
    if (token === undefined || token === ')') return null;
    if (token !== '(') return atom(token);
    const [op, width] = (tokens[at++] ?? '').split(':');
    const args: Formula[] = [];
    while (at < tokens.length && tokens[at] !== ')') {
      const arg = read();
      if (arg === null) return null;
      args.push(arg);
    }
    at++;
    return made(op!, width, args);
  };
  const atom = (token: string): Formula | null => {
    if (token === ANY) return forAny ? formulas.variable(ANY_VARIABLE, 32) : null;
    const cell = /^c(\d+)$/.exec(token);
    if (cell !== null) {
      const found = cells[Number(cell[1])];
      return found === undefined ? null : formulas.variable(BigInt(found.id), found.width);
    }
    const number = /^(\d+):(\d+)$/.exec(token);
    if (number === null || Number(number[2]) > MOST_BITS) return null;
    return formulas.constant(BigInt(number[1]!), Number(number[2]));
  };
  const made = (op: string, given: string | undefined, args: readonly Formula[]): Formula | null => {
    if (!Object.hasOwn(ARGUMENTS, op) || args.length !== ARGUMENTS[op]) return null;
    const [a, b, c] = args as [Formula, Formula, Formula];
    const isTest = (f: Formula) => f.width === 0;
    switch (op) {
      case 'not':
        return isTest(a) ? formulas.not(a) : null;
      case 'conj':
      case 'disj':
        return isTest(a) && isTest(b) ? formulas.apply(op, 0, args) : null;
      case 'select':
        return a.op === 'variable' && a.width < 0 && b.width === 64
          ? formulas.apply(op, -a.width, args)
          : null;
      case 'ite':
        return isTest(a) && b.width === c.width && b.width > 0 ? formulas.apply(op, b.width, args) : null;
      case 'zext':
      case 'sext':
      case 'trunc': {
        const width = Number(given);
        const fits = op === 'trunc' ? width > 0 && width <= a.width : width >= a.width;
        return fits && a.width > 0 && width <= MOST_BITS ? formulas.apply(op, width, args) : null;
      }
    }
    if (isFloatOp(op)) return floating(op, given, args);
    if (a.width <= 0 || a.width !== b.width) return null;
    const isComparison = ['eq', 'ult', 'ule', 'slt', 'sle'].includes(op);
    return formulas.apply(op, isComparison ? 0 : a.width, args);
  };
  const floating = (op: FloatOp, given: string | undefined, args: readonly Formula[]): Formula | null => {
    const [{ width: from }] = args as [Formula];
    const width = isFloatCompare(op) ? 0 : isFloatConversion(op) ? Number(given) : from;
    const isFloat = (bits: number) => [32, 64, 96, 128].includes(bits);
    const isWhole = (bits: number) => bits > 0 && bits <= MOST_BITS;
    const takes = op === 'sitof' || op === 'uitof' ? isWhole(from) : isFloat(from);
    const makes = op === 'ftosi' || op === 'ftoui' ? isWhole(width) : width === 0 || isFloat(width);
    if (!takes || !makes || args.some((arg) => arg.width !== from)) return null;
    return formulas.apply(op, width, args);
  };
  const result = read();
  return at === tokens.length ? result : null;
}
