// Expressions and initialisers from tree-sitter's nodes.

import type { Node } from 'web-tree-sitter';
import type { Expression, InitializerItem } from './ast.ts';
import type { Reader } from './reader.ts';
import { readTypeName } from './types.ts';

export function readExpression(reader: Reader, node: Node): Expression {
  const span = reader.span(node);
  const at = (name: string) => readExpression(reader, reader.field(node, name));
  switch (node.type) {
    case 'number_literal': {
      // The grammar takes a sign into the literal; C does not.
      const sign = /^[-+]/.exec(node.text)?.[0] as '-' | '+' | undefined;
      const number: Expression = { kind: 'number', text: node.text.slice(sign?.length ?? 0).trim(), span };
      return sign === undefined ? number : { kind: 'unary', op: sign, arg: number, span };
    }
    case 'char_literal':
      return { kind: 'character', text: node.text, span };
    case 'string_literal':
    case 'concatenated_string':
      return { kind: 'string', text: node.text, span };
    case 'identifier':
      return { kind: 'name', name: node.text, span };
    case 'true':
    case 'false':
      return { kind: 'number', text: node.type === 'true' ? '1' : '0', span };
    case 'null':
      return { kind: 'number', text: '0', span };
    case 'parenthesized_expression': {
      const inner = reader.named(node)[0]!;
      if (inner.type === 'compound_statement') reader.unsupported(node, 'a statement in an expression');
      return readExpression(reader, inner);
    }
    case 'unary_expression':
    case 'pointer_expression': {
      const op = reader.field(node, 'operator').text;
      if (!/^[-+!~*&]$/.test(op)) reader.unsupported(node, `the operator '${op}'`);
      return { kind: 'unary', op: op as '-', arg: at('argument'), span };
    }
    case 'update_expression': {
      const op = reader.field(node, 'operator');
      const arg = reader.field(node, 'argument');
      return {
        kind: 'update',
        op: op.text as '++',
        prefix: op.startIndex < arg.startIndex,
        arg: readExpression(reader, arg),
        span,
      };
    }
    case 'binary_expression':
      return {
        kind: 'binary',
        op: reader.field(node, 'operator').text,
        left: at('left'),
        right: at('right'),
        span,
      };
    case 'assignment_expression':
      return {
        kind: 'assign',
        op: reader.field(node, 'operator').text,
        left: at('left'),
        right: at('right'),
        span,
      };
    case 'conditional_expression': {
      const yes = node.childForFieldName('consequence');
      if (yes === null) reader.unsupported(node, "'?:' without its middle");
      return {
        kind: 'conditional',
        test: at('condition'),
        yes: readExpression(reader, yes),
        no: at('alternative'),
        span,
      };
    }
    case 'call_expression':
      return {
        kind: 'call',
        callee: at('function'),
        args: reader.named(reader.field(node, 'arguments')).map((arg) => readExpression(reader, arg)),
        span,
      };
    case 'field_expression':
      return {
        kind: 'member',
        object: at('argument'),
        name: reader.field(node, 'field').text,
        arrow: reader.field(node, 'operator').text === '->',
        span,
      };
    case 'subscript_expression':
      return { kind: 'index', array: at('argument'), index: at('index'), span };
    case 'cast_expression':
      return { kind: 'cast', type: readTypeName(reader, reader.field(node, 'type')), arg: at('value'), span };
    case 'sizeof_expression': {
      const type = node.childForFieldName('type');
      return type === null
        ? { kind: 'sizeof', arg: at('value'), span }
        : { kind: 'sizeof-type', type: readTypeName(reader, type), span };
    }
    case 'offsetof_expression':
      return {
        kind: 'offsetof',
        type: readTypeName(reader, reader.field(node, 'type')),
        field: reader.field(node, 'member').text,
        span,
      };
    case 'comma_expression':
      return { kind: 'comma', left: at('left'), right: at('right'), span };
    case 'compound_literal_expression':
      return {
        kind: 'literal',
        type: readTypeName(reader, reader.field(node, 'type')),
        value: at('value'),
        span,
      };
    case 'initializer_list':
      return { kind: 'list', items: reader.named(node).map((item) => readItem(reader, item)), span };
    default:
      return reader.unsupported(node, `the expression '${node.text.slice(0, 40)}'`);
  }
}

function readItem(reader: Reader, node: Node): InitializerItem {
  if (node.type !== 'initializer_pair') return { path: [], value: readExpression(reader, node) };
  const path: (string | Expression)[] = [];
  for (const child of reader.named(node)) {
    if (child.type === 'field_designator') path.push(reader.named(child)[0]!.text);
    else if (child.type === 'subscript_designator')
      path.push(readExpression(reader, reader.named(child)[0]!));
    else if (child.type === 'subscript_range_designator') reader.unsupported(child, 'a range of indices');
  }
  return { path, value: readExpression(reader, reader.field(node, 'value')) };
}
