// Reading tokens with macros expanded, through a stack of frames: the files being included and, above them, the macros being
// expanded. Directives are left to the preprocessor proper.

import type { Span } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import type { Diagnostics } from './codes.ts';
import type { Macro } from './macros.ts';
import { intersection, substitute } from './macros.ts';
import type { Token } from './token.ts';
import { hides } from './token.ts';

export interface Frame {
  readonly tokens: readonly Token[];
  at: number;
  /** Null for expansions of macros. */
  readonly file: SourceFile | null;
  /** The #if groups open in this file. */
  readonly groups: Group[];
}

export interface Group {
  readonly span: Span;
  /** One of its parts was or is active. */
  taken: boolean;
  elseSeen: boolean;
}

const MOST_TOKENS = 500_000;

export abstract class MacroReader {
  protected readonly diagnostics: Diagnostics;
  protected readonly macros = new Map<string, Macro>();
  protected frames: Frame[] = [];
  private owedNewline = false;
  private work = 0;
  /** The limit was reached: nothing more is read. */
  private exhausted = false;

  constructor(diagnostics: Diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** A `#` at the start of a line was read. */
  protected abstract directive(frame: Frame, hash: Token): void;

  /** The end of a file was read. */
  protected abstract endOfFile(frame: Frame): void;

  /** The next token of the top frame; obeys directives on the way; 'end' when nothing is left. */
  protected read(): Token {
    if (this.exhausted) return END;
    for (;;) {
      const frame = this.frames.at(-1)!;
      const token = frame.tokens[frame.at];
      if (token === undefined) {
        this.frames.pop();
        continue;
      }
      if (token.kind === 'end') {
        if (frame.file !== null) this.endOfFile(frame);
        if (this.frames.length === 1) return token;
        this.frames.pop();
        this.owedNewline = true;
        continue;
      }
      frame.at++;
      if (frame.file === null) return token;
      if (token.text === '#' && token.newline) {
        this.directive(frame, token);
        continue;
      }
      if (!this.owedNewline || token.newline) {
        this.owedNewline = false;
        return token;
      }
      this.owedNewline = false;
      return { ...token, newline: true };
    }
  }

  private pushBack(token: Token): void {
    if (token.kind !== 'end') this.frames.push({ tokens: [{ ...token }], at: 0, file: null, groups: [] });
  }

  // Macros

  /** Replaces the name if it is a macro in use here; the replacement is read next. */
  protected expand(token: Token): boolean {
    if (token.text === '__LINE__' || token.text === '__FILE__') return this.builtIn(token);
    const macro = this.macros.get(token.text);
    if (macro === undefined || hides(token.hidden, macro.name)) return false;
    if (this.tooMuch(token, macro.body.length)) return false;
    if (macro.parameters === null) {
      const hidden = { name: macro.name, next: token.hidden };
      this.replace(
        token,
        substitute({ macro, at: token, args: [], hidden }, (t) => [...t], this.diagnostics),
      );
      return true;
    }
    const open = this.read();
    if (open.text !== '(') {
      this.pushBack(open);
      return false;
    }
    const collected = this.collectArguments(token, macro);
    if (collected === null) return false;
    const hidden = { name: macro.name, next: intersection(token.hidden, collected.close.hidden) };
    const use = { macro, at: token, args: collected.args, hidden };
    this.replace(
      token,
      substitute(use, (tokens) => this.expandAlone(tokens), this.diagnostics),
    );
    return true;
  }

  private builtIn(token: Token): boolean {
    const { file, start } = token.span;
    const line = file.position(start).line;
    const replacement: Token =
      token.text === '__LINE__'
        ? { ...token, kind: 'number', text: String(line), value: line }
        : { ...token, kind: 'string', text: JSON.stringify(file.path) };
    this.replace(token, [replacement]);
    return true;
  }

  private replace(use: Token, tokens: Token[]): void {
    this.work += tokens.length;
    if (tokens.length === 0) this.owedNewline ||= use.newline;
    else this.frames.push({ tokens, at: 0, file: null, groups: [] });
  }

  private tooMuch(token: Token, more: number): boolean {
    if (this.work + more <= MOST_TOKENS) return false;
    this.diagnostics.error('SPW1207', token.span, `expanding '${token.text}' makes the model too large`);
    this.exhausted = true;
    return true;
  }

  private collectArguments(name: Token, macro: Macro): { args: Token[][]; close: Token } | null {
    const parameters = macro.parameters!.length;
    const args: Token[][] = [[]];
    let depth = 0;
    let brokeLine = false;
    for (;;) {
      const token = this.read();
      brokeLine ||= token.newline;
      if (token.kind === 'end') {
        this.diagnostics.error('SPW1205', name.span, `the call of the macro '${macro.name}' is not closed`, {
          help: "add ')'",
        });
        return null;
      }
      if (token.text === ')' && depth === 0) {
        this.owedNewline ||= brokeLine;
        return this.rightCount(name, macro, args) ? { args: padded(args, parameters), close: token } : null;
      }
      if (token.text === '(') depth++;
      if (token.text === ')') depth--;
      const rest = macro.variadic && args.length === parameters;
      if (token.text === ',' && depth === 0 && !rest) args.push([]);
      else args.at(-1)!.push(token);
    }
  }

  private rightCount(name: Token, macro: Macro, args: Token[][]): boolean {
    const wanted = macro.parameters!.length;
    const given = wanted === 0 && args.length === 1 && args[0]!.length === 0 ? 0 : args.length;
    if (given === wanted || (macro.variadic && given >= wanted - 1)) return true;
    this.diagnostics.error(
      'SPW1205',
      name.span,
      `the macro '${macro.name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${given}`,
    );
    return false;
  }

  /** All macros in the tokens expanded, as if they were the whole text. */
  protected expandAlone(tokens: readonly Token[]): Token[] {
    const saved = this.frames;
    const owed = this.owedNewline;
    const end: Token = { ...END, span: tokens[0]?.span ?? NOWHERE };
    this.frames = [{ tokens: [...tokens, end], at: 0, file: null, groups: [] }];
    const result: Token[] = [];
    for (let token = this.read(); token.kind !== 'end'; token = this.read())
      if (token.kind !== 'name' || !this.expand(token)) result.push(token);
    this.frames = saved;
    this.owedNewline = owed;
    return result;
  }
}

const NOWHERE: Span = { file: new SourceFile('', ''), start: 0, end: 0 };
const END: Token = {
  kind: 'end',
  text: '',
  value: 0,
  span: NOWHERE,
  newline: false,
  space: false,
  hidden: null,
  expansion: null,
};

function padded(args: Token[][], count: number): Token[][] {
  while (args.length < count) args.push([]);
  return args;
}
