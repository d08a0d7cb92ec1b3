// A hand-written recursive-descent parser for the whole of Promela. This file: the units of a model.

import type { Declaration, Model, Name, Place, Unit } from './ast.ts';
import type { Diagnostics } from './codes.ts';
import { Cursor, placeFrom, Resync } from './cursor.ts';
import type { GivenFormula } from './given-formulas.ts';
import type { PromelaNames } from './names.ts';
import { DeclarationParser } from './parse-declaration.ts';
import { ExpressionParser } from './parse-expression.ts';
import { FormulaParser } from './parse-formula.ts';
import { ProcessParser, skipTo, UNIT_WORDS } from './parse-process.ts';
import { StatementParser } from './parse-statement.ts';
import type { Token } from './token.ts';

/** Reports every syntax error it finds; the tree has what could be read, and is complete only when there are none. */
export function parse(
  tokens: readonly Token[],
  diagnostics: Diagnostics,
  given: readonly GivenFormula[] = [],
  names: PromelaNames | null = null,
): Model {
  return new ModelParser(tokens, diagnostics, names).model(given);
}

class ModelParser {
  private readonly cursor: Cursor;
  private readonly expressions: ExpressionParser;
  private readonly declarations: DeclarationParser;
  private readonly statements: StatementParser;
  private readonly formulas: FormulaParser;
  private readonly processes: ProcessParser;

  constructor(tokens: readonly Token[], diagnostics: Diagnostics, names: PromelaNames | null) {
    this.cursor = new Cursor(tokens, diagnostics, names);
    this.expressions = new ExpressionParser(this.cursor);
    this.declarations = new DeclarationParser(this.cursor, this.expressions);
    this.statements = new StatementParser(this.cursor, this.expressions, this.declarations);
    this.formulas = new FormulaParser(this.cursor, this.expressions);
    const { cursor, expressions, declarations, statements } = this;
    this.processes = new ProcessParser(cursor, expressions, declarations, statements);
  }

  model(given: readonly GivenFormula[]): Model {
    const units: Unit[] = [];
    while (this.cursor.token.kind !== 'end') {
      if (this.cursor.take(';') || this.cursor.take('->')) continue;
      const start = this.cursor.token;
      this.cursor.attempt(
        () => this.unit(units),
        () => this.skipUnit(start),
      );
    }
    units.push(...this.formulas.all(given));
    return { units, skipped: this.cursor.skipped, receivesPid: this.cursor.receivesPid };
  }

  /** To where another unit begins: the next line that looks so, if not here. */
  private skipUnit(broken: Token): void {
    this.cursor.stream.inSequence = false;
    this.cursor.stream.resetParentheses();
    this.cursor.temporal = false;
    while (this.cursor.token.kind !== 'end') {
      const token = this.cursor.token;
      const first = token === broken;
      const start = UNIT_WORDS.has(token.text) || this.cursor.typedefs.has(token.text);
      if (start && token.kind === 'name' && token.newline && !first) return;
      if (!first && ['proctype', 'init', 'never', 'active'].includes(token.text)) return;
      this.cursor.skip();
    }
  }

  private unit(units: Unit[]): void {
    const token = this.cursor.token;
    switch (token.kind === 'name' ? token.text : '') {
      case 'active':
      case 'proctype':
      case 'D_proctype':
        units.push(this.processes.proctype());
        return;
      case 'init':
        units.push(this.processes.init());
        return;
      case 'never':
        units.push(this.processes.never());
        return;
      case 'ltl':
        this.formulas.read();
        return;
      case 'trace':
      case 'notrace': {
        this.cursor.advance();
        const body = this.processes.body(`of the ${token.text}`);
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
        this.cursor.advance();
        const text = this.expressions.references.cText(token);
        units.push({ ...placeFrom(token, token), kind: 'c', word: token.text as 'c_code', text });
        return;
      }
      case 'c_state':
      case 'c_track':
        units.push(this.cState());
        return;
      default:
        // What follows a body without its closing brace may well belong to it.
        if (this.cursor.unclosed && !this.declarations.startsDeclaration()) throw new Resync();
        if (!this.declarations.startsDeclaration())
          this.cursor.unexpected('expected a declaration, a proctype, init, never, ltl, typedef or inline');
        this.globalDeclaration(units);
    }
  }

  private globalDeclaration(units: Unit[]): void {
    const first = this.cursor.token;
    if (first.text === 'mtype') {
      const second = this.cursor.stream.peekSecond().text;
      if (second === '=' || second === '{' || (second === ':' && this.definesSet())) {
        units.push(this.mtypes());
        return;
      }
    }
    const declaration = this.pendingSet === null ? this.declarations.declaration() : this.declarationOfSet();
    units.push({ ...placeFrom(declaration, declaration), kind: 'declaration', declaration });
  }

  /** After `mtype : name` only the next token tells a definition of a set from variables of it. */
  private pendingSet: { readonly word: Token; readonly set: Name } | null = null;

  private definesSet(): boolean {
    const word = this.cursor.advance();
    this.cursor.advance();
    const set = this.cursor.name("after 'mtype:'");
    this.pendingSet = { word, set };
    return this.cursor.at('=') || this.cursor.at('{');
  }

  private declarationOfSet(): Declaration {
    const { word, set } = this.pendingSet!;
    this.pendingSet = null;
    const { span, expansion } = word;
    return this.declarations.restOfDeclaration({ span, expansion }, null, {
      span,
      expansion,
      name: 'mtype',
      set,
    });
  }

  private mtypes(): Unit {
    const pending = this.pendingSet;
    this.pendingSet = null;
    const word = pending?.word ?? this.cursor.advance();
    this.cursor.take('=');
    this.cursor.expect('{', 'before the names of the mtype');
    const names: Name[] = [];
    this.cursor.attempt(
      () => {
        while (!this.cursor.at('}')) if (!this.cursor.take(',')) names.push(this.cursor.name('in the mtype'));
      },
      () => skipTo(this.cursor, '}'),
    );
    const close = this.cursor.expectEnd('}', 'after the names of the mtype');
    return { ...placeFrom(word, close), kind: 'mtypes', set: pending?.set ?? null, names };
  }

  private typedef(): Unit {
    const token = this.cursor.advance();
    const name = this.cursor.name('of the type');
    this.cursor.expect('{', `after typedef ${name.text}`);
    this.cursor.stream.inSequence = true;
    const declarations: Declaration[] = [];
    this.cursor.attempt(
      () => {
        while (!this.cursor.at('}')) {
          declarations.push(this.declarations.declaration());
          if (!this.cursor.take(';')) break;
        }
        if (!this.cursor.at('}')) this.cursor.unexpected("expected '}' after the fields");
      },
      () => skipTo(this.cursor, '}'),
    );
    const close = this.cursor.expectEnd('}', 'after the fields');
    this.cursor.stream.inSequence = false;
    this.cursor.typedefs.add(name.text);
    return { ...placeFrom(token, close), kind: 'typedef', name, declarations };
  }

  private inline(): void {
    const word = this.cursor.advance();
    const name = this.cursor.name('of the inline');
    this.cursor.expect('(', `after inline ${name.text}`);
    const parameters: Name[] = [];
    while (!this.cursor.at(')')) {
      parameters.push(this.cursor.name('of a parameter'));
      if (!this.cursor.take(',')) break;
    }
    this.cursor.expect(')', 'after the parameters');
    const body = this.cursor.stream.takeBraced();
    if (body === null) {
      this.cursor.error('SPW1002', name, `the body of the inline '${name.text}' is missing or not closed`);
      throw new Resync();
    }
    if (this.cursor.inlines.has(name.text))
      this.cursor.error('SPW1102', name, `the inline '${name.text}' is defined twice`);
    const list = parameters.map(({ text }) => text);
    this.cursor.inlines.set(name.text, { name: name.text, parameters: list, body });
    this.cursor.names?.inline(name, parameters, body, placeFrom(word, body.at(-1)!).span);
    this.cursor.stream.endedWith(body.at(-1)!);
  }

  private cState(): Unit {
    const token = this.cursor.advance();
    const strings: string[] = [];
    let last: Place = token;
    while (this.cursor.token.kind === 'string' && strings.length < 3) {
      last = this.cursor.token;
      strings.push(this.cursor.advance().text);
    }
    if (strings.length < 2) this.cursor.unexpected(`expected two or three strings after ${token.text}`);
    const word = token.text as 'c_state' | 'c_track';
    return { ...placeFrom(token, last), kind: 'c', word, text: strings.join(' ') };
  }
}
