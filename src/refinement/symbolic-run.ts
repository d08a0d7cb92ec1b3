// What a piece of a process's code that is taken in one go does to its variables, as terms over what they held before: Floyd and
// Hoare's strongest postcondition ([CycleDeps] section 5, Post(p)), with arrays element by element.
//
// Soundness duty: whatever the code really does is one of the ways the terms allow. A variable that others may write is a new
// unknown in every statement; so is everything that is no number of this process (lengths of queues, other processes' places).

import type { Expression, LValue } from '../process/expression.ts';
import type { Edge, VariableId } from '../process/program.ts';
import { rangeOf, type Storage } from '../process/storage.ts';
import { type CodeContext, isOwn } from './context.ts';
import type { Interval, Values } from './intervals.ts';
import type { Operation } from './operations.ts';
import type { Arena, TermId } from './symbols.ts';

/** Elements of an array that an unknown index is tried on; beyond, the array is forgotten. */
const MOST_ELEMENTS = 16;

interface Cell {
  readonly key: string;
  readonly variable: VariableId;
  readonly storage: Storage;
  readonly isPlain: boolean;
  /** Holds when the index leads here; null: always. */
  readonly when: TermId | null;
}

export class SymbolicRun {
  /** Terms that were not zero. */
  readonly constraints: TermId[] = [];
  /** Something was met that terms cannot say: nothing may be concluded. */
  failed = false;
  private readonly arena: Arena;
  private readonly context: CodeContext;
  private readonly netClass: number;
  private readonly start: Values;
  private readonly cells = new Map<string, TermId>();
  private readonly forgotten = new Set<VariableId>();
  private readonly momentary = new Map<string, TermId>();
  private lastEdge: Edge | null = null;

  constructor(arena: Arena, context: CodeContext, netClass: number, start: Values) {
    this.arena = arena;
    this.context = context;
    this.netClass = netClass;
    this.start = start;
  }

  run(operation: Operation): void {
    this.arriveAt(operation);
    if (operation.kind === 'test') {
      const term = this.evaluate(operation.expression);
      this.constraints.push(operation.truth ? term : this.arena.unary('!', term));
    } else if (operation.kind === 'assign') {
      const { target, stored, range } = operation;
      const received = range === undefined ? null : this.arena.unknown(range);
      this.write(target, stored === null ? received : this.evaluate(stored));
    }
  }

  /** Values of shared variables last for one statement. */
  arriveAt({ kind, edge }: Operation): void {
    const { kind: statement } = edge.statement;
    const begins =
      kind === 'send' || kind === 'receive' || statement === 'condition' || statement === 'assign';
    if (edge !== this.lastEdge || begins) this.momentary.clear();
    this.lastEdge = edge;
  }

  /** `value` null: something or other. */
  write(target: LValue, value: TermId | null): void {
    if (!this.isStable(target.variable)) return;
    const cells = this.cellsOf(target);
    if (cells === null) {
      this.forget(target.variable);
      return;
    }
    const { arena } = this;
    for (const cell of cells) {
      const now = value === null ? arena.unknownOf(target.storage) : arena.truncated(target.storage, value);
      const before = cell.when === null ? now : this.contents(cell);
      this.cells.set(cell.key, cell.when === null ? now : arena.choice(cell.when, now, before));
    }
  }

  evaluate(expression: Expression): TermId {
    const { arena } = this;
    switch (expression.kind) {
      case 'constant':
        if (expression.value !== (expression.value | 0)) this.failed = true;
        return arena.constant(expression.value);
      case 'read':
        return this.read(expression.cell);
      case 'unary':
        return arena.unary(expression.operator, this.evaluate(expression.operand));
      case 'binary':
        return arena.binary(
          expression.operator,
          this.evaluate(expression.left),
          this.evaluate(expression.right),
        );
      case 'conditional':
        return arena.choice(
          this.evaluate(expression.condition),
          this.evaluate(expression.whenTrue),
          this.evaluate(expression.whenFalse),
        );
      case 'remote-read':
        return arena.anything();
      default:
        return arena.anything();
    }
  }

  private read(target: LValue): TermId {
    const cells = this.cellsOf(target);
    if (cells === null) return this.arena.unknownOf(target.storage);
    // An index outside the array is an error of the model: whatever comes out counts as possible.
    let value: TermId | null = null;
    for (const cell of cells)
      value =
        cell.when === null
          ? this.contents(cell)
          : this.arena.choice(cell.when, this.contents(cell), value ?? this.arena.unknownOf(target.storage));
    return value ?? this.arena.unknownOf(target.storage);
  }

  /** The scalars that the lvalue may mean; null when they are too many, or the index is certainly wrong. */
  private cellsOf(target: LValue): Cell[] | null {
    let found: { key: string; when: TermId | null }[] = [{ key: `${target.variable}`, when: null }];
    for (const step of target.path) {
      if (step.kind === 'field') {
        found = found.map(({ key, when }) => ({ key: `${key}.${step.name}`, when }));
        continue;
      }
      const index = this.evaluate(step.index);
      const known = this.arena.constantOf(index);
      if (known !== null) {
        if (known < 0 || known >= step.length) return null;
        found = found.map(({ key, when }) => ({ key: `${key}[${known}]`, when }));
        continue;
      }
      if (found.length * step.length > MOST_ELEMENTS) return null;
      found = found.flatMap(({ key, when }) =>
        Array.from({ length: step.length }, (_, element) => {
          const here = this.arena.binary('==', index, this.arena.constant(element));
          return {
            key: `${key}[${element}]`,
            when: when === null ? here : this.arena.binary('&&', when, here),
          };
        }),
      );
    }
    const { variable, storage, path } = target;
    return found.map(({ key, when }) => ({ key, when, variable, storage, isPlain: path.length === 0 }));
  }

  private contents(cell: Cell): TermId {
    const memory = this.isStable(cell.variable) ? this.cells : this.momentary;
    let value = memory.get(cell.key);
    if (value === undefined) {
      value = this.arena.unknown(this.rangeAtStart(cell));
      memory.set(cell.key, value);
    }
    return value;
  }

  private rangeAtStart({ variable, storage, isPlain }: Cell): Interval {
    const known = isPlain && !this.forgotten.has(variable) ? this.start.get(variable) : undefined;
    const { min, max } = rangeOf(storage);
    return known !== undefined && this.isStable(variable) ? known : { least: min, most: max };
  }

  private isStable(variable: VariableId): boolean {
    return isOwn(this.context, this.netClass, variable);
  }

  private forget(variable: VariableId): void {
    this.forgotten.add(variable);
    for (const key of [...this.cells.keys()])
      if (Number.parseInt(key, 10) === variable) this.cells.delete(key);
  }
}
