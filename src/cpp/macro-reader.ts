// Reading tokens with macros expanded, through a stack of frames: the files being included and, above them, the macros being
// expanded. A macro is not expanded while one of its frames lies on the stack, and a name met then is never expanded again: gcc's
// rule, which settles the cases that the standard leaves open. Directives are left to the preprocessor proper.

import type { Span } from '../source/source.ts';
import { join, SourceFile } from '../source/source.ts';
import type { Dialect, Reporter } from './dialect.ts';
import { Lines } from './lines.ts';
import type { Macro } from './macros.ts';
import { substitute } from './macros.ts';
import type { Token } from './token.ts';
import { placeOf } from './token.ts';

export interface Frame {
  readonly tokens: readonly Token[];
  at: number;
  /** Null for expansions of macros. */
  readonly file: SourceFile | null;
  /** The #if groups open in this file. */
  readonly groups: Group[];
  /** Whose expansion it is. */
  readonly macro: Macro | null;
}

export interface Group {
  readonly span: Span;
  /** One of its parts was or is active. */
  taken: boolean;
  elseSeen: boolean;
}

const BUILT_IN = new Set(['__LINE__', '__FILE__', '__COUNTER__', '__INCLUDE_LEVEL__', '__BASE_FILE__']);

export abstract class MacroReader {
  protected readonly dialect: Dialect;
  protected readonly reporter: Reporter;
  protected readonly macros = new Map<string, Macro>();
  protected readonly lines = new Lines();
  protected frames: Frame[] = [];
  /** While an argument is expanded by itself: what lies around it. */
  private around: readonly Frame[] = [];
  /** The last macro that the text itself, and not another macro, names has no parentheses. */
  private isPlainUse = false;
  /** While the arguments of a macro are expanded whose name such a use brought: where that is, since gcc says that they are there, too. */
  private useAround: Span | null = null;
  private owedNewline = false;
  private work = 0;
  private counter = 0;
  /** The limit was reached: nothing more is read. */
  private exhausted = false;

  constructor(dialect: Dialect, reporter: Reporter) {
    this.dialect = dialect;
    this.reporter = reporter;
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
        this.pop();
        continue;
      }
      if (token.kind === 'end') {
        if (frame.file !== null) this.endOfFile(frame);
        if (this.frames.length === 1) return token;
        this.pop();
        this.owedNewline = true;
        continue;
      }
      frame.at++;
      if (frame.file === null) return token;
      if (token.text === '#' && token.first && token.kind === 'mark') {
        this.directive(frame, token);
        continue;
      }
      const isDone = token.kind === 'name' && this.isExpanded(frame.file);
      const read = isDone ? { ...token, painted: true } : token;
      if (!this.owedNewline || read.newline) {
        this.owedNewline = false;
        return read;
      }
      this.owedNewline = false;
      return { ...read, newline: true };
    }
  }

  /** Another preprocessor has replaced what there is to replace in the file; what it defines counts elsewhere. */
  protected abstract isExpanded(file: SourceFile): boolean;

  private pop(): void {
    const frame = this.frames.pop()!;
    if (frame.macro !== null) frame.macro.active--;
  }

  private push(tokens: readonly Token[], macro: Macro | null): void {
    if (macro !== null) macro.active++;
    this.frames.push({ tokens, at: 0, file: null, groups: [], macro });
  }

  private pushBack(token: Token): void {
    if (token.kind !== 'end') this.push([token], null);
  }

  // Macros

  /** The next token that is no use of a macro. */
  protected readExpanded(): Token {
    for (;;) {
      const token = this.read();
      if (token.kind !== 'name') return token;
      const answer = this.expand(token);
      if (answer !== null) return answer;
    }
  }

  /** Null when the name was replaced: the replacement is read next. Else the token as it stays. */
  private expand(token: Token): Token | null {
    if (BUILT_IN.has(token.text)) return this.builtIn(token);
    const macro = token.painted ? undefined : this.macros.get(token.text);
    if (macro === undefined) return token;
    if (macro.active > 0) return { ...token, painted: true };
    if (this.tooMuch(token, macro.body.length)) return token;
    if (token.expansion === null && this.around.length === 0) this.isPlainUse = macro.parameters === null;
    if (macro.parameters === null) {
      this.reporter.used?.(token);
      this.replace({ macro, at: token, span: token.span, args: [] });
      return null;
    }
    const open = this.read();
    if (open.text !== '(') {
      this.pushBack(open);
      return token;
    }
    const collected = this.collectArguments(token, macro);
    this.reporter.used?.(token);
    if (collected === null) return token;
    const span = this.dialect.argumentsKeepPlace ? token.span : join(token.span, collected.close.span);
    const isBrought = token.expansion !== null && this.around.length === 0 && this.isPlainUse;
    if (isBrought) this.useAround = placeOf(token);
    this.replace({ macro, at: token, span, args: collected.args });
    if (isBrought) this.useAround = null;
    return null;
  }

  private builtIn(token: Token): Token {
    const files = [...this.around, ...this.frames].filter((frame) => frame.file !== null);
    const file = files[0]?.file;
    const level = files.length - 1;
    switch (token.text) {
      case '__LINE__':
        return {
          ...token,
          kind: 'number',
          text: String(this.lines.lineOf(this.useAround ?? placeOf(token))),
        };
      case '__COUNTER__':
        return { ...token, kind: 'number', text: String(this.counter++) };
      case '__INCLUDE_LEVEL__':
        return { ...token, kind: 'number', text: String(Math.max(0, level)) };
      case '__BASE_FILE__':
        return { ...token, kind: 'string', text: JSON.stringify(file?.path ?? '') };
      default:
        return { ...token, kind: 'string', text: JSON.stringify(this.lines.fileOf(placeOf(token))) };
    }
  }

  protected isBuiltIn(name: string): boolean {
    return BUILT_IN.has(name);
  }

  private replace(use: Parameters<typeof substitute>[0]): void {
    const expandFully = (tokens: readonly Token[]) => this.expandAlone(tokens);
    const tokens = substitute(use, expandFully, this.dialect, this.reporter);
    this.work += tokens.length;
    if (tokens.length === 0) this.owedNewline ||= use.at.newline;
    this.push(tokens, use.macro);
  }

  private tooMuch(token: Token, more: number): boolean {
    if (this.work + more <= this.dialect.mostTokens) return false;
    this.reporter.report(
      'too large',
      'error',
      token.span,
      `expanding '${token.text}' makes the text too large`,
    );
    this.exhausted = true;
    return true;
  }

  private collectArguments(
    name: Token,
    macro: Macro,
  ): { args: (readonly Token[] | null)[]; close: Token } | null {
    const parameters = macro.parameters!.length;
    const args: Token[][] = [[]];
    let depth = 0;
    let brokeLine = false;
    for (;;) {
      const token = this.read();
      brokeLine ||= token.newline;
      if (token.kind === 'end') {
        const message = `the call of the macro '${macro.name}' is not closed`;
        this.reporter.report('macro', 'error', name.span, message, "add ')'");
        return null;
      }
      if (token.text === ')' && depth === 0) {
        this.owedNewline ||= brokeLine;
        return this.rightCount(name, macro, args) ? { args: padded(args, macro), close: token } : null;
      }
      if (token.text === '(') depth++;
      if (token.text === ')') depth--;
      const rest = macro.variadic && args.length === parameters;
      if (token.text === ',' && depth === 0 && !rest) args.push([]);
      else args.at(-1)!.push(this.asArgument(token));
    }
  }

  /** A name that cannot be expanded here, since its macro is being expanded, is not expanded later either. */
  private asArgument(token: Token): Token {
    if (token.kind !== 'name' || token.painted) return token;
    const macro = this.macros.get(token.text);
    return macro !== undefined && macro.active > 0 ? { ...token, painted: true } : token;
  }

  private rightCount(name: Token, macro: Macro, args: Token[][]): boolean {
    const wanted = macro.parameters!.length;
    const given = wanted === 0 && args.length === 1 && args[0]!.length === 0 ? 0 : args.length;
    if (given === wanted || (macro.variadic && given >= wanted - 1)) return true;
    const message = `the macro '${macro.name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${given}`;
    this.reporter.report('macro', 'error', name.span, message);
    return false;
  }

  /** All macros in the tokens expanded, as if they were the whole text. */
  protected expandAlone(tokens: readonly Token[]): Token[] {
    return this.alone(tokens, () => {
      const result: Token[] = [];
      for (let token = this.readExpanded(); token.kind !== 'end'; token = this.readExpanded())
        result.push(token);
      return result;
    });
  }

  /** Reads these tokens, and then an end, as if they were the whole text. */
  protected alone<T>(tokens: readonly Token[], work: () => T): T {
    const [saved, around] = [this.frames, this.around];
    this.around = [...around, ...saved];
    const owed = this.owedNewline;
    const end: Token = { ...END, span: tokens[0]?.span ?? NOWHERE };
    this.frames = [{ tokens: [...tokens, end], at: 0, file: null, groups: [], macro: null }];
    const result = work();
    while (this.frames.length > 0) this.pop();
    this.frames = saved;
    this.around = around;
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
  first: true,
  space: false,
  painted: false,
  expansion: null,
};

/** gcc: the rest is missing when not even its comma is there, or when it is all there is and empty. */
function padded(args: readonly (readonly Token[])[], macro: Macro): (readonly Token[] | null)[] {
  const wanted = macro.parameters!.length;
  const missing = macro.variadic && (args.length < wanted || (wanted === 1 && args[0]!.length === 0));
  return missing ? [...args.slice(0, wanted - 1), null] : args.slice(0, wanted);
}
