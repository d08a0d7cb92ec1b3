// Type specifiers and declarators from tree-sitter's nodes.

import type { Node } from 'web-tree-sitter';
import { TYPEDEF_TAG } from '../text/plain.ts';
import type { Declarator, FieldDeclaration, Parameter, TypeName, TypeSpec } from './ast.ts';
import { readExpression } from './expressions.ts';
import type { Reader } from './reader.ts';

export function readType(reader: Reader, node: Node): TypeSpec {
  const span = reader.span(node);
  switch (node.type) {
    case 'primitive_type':
      return { kind: 'words', words: [node.text], span };
    case 'sized_type_specifier': {
      const words = node.text.split(/\s+/);
      const named = node.childForFieldName('type');
      // `unsigned foo_t` is an error in C, but `unsigned x` with x read as a type is implicit int.
      return {
        kind: 'words',
        words: named?.type === 'type_identifier' ? words.filter((w) => w !== named.text) : words,
        span,
      };
    }
    case 'type_identifier':
      return WORDS.has(node.text)
        ? { kind: 'words', words: [node.text], span }
        : { kind: 'typedef', name: node.text, span };
    case 'struct_specifier':
    case 'union_specifier': {
      const tag = node.childForFieldName('name')?.text ?? null;
      if (tag?.startsWith(TYPEDEF_TAG)) return { kind: 'typedef', name: tag.slice(TYPEDEF_TAG.length), span };
      const body = node.childForFieldName('body');
      const fields = body === null ? null : reader.named(body).map((field) => readField(reader, field));
      return { kind: 'record', union: node.type === 'union_specifier', tag, fields, span };
    }
    case 'enum_specifier': {
      const body = node.childForFieldName('body');
      const items =
        body === null
          ? null
          : reader
              .named(body)
              .filter((item) => item.type === 'enumerator')
              .map((item) => {
                const value = item.childForFieldName('value');
                return {
                  name: reader.field(item, 'name').text,
                  value: value === null ? null : readExpression(reader, value),
                  span: reader.span(item),
                };
              });
      return { kind: 'enum', tag: node.childForFieldName('name')?.text ?? null, items, span };
    }
    default:
      return reader.unsupported(node, `the type '${node.text.slice(0, 40)}'`);
  }
}

const WORDS = new Set(['_Bool', 'bool', '__int128', '_Float128', '__builtin_va_list']);

function readField(reader: Reader, node: Node): FieldDeclaration {
  if (node.type !== 'field_declaration') reader.unsupported(node, `'${node.type}' in a struct`);
  const declarators: { declarator: Declarator; bits: ReturnType<typeof readExpression> | null }[] = [];
  for (let i = 0; i < node.childCount; i++) {
    const child = node.child(i)!;
    if (node.fieldNameForChild(i) === 'declarator')
      declarators.push({ declarator: readDeclarator(reader, child), bits: null });
    else if (child.type === 'bitfield_clause') {
      const last = declarators.pop() ?? {
        declarator: { kind: 'name' as const, name: null, span: reader.span(child) },
      };
      declarators.push({
        declarator: last.declarator,
        bits: readExpression(reader, reader.named(child)[0]!),
      });
    }
  }
  return { type: readType(reader, reader.field(node, 'type')), declarators };
}

export function readDeclarator(reader: Reader, node: Node | null): Declarator {
  if (node === null) throw new Error('impossible: a declarator that is not there');
  const inner = () => node.childForFieldName('declarator');
  const innerOr = (child: Node | null): Declarator =>
    child === null ? { kind: 'name', name: null, span: reader.span(node) } : readDeclarator(reader, child);
  switch (node.type) {
    case 'identifier':
    case 'field_identifier':
    case 'type_identifier':
    case 'primitive_type':
      return { kind: 'name', name: node.text, span: reader.span(node) };
    case 'pointer_declarator':
    case 'abstract_pointer_declarator':
    case 'pointer_type_declarator':
      return { kind: 'pointer', inner: innerOr(inner()) };
    case 'array_declarator':
    case 'abstract_array_declarator': {
      const size = node.childForFieldName('size');
      return {
        kind: 'array',
        inner: innerOr(inner()),
        size: size === null ? null : readExpression(reader, size),
      };
    }
    case 'function_declarator':
    case 'abstract_function_declarator': {
      const list = reader.named(reader.field(node, 'parameters'));
      return {
        kind: 'function',
        inner: innerOr(inner()),
        parameters: list
          .filter((p) => p.type === 'parameter_declaration')
          .map((p) => readParameter(reader, p)),
        variadic: list.some((p) => p.type === 'variadic_parameter'),
      };
    }
    case 'parenthesized_declarator':
    case 'abstract_parenthesized_declarator':
    case 'attributed_declarator':
      return innerOr(reader.named(node)[0] ?? null);
    default:
      return reader.unsupported(node, `the declarator '${node.text.slice(0, 40)}'`);
  }
}

function readParameter(reader: Reader, node: Node): Parameter {
  const declarator = node.childForFieldName('declarator');
  return {
    type: readType(reader, reader.field(node, 'type')),
    declarator:
      declarator === null
        ? { kind: 'name', name: null, span: reader.span(node) }
        : readDeclarator(reader, declarator),
  };
}

export function readTypeName(reader: Reader, node: Node): TypeName {
  const declarator = node.childForFieldName('declarator');
  return {
    type: readType(reader, reader.field(node, 'type')),
    declarator:
      declarator === null
        ? { kind: 'name', name: null, span: reader.span(node) }
        : readDeclarator(reader, declarator),
  };
}
