// What a step depends on besides variables and the head of the queue it receives from.
//
// A pumping loop repeats because variables and received letters are the same in every round. A step whose executability looks at a
// queue in another way (len, empty, polls, ??), or rests on something NOT being executable (else, unless, timeout, an atomic
// sequence that had to give up control), may behave differently once queues are longer. Such a step is accepted in a loop only if the queues
// it looks at are the same in every round, or if longer queues can only make it more of what it was: in every round of a pumping loop each queue
// is at least as long as it was in the round before, at the same step, so `nempty(q)` and `len(q) > 2` stay true, and `empty(q)` stays false. Where
// channels have no limit none is ever full. This file says which queues those are; 'any' where that is not known. A channel in a variable is looked up in
// the state before the step: variables are the same in every round.

import type { Expression, LValue } from '../process/expression.ts';
import type { DStepBody, Edge, Proctype, Program, Statement, VariableId } from '../process/program.ts';
import { isMoreThanText } from '../process/uses.ts';
import { containsExpression, walkExpression, walkStatement } from '../process/walk.ts';
import type { Model } from './compile.ts';
import type { Features } from './features.ts';
import { FRAME, fixedChannels, HEADER } from './layout.ts';

/** Queue names (indices into the layout's queueNames). */
export interface Dependence {
  readonly queues: Set<number>;
  any: boolean;
  /** Rests on no partner being ready for a rendezvous: changes when processes are added. */
  partners: boolean;
  /** Rests on nobody being able to move (`timeout`): that was looked at. */
  everyone: boolean;
}

export const nothing = (): Dependence => ({
  queues: new Set(),
  any: false,
  partners: false,
  everyone: false,
});

/** What the step over the edge depends on. `frame`: where the process's own variables begin, in the loaded state before the step. */
export function stepDependence(
  model: Model,
  proctype: Proctype,
  edge: Edge,
  frame: number,
  into: Dependence,
): void {
  statementTests(model, edge.statement, true, frame, into);
  if (proctype.provided !== null) truthTests(model, proctype.provided, true, frame, into);
  const siblings = proctype.locations[edge.from]!.edges.map((id) => proctype.edges[id]!);
  if (edge.statement.kind === 'else')
    for (const sibling of siblings)
      if (sibling !== edge) blockedDependence(model, sibling.statement, frame, into);
  for (const id of edge.blockedBy) blockedDependence(model, proctype.edges[id]!.statement, frame, into);
  if (model.features.priority) into.any = true;
}

/** What it depends on that none of the location's edges is executable. */
export function blockedLocation(
  model: Model,
  proctype: Proctype,
  location: number,
  frame: number,
  into: Dependence,
): void {
  for (const id of proctype.locations[location]!.edges)
    blockedDependence(model, proctype.edges[id]!.statement, frame, into);
  if (proctype.provided !== null) expressionTests(model, proctype.provided, frame, into);
}

function blockedDependence(model: Model, statement: Statement, frame: number, into: Dependence): void {
  statementTests(model, statement, false, frame, into);
  if (statement.kind === 'receive') addChannel(model, statement.channel, frame, into);
  if (statement.kind === 'send') into.partners = true;
  if (statement.kind === 'dstep') bodyReceives(model, statement.body, into);
}

/**
 * Everything in the statement that tests queues; a process it starts looks at them in its initial values. `executable`: what must stay so.
 */
function statementTests(
  model: Model,
  statement: Statement,
  executable: boolean,
  frame: number,
  into: Dependence,
): void {
  if (statement.kind === 'condition' && !startsProcess(statement.expression)) {
    truthTests(model, statement.expression, executable, frame, into);
    return;
  }
  // A d_step may assign channels before it looks at them.
  const now = statement.kind === 'dstep' ? null : frame;
  walkStatement(statement, {
    expression: (expression) => {
      test(model, expression, now, into);
      if (expression.kind === 'run') initialTests(model, model.program.proctypes[expression.proctype]!, into);
    },
  });
  if (statement.kind === 'receive' && statement.random) addChannel(model, statement.channel, now, into);
  if (statement.kind === 'dstep') bodyChoices(model, statement.body, into);
}

function initialTests(model: Model, { locals }: Proctype, into: Dependence): void {
  for (const id of locals) {
    const { initial } = model.program.variables[id]!;
    if (initial?.kind === 'each') expressionTests(model, initial.value, null, into);
    if (initial?.kind === 'list')
      for (const value of initial.values) expressionTests(model, value, null, into);
  }
}

const startsProcess = (expression: Expression): boolean =>
  containsExpression(expression, ({ kind }) => kind === 'run');

/** What it depends on that the condition keeps its truth while queues do not get shorter. */
function truthTests(
  model: Model,
  condition: Expression,
  truth: boolean,
  frame: number,
  into: Dependence,
): void {
  if (condition.kind === 'unary' && condition.operator === '!') {
    truthTests(model, condition.operand, !truth, frame, into);
    return;
  }
  if (condition.kind === 'binary' && (condition.operator === '&&' || condition.operator === '||')) {
    truthTests(model, condition.left, truth, frame, into);
    truthTests(model, condition.right, truth, frame, into);
    return;
  }
  if (condition.kind === 'timeout') {
    // False: somebody can move, for instance the one who does in this very step.
    if (truth) everyoneBlocked(model, into);
    return;
  }
  if (persists(condition, truth)) return;
  expressionTests(model, condition, frame, into);
}

/** Does the test keep its truth when queues grow? */
function persists(test: Expression, truth: boolean): boolean {
  if (test.kind === 'channel-query') {
    if (test.channel.path.length > 0) return false;
    return test.query === 'empty' ? !truth : (test.query === 'nempty' || test.query === 'len') && truth;
  }
  if (test.kind !== 'binary') return false;
  const { operator, left, right } = test;
  const lengthOf = (part: Expression): boolean =>
    part.kind === 'channel-query' && part.query === 'len' && part.channel.path.length === 0;
  if (lengthOf(left) && right.kind === 'constant')
    return truth ? operator === '>' || operator === '>=' : operator === '<' || operator === '<=';
  if (lengthOf(right) && left.kind === 'constant')
    return truth ? operator === '<' || operator === '<=' : operator === '>' || operator === '>=';
  return false;
}

/** `timeout` is true: nobody can move, and that must stay so. */
function everyoneBlocked(model: Model, into: Dependence): void {
  if (into.everyone) return;
  into.everyone = true;
  const { machine, program } = model;
  for (let pid = 0; pid < machine.cells[HEADER.processes]!; pid++) {
    const frame = machine.frames[pid]!;
    const proctype = program.proctypes[machine.cells[frame + FRAME.type]!]!;
    blockedLocation(model, proctype, machine.cells[frame + FRAME.location]!, frame, into);
  }
  into.everyone = false;
  into.partners = true;
}

function expressionTests(model: Model, expression: Expression, frame: number | null, into: Dependence): void {
  walkExpression(expression, { expression: (part) => test(model, part, frame, into) });
}

function test(model: Model, expression: Expression, frame: number | null, into: Dependence): void {
  // Without limits no buffered channel is ever full, and the length of a rendezvous channel never changes.
  const isRoom = expression.kind === 'channel-query' && /full/.test(expression.query);
  if (isRoom && model.options.capacity === 'unlimited') return;
  if (expression.kind === 'channel-query' || expression.kind === 'poll')
    addChannel(model, expression.channel, frame, into);
  if (expression.kind === 'timeout' || expression.kind === 'enabled') into.any = true;
}

/** Inside d_step a choice takes its first executable edge: the edges before it matter. */
function bodyChoices(model: Model, body: DStepBody, into: Dependence): void {
  for (const location of body.locations) {
    for (const id of location.edges) {
      const { statement } = body.edges[id]!;
      if (statement.kind === 'receive' && (location.edges.length > 1 || statement.random))
        addChannel(model, statement.channel, null, into);
      if (statement.kind === 'dstep') bodyChoices(model, statement.body, into);
    }
  }
}

function bodyReceives(model: Model, body: DStepBody, into: Dependence): void {
  for (const { statement } of body.edges) {
    if (statement.kind === 'receive') addChannel(model, statement.channel, null, into);
    if (statement.kind === 'dstep') bodyReceives(model, statement.body, into);
  }
}

function addChannel(model: Model, cell: LValue, frame: number | null, into: Dependence): void {
  const { layout, features, program } = model;
  const variable = program.variables[cell.variable]!;
  const fixed = fixedChannels(layout, features, variable);
  if (fixed === null) {
    const name = frame === null ? null : nameNow(model, cell, frame);
    if (name === null) into.any = true;
    else into.queues.add(name);
    return;
  }
  // All elements of the array: the index may change from round to round only if variables do, but this is simpler.
  layout.queueNames.forEach((queue, index) => {
    if (queue.site.variable === variable.id) into.queues.add(index);
  });
}

/** The name of the queue that a plain variable holds in the loaded state; null when it is none. */
function nameNow({ layout, machine, program }: Model, cell: LValue, frame: number): number | null {
  if (cell.path.length > 0) return null;
  const start = program.variables[cell.variable]!.role === 'global' ? 0 : frame;
  const channel = machine.cells[start + layout.base[cell.variable]!]!;
  return channel > 0 && channel <= machine.cells[HEADER.channels]!
    ? machine.nameOfChannel[channel - 1]!
    : null;
}

/** Does the program look at process numbers? Then a loop that leaves processes behind is not the same loop in the next round. */
export function usesProcessNumbers(
  program: Program,
  features: Features,
  claim: Proctype | null = null,
): boolean {
  const proctypes = claim === null ? program.proctypes : [...program.proctypes, claim];
  let found = features.priority || features.last || features.enabled || usesNumbersOfRuns(program, proctypes);
  const visitor = {
    expression: (expression: Expression) => {
      if (['_pid', '_nr_pr', 'pc_value', 'remote-label', 'remote-read'].includes(expression.kind))
        found = true;
    },
  };
  for (const proctype of proctypes) {
    if (proctype.provided !== null) walkExpression(proctype.provided, visitor);
    for (const edge of proctype.edges) walkStatement(edge.statement, visitor);
  }
  for (const variable of program.variables) {
    const { initial } = variable;
    if (initial?.kind === 'each') walkExpression(initial.value, visitor);
    if (initial?.kind === 'list') for (const value of initial.values) walkExpression(value, visitor);
  }
  return found;
}

/** Is the number that a `run` gives used for anything but being there, or being kept and printed? */
function usesNumbersOfRuns(program: Program, proctypes: readonly Proctype[]): boolean {
  const kept = new Set<VariableId>();
  const read = new Set<VariableId>();
  let used = false;
  const collect = (expression: Expression): void => {
    if (expression.kind === 'run') used = true;
    if (expression.kind === 'read' || expression.kind === 'remote-read') read.add(expression.cell.variable);
  };
  const visit = (statement: Statement): void => {
    if (statement.kind === 'dstep') {
      for (const edge of statement.body.edges) visit(edge.statement);
      return;
    }
    const whole =
      statement.kind === 'condition'
        ? statement.expression
        : statement.kind === 'assign'
          ? statement.value
          : null;
    if (statement.kind === 'assign' && whole?.kind === 'run') kept.add(statement.target.variable);
    walkStatement(statement, {
      expression: (expression) => {
        if (expression === whole && whole.kind === 'run') return;
        if (statement.kind !== 'print' || statement.args.some(isMoreThanText)) collect(expression);
      },
    });
  };
  for (const proctype of proctypes) {
    if (proctype.provided !== null) walkExpression(proctype.provided, { expression: collect });
    for (const edge of proctype.edges) visit(edge.statement);
  }
  for (const { initial } of program.variables) {
    const values =
      initial?.kind === 'each' ? [initial.value] : initial?.kind === 'list' ? initial.values : [];
    for (const value of values) walkExpression(value, { expression: collect });
  }
  return used || [...kept].some((variable) => read.has(variable));
}
