// Statements and expressions as a Promela user writes them, for traces, pictures and messages.

import { impossible } from '../base/result.ts';
import type { Expression, LValue, ReceiveArgument } from './expression.ts';
import type { DStepBody, Edge, Program, Statement } from './program.ts';

const LOOSEST = 0;
const TIGHTEST = 20;
const LEVELS: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};

export function showExpression(program: Program, expression: Expression): string {
  return show(program, expression, LOOSEST);
}

function show(program: Program, expression: Expression, around: number): string {
  const inner = (part: Expression, level = LOOSEST) => show(program, part, level);
  switch (expression.kind) {
    case 'constant':
      return expression.name ?? String(expression.value);
    case 'read':
      return showCell(program, expression.cell);
    case 'unary':
      return `${expression.operator}${inner(expression.operand, TIGHTEST)}`;
    case 'binary': {
      const level = LEVELS[expression.operator]!;
      const left = inner(expression.left, level);
      const text = `${left} ${expression.operator} ${inner(expression.right, level + 1)}`;
      return level < around ? `(${text})` : text;
    }
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = expression;
      return `(${inner(condition)} -> ${inner(whenTrue)} : ${inner(whenFalse)})`;
    }
    case 'channel-query':
      return `${expression.query}(${showCell(program, expression.channel)})`;
    case 'poll': {
      const operator = expression.random ? '??' : '?';
      return `${showCell(program, expression.channel)}${operator}[${showReceived(program, expression.args)}]`;
    }
    case 'run': {
      const args = expression.args.map((arg) => inner(arg)).join(', ');
      const priority = expression.priority === null ? '' : ` priority ${inner(expression.priority)}`;
      return `run ${program.proctypes[expression.proctype]!.name}(${args})${priority}`;
    }
    case 'enabled':
    case 'pc_value':
    case 'get_priority':
      return `${expression.kind}(${inner(expression.process)})`;
    case 'set_priority':
      return `set_priority(${inner(expression.process)}, ${inner(expression.priority)})`;
    case 'timeout':
    case 'np_':
    case '_pid':
    case '_nr_pr':
    case '_last':
    case '_priority':
      return expression.kind;
    case 'remote-label':
      return `${remoteProcess(program, expression)}@${expression.label}`;
    case 'remote-read':
      return `${remoteProcess(program, expression)}:${showCell(program, expression.cell)}`;
    case 'opaque':
      return `c_expr { ${oneLine(expression.text)} }`;
    default:
      return impossible(expression, 'every expression can be shown');
  }
}

function remoteProcess(
  program: Program,
  remote: Expression & { kind: 'remote-label' | 'remote-read' },
): string {
  const name = program.proctypes[remote.proctype]!.name;
  return remote.process === null ? name : `${name}[${show(program, remote.process, LOOSEST)}]`;
}

/** `x`, `a[i]`, `s.f[2].g` */
function showCell(program: Program, cell: LValue): string {
  let text = program.variables[cell.variable]!.name;
  for (const step of cell.path)
    text += step.kind === 'field' ? `.${step.name}` : `[${show(program, step.index, LOOSEST)}]`;
  return text;
}

function showReceived(program: Program, args: readonly ReceiveArgument[]): string {
  return args.map((arg) => showArgument(program, arg)).join(',');
}

function showArgument(program: Program, arg: ReceiveArgument): string {
  if (arg.kind === 'ignore') return '_';
  if (arg.kind === 'store') return showCell(program, arg.target);
  const text = show(program, arg.value, LOOSEST);
  return arg.value.kind === 'constant' ? text : `eval(${text})`;
}

export function showStatement(program: Program, statement: Statement): string {
  switch (statement.kind) {
    case 'condition':
      return showExpression(program, statement.expression);
    case 'else':
      return 'else';
    case 'assign':
      return showAssignment(program, statement);
    case 'send': {
      const args = statement.args.map((arg) => showExpression(program, arg)).join(',');
      return `${showCell(program, statement.channel)}${statement.sorted ? '!!' : '!'}${args}`;
    }
    case 'receive': {
      const args = showReceived(program, statement.args);
      const operator = statement.random ? '??' : '?';
      return `${showCell(program, statement.channel)}${operator}${statement.copy ? `<${args}>` : args}`;
    }
    case 'assert':
      return `assert(${showExpression(program, statement.expression)})`;
    case 'print': {
      const args = statement.args.map((arg) => `, ${showExpression(program, arg)}`).join('');
      return `printf("${statement.format}"${args})`;
    }
    case 'dstep':
      return `d_step { ${showBody(program, statement.body)} }`;
    case 'opaque':
      return `c_code { ${oneLine(statement.code.text)} }`;
    case 'end':
      return '-end-';
    default:
      return impossible(statement, 'every statement can be shown');
  }
}

/** `x++` where the user most likely wrote it. */
function showAssignment(program: Program, { target, value }: Statement & { kind: 'assign' }): string {
  const cell = showCell(program, target);
  if (value.kind === 'binary' && (value.operator === '+' || value.operator === '-')) {
    const { left, right, operator } = value;
    const byOne = right.kind === 'constant' && right.value === 1;
    if (byOne && left.kind === 'read' && showCell(program, left.cell) === cell)
      return `${cell}${operator}${operator}`;
  }
  return `${cell} = ${showExpression(program, value)}`;
}

/** The statements of a d_step, as long as there is only one way through it. */
function showBody(program: Program, body: DStepBody): string {
  const texts: string[] = [];
  const seen = new Set<number>();
  let at: number = body.initial;
  while (!seen.has(at)) {
    seen.add(at);
    const { edges } = body.locations[at]!;
    if (edges.length === 0) return texts.join('; ');
    const edge: Edge = body.edges[edges[0]!]!;
    if (edges.length > 1) break;
    texts.push(showStatement(program, edge.statement));
    at = edge.to;
  }
  return [...texts, '…'].join('; ');
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
