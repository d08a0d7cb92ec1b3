// Text to AST: preprocess, parse with tree-sitter's grammar, read statements and declarations.

import type { Node } from 'web-tree-sitter';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors } from '../../source/diagnostic.ts';
import type { SourceFile } from '../../source/source.ts';
import { Refusal, tooDeep } from '../codes.ts';
import { cParser } from '../text/grammar.ts';
import type { PreprocessOptions } from '../text/preprocess.ts';
import { preprocess } from '../text/preprocess.ts';
import type { Declaration, FunctionDefinition, Statement, TopLevel } from './ast.ts';
import { readExpression } from './expressions.ts';
import { Reader } from './reader.ts';
import { readDeclarator, readType } from './types.ts';

export interface Unit {
  readonly file: SourceFile;
  readonly items: readonly TopLevel[];
  /** Every file that was read, for excerpts. */
  readonly sources: readonly SourceFile[];
}

export async function parseC(
  file: SourceFile,
  options: PreprocessOptions,
): Promise<Result<Unit, readonly Diagnostic[]>> {
  const source = preprocess(file, options);
  if (hasErrors(source.diagnostics)) return err(source.diagnostics);
  const tree = (await cParser()).parse(source.text);
  if (tree === null) throw new Error('impossible: the parser was not interrupted');
  const reader = new Reader(source);
  try {
    reader.refuseErrors(tree.rootNode);
    const items = reader.named(tree.rootNode).flatMap((node) => readTopLevel(reader, node));
    return ok({ file, items, sources: source.sources });
  } catch (error) {
    if (error instanceof Refusal) return err([error.diagnostic]);
    if (error instanceof RangeError) return err([tooDeep(file)]);
    throw error;
  } finally {
    tree.delete();
  }
}

function readTopLevel(reader: Reader, node: Node): TopLevel[] {
  switch (node.type) {
    case 'function_definition':
      return [readFunction(reader, node)];
    case 'declaration':
    case 'type_definition':
      return [readDeclaration(reader, node)];
    case 'struct_specifier':
    case 'union_specifier':
    case 'enum_specifier':
      return [bareType(reader, node)];
    case 'expression_statement':
    case ';':
      return [];
    case 'preproc_call':
    case 'preproc_def':
      return [];
    default:
      return reader.unsupported(node, `'${node.text.slice(0, 40)}' outside a function`);
  }
}

function bareType(reader: Reader, node: Node): Declaration {
  const type = readType(reader, node);
  return {
    kind: 'declaration',
    storage: null,
    constant: false,
    volatile: false,
    type,
    items: [],
    span: reader.span(node),
  };
}

function readFunction(reader: Reader, node: Node): FunctionDefinition {
  const body = reader.field(node, 'body');
  return {
    kind: 'function',
    type: readType(reader, reader.field(node, 'type')),
    declarator: readDeclarator(reader, reader.field(node, 'declarator')),
    body: readStatement(reader, body),
    span: reader.span(node),
  };
}

export function readDeclaration(reader: Reader, node: Node): Declaration {
  const words = reader
    .named(node)
    .filter((child) => child.type === 'storage_class_specifier' || child.type === 'type_qualifier')
    .map((child) => child.text);
  const storage =
    node.type === 'type_definition'
      ? 'typedef'
      : words.includes('static')
        ? 'static'
        : words.includes('extern')
          ? 'extern'
          : null;
  const items: {
    declarator: Declaration['items'][0]['declarator'];
    value: Declaration['items'][0]['value'];
    span: Declaration['span'];
  }[] = [];
  for (let i = 0; i < node.childCount; i++) {
    if (node.fieldNameForChild(i) !== 'declarator') continue;
    const child = node.child(i)!;
    const span = reader.span(child);
    if (child.type === 'init_declarator')
      items.push({
        declarator: readDeclarator(reader, reader.field(child, 'declarator')),
        value: readExpression(reader, reader.field(child, 'value')),
        span,
      });
    else items.push({ declarator: readDeclarator(reader, child), value: null, span });
  }
  return {
    kind: 'declaration',
    storage,
    constant: words.includes('const'),
    volatile: words.includes('volatile'),
    type: readType(reader, reader.field(node, 'type')),
    items,
    span: reader.span(node),
  };
}

export function readStatement(reader: Reader, node: Node): Statement {
  const span = reader.span(node);
  const expression = (name: string) => readExpression(reader, reader.field(node, name));
  const statement = (name: string) => readStatement(reader, reader.field(node, name));
  switch (node.type) {
    case 'compound_statement':
      return { kind: 'block', body: reader.named(node).map((child) => readStatement(reader, child)), span };
    case 'declaration':
    case 'type_definition':
      return { kind: 'declare', declaration: readDeclaration(reader, node), span };
    case 'struct_specifier':
    case 'union_specifier':
    case 'enum_specifier':
      return { kind: 'declare', declaration: bareType(reader, node), span };
    case 'expression_statement': {
      const inner = reader.named(node)[0];
      if (inner?.type === 'gnu_asm_expression') return { kind: 'asm', span };
      return {
        kind: 'expression',
        expression: inner === undefined ? null : readExpression(reader, inner),
        span,
      };
    }
    case 'if_statement': {
      const alternative = node.childForFieldName('alternative');
      const otherwise = alternative?.type === 'else_clause' ? reader.named(alternative)[0]! : alternative;
      return {
        kind: 'if',
        test: expression('condition'),
        yes: statement('consequence'),
        no: otherwise === null ? null : readStatement(reader, otherwise),
        span,
      };
    }
    case 'while_statement':
      return { kind: 'while', test: expression('condition'), body: statement('body'), span };
    case 'do_statement':
      return { kind: 'do', test: expression('condition'), body: statement('body'), span };
    case 'for_statement':
      return readFor(reader, node);
    case 'switch_statement':
      return { kind: 'switch', value: expression('condition'), body: statement('body'), span };
    case 'case_statement':
      return readCase(reader, node);
    case 'labeled_statement': {
      const label = reader.field(node, 'label');
      const body = reader.named(node).find((child) => child.id !== label.id);
      return {
        kind: 'label',
        name: label.text,
        body: body === undefined ? null : readStatement(reader, body),
        span: reader.span(label),
      };
    }
    case 'goto_statement':
      return { kind: 'goto', label: reader.field(node, 'label').text, span };
    case 'break_statement':
      return { kind: 'break', span };
    case 'continue_statement':
      return { kind: 'continue', span };
    case 'return_statement': {
      const value = reader.named(node)[0];
      return { kind: 'return', value: value === undefined ? null : readExpression(reader, value), span };
    }
    case 'attributed_statement':
      return readStatement(reader, reader.named(node).at(-1)!);
    default:
      return reader.unsupported(node, `the statement '${node.text.slice(0, 40)}'`);
  }
}

function readFor(reader: Reader, node: Node): Statement {
  const start = node.childForFieldName('initializer');
  const test = node.childForFieldName('condition');
  const step = node.childForFieldName('update');
  return {
    kind: 'for',
    start:
      start === null
        ? null
        : start.type === 'declaration'
          ? readStatement(reader, start)
          : { kind: 'expression', expression: readExpression(reader, start), span: reader.span(start) },
    test: test === null ? null : readExpression(reader, test),
    step: step === null ? null : readExpression(reader, step),
    body: readStatement(reader, reader.field(node, 'body')),
    span: reader.span(node),
  };
}

function readCase(reader: Reader, node: Node): Statement {
  const value = node.childForFieldName('value');
  const body = reader.named(node).filter((child) => child.id !== value?.id);
  return {
    kind: 'case',
    value: value === null ? null : readExpression(reader, value),
    upTo: null,
    body: body.map((child) => readStatement(reader, child)),
    span: value === null ? reader.span(node.child(0)!) : reader.span(value),
  };
}
