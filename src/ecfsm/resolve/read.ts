// Text to model: parse, resolve machines, definitions, disjuncts and goals. All problems are diagnostics; with errors there is no model.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { hasErrors, suggest } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { problem } from '../codes.ts';
import { initialStates } from '../concrete/explore.ts';
import type { Disjunct, Goal, Model, Protocol } from '../model.ts';
import type { Decider } from '../solver/decider.ts';
import type { FileNode, GoalNode } from '../syntax/ast.ts';
import { parse } from '../syntax/parse.ts';
import type { Deferred } from './definitions.ts';
import { resolveDefinitions } from './definitions.ts';
import { FormulaResolver, MAX_DISJUNCTS } from './formula.ts';
import { resolveMachines } from './machines.ts';
import { indexOf, sideOf } from './names.ts';

export interface ReadModel {
  /** Null when there are errors. */
  readonly model: Model | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Also with rules about sums that only the SMT solver can derive. */
export async function readModelWith(decider: Decider, file: SourceFile): Promise<ReadModel> {
  const deferred: Deferred[] = [];
  const { model, diagnostics } = readModel(file, deferred);
  const underived: Diagnostic[] = [];
  for (const { diagnostic, questions } of deferred) {
    for (const { formulas, variables } of questions) {
      if ((await decider.ask(formulas, variables)).kind === 'unsatisfiable') continue;
      underived.push(diagnostic);
      break;
    }
  }
  return { model: underived.length > 0 ? null : model, diagnostics: [...diagnostics, ...underived] };
}

export function readModel(file: SourceFile, deferred?: Deferred[]): ReadModel {
  const diagnostics: Diagnostic[] = [];
  const node = parse(file, diagnostics);
  if (hasErrors(diagnostics)) return { model: null, diagnostics };
  const machines = resolveMachines(node, diagnostics);
  const definitions = resolveDefinitions(node.definitions, diagnostics, deferred);
  if (machines === null) return { model: null, diagnostics };
  const protocol: Protocol = { name: node.name?.text ?? 'protocol', ...machines, definitions };
  if (!hasErrors(diagnostics) && hasNoInitialState(protocol))
    diagnostics.push(
      problem('SPW4115', node.machines[0]!.name.span, 'no initial state satisfies the conditions'),
    );
  const invariant = resolveInvariant(node, protocol, diagnostics);
  const goals = node.goals.flatMap((goal) => resolveGoal(goal, protocol, invariant, diagnostics));
  for (const [i, goal] of goals.entries()) {
    if (goals.slice(0, i).some((earlier) => earlier.name === goal.name))
      diagnostics.push(problem('SPW4102', goal.span, `the goal '${goal.name}' is declared twice`));
  }
  if (hasErrors(diagnostics)) return { model: null, diagnostics };
  const lasting = node.goals.filter(({ patterns }) => patterns.length === 0);
  const goalTexts = lasting.map(({ span }) => file.text.slice(span.start, span.end));
  return { model: { protocol, invariant, goals, frame: frameOf(file, node), goalTexts }, diagnostics };
}

function hasNoInitialState(protocol: Protocol): boolean {
  const { states, complete } = initialStates(protocol, 1);
  return states.length === 0 && complete;
}

function resolveInvariant(node: FileNode, protocol: Protocol, diagnostics: Diagnostic[]): Disjunct[] {
  const resolver = new FormulaResolver(protocol, diagnostics);
  const disjuncts = node.invariants.flatMap((part) =>
    part.disjuncts.flatMap((one) => resolver.disjuncts(one)),
  );
  const seen = new Set<string>();
  for (const { name } of node.invariants.flatMap((part) => part.disjuncts)) {
    if (seen.has(name.text))
      diagnostics.push(problem('SPW4102', name.span, `the disjunct '${name.text}' is declared twice`));
    seen.add(name.text);
  }
  if (disjuncts.length > MAX_DISJUNCTS)
    diagnostics.push(problem('SPW4204', node.invariants[0]!.span, `there are ${disjuncts.length} disjuncts`));
  return disjuncts;
}

function resolveGoal(
  node: GoalNode,
  protocol: Protocol,
  invariant: readonly Disjunct[],
  diagnostics: Diagnostic[],
): Goal[] {
  const chosen = new Set<number>();
  for (const pattern of node.patterns) {
    const matches = invariant.flatMap((disjunct, i) =>
      matchesPattern(disjunct.name, pattern.text) ? [i] : [],
    );
    for (const index of matches) chosen.add(index);
    if (matches.length > 0) continue;
    const near = suggest(
      pattern.text,
      invariant.map((disjunct) => disjunct.name),
    );
    diagnostics.push(
      problem('SPW4205', pattern.span, `no disjunct is called '${pattern.text}'`, {
        help:
          near !== null
            ? `did you mean '${near}'?`
            : "goals can also be given by control states: 'goal G = A@S, B@{T, U};'",
      }),
    );
  }
  let control: Goal['control'] = null;
  if (node.control.length > 0) {
    const wanted = protocol.machines.map((machine, side) => {
      const atoms = node.control.filter(
        (atom) => sideOf(atom.machine, protocol.machines, diagnostics) === side,
      );
      return atoms.map((atom) =>
        atom.states.map((state) => indexOf(state, machine.states, 'state', 'SPW4103', diagnostics)),
      );
    });
    invariant.forEach((disjunct, i) => {
      if (wanted.every((lists, side) => lists.every((states) => states.includes(disjunct.control[side]!))))
        chosen.add(i);
    });
    const states = wanted.map((lists, side) =>
      protocol.machines[side]!.states.map((_, state) => state).filter((state) =>
        lists.every((list) => list.includes(state)),
      ),
    );
    if (node.patterns.length === 0) control = states;
  }
  const disjuncts = [...chosen].sort((a, b) => a - b);
  return [{ name: node.name.text, disjuncts, control, span: node.span }];
}

/** `P1` is also every disjunct that P1 unfolded to; `*` stands for any text. */
function matchesPattern(name: string, pattern: string): boolean {
  if (name === pattern || name.startsWith(`${pattern}.`)) return true;
  const parts = pattern.split('*');
  if (parts.length === 1) return false;
  if (!name.startsWith(parts[0]!)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length >= at + parts.at(-1)!.length && name.endsWith(parts.at(-1)!);
}

/** The text without its invariants and goals. */
function frameOf(file: SourceFile, node: FileNode): string {
  const spans: Span[] = [...node.invariants, ...node.goals].map((part) => part.span);
  let text = '';
  let at = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    text += file.text.slice(at, span.start);
    at = span.end;
    if (file.text[at] === ';') at++;
  }
  return `${(text + file.text.slice(at)).trimEnd()}\n`;
}
