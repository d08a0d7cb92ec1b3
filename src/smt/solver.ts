// The one door to SMT solving. A solver is a stack of assertions; commands are collected and sent with the next question, so that a
// question is one round trip. It is started by the first question, and started again (with the assertions of its stack) when
// it had to be killed because it ran over its limit.

import { BACKENDS } from '#smt/backends';
import { Unavailable } from '../base/unavailable.ts';
import type { Sexpr, Value } from './answer.ts';
import { parseSexprs, parseValue } from './answer.ts';
import type { Backend } from './backend.ts';
import { freeConstants, printSort, printSymbol, printTerm } from './print.ts';
import type { Bool, Sort, Term } from './term.ts';

export type Answer = 'sat' | 'unsat' | 'unknown';

export interface SolverOptions {
  /** `auto` (default): the z3 program where there is one, else npm's. */
  readonly backend?: 'auto' | 'native' | 'npm';
  /** Milliseconds one question may take (default 10 s); past it the answer is `unknown`. */
  readonly timeout?: number;
  /** Milliseconds until nobody waits for answers any more: no question, and no other call, lasts much longer. */
  readonly remaining?: () => number;
  /** Needed for `core()`; costs a little. */
  readonly cores?: boolean;
  /** An SMT-LIB logic such as QF_LIA or QF_BV, when one is known to be enough. */
  readonly logic?: string;
  /** Further solver options, e.g. `smt.arith.solver`. */
  readonly set?: Readonly<Record<string, string | number | boolean>>;
}

export interface SolverStats {
  readonly questions: number;
  readonly restarts: number;
}

/** One level of the stack: its commands, for sending them again after a restart, and the constants it declares (name → sort). */
interface Frame {
  readonly commands: string[];
  readonly declared: Map<string, string>;
}

const newFrame = (): Frame => ({ commands: [], declared: new Map() });

/** How long past its own limit the solver may take before it is killed. */
const GRACE = 2000;
/** The same when all time is over. */
const LAST_GRACE = 200;

export class Solver {
  private readonly options: SolverOptions;
  private backend: Backend | null = null;
  private readonly frames: Frame[] = [newFrame()];
  private pending: string[] = [];
  private questions = 0;
  private restarts = 0;
  private closed = false;

  constructor(options: SolverOptions = {}) {
    this.options = options;
  }

  get stats(): SolverStats {
    return { questions: this.questions, restarts: this.restarts };
  }

  /** Which backend answers; null before the first question. */
  get backendName(): Backend['name'] | null {
    return this.backend?.name ?? null;
  }

  /** Declares constants. Terms declare theirs themselves; only SMT-LIB text needs it. */
  declare(name: string, sort: Sort): void {
    const text = printSort(sort);
    for (const frame of this.frames) {
      const known = frame.declared.get(name);
      if (known === text) return;
      if (known !== undefined) throw new Error(`impossible: the constant '${name}' has two sorts`);
    }
    this.frames[this.frames.length - 1]!.declared.set(name, text);
    this.command(`(declare-const ${printSymbol(name)} ${text})`);
  }

  /** Asserts a term or SMT-LIB text. With a label (any text) it can appear in a core. */
  assert(formula: Bool | string, label?: string): void {
    const text = typeof formula === 'string' ? formula : this.print(formula);
    this.command(
      label === undefined ? `(assert ${text})` : `(assert (! ${text} :named ${printSymbol(label)}))`,
    );
  }

  push(): void {
    this.frames.push(newFrame());
    this.pending.push('(push 1)');
  }

  pop(): void {
    if (this.frames.length === 1) throw new Error('impossible: pop without push');
    this.frames.pop();
    this.pending.push('(pop 1)');
  }

  /** Is there a model of everything asserted (and of the assumptions, which must be boolean constants or their negations)? */
  async check(assumptions: readonly Bool[] = [], timeout?: number): Promise<Answer> {
    return (await this.checkAll([assumptions], timeout))[0]!;
  }

  /** Many questions under the same assertions in one round trip. The limit holds for each. */
  async checkAll(questions: readonly (readonly Bool[])[], timeout?: number): Promise<Answer[]> {
    const limit = Math.max(1, Math.floor(Math.min(timeout ?? this.limit, this.remaining())));
    const commands = questions.map((assumptions) =>
      assumptions.length === 0
        ? '(check-sat)'
        : `(check-sat-assuming (${assumptions.map((term) => this.print(term)).join(' ')}))`,
    );
    this.questions += questions.length;
    const text = [`(set-option :timeout ${Math.min(limit, 2 ** 31 - 1)})`, ...commands].join('\n');
    const output = await this.send(text, limit * questions.length + GRACE);
    if (output === null) return questions.map(() => 'unknown');
    const answers = parseSexprs(output).map(readAnswer);
    if (answers.length !== questions.length)
      throw new Error(`impossible: ${answers.length} answers to ${questions.length} questions: ${output}`);
    return answers;
  }

  /** After `sat`: the values of terms. Null where the solver gives none, or none that is a number or a truth value. */
  async values(terms: readonly Term[]): Promise<Value[]> {
    if (terms.length === 0) return [];
    const asked = terms.map((term) => this.print(term)).join(' ');
    const output = await this.send(`(get-value (${asked}))`, this.limit + GRACE);
    const [answer] = output === null ? [] : parseSexprs(output);
    if (!Array.isArray(answer) || isError(answer)) return terms.map(() => null);
    return (answer as readonly Sexpr[]).map((pair) => parseValue((pair as readonly Sexpr[])[1]!));
  }

  /** After `unsat`: labels of assertions that contradict each other; needs the option `cores`. */
  async core(): Promise<string[]> {
    const output = await this.send('(get-unsat-core)', this.limit + GRACE);
    const [answer] = output === null ? [] : parseSexprs(output);
    if (!Array.isArray(answer) || isError(answer)) return [];
    return (answer as readonly string[]).map((symbol) => symbol.slice(0, -1));
  }

  /** SMT-LIB commands of one's own; what they print. Null when there was no answer in time. */
  run(commands: string): Promise<string | null> {
    return this.send(commands, this.limit + GRACE);
  }

  dispose(): void {
    this.closed = true;
    this.backend?.dispose();
    this.backend = null;
  }

  private get limit(): number {
    return this.options.timeout ?? 10_000;
  }

  private remaining(): number {
    return this.options.remaining?.() ?? Number.POSITIVE_INFINITY;
  }

  private print(term: Term): string {
    for (const [name, sort] of freeConstants(term)) this.declare(name, sort);
    return printTerm(term);
  }

  private command(text: string): void {
    this.frames[this.frames.length - 1]!.commands.push(text);
    this.pending.push(text);
  }

  private async send(text: string, limit: number): Promise<string | null> {
    if (this.closed) return null;
    if (this.backend === null) {
      this.backend = await open(this.options.backend ?? 'auto', this.remaining());
      this.pending = [...preamble(this.options), ...this.replay()];
    }
    const commands = this.pending;
    this.pending = [];
    const patience = Math.min(limit, this.remaining() + LAST_GRACE);
    const output = await this.backend.run([...commands, text].join('\n'), patience);
    if (output !== null && !CANCELLED.test(output)) return output;
    // Somebody may have closed it meanwhile.
    this.backend?.dispose();
    this.backend = null;
    this.restarts++;
    return null;
  }

  private replay(): string[] {
    return this.frames.flatMap(({ commands }, i) => (i === 0 ? commands : ['(push 1)', ...commands]));
  }
}

function preamble(options: SolverOptions): string[] {
  return [
    '(set-option :print-success false)',
    ...(options.cores ? ['(set-option :produce-unsat-cores true)'] : []),
    ...(options.logic === undefined ? [] : [`(set-logic ${options.logic})`]),
    ...Object.entries(options.set ?? {}).map(([name, value]) => `(set-option :${name} ${value})`),
  ];
}

/** The limit of an earlier question can also end an assertion, which then is missing: such a solver is not asked again. */
const CANCELLED = /^\(error "[^"]*canceled"\)/m;

const isError = (answer: Sexpr | undefined): boolean => Array.isArray(answer) && answer[0] === 'error';

function readAnswer(answer: Sexpr): Answer {
  if (answer === 'sat' || answer === 'unsat' || answer === 'unknown') return answer;
  if (answer === 'timeout') return 'unknown';
  throw new Error(`impossible: the solver did not understand: ${JSON.stringify(answer)}`);
}

async function open(kind: 'auto' | 'native' | 'npm', milliseconds: number): Promise<Backend> {
  for (const [name, openBackend] of Object.entries(BACKENDS)) {
    if (kind !== 'auto' && kind !== name) continue;
    const backend = await openBackend(milliseconds);
    if (backend !== null) return backend;
  }
  throw new Unavailable(
    'solver-missing',
    'no SMT solver: neither the program z3 nor the package z3-solver can be started',
  );
}
