// What the Promela front end tells about names: which symbol a name stands for, and where in the user's text it is written. A name that
// came out of a macro stands in the macro's body, one of an inline in the inline's; a name that no text holds (pasted by ##) has no place,
// and its symbol cannot be renamed.

import type { Reporter } from '../cpp/dialect.ts';
import { type DeclarationDetails, NameBook } from '../source/name-book.ts';
import type { Names, Role, SymbolKind } from '../source/names.ts';
import type { Span } from '../source/source.ts';
import type { Declaration, Name, Place, ProctypeNode, VariableNode } from './ast.ts';
import type { Token } from './token.ts';

/** What holds places: tokens and names alike. */
type Written = Place & { readonly text: string };

/** Where the user wrote it; null where its letters stand nowhere. */
function writtenAt({ text, span, expansion }: Written): Span | null {
  const place = expansion?.what === 'macro' ? expansion.span : span;
  const { file, start, end } = place;
  if (file.path.startsWith('<') || end - start !== text.length) return null;
  return file.text.startsWith(text, start) ? place : null;
}

/** What a word of the program may be, where nobody read the text around it. */
const GLOBAL_SPACES = ['macro', 'inline', 'global', 'mtype', 'proctype', 'type', 'ltl'];

export class PromelaNames {
  private readonly book = new NameBook<Written>(writtenAt);
  /** By the object that the front end keeps for it. */
  private readonly known = new Map<object, number>();

  /** What the preprocessor tells. */
  readonly macros: Pick<Reporter, 'defined' | 'used' | 'inactive'> = {
    defined: (name, parameters, body) => this.defineMacro(name, parameters, body),
    used: (name) => {
      // One that another macro put together is no use that anybody wrote.
      if (writtenAt(name) !== null) this.book.use(`macro ${name.text}`, name);
    },
    inactive: (tokens) => {
      for (const token of tokens) if (token.kind === 'name') this.guess(token);
    },
  };

  /** In text that nobody read: inactive parts of the file, inlines that are not called. */
  private guess(name: Token): void {
    const keys = GLOBAL_SPACES.map((space) => `${space} ${name.text}`);
    this.book.guess(name, keys);
  }

  private declareAt(kind: SymbolKind, name: Written, more: DeclarationDetails, key?: string): number {
    return this.book.declare(kind, name, key, more);
  }

  private useAt(symbol: number | undefined, name: Written, role: Role, within: object | null): void {
    if (symbol !== undefined) this.book.useSymbol(symbol, name, role, this.userOf(within));
  }

  private useKey(key: string, name: Written, role: Role, within: object | null): void {
    this.book.use(key, name, role, this.userOf(within));
  }

  private userOf(within: object | null): number | null {
    return within === null ? null : (this.known.get(within) ?? null);
  }

  // Macros and inlines

  private defineMacro(name: Token, parameters: readonly Token[], body: readonly Token[]): void {
    const list = parameters.map(({ text }) => text);
    const last = body.at(-1) ?? parameters.at(-1) ?? name;
    const extent = {
      file: name.span.file,
      start: name.span.start,
      end: Math.max(name.span.end, last.span.end),
    };
    const detail = `#define ${extent.file.text.slice(extent.start, extent.end)}`;
    const more = { detail, extent, ...(parameters.length === 0 ? {} : { parameters: list }) };
    const macro = this.declareAt('macro', name, more, `macro ${name.text}`);
    this.parameters(macro, name.text, parameters, body);
  }

  /** Parameters of macros and inlines: their uses are the words of the body. */
  private parameters(
    owner: number,
    name: string,
    parameters: readonly Written[],
    body: readonly (Written & { readonly kind: string })[],
  ): void {
    for (const parameter of parameters) {
      const id = this.declareAt('parameter', parameter, {
        detail: `${parameter.text}, parameter of ${name}`,
        container: owner,
      });
      for (const token of body)
        if (token.kind === 'name' && token.text === parameter.text) this.useAt(id, token, 'read', null);
    }
  }

  inline(name: Name, parameters: readonly Name[], body: readonly Token[], extent: Span): void {
    const list = parameters.map(({ text }) => text);
    const detail = `inline ${name.text}(${list.join(', ')})`;
    const id = this.declareAt('function', name, { detail, extent, parameters: list }, `inline ${name.text}`);
    this.parameters(id, name.text, parameters, body);
    for (const token of body) if (token.kind === 'name' && !list.includes(token.text)) this.guess(token);
  }

  call(name: Token): void {
    this.useKey(`inline ${name.text}`, name, 'start', null);
  }

  // Declarations

  proctype(entry: object, node: ProctypeNode): void {
    const written = node.kind === 'init' ? 'init' : `${node.kind} ${node.name.text}`;
    const parameters = node.parameters.flatMap((declaration) =>
      declaration.variables.map((variable) => declared(declaration, variable)),
    );
    const detail = node.kind === 'proctype' ? `${written}(${parameters.join('; ')})` : written;
    const key = node.kind === 'proctype' ? `proctype ${node.name.text}` : undefined;
    const more = { detail, extent: node.span, parameters };
    this.known.set(entry, this.declareAt('process', node.name, more, key));
  }

  variable(
    entry: object,
    owner: object | null,
    declaration: Declaration,
    variable: VariableNode,
    role: 'global' | 'parameter' | 'local',
  ): void {
    const isChannel = declaration.type.name === 'chan';
    const kind = isChannel ? 'channel' : role === 'parameter' ? 'parameter' : 'variable';
    const container = owner === null ? null : (this.known.get(owner) ?? null);
    const detail = declared(declaration, variable);
    const extent = extentOf(declaration, variable);
    const id = this.declareAt(kind, variable.name, { detail, container, extent });
    this.known.set(entry, id);
    if (container === null) this.book.bind(`global ${variable.name.text}`, id);
    else this.book.bind(`local ${container} ${variable.name.text}`, id);
  }

  typedef(name: Name, fields: readonly Declaration[], extent: Span): void {
    const id = this.declareAt('type', name, { detail: `typedef ${name.text}`, extent }, `type ${name.text}`);
    for (const declaration of fields)
      for (const variable of declaration.variables) {
        const detail = `${declared(declaration, variable)}, field of ${name.text}`;
        const key = `field ${name.text}.${variable.name.text}`;
        const of = extentOf(declaration, variable);
        this.declareAt('field', variable.name, { detail, container: id, extent: of }, key);
      }
  }

  mtypes(set: Name | null, names: readonly Name[]): void {
    const type = set === null ? 'mtype' : `mtype:${set.text}`;
    if (set !== null) {
      this.book.meet('type', set, `set ${set.text}`, { detail: type });
    }
    for (const name of names)
      this.declareAt('constant', name, { detail: `${type} ${name.text}` }, `mtype ${name.text}`);
  }

  label(name: Name, owner: { readonly node: ProctypeNode }): void {
    const container = this.known.get(owner) ?? null;
    const detail = `label ${name.text} of ${owner.node.name.text}`;
    this.declareAt('label', name, { detail, container }, `label ${owner.node.name.text}@${name.text}`);
  }

  formula(name: Name, text: string, extent: Span): void {
    this.declareAt('formula', name, { detail: `ltl ${name.text} { ${text} }`, extent }, `ltl ${name.text}`);
  }

  // Uses

  useVariable(entry: object, name: Name, role: Role, within: object | null): void {
    this.useAt(this.known.get(entry), name, role, within);
  }

  useField(type: string, name: Name, role: Role, within: object | null): void {
    this.useKey(`field ${type}.${name.text}`, name, role, within);
  }

  useType(name: Written, within: object | null): void {
    this.useKey(`type ${name.text}`, name, 'read', within);
  }

  useSet(name: Name): void {
    this.useKey(`set ${name.text}`, name, 'read', null);
  }

  useMtype(name: Name, within: object | null): void {
    this.useKey(`mtype ${name.text}`, name, 'read', within);
  }

  useProctype(name: Name, role: Role, within: object | null): void {
    this.useKey(`proctype ${name.text}`, name, role, within);
  }

  useLabel(proctype: string, name: Name, within: object | null): void {
    this.useKey(`label ${proctype}@${name.text}`, name, 'read', within);
  }

  finish(): Names {
    return this.book.finish();
  }
}

function declared({ visibility, type }: Declaration, { name, length, initial, width }: VariableNode): string {
  const kind = type.set === null ? type.name : `${type.name}:${type.set.text}`;
  const size = length === null ? '' : `[${textOf(length.span)}]`;
  const bits = width === null ? '' : ` : ${width.value}`;
  const value = initial?.kind === 'channel' ? ` = ${textOf(initial.span)}` : '';
  return `${visibility === null ? '' : `${visibility} `}${kind} ${name.text}${size}${bits}${value}`;
}

const textOf = ({ file, start, end }: Span): string => file.text.slice(start, end).replace(/\s+/g, ' ');

function extentOf(declaration: Declaration, variable: VariableNode): Span {
  const { span } = variable.name;
  const last = variable.initial?.kind === 'channel' ? variable.initial.span : span;
  const { file, start } = declaration.span;
  if (file !== span.file || file !== last.file || last.end < start) return span;
  return { file, start, end: last.end };
}
