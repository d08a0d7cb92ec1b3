// A hand-written recursive-descent parser for the whole of Promela. This file: the units of a model.

import type { ExpressionNode, Model, Name, Place, ProctypeNode, Unit } from './ast.ts';
import type { Diagnostics } from './codes.ts';
import type { GivenFormula } from './given-formulas.ts';
import { sourceText } from './parse-reference.ts';
import { StatementParser } from './parse-statement.ts';
import { placeFrom, Resync } from './parser.ts';
import type { Token } from './token.ts';

/** Reports every syntax error it finds; the tree is complete only when there are none. */
export function parse(
  tokens: readonly Token[],
  diagnostics: Diagnostics,
  given: readonly GivenFormula[] = [],
): Model {
  return new Parser(tokens, diagnostics).model(given);
}

const UNIT_WORDS = new Set(
  `active proctype D_proctype init never ltl trace notrace typedef inline c_code c_decl c_state c_track
   hidden show local bit bool byte pid short int unsigned mtype chan`.split(/\s+/),
);

interface DeferredFormula {
  readonly token: Token;
  readonly name: string;
  readonly open: Token;
  /** With the closing brace. */
  readonly inside: readonly Token[];
}

class Parser extends StatementParser {
  private formulas = 0;
  private claims = 0;
  private readonly deferred: DeferredFormula[] = [];

  model(given: readonly GivenFormula[]): Model {
    const units: Unit[] = [];
    while (this.token.kind !== 'end') {
      if (this.take(';') || this.take('->')) continue;
      this.attempt(
        () => this.unit(units),
        () => this.skipUnit(),
      );
    }
    for (const formula of this.deferred)
      this.attempt(
        () => units.push(this.formula(formula)),
        () => {},
      );
    for (const formula of given)
      this.attempt(
        () => units.push(this.givenFormula(formula)),
        () => {},
      );
    return { units };
  }

  private skipUnit(): void {
    this.stream.inSequence = false;
    this.stream.resetParentheses();
    this.temporal = false;
    for (let first = true; this.token.kind !== 'end'; first = false) {
      const token = this.token;
      const start = UNIT_WORDS.has(token.text) || this.typedefs.has(token.text);
      if (start && token.kind === 'name' && token.newline && !first) return;
      if (!first && ['proctype', 'init', 'never', 'active'].includes(token.text)) return;
      this.advance();
    }
  }

  private unit(units: Unit[]): void {
    const token = this.token;
    switch (token.kind === 'name' ? token.text : '') {
      case 'active':
      case 'proctype':
      case 'D_proctype':
        units.push(this.proctype());
        return;
      case 'init':
        units.push(this.init());
        return;
      case 'never':
        units.push(this.never());
        return;
      case 'ltl':
        this.ltl();
        return;
      case 'trace':
      case 'notrace': {
        this.advance();
        const body = this.body(`of the ${token.text}`);
        units.push({ ...placeFrom(token, body), kind: token.text as 'trace', body });
        return;
      }
      case 'typedef':
        units.push(this.typedef());
        return;
      case 'inline':
        this.inline();
        return;
      case 'c_code':
      case 'c_decl': {
        this.advance();
        const text = this.cText(token);
        units.push({ ...placeFrom(token, token), kind: 'c', word: token.text as 'c_code', text });
        return;
      }
      case 'c_state':
      case 'c_track':
        units.push(this.cState());
        return;
      default:
        if (!this.startsDeclaration())
          this.unexpected('expected a declaration, a proctype, init, never, ltl, typedef or inline');
        this.globalDeclaration(units);
    }
  }

  private globalDeclaration(units: Unit[]): void {
    const first = this.token;
    if (first.text === 'mtype') {
      const second = this.stream.peekSecond().text;
      if (second === '=' || second === '{' || (second === ':' && this.definesSet())) {
        units.push(this.mtypes());
        return;
      }
    }
    const declaration = this.pendingSet === null ? this.declaration() : this.declarationOfSet();
    units.push({ ...placeFrom(declaration, declaration), kind: 'declaration', declaration });
  }

  /** After `mtype : name` only the next token tells a definition of a set from variables of it. */
  private pendingSet: { readonly word: Token; readonly set: Name } | null = null;

  private definesSet(): boolean {
    const word = this.advance();
    this.advance();
    const set = this.name("after 'mtype:'");
    this.pendingSet = { word, set };
    return this.at('=') || this.at('{');
  }

  private declarationOfSet(): ReturnType<StatementParser['declaration']> {
    const { word, set } = this.pendingSet!;
    this.pendingSet = null;
    const { span, expansion } = word;
    return this.restOfDeclaration({ span, expansion }, null, { span, expansion, name: 'mtype', set });
  }

  private mtypes(): Unit {
    const pending = this.pendingSet;
    this.pendingSet = null;
    const word = pending?.word ?? this.advance();
    this.take('=');
    this.expect('{', 'before the names of the mtype');
    const names: Name[] = [];
    while (!this.at('}')) if (!this.take(',')) names.push(this.name('in the mtype'));
    const close = this.advance();
    return { ...placeFrom(word, close), kind: 'mtypes', set: pending?.set ?? null, names };
  }

  private body(context: string): ReturnType<StatementParser['bracedSequence']> {
    if (!this.at('{')) this.unexpected(`expected '{' before the body ${context}`);
    this.stream.inSequence = true;
    const sequence = this.bracedSequence('');
    this.stream.inSequence = false;
    return sequence;
  }

  private proctype(): ProctypeNode {
    const first = this.token;
    let active: ProctypeNode['active'] = null;
    if (this.take('active')) {
      let count: ExpressionNode | null = null;
      if (this.take('[')) {
        count = this.expression();
        this.expect(']', 'after the number of instances');
      }
      active = { count };
    }
    const deterministic = this.at('D_proctype');
    if (!deterministic) this.expect('proctype', 'here');
    else this.advance();
    const name = this.name('of the proctype');
    this.proctypes.add(name.text);
    this.expect('(', `after proctype ${name.text}`);
    const parameters = [];
    while (!this.at(')')) {
      parameters.push(this.declaration());
      if (!this.take(';')) break;
    }
    this.expect(')', 'after the parameters');
    const priority = this.take('priority') ? this.constantNumber('after priority') : null;
    const provided = this.take('provided') ? this.provided() : null;
    const body = this.body(`of '${name.text}'`);
    const place = placeFrom(first, body);
    return { ...place, kind: 'proctype', name, deterministic, active, parameters, priority, provided, body };
  }

  private provided(): ExpressionNode {
    this.expect('(', 'after provided');
    const condition = this.expression();
    this.expect(')', 'after the condition of provided');
    return condition;
  }

  private init(): ProctypeNode {
    const token = this.advance();
    const priority = this.take('priority') ? this.constantNumber('after priority') : null;
    const body = this.body('of init');
    return this.special('init', { ...token, text: 'init' }, body, priority);
  }

  private never(): ProctypeNode {
    const token = this.advance();
    const name = this.atName ? this.name('') : { ...token, text: `never_${this.claims}` };
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

  /** Formulas are parsed when the whole model is known, wherever they stand. */
  private ltl(): void {
    const token = this.advance();
    const name = this.atName ? this.name('').text : `ltl_${this.formulas++}`;
    const open = this.token;
    if (!this.at('{')) this.unexpected('expected a formula in braces');
    this.advance();
    const inside = this.stream.takeToBrace();
    if (inside === null) {
      this.error('SPW1001', open, 'the formula is not closed', { help: "add '}'" });
      throw new Resync();
    }
    this.deferred.push({ token, name, open, inside });
  }

  private formula({ token, name, open, inside }: DeferredFormula): Unit {
    const close = inside.at(-1)!;
    this.stream = this.streamOf([...inside.slice(0, -1), { ...close, kind: 'end' }]);
    this.temporal = true;
    const formula = this.expression();
    this.take(';');
    if (this.token.kind !== 'end') this.unexpected("expected '}' after the formula");
    const text = textBetween(open, close);
    return { ...placeFrom(token, close), kind: 'ltl', name, formula, text };
  }

  private givenFormula({ name, text, isInvariant, tokens }: GivenFormula): Unit {
    const known = this.deferred.find((formula) => formula.name === name);
    if (known !== undefined)
      this.error('SPW1102', tokens[0]!, `the model has a formula '${name}' already`, {
        help: 'give this one another name',
        related: [{ span: known.token.span, message: 'the formula of the model' }],
      });
    this.stream = this.streamOf(tokens);
    this.temporal = true;
    this.textbook = true;
    const stated = this.expression();
    if (this.token.kind !== 'end') this.unexpected('expected an operator');
    const formula: ExpressionNode = isInvariant
      ? {
          ...stated,
          depth: this.depthOf(stated, stated),
          kind: 'temporal',
          operator: 'always',
          operands: [stated],
        }
      : stated;
    return { ...placeFrom(stated, stated), kind: 'ltl', name, formula, text };
  }

  private typedef(): Unit {
    const token = this.advance();
    const name = this.name('of the type');
    this.expect('{', `after typedef ${name.text}`);
    this.stream.inSequence = true;
    const declarations = [];
    while (!this.at('}')) {
      declarations.push(this.declaration());
      if (!this.take(';')) break;
    }
    const close = this.expect('}', 'after the fields');
    this.stream.inSequence = false;
    this.typedefs.add(name.text);
    return { ...placeFrom(token, close), kind: 'typedef', name, declarations };
  }

  private inline(): void {
    this.advance();
    const name = this.name('of the inline');
    this.expect('(', `after inline ${name.text}`);
    const parameters: string[] = [];
    while (!this.at(')')) {
      parameters.push(this.name('of a parameter').text);
      if (!this.take(',')) break;
    }
    this.expect(')', 'after the parameters');
    const body = this.stream.takeBraced();
    if (body === null) {
      this.error('SPW1002', name, `the body of the inline '${name.text}' is missing or not closed`);
      throw new Resync();
    }
    if (this.inlines.has(name.text))
      this.error('SPW1102', name, `the inline '${name.text}' is defined twice`);
    this.inlines.set(name.text, { name: name.text, parameters, body });
    this.stream.endedWith(body.at(-1)!);
  }

  private cState(): Unit {
    const token = this.advance();
    const strings: string[] = [];
    let last: Place = token;
    while (this.token.kind === 'string' && strings.length < 3) {
      last = this.token;
      strings.push(this.advance().text);
    }
    if (strings.length < 2) this.unexpected(`expected two or three strings after ${token.text}`);
    const word = token.text as 'c_state' | 'c_track';
    return { ...placeFrom(token, last), kind: 'c', word, text: strings.join(' ') };
  }
}

function textBetween(open: Token, close: Token): string {
  const { file } = open.span;
  if (file !== close.span.file) return sourceText([open, close]);
  return file.text.slice(open.span.end, close.span.start).trim();
}
