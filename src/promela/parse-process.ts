// Proctypes, init and never claims: what stands before a body, and the body. A header that cannot be read costs the header only.

import type { Declaration, ExpressionNode, Name, ProctypeNode, Sequence } from './ast.ts';
import { type Cursor, placeFrom } from './cursor.ts';
import type { DeclarationParser } from './parse-declaration.ts';
import type { ExpressionParser } from './parse-expression.ts';
import type { StatementParser } from './parse-statement.ts';

/** What a unit of a model begins with. */
export const UNIT_WORDS = new Set(
  `active proctype D_proctype init never ltl trace notrace typedef inline c_code c_decl c_state c_track
   hidden show local bit bool byte pid short int unsigned mtype chan`.split(/\s+/),
);

/** Passes over what cannot be read, up to the mark or to what looks like another unit. */
export function skipTo(cursor: Cursor, mark: string): void {
  while (cursor.token.kind !== 'end') {
    const { kind, text, newline } = cursor.token;
    if (cursor.at(mark) || (newline && kind === 'name' && UNIT_WORDS.has(text))) return;
    cursor.skip();
  }
}

export class ProcessParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;
  private readonly declarations: DeclarationParser;
  private readonly statements: StatementParser;
  private claims = 0;

  constructor(
    cursor: Cursor,
    expressions: ExpressionParser,
    declarations: DeclarationParser,
    statements: StatementParser,
  ) {
    this.cursor = cursor;
    this.expressions = expressions;
    this.declarations = declarations;
    this.statements = statements;
  }

  body(context: string): Sequence {
    if (!this.cursor.at('{')) this.cursor.unexpected(`expected '{' before the body ${context}`);
    this.cursor.stream.inSequence = true;
    const sequence = this.statements.sequences.bracedSequence('');
    this.cursor.stream.inSequence = false;
    return sequence;
  }

  proctype(): ProctypeNode {
    const first = this.cursor.token;
    let active: ProctypeNode['active'] = null;
    if (this.cursor.take('active')) {
      let count: ExpressionNode | null = null;
      if (this.cursor.take('[')) {
        count = this.expressions.expression();
        this.cursor.expect(']', 'after the number of instances');
      }
      active = { count };
    }
    const deterministic = this.cursor.at('D_proctype');
    if (!deterministic) this.cursor.expect('proctype', 'here');
    else this.cursor.advance();
    const name = this.cursor.name('of the proctype');
    this.cursor.proctypes.add(name.text);
    this.cursor.expect('(', `after proctype ${name.text}`);
    const parameters: Declaration[] = [];
    let priority: ExpressionNode | null = null;
    let provided: ExpressionNode | null = null;
    this.cursor.attempt(
      () => {
        while (!this.cursor.at(')')) {
          parameters.push(this.declarations.declaration());
          if (!this.cursor.take(';')) break;
        }
        this.cursor.expect(')', 'after the parameters');
        priority = this.priority();
        provided = this.cursor.take('provided') ? this.provided() : null;
      },
      () => skipTo(this.cursor, '{'),
    );
    const body = this.body(`of '${name.text}'`);
    const place = placeFrom(first, body);
    return { ...place, kind: 'proctype', name, deterministic, active, parameters, priority, provided, body };
  }

  private priority(): ExpressionNode | null {
    return this.cursor.take('priority') ? this.expressions.primaries.constantNumber('after priority') : null;
  }

  private provided(): ExpressionNode {
    this.cursor.expect('(', 'after provided');
    const condition = this.expressions.expression();
    this.cursor.expect(')', 'after the condition of provided');
    return condition;
  }

  init(): ProctypeNode {
    const token = this.cursor.advance();
    const priority = this.priority();
    const body = this.body('of init');
    return this.special('init', { ...token, text: 'init' }, body, priority);
  }

  never(): ProctypeNode {
    const token = this.cursor.advance();
    const name = this.cursor.atName ? this.cursor.name('') : { ...token, text: `never_${this.claims}` };
    this.claims++;
    return this.special('never', name, this.body('of the never claim'), null);
  }

  private special(
    kind: 'init' | 'never',
    name: Name,
    body: ProctypeNode['body'],
    priority: ExpressionNode | null,
  ): ProctypeNode {
    const place = placeFrom(name, body);
    const { text, span, expansion } = name;
    return {
      ...place,
      kind,
      name: { text, span, expansion },
      deterministic: false,
      active: { count: null },
      parameters: [],
      priority,
      provided: null,
      body,
    };
  }
}
