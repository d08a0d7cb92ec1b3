// Values that go nowhere. A place (parts.ts) is *faint* when its values are read only to
// compute the values of faint places, or to be printed: counters that nobody looks at, statistics, what a message brought and nobody asks for. Two
// states that differ in faint places only have the same future, as with dead values (forget.ts), wherever the processes are: they need not be
// part of the state. The places that are not faint are found from those that something counts on, backwards along assignments, until nothing is new.
//
// Never faint: channels; what never claims, formulas and remote references name; what initial values are computed from. Assumes no embedded C.

import type { Expression, LValue } from '../../process/expression.ts';
import type { FormulaNode, Proctype, Program, Statement, VariableId } from '../../process/program.ts';
import { walkExpression, walkInitialiser } from '../../process/walk.ts';
import { flowsOf, readAll } from './flows.ts';
import { cellParts, type Part, partOf } from './parts.ts';

export class FaintPlaces {
  private readonly counts = new Set<Part>();
  private readonly program: Program;
  private readonly isBlind: boolean;

  constructor(program: Program, claim: Proctype | null) {
    this.program = program;
    this.isBlind = program.opaque.length > 0;
    const all = [...program.proctypes, ...program.claims, ...(claim === null ? [] : [claim])];
    this.countOutsiders(program);
    for (const { provided } of all) if (provided !== null) this.countAll(provided);
    for (const { edges } of [...program.claims, ...(claim === null ? [] : [claim])])
      for (const { statement } of edges) this.countStatement(statement);
    this.close(program.proctypes.flatMap(({ edges }) => edges.map(({ statement }) => flowsOf(statement))));
  }

  private close(statements: readonly ReturnType<typeof flowsOf>[]): void {
    for (const { reads } of statements) for (const cell of reads) this.counts.add(partOf(cell));
    for (let before = -1; before !== this.counts.size; ) {
      before = this.counts.size;
      for (const { into } of statements)
        for (const { target, from } of into)
          if (this.counts.has(partOf(target))) for (const cell of from) this.counts.add(partOf(cell));
    }
  }

  /** Formulas, and what variables begin with. */
  private countOutsiders(program: Program): void {
    for (const { root } of program.formulas) walkFormula(root, (one) => this.countAll(one));
    const expression = (one: Expression): void => this.countAll(one);
    for (const { initial } of program.variables) walkInitialiser(initial, { expression });
    for (const { fields } of program.structs)
      for (const { initial } of fields) walkInitialiser(initial, { expression });
  }

  /** Of a claim: all that it looks at. */
  private countStatement(statement: Statement): void {
    const { reads, into } = flowsOf(statement);
    for (const cell of [...reads, ...into.flatMap(({ target, from }) => [target, ...from])])
      this.counts.add(partOf(cell));
    if (statement.kind === 'print') for (const argument of statement.args) this.countAll(argument);
  }

  private countAll(expression: Expression): void {
    const reads: LValue[] = [];
    readAll({ expressions: [expression] }, reads);
    for (const cell of reads) this.counts.add(partOf(cell));
  }

  isFaint(cell: LValue): boolean {
    return !this.isBlind && cell.type.kind !== 'chan' && !this.counts.has(partOf(cell));
  }

  /** Of a variable's cells, in order: which are faint. */
  cellsOf(id: VariableId): boolean[] {
    return cellParts(this.program, id).map(
      ({ part, isChannel }) => !this.isBlind && !isChannel && !this.counts.has(part),
    );
  }
}

export function walkFormula(node: FormulaNode, expression: (one: Expression) => void): void {
  if (node.kind === 'atom') walkExpression(node.expression, { expression });
  if ('operand' in node) walkFormula(node.operand, expression);
  if ('left' in node) {
    walkFormula(node.left, expression);
    walkFormula(node.right, expression);
  }
}
