// The parser of SE-LTL formulas. From loose to tight: <->, -> (to the right), || ^, &&, U W R M (to the right), unary operators.

import { TokenCursor } from '../source/cursor.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors, suggest } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { join, SourceFile } from '../source/source.ts';
import type { LtlCode } from './codes.ts';
import type { Token } from './lexer.ts';
import { tokenize } from './lexer.ts';
import type { Atom } from './structure.ts';
import type { BinaryOperator, Syntax, Vocabulary } from './syntax.ts';

export interface Parsed {
  /** Null when there are errors. */
  readonly formula: Syntax | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** `where`: the stretch of the file that is the formula; null for the whole file. */
export function parseFormula(file: SourceFile, where: Span | null, vocabulary: Vocabulary): Parsed {
  const { tokens, diagnostics } = tokenize(file, where?.start ?? 0, where?.end ?? file.text.length);
  if (diagnostics.length > 0) return { formula: null, diagnostics };
  return new Parser(tokens, vocabulary).run();
}

/** A formula that stands in no file: on the command line, in tests. */
export function parseText(text: string, vocabulary: Vocabulary, name = 'formula'): Parsed {
  return parseFormula(new SourceFile(name, text), null, vocabulary);
}

const MAX_DEPTH = 400;
const LEVELS: Readonly<Record<BinaryOperator, number>> = {
  equivalent: 0,
  implies: 1,
  or: 2,
  xor: 2,
  and: 3,
  until: 4,
  'weak-until': 4,
  release: 4,
  'strong-release': 4,
};
const UNARY_LEVEL = 5;
const groupsToTheRight = (level: number): boolean => level === 1 || level === 4;

/** Leaves the parser after the first syntax error: what follows would only confuse. */
class SyntaxProblem extends Error {}

class Parser extends TokenCursor<Token> {
  private readonly vocabulary: Vocabulary;
  private readonly diagnostics: Diagnostic[] = [];
  private readonly bracketed = new Set<Syntax>();

  constructor(tokens: readonly Token[], vocabulary: Vocabulary) {
    super(tokens);
    this.vocabulary = vocabulary;
  }

  run(): Parsed {
    try {
      const formula = this.level(0);
      const rest = this.peek();
      if (rest.kind === 'close') this.fail('SPW3204', "this ')' closes nothing", rest.span);
      if (rest.kind !== 'end') this.missingOperator(rest);
      return { formula: hasErrors(this.diagnostics) ? null : formula, diagnostics: this.diagnostics };
    } catch (error) {
      if (error instanceof SyntaxProblem) return { formula: null, diagnostics: this.diagnostics };
      throw error;
    }
  }

  private missingOperator({ text, span }: Token): never {
    this.fail('SPW3204', `an operator is missing before '${text}'`, span, 'such as &&, || or ->');
  }

  private level(level: number): Syntax {
    if (level === UNARY_LEVEL) return this.unary();
    let left = this.level(level + 1);
    let links = 0;
    for (
      let token = this.peek();
      token.kind === 'binary' && LEVELS[token.operator] === level;
      token = this.peek()
    ) {
      this.at++;
      if (++links > MAX_DEPTH && level !== LEVELS.and && level !== LEVELS.or) this.tooDeep();
      const right = this.deeper(() => this.level(groupsToTheRight(level) ? level : level + 1));
      if (level === 4) this.warnAboutChain(token, right);
      left = { kind: 'binary', operator: token.operator, left, right, span: join(left.span, right.span) };
    }
    return left;
  }

  private unary(): Syntax {
    const token = this.peek();
    this.at++;
    switch (token.kind) {
      case 'unary': {
        const operand = this.deeper(() => this.unary());
        return { kind: 'unary', operator: token.operator, operand, span: join(token.span, operand.span) };
      }
      case 'constant':
        return { kind: 'constant', value: token.value, span: token.span };
      case 'name':
        return { kind: 'atom', atom: this.resolve(token), span: token.span };
      case 'open': {
        const inner = this.deeper(() => this.level(0));
        const close = this.peek();
        if (close.kind === 'end') this.fail('SPW3203', 'this parenthesis is not closed', token.span);
        if (close.kind !== 'close') this.missingOperator(close);
        this.at++;
        const whole = { ...inner, span: join(token.span, close.span) };
        this.bracketed.add(whole);
        return whole;
      }
      default: {
        const found = token.kind === 'end' ? token.text : `'${token.text}'`;
        return this.fail('SPW3202', `a formula is expected here, but there is ${found}`, this.visible(token));
      }
    }
  }

  private resolve(token: Token & { kind: 'name' }): Atom {
    const { name, only } = token;
    const kinds = (only === null ? ['proposition', 'event'] : [only]) as readonly Atom['kind'][];
    const found: Atom[] = kinds.flatMap((kind) => {
      const id = this.vocabulary.find(kind, name, only !== null);
      return id === null ? [] : [{ kind, id, name }];
    });
    if (found.length === 0) this.unknownName(token);
    if (found.length > 1)
      this.report(
        'SPW3206',
        `'${name}' is both a proposition and an event`,
        token.span,
        `write state:${name} or event:${name}`,
      );
    return found[0] ?? { kind: 'proposition', id: -1, name };
  }

  private unknownName(token: Token & { kind: 'name' }): void {
    const { name, only } = token;
    const known = [...this.vocabulary.names()];
    const what = only === 'event' ? 'event' : only === 'proposition' ? 'proposition' : 'proposition or event';
    this.report('SPW3205', `there is no ${what} '${name}'`, token.span, nameHelp(name, known));
  }

  private warnAboutChain(token: Token, right: Syntax): void {
    const isChain = right.kind === 'binary' && LEVELS[right.operator] === 4 && !this.bracketed.has(right);
    if (!isChain) return;
    this.diagnostics.push({
      code: 'SPW3207',
      severity: 'warning',
      message: `this chain is read as a ${token.text} (b …)`,
      span: token.span,
      help: 'tools disagree here: add parentheses',
    });
  }

  private deeper<T>(parse: () => T): T {
    return this.nested(parse, () => this.tooDeep(), MAX_DEPTH);
  }

  private tooDeep(): never {
    return this.fail('SPW3208', `formulas may be nested ${MAX_DEPTH} levels deep`, this.visible(this.peek()));
  }

  /** The end has no width; point at what comes before it. */
  private visible(token: Token): Span {
    if (token.kind !== 'end') return token.span;
    return this.tokens[this.tokens.length - 2]?.span ?? token.span;
  }

  private report(code: LtlCode, message: string, span: Span, help?: string): void {
    this.diagnostics.push({
      code,
      severity: 'error',
      message,
      span,
      ...(help === undefined ? {} : { help }),
    });
  }

  private fail(code: LtlCode, message: string, span: Span, help?: string): never {
    this.report(code, message, span, help);
    throw new SyntaxProblem();
  }
}

function nameHelp(name: string, known: readonly string[]): string {
  const glued = /^([GFX]+)(\w.*)$/.exec(name);
  if (glued !== null && known.includes(glued[2]!))
    return `operators stand apart from names: ${[...glued[1]!].join(' ')} ${glued[2]}`;
  const near = suggest(name, known);
  if (near !== null) return `did you mean '${near}'?`;
  if (known.length === 0) return 'the model has neither propositions nor events';
  return `known names: ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}`;
}
