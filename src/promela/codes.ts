// Every diagnostic the Promela front end can give, with the explanation that `spillway explain CODE` prints.
// Codes are stable: never reuse a number for something else. 1000 syntax, 1100 names and types, 1200 preprocessor.

import type { Expansion } from '../cpp/token.ts';
import type { Diagnostic, Severity } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';

export const PROMELA_CODES = {
  SPW1001: {
    title: 'syntax error',
    explanation: 'The text does not follow the grammar of Promela at this place.',
  },
  SPW1002: {
    title: 'text is not closed',
    explanation: 'A string, a character constant or a C fragment is not closed.',
  },
  SPW1003: {
    title: 'unknown character',
    explanation: 'A character that Promela does not know.',
  },
  SPW1004: {
    title: 'misplaced label',
    explanation:
      'A label stands where SPIN allows none: put it before the whole if, do, atomic, d_step or unless, never inside, at its first statement, and never before a declaration.',
  },
  SPW1005: {
    title: 'nested too deeply',
    explanation:
      'Promela limits the nesting of blocks, expressions and inlines; this one is too deep to be handled.',
  },
  SPW1006: {
    title: 'wrong use of an inline',
    explanation:
      'An inline is called with another number of arguments than it has parameters, calls itself, or is not known.',
  },
  SPW1007: {
    title: 'empty sequence',
    explanation:
      'A sequence (a body, a block, an option) must have at least one statement besides declarations: write skip.',
  },
  SPW1008: {
    title: 'misplaced jump or else',
    explanation:
      'A break outside a do or for loop, a jump into or out of a d_step, or a second else among the options.',
  },
  SPW1009: {
    title: 'doubtful construct',
    explanation: 'This part of the language is accepted, but means something else than it seems to.',
  },
  SPW1101: {
    title: 'undeclared name',
    explanation: 'A name is used that no declaration before this place introduces.',
  },
  SPW1102: {
    title: 'name declared twice',
    explanation:
      'A name is declared twice. Promela has no shadowing: a block may not reuse a name of an outer block.',
  },
  SPW1103: {
    title: 'unknown label',
    explanation: 'A goto or a remote reference names a label that the proctype does not have.',
  },
  SPW1104: {
    title: 'wrong number of values',
    explanation: 'A message, a run or a proctype has another number of values than its declaration.',
  },
  SPW1105: {
    title: 'wrong type',
    explanation: 'A value of the wrong type: a channel where a number is needed, or the other way round.',
  },
  SPW1106: {
    title: 'wrong use of a structure',
    explanation: 'A structure has no such field, or a whole structure stands where a single value is needed.',
  },
  SPW1107: {
    title: 'wrong use of an index',
    explanation: 'An array is used without an index, or a scalar with one.',
  },
  SPW1108: {
    title: 'constant needed',
    explanation: 'A constant is needed here: sizes of arrays and channels are fixed before the model runs.',
  },
  SPW1109: {
    title: 'not writable',
    explanation:
      'A variable that the model cannot write: _pid, _nr_pr, _last and the parameters of the system.',
  },
  SPW1110: {
    title: 'misplaced declaration',
    explanation: 'A declaration that SPIN does not allow in this place.',
  },
  SPW1111: {
    title: 'misplaced operator',
    explanation:
      'An operator that SPIN does not allow here: run inside a larger expression, a send in a never claim, a remote reference in a d_step.',
  },
  SPW1112: {
    title: 'number out of range',
    explanation: 'A size, width or number outside the range that the language allows.',
  },
  SPW1113: {
    title: 'mixed mtypes',
    explanation: 'Two values of different mtype sets are mixed.',
  },
  SPW1201: {
    title: 'file not found',
    explanation: 'An #include names a file that cannot be read, or includes itself for ever.',
  },
  SPW1202: {
    title: 'unknown directive',
    explanation: 'A preprocessor directive that is not understood.',
  },
  SPW1203: {
    title: 'unbalanced #if',
    explanation:
      'An #if, #ifdef or #ifndef without its #endif, or an #else, #elif or #endif without its #if.',
  },
  SPW1204: {
    title: 'bad #if condition',
    explanation: 'The condition of an #if or #elif cannot be evaluated.',
  },
  SPW1205: {
    title: 'bad macro',
    explanation: 'A macro is defined or used in a way that does not work.',
  },
  SPW1206: {
    title: '#error or #warning',
    explanation: 'The model says so itself: an #error or #warning directive.',
  },
  SPW1207: {
    title: 'expansion too large',
    explanation: 'The text grows beyond all measure when macros and inlines are expanded.',
  },
} as const;

export type PromelaCode = keyof typeof PROMELA_CODES;

export type { Expansion };

export interface Problem {
  readonly help?: string;
  readonly severity?: Severity;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  readonly expansion?: Expansion | null;
  readonly fix?: NonNullable<Diagnostic['fix']>;
}

const MOST = 50;

/** Collects diagnostics, drops repetitions, and keeps only the first of each severity when there are too many. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private readonly counts: Record<Severity, number> = { error: 0, warning: 0, hint: 0 };

  get errors(): number {
    return this.counts.error;
  }

  error(code: PromelaCode, span: Span | null, message: string, more: Problem = {}): void {
    this.add({ ...more, severity: more.severity ?? 'error' }, code, span, message);
  }

  warning(code: PromelaCode, span: Span | null, message: string, more: Problem = {}): void {
    this.add({ ...more, severity: 'warning' }, code, span, message);
  }

  private add(
    more: Problem & { severity: Severity },
    code: PromelaCode,
    span: Span | null,
    message: string,
  ): void {
    const key = `${code}|${span?.file.path}|${span?.start}|${message}`;
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.counts[more.severity]++ >= MOST) return;
    const related = [...(more.related ?? []), ...origins(more.expansion ?? null)];
    this.list.push({
      code: code as `SPW${number}`,
      severity: more.severity,
      message,
      span,
      ...(more.help === undefined ? {} : { help: more.help }),
      ...(related.length === 0 ? {} : { related }),
      ...(more.fix === undefined || more.expansion != null ? {} : { fix: more.fix }),
    });
  }
}

function origins(expansion: Expansion | null): { span: Span; message: string }[] {
  const notes: { span: Span; message: string }[] = [];
  for (let at = expansion; at !== null && notes.length < 4; at = at.outer) {
    const message =
      at.what === 'macro' ? `in the macro '${at.name}'` : `in this call of the inline '${at.name}'`;
    notes.push({ span: at.span, message });
  }
  return notes;
}
