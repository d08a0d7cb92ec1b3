// Our automaton beside SPIN's, for tests: the two are walked in step, edge by edge, and must agree in everything SPIN prints.

import type { Expression, LValue } from '../../process/expression.ts';
import type { Proctype, Program, Statement } from '../../process/program.ts';
import { LOOP_COUNTER } from '../flow-loops.ts';
import type { SpinAutomaton } from './spin-automata.fuzz.ts';

/** Null when they are the same. */
export function difference(program: Program, proctype: Proctype, spin: SpinAutomaton): string | null {
  const ours = new Map<number, number>([[spin.initial, proctype.initial]]);
  const todo = [spin.initial];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    const location = proctype.locations[ours.get(state)!]!;
    const theirs = spin.states.get(state) ?? null;
    const edges = location.edges.map((id) => proctype.edges[id]!);
    if ((theirs?.edges.length ?? 0) !== edges.length)
      return `state ${state}: ${edges.length} edges, SPIN has ${theirs?.edges.length ?? 0}`;
    if (theirs === null) continue;
    const flags = [location.isEnd, location.isProgress, location.isAccept].join();
    if (flags !== [theirs.end, theirs.progress, theirs.accept].join())
      return `state ${state}: labels ${flags}`;
    for (const [i, their] of theirs.edges.entries()) {
      const edge = edges[i]!;
      const where = `state ${state}, '${their.text}'`;
      if (edge.element !== undefined && edge.element !== their.element)
        return `${where}: number ${edge.element}, SPIN has ${their.element}`;
      if ((edge.statement.kind === 'end') !== (their.text === '-end-')) return `${where}: end`;
      if (edge.statement.kind === 'end') continue;
      if ((edge.statement.kind === 'else') !== (their.text === 'else')) return `${where}: else`;
      if (edge.statement.kind !== 'dstep' && edge.keepsControl !== their.atomic) return `${where}: atomic`;
      if (their.dstep && edge.statement.kind !== 'dstep') return `${where}: d_step`;
      const text = spinText(program, edge.statement);
      if (text !== null && text !== plain(their.text)) return `${where}: we have '${text}'`;
      const known = ours.get(their.to);
      if (known === undefined) todo.push(their.to);
      else if (known !== edge.to) return `${where}: leads elsewhere`;
      ours.set(their.to, edge.to);
    }
  }
  return new Set(ours.values()).size === ours.size ? null : 'two of their states are one of ours';
}

/** SPIN puts the scope before names of inner blocks: `_1_2_x`. */
const plain = (text: string): string => text.replace(/\b_\d+(?:_\d+)*_/g, '');

/** The statement in SPIN's own fully parenthesised notation; null for what is not compared. */
function spinText(program: Program, statement: Statement): string | null {
  const writer = new SpinWriter(program);
  switch (statement.kind) {
    case 'condition':
      return writer.isJump(statement.expression)
        ? null
        : writer.text(`(${writer.expression(statement.expression)})`);
    case 'assign':
      return writer.text(`${writer.cell(statement.target)} = ${writer.expression(statement.value)}`);
    case 'assert':
      return writer.text(`assert(${writer.expression(statement.expression)})`);
    default:
      return null;
  }
}

class SpinWriter {
  private readonly program: Program;
  private unknown = false;

  constructor(program: Program) {
    this.program = program;
  }

  text(written: string): string | null {
    return this.unknown ? null : written;
  }

  isJump(expression: Expression): boolean {
    return expression.kind === 'constant' && expression.name !== undefined;
  }

  expression(expression: Expression): string {
    switch (expression.kind) {
      case 'constant':
        if (expression.type.kind !== 'mtype') return String(expression.value);
        // SPIN prints names of the wrong set when there are several.
        if (this.program.mtypes.length > 1) this.unknown = true;
        return expression.name!;
      case 'read':
        return this.cell(expression.cell);
      case 'unary': {
        const operand = this.expression(expression.operand);
        return `${expression.operator}(${operand})`;
      }
      case 'binary':
        return `(${this.expression(expression.left)}${expression.operator}${this.expression(expression.right)})`;
      case '_pid':
      case '_nr_pr':
        return expression.kind;
      default:
        this.unknown = true;
        return '';
    }
  }

  cell(cell: LValue): string {
    let text = this.program.variables[cell.variable]!.name;
    if (text === LOOP_COUNTER) this.unknown = true;
    for (const step of cell.path)
      text += step.kind === 'field' ? `.${step.name}` : `[${this.expression(step.index)}]`;
    return text;
  }
}
