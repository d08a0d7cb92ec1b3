// Expressions about a moment of a run, for watches, hovers and conditions: names as the run knows them (`x`, `a[i]`, `client[0].tries`),
// queues (`len(q)`, `q[0]`), C's operators on 32-bit integers. A name that is no variable is a symbol (`state == idle`).

import { BINARY_LEVELS } from '../source/operators.ts';
import type { RunState } from '../verdict/run-state.ts';

export class ExpressionError extends Error {}

export type Value = number | string | Aggregate;

/** A queue, an array or a structure: shown, and looked into, but not calculated with. */
export interface Aggregate {
  readonly kind: 'queue' | 'group';
  readonly name: string;
}

export interface Surroundings {
  readonly state: RunState;
  /** The process whose names come first; null for none. */
  readonly process: string | null;
  readonly capacities: ReadonlyMap<string, number | null>;
}

export function evaluate(text: string, around: Surroundings): Value {
  const parser = new Parser(text, around);
  const value = parser.whole();
  if (value instanceof Unknown) throw new ExpressionError(`there is no variable or queue '${value.name}'`);
  return value;
}

export const isTrue = (value: Value): boolean =>
  typeof value === 'number' ? value !== 0 : typeof value === 'string' ? value === 'true' : true;

/** A name that nothing is called: it can be compared, as the name of a value, and nothing else. */
class Unknown {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Operand = Value | Unknown;

const TOKEN = /\s*(\d+|[A-Za-z_]\w*(?:\([^()]*\))?|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%<>!~&|^()[\].@?:])/y;
const CALLS: Readonly<Record<string, (length: number, capacity: number | null) => number>> = {
  len: (length) => length,
  empty: (length) => Number(length === 0),
  nempty: (length) => Number(length > 0),
  full: (length, capacity) => Number(capacity !== null && length >= capacity),
  nfull: (length, capacity) => Number(capacity === null || length < capacity),
};

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '||': (a, b) => Number(a !== 0 || b !== 0),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '&': (a, b) => a & b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': Math.imul,
  '/': (a, b) => Math.trunc(a / notZero(b)) | 0,
  '%': (a, b) => (a % notZero(b)) | 0,
};

function notZero(value: number): number {
  if (value === 0) throw new ExpressionError('division by zero');
  return value;
}

/** Deeper nesting than anyone writes, and no deeper than the stack. */
const LONGEST = 400;

class Parser {
  private readonly around: Surroundings;
  private readonly tokens: string[];
  private at = 0;

  constructor(text: string, around: Surroundings) {
    this.around = around;
    if (text.length > LONGEST) throw new ExpressionError('the expression is too long');
    this.tokens = tokensOf(text);
  }

  whole(): Operand {
    if (this.tokens.length === 0) throw new ExpressionError('an expression is missing');
    const value = this.level(0);
    if (this.at < this.tokens.length)
      throw new ExpressionError(`'${this.tokens[this.at]}' does not fit here`);
    return value;
  }

  private peek(): string | undefined {
    return this.tokens[this.at];
  }

  private expect(token: string): void {
    if (this.peek() !== token) throw new ExpressionError(`'${token}' is missing`);
    this.at++;
  }

  private level(depth: number): Operand {
    const operators = BINARY_LEVELS[depth];
    if (operators === undefined) return this.unary();
    let left = this.level(depth + 1);
    while (operators.includes(this.peek() ?? '')) {
      const operator = this.tokens[this.at++]!;
      const right = this.level(depth + 1);
      if (operator === '==') left = Number(isSame(left, right));
      else if (operator === '!=') left = Number(!isSame(left, right));
      else left = ARITHMETIC[operator]!(number(left), number(right));
    }
    return left;
  }

  private unary(): Operand {
    const operator = this.peek();
    if (operator === '!' || operator === '-' || operator === '~') {
      this.at++;
      const value = number(this.unary());
      return operator === '!' ? Number(value === 0) : operator === '-' ? -value | 0 : ~value;
    }
    return this.primary();
  }

  private primary(): Operand {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new ExpressionError('an operand is missing');
    if (token === '(') {
      const value = this.level(0);
      this.expect(')');
      return value;
    }
    if (/^\d/.test(token)) return Number(token) | 0;
    if (!/^[A-Za-z_]/.test(token)) throw new ExpressionError(`'${token}' does not fit here`);
    const [, call, inside] = /^(\w+)\((.*)\)$/.exec(token) ?? [];
    if (call !== undefined && CALLS[call] !== undefined) return this.call(call, inside!.trim());
    return this.path(token);
  }

  private call(name: string, text: string): number {
    const queue = evaluate(text, this.around);
    if (typeof queue !== 'object' || queue.kind !== 'queue')
      throw new ExpressionError(`${name} wants a queue, and '${text}' is none`);
    const { state, capacities } = this.around;
    return CALLS[name]!(state.queues.get(queue.name)!.length, capacities.get(queue.name) ?? null);
  }

  /** `a[i].b[2]`: the longest path that something is called. */
  private path(first: string): Operand {
    let name = first;
    for (;;) {
      if (this.peek() === '.') {
        this.at++;
        name += `.${this.tokens[this.at++] ?? ''}`;
      } else if (this.peek() === '[') {
        this.at++;
        const index = number(this.level(0));
        this.expect(']');
        const found = lookUp(name, this.around);
        if (typeof found === 'object' && !(found instanceof Unknown) && found.kind === 'queue') {
          const message = this.around.state.queues.get(found.name)![index];
          if (message === undefined) throw new ExpressionError(`there is no message ${index} in ${name}`);
          return scalarOf(message);
        }
        name += `[${index}]`;
      } else return lookUp(name, this.around);
    }
  }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new ExpressionError(`'${text.slice(from).trim()[0]}' is no part of an expression`);
    tokens.push(match[1]!);
  }
  return tokens;
}

/** A process's own names hide those of all. */
function lookUp(name: string, { state, process }: Surroundings): Operand {
  const { values, queues } = state;
  for (const full of process === null ? [name] : [`${process}.${name}`, name]) {
    const text = values.get(full);
    // A variable that holds a channel stands for its queue.
    if (text !== undefined) return queues.has(text) ? { kind: 'queue', name: text } : scalarOf(text);
    if (queues.has(full)) return { kind: 'queue', name: full };
    for (const key of values.keys())
      if (key.startsWith(full) && (key[full.length] === '.' || key[full.length] === '['))
        return { kind: 'group', name: full };
  }
  if (name === 'true') return 1;
  if (name === 'false') return 0;
  return new Unknown(name);
}

const scalarOf = (text: string): number | string => (/^-?\d+$/.test(text) ? Number(text) : text);

function number(value: Operand): number {
  if (typeof value === 'number') return value;
  if (value === 'true') return 1;
  if (value === 'false') return 0;
  if (value instanceof Unknown) throw new ExpressionError(`there is no variable or queue '${value.name}'`);
  throw new ExpressionError(
    typeof value === 'string'
      ? `'${value}' is no number`
      : `'${value.name}' is ${value.kind === 'queue' ? 'a queue: len(…) is its length' : 'no number'}`,
  );
}

function isSame(a: Operand, b: Operand): boolean {
  const text = (value: Operand): string | number => {
    if (typeof value === 'string') return value === 'true' ? 1 : value === 'false' ? 0 : value;
    return typeof value === 'number' ? value : value.name;
  };
  return text(a) === text(b);
}
