// `ltl` blocks and formulas of the command line. They may name what is declared further down, so they are parsed when the whole model is
// known, wherever they stand.

import type { ExpressionNode, Name, Unit } from './ast.ts';
import { type Cursor, placeFrom, Resync } from './cursor.ts';
import type { GivenFormula } from './given-formulas.ts';
import type { ExpressionParser } from './parse-expression.ts';
import { sourceText } from './parse-reference.ts';
import type { Token } from './token.ts';

interface DeferredFormula {
  readonly token: Token;
  readonly name: string;
  readonly label: Name | null;
  readonly open: Token;
  /** With the closing brace. */
  readonly inside: readonly Token[];
}

export class FormulaParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;
  private readonly deferred: DeferredFormula[] = [];
  private unnamed = 0;

  constructor(cursor: Cursor, expressions: ExpressionParser) {
    this.cursor = cursor;
    this.expressions = expressions;
  }

  /** Those of the model and those given beside it; the text of the model is read to its end. */
  all(given: readonly GivenFormula[]): Unit[] {
    const units: Unit[] = [];
    for (const formula of this.deferred)
      this.cursor.attempt(
        () => units.push(this.formula(formula)),
        () => units.push(unreadableFormula(formula)),
      );
    for (const formula of given)
      this.cursor.attempt(
        () => units.push(this.givenFormula(formula)),
        () => {},
      );
    return units;
  }

  /** Keeps an `ltl` block for later. */
  read(): void {
    const token = this.cursor.advance();
    const label = this.cursor.atName ? this.cursor.name('') : null;
    const name = label?.text ?? `ltl_${this.unnamed++}`;
    const open = this.cursor.token;
    if (!this.cursor.at('{')) this.cursor.unexpected('expected a formula in braces');
    this.cursor.advance();
    const inside = this.cursor.stream.takeToBrace();
    if (inside === null) {
      this.cursor.error('SPW1001', open, 'the formula is not closed', { help: "add '}'" });
      throw new Resync();
    }
    this.deferred.push({ token, name, label, open, inside });
  }

  private formula({ token, name, label, open, inside }: DeferredFormula): Unit {
    const close = inside.at(-1)!;
    this.cursor.read([...inside.slice(0, -1), { ...close, kind: 'end' }]);
    this.cursor.temporal = true;
    const formula = this.expressions.expression();
    this.cursor.take(';');
    if (this.cursor.token.kind !== 'end') this.cursor.unexpected("expected '}' after the formula");
    const text = textBetween(open, close);
    return { ...placeFrom(token, close), kind: 'ltl', name, label, formula, text };
  }

  private givenFormula({ name, text, isInvariant, tokens }: GivenFormula): Unit {
    const known = this.deferred.find((formula) => formula.name === name);
    if (known !== undefined)
      this.cursor.error('SPW1102', tokens[0]!, `the model has a formula '${name}' already`, {
        help: 'give this one another name',
        related: [{ span: known.token.span, message: 'the formula of the model' }],
      });
    this.cursor.read(tokens);
    this.cursor.temporal = true;
    this.cursor.textbook = true;
    const stated = this.expressions.expression();
    if (this.cursor.token.kind !== 'end') this.cursor.unexpected('expected an operator');
    const formula: ExpressionNode = isInvariant
      ? {
          ...stated,
          depth: this.cursor.depthOf(stated, stated),
          kind: 'temporal',
          operator: 'always',
          operands: [stated],
        }
      : stated;
    return { ...placeFrom(stated, stated), kind: 'ltl', name, label: null, formula, text };
  }
}

/** The model has a formula of this name, but nobody knows what it says. */
function unreadableFormula({ token, name, label, open, inside }: DeferredFormula): Unit {
  const place = placeFrom(token, inside.at(-1)!);
  const formula: ExpressionNode = { ...place, depth: 1, kind: 'number', value: 1, text: 'true' };
  return { ...place, kind: 'ltl', name, label, formula, text: textBetween(open, inside.at(-1)!) };
}

function textBetween(open: Token, close: Token): string {
  const { file } = open.span;
  if (file !== close.span.file) return sourceText([open, close]);
  return file.text.slice(open.span.end, close.span.start).trim();
}
