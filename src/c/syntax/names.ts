// The names of a C file: functions, parameters, variables, types, enumerators, by C's scopes. Members and labels are left to tools for C, and so
// is renaming: what macros hide is not seen here.

import type { NameBook } from '../../source/name-book.ts';
import type { SymbolKind } from '../../source/names.ts';
import type { Span } from '../../source/source.ts';
import type { Declaration, Declarator, FunctionDefinition, TopLevel, TypeSpec } from './ast.ts';
import { oneLine } from './one-line.ts';

const FIXED = 'renaming in C files is left to tools for C';

/** Global names have the key `c NAME`, so that a .spec can use them. */
export function namesOfUnit(items: readonly TopLevel[], book: NameBook): void {
  const walker = new UnitNames(book);
  for (const item of items) walker.topLevel(item);
}

class UnitNames {
  private readonly book: NameBook;
  private scopes: Map<string, string>[] = [new Map()];
  private container: number | null = null;
  private count = 0;

  constructor(book: NameBook) {
    this.book = book;
  }

  topLevel(item: TopLevel): void {
    if (item.kind === 'function') this.definition(item);
    else this.declaration(item);
  }

  private definition({ declarator, body, span }: FunctionDefinition): void {
    const named = nameIn(declarator);
    if (named === null) return;
    const detail = oneLine({ ...span, end: body.span.start });
    const parameters = parametersOf(declarator);
    const labels = parameters.map(({ declarator: one, type }) =>
      oneLine({ ...type.span, end: nameIn(one)?.span.end ?? type.span.end }),
    );
    this.container = this.declare('function', named, detail, span, labels);
    this.scopes.push(new Map());
    for (const { declarator: one } of parameters) {
      const parameter = nameIn(one);
      if (parameter !== null) this.declare('parameter', parameter, parameter.text);
    }
    this.visit(body);
    this.scopes.pop();
    this.container = null;
  }

  private declaration(declaration: Declaration): void {
    this.type(declaration.type);
    for (const { declarator, value, span } of declaration.items) {
      const named = nameIn(declarator);
      const isFunction = parametersOf(declarator).length > 0 || isFunctionOf(declarator);
      const kind = declaration.storage === 'typedef' ? 'type' : isFunction ? 'function' : 'variable';
      if (named !== null) this.declare(kind, named, oneLine(declaration.span), span);
      if (value !== null) this.visit(value);
    }
  }

  private type(type: TypeSpec): void {
    if (type.kind !== 'enum') return;
    for (const { name, span } of type.items ?? [])
      this.declare('constant', { text: name, span }, `enum ${name}`);
  }

  private declare(
    kind: SymbolKind,
    name: { readonly text: string; readonly span: Span },
    detail: string,
    extent: Span | null = null,
    parameters?: readonly string[],
  ): number {
    const isGlobal = this.scopes.length === 1;
    const key = isGlobal ? `c ${name.text}` : `c local ${this.count++}`;
    this.scopes.at(-1)!.set(name.text, key);
    return this.book.declare(kind, name, key, {
      detail,
      container: this.container,
      extent,
      fixed: FIXED,
      ...(parameters === undefined ? {} : { parameters }),
    });
  }

  private find(name: string): string {
    return this.scopes.findLast((scope) => scope.has(name))?.get(name) ?? `c ${name}`;
  }

  /** Any node: names are uses, declarations declare, blocks are scopes. */
  private visit(node: unknown): void {
    if (Array.isArray(node)) {
      for (const one of node) this.visit(one);
      return;
    }
    if (typeof node !== 'object' || node === null || !('kind' in node)) return;
    const { kind } = node;
    if (kind === 'declaration') this.declaration(node as Declaration);
    else if (kind === 'name') {
      const { name, span } = node as unknown as { name: string | null; span: Span };
      if (name !== null) this.book.use(this.find(name), { text: name, span }, 'read', this.container);
    } else {
      const isScope = kind === 'block' || kind === 'for';
      if (isScope) this.scopes.push(new Map());
      for (const [key, value] of Object.entries(node))
        if (key !== 'span' && key !== 'type') this.visit(value);
      if (isScope) this.scopes.pop();
    }
  }
}

function nameIn(declarator: Declarator): { readonly text: string; readonly span: Span } | null {
  if (declarator.kind !== 'name') return nameIn(declarator.inner);
  return declarator.name === null ? null : { text: declarator.name, span: declarator.span };
}

const parametersOf = (declarator: Declarator): Extract<Declarator, { kind: 'function' }>['parameters'] =>
  declarator.kind === 'function'
    ? declarator.parameters
    : declarator.kind === 'name'
      ? []
      : parametersOf(declarator.inner);

const isFunctionOf = (declarator: Declarator): boolean =>
  declarator.kind === 'function' || (declarator.kind === 'pointer' && isFunctionOf(declarator.inner));
