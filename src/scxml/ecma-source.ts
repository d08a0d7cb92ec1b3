// What can be known about a piece of ECMAScript before it runs: whether it is an expression, a location or a script at all, whether it only reads,
// and which functions in it remember nothing but globals (those alone can be told apart by their text and made again from it).

import { type AnyNode, type Expression, type Node, type Program, parse, parseExpressionAt } from 'acorn';

const OPTIONS = {
  ecmaVersion: 2023,
  sourceType: 'script',
  allowReturnOutsideFunction: false,
  preserveParens: true,
} as const;

export interface SyntaxProblem {
  readonly message: string;
  /** Characters from the beginning of the text. */
  readonly at: number;
}

export interface ExpressionFacts {
  readonly problem: SyntaxProblem | null;
  /** Nothing in it can change data: no assignment, no call, no `new`, no function, no template with a tag. */
  readonly isPure: boolean;
  readonly closed: FunctionTexts;
}

/** Texts of functions: those that may be kept in data, and those that may not because they remember variables of a function around them. */
export interface FunctionTexts {
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

const NONE: FunctionTexts = { closed: [], open: [] };

export function examineExpression(text: string): ExpressionFacts {
  if (text.trim() === '')
    return { problem: { message: 'an expression is missing', at: 0 }, isPure: false, closed: NONE };
  return attempt(() => {
    const root = parseExpressionAt(text, 0, OPTIONS);
    const rest = text.slice(root.end).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    // A semicolon at the end is a slip that other processors let pass.
    if (!/^\s*;?\s*$/.test(rest)) return failed(`unexpected '${rest.trim().slice(0, 20)}'`, root.end);
    return { problem: null, isPure: isPure(root), closed: functionsIn(text, root) };
  });
}

const PLAIN = new Set([
  'Identifier',
  'Literal',
  'BinaryExpression',
  'LogicalExpression',
  'ConditionalExpression',
  'UnaryExpression',
  'ParenthesizedExpression',
]);

/** Numbers, strings, booleans and variables joined by operators: it never throws while the variables hold such values. */
export function isPlainArithmetic(text: string): boolean {
  try {
    const root = parseExpressionAt(text, 0, OPTIONS);
    if (!/^\s*;?\s*$/.test(text.slice(root.end))) return false;
    for (const node of nodes(root)) {
      if (!PLAIN.has(node.type)) return false;
      if (node.type === 'Literal' && (node.bigint != null || node.regex != null)) return false;
      if (node.type === 'BinaryExpression' && /^(in|instanceof)$/.test(node.operator)) return false;
      if (node.type === 'UnaryExpression' && node.operator === 'delete') return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** Can it stand on the left of an assignment? */
export function examineLocation(text: string): ExpressionFacts {
  return attempt(() => {
    const root = parseExpressionAt(text, 0, OPTIONS);
    const isLocation = root.type === 'Identifier' || root.type === 'MemberExpression';
    if (!isLocation || text.slice(root.end).trim() !== '')
      return failed('this is no place that a value can be assigned to', 0);
    return { problem: null, isPure: isPure(root), closed: NONE };
  });
}

export const isVariableName = (text: string): boolean => {
  const { problem } = attempt(() => {
    const root = parse(`var ${text};`, OPTIONS).body[0]!;
    const name =
      root.type === 'VariableDeclaration' && root.declarations.length === 1 ? root.declarations[0]! : null;
    return name?.id.type === 'Identifier' && name.init == null && name.id.name === text
      ? { problem: null, isPure: true, closed: NONE }
      : failed('no variable name', 0);
  });
  return problem === null;
};

export interface ScriptFacts {
  readonly problem: SyntaxProblem | null;
  /** As it is run: `let`, `const` and `class` at the top become `var`, since variables of a chart outlive the script that declares them. */
  readonly text: string;
  readonly closed: FunctionTexts;
  /** Where a built-in object is changed, if anywhere. */
  readonly changesBuiltin: number | null;
}

export function examineScript(text: string): ScriptFacts {
  try {
    const program = parse(text, OPTIONS);
    return {
      problem: null,
      text: withVariables(text, program),
      closed: functionsIn(text, program),
      changesBuiltin: builtinChange(program),
    };
  } catch (error) {
    return { problem: problemOf(error), text, closed: NONE, changesBuiltin: null };
  }
}

function attempt(examine: () => ExpressionFacts): ExpressionFacts {
  try {
    return examine();
  } catch (error) {
    return { problem: problemOf(error), isPure: false, closed: NONE };
  }
}

const failed = (message: string, at: number): ExpressionFacts => ({
  problem: { message, at },
  isPure: false,
  closed: NONE,
});

function problemOf(error: unknown): SyntaxProblem {
  if (error instanceof RangeError) return { message: 'it is nested too deeply', at: 0 };
  if (!(error instanceof SyntaxError)) throw error;
  const at = (error as SyntaxError & { pos?: number }).pos ?? 0;
  return { message: error.message.replace(/ \(\d+:\d+\)$/, ''), at };
}

/** Every node below, the node itself first. */
function* nodes(root: Node): Generator<AnyNode> {
  const stack: Node[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    yield node as AnyNode;
    stack.push(...childNodes(node));
  }
}

function childNodes(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const IMPURE = new Set([
  'AssignmentExpression',
  'UpdateExpression',
  'CallExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassExpression',
  'YieldExpression',
  'AwaitExpression',
  'ImportExpression',
  'ObjectExpression',
  'ArrayExpression',
]);

/** A call of `In` reads the configuration and nothing else. */
function isPure(root: Expression): boolean {
  for (const node of nodes(root)) {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'In')
      continue;
    if (IMPURE.has(node.type) || (node.type === 'UnaryExpression' && node.operator === 'delete'))
      return false;
  }
  return true;
}

const isFunction = (node: AnyNode): boolean =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'ClassDeclaration' ||
  node.type === 'ClassExpression';

function functionsIn(text: string, root: Node): FunctionTexts {
  const closed: string[] = [];
  const open: string[] = [];
  const visit = (node: AnyNode, around: ReadonlySet<string>): void => {
    let inside = around;
    if (isFunction(node)) (remembers(node, around) ? open : closed).push(text.slice(node.start, node.end));
    else if (isMethod(node)) (remembers(node, around) ? open : closed).push(text.slice(node.start, node.end));
    if (
      isFunction(node) ||
      (node.type === 'BlockStatement' && node !== root) ||
      node.type.startsWith('For') ||
      node.type === 'CatchClause'
    )
      inside = new Set([...around, ...declaredIn(node)]);
    for (const child of childNodes(node)) visit(child as AnyNode, inside);
  };
  visit(root as AnyNode, new Set());
  return { closed, open };
}

const isMethod = (node: AnyNode): boolean => node.type === 'Property' && node.method;

/** Uses a name that something around it declares, or the `this` of its surroundings. Inner names that happen to be the same count: better too often. */
function remembers(node: AnyNode, around: ReadonlySet<string>): boolean {
  for (const inner of nodes(node)) {
    if (inner.type === 'Identifier' && around.has(inner.name)) return true;
    if (node.type === 'ArrowFunctionExpression' && around.size > 0 && inner.type === 'ThisExpression')
      return true;
  }
  return false;
}

/** Every name that anything inside declares, functions inside functions included: better too many. */
function declaredIn(node: AnyNode): Set<string> {
  const names = new Set<string>(['arguments']);
  const bind = (pattern: Node): void => {
    for (const inner of nodes(pattern)) if (inner.type === 'Identifier') names.add(inner.name);
  };
  for (const inner of nodes(node)) {
    if (inner.type === 'VariableDeclarator') bind(inner.id);
    if (inner.type === 'CatchClause' && inner.param != null) bind(inner.param);
    if (
      inner.type === 'FunctionDeclaration' ||
      inner.type === 'FunctionExpression' ||
      inner.type === 'ArrowFunctionExpression'
    ) {
      for (const parameter of inner.params) bind(parameter);
      if ('id' in inner && inner.id != null && inner !== node) names.add(inner.id.name);
    }
  }
  return names;
}

function withVariables(text: string, program: Program): string {
  let result = '';
  let from = 0;
  for (const statement of program.body) {
    if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      result += `${text.slice(from, statement.start)}var`;
      from = statement.start + statement.kind.length;
    } else if (statement.type === 'ClassDeclaration') {
      result += `${text.slice(from, statement.start)}var ${statement.id?.name ?? '_'} = ${text.slice(statement.start, statement.end)};`;
      from = statement.end;
    }
  }
  return result + text.slice(from);
}

const CHANGERS = new Set(['defineProperty', 'defineProperties', 'setPrototypeOf', 'assign']);

/** An assignment to `X.prototype.y` or `__proto__`, or a call that defines properties there. */
function builtinChange(program: Program): number | null {
  for (const node of nodes(program)) {
    const target =
      node.type === 'AssignmentExpression'
        ? node.left
        : node.type === 'CallExpression' && isChanger(node.callee)
          ? node.arguments[0]
          : null;
    if (target == null) continue;
    for (const inner of nodes(target))
      if (
        inner.type === 'MemberExpression' &&
        inner.property.type === 'Identifier' &&
        /^(prototype|__proto__)$/.test(inner.property.name) &&
        isBuiltinName(inner.object)
      )
        return node.start;
  }
  return null;
}

const isChanger = (callee: Node): boolean => {
  const node = callee as AnyNode;
  return (
    node.type === 'MemberExpression' &&
    node.property.type === 'Identifier' &&
    CHANGERS.has(node.property.name)
  );
};

const isBuiltinName = (node: Node): boolean =>
  (node as AnyNode).type === 'Identifier' &&
  /^(Object|Array|String|Number|Boolean|Function|Date|RegExp|Error|Map|Set|Math|JSON)$/.test(
    (node as { name?: string }).name ?? '',
  );
