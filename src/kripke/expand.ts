// From the .lks file as written to structures: parameters get their values, `for` clauses are unrolled, names resolved.

import { IntStack } from '../base/int-stack.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { suggest } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import { startOf } from '../source/source.ts';
import type { Allowance, Constants } from './evaluate.ts';
import { ExpansionProblem, nameOf, unroll } from './evaluate.ts';
import { problem } from './lexer.ts';
import type { Kripke } from './structure.ts';
import { KripkeBuilder, stateCount } from './structure.ts';
import type { Branch, ComponentDefinition, Replicated, StateDefinition, Target } from './syntax.ts';

/** One component with the values of its parameters. */
export function expandComponent(
  definition: ComponentDefinition,
  name: string,
  scope: Constants,
  allowance: Allowance,
  diagnostics: Diagnostic[],
): Kripke | null {
  const expansion = new Expansion(definition, name, scope, allowance);
  try {
    const structure = expansion.run();
    diagnostics.push(...expansion.problems);
    if (expansion.problems.length > 0) return null;
    if (structure === null) {
      const what = expansion.spans.length === 0 ? 'states' : 'initial state';
      diagnostics.push(problem('SPW3010', `component ${name} has no ${what}`, definition.span));
      return null;
    }
    if (!definition.allowUnreachable) diagnostics.push(...unreachable(structure, expansion.spans));
    return structure;
  } catch (error) {
    if (!(error instanceof ExpansionProblem)) throw error;
    diagnostics.push(error.diagnostic);
    return null;
  }
}

/** What states and edges take of the allowance, in visits of a loop: they cost memory, too. */
const STATE_COST = 100;
const EDGE_COST = 10;

class Expansion {
  readonly problems: Diagnostic[] = [];
  readonly spans: Span[] = [];
  private readonly definition: ComponentDefinition;
  private readonly scope: Constants;
  private readonly allowance: Allowance;
  private readonly builder: KripkeBuilder;
  private readonly ids = new Map<string, number>();
  private stop: number | null = null;
  private fresh = 0;

  constructor(definition: ComponentDefinition, name: string, scope: Constants, allowance: Allowance) {
    this.definition = definition;
    this.scope = scope;
    this.allowance = allowance;
    this.builder = new KripkeBuilder(name);
  }

  run(): Kripke | null {
    for (const event of this.definition.alphabet) {
      unroll(event, this.scope, this.allowance, (reference, scope) => {
        this.builder.event(nameOf(reference, scope));
      });
    }
    const bodies: { readonly state: number; readonly body: Target; readonly scope: Constants }[] = [];
    for (const state of this.definition.states) {
      unroll(state, this.scope, this.allowance, (definition, scope) => {
        const id = this.declare(definition, scope);
        if (id !== null) bodies.push({ state: id, body: definition.body, scope: new Map(scope) });
      });
    }
    if (this.ids.size === 0) return null;
    this.initials();
    for (const { state, body, scope } of bodies) this.fill(state, body, scope);
    return this.builder.build();
  }

  private declare(definition: StateDefinition, scope: Constants): number | null {
    const name = nameOf(definition.head, scope);
    if (this.ids.has(name)) {
      this.report('SPW3006', `state ${name} is defined twice`, definition.head.span);
      return null;
    }
    const propositions: string[] = [];
    for (const proposition of definition.propositions) {
      unroll(proposition, scope, this.allowance, (reference, inner) => {
        propositions.push(nameOf(reference, inner));
      });
    }
    const id = this.state(name, propositions, definition.head.span);
    this.ids.set(name, id);
    return id;
  }

  private state(name: string, propositions: readonly string[], span: Span): number {
    this.allowance.spend(span, STATE_COST);
    this.spans.push(span);
    return this.builder.state(name, propositions, startOf(span));
  }

  private initials(): void {
    if (this.definition.initial.length === 0) this.builder.initial(0);
    for (const initial of this.definition.initial) {
      unroll(initial, this.scope, this.allowance, (reference, scope) => {
        const id = this.lookup(nameOf(reference, scope), reference.span);
        if (id !== null) this.builder.initial(id);
      });
    }
  }

  private lookup(name: string, span: Span): number | null {
    const id = this.ids.get(name);
    if (id !== undefined) return id;
    const near = suggest(name, this.ids.keys());
    const help = near === null ? undefined : `did you mean '${near}'?`;
    this.report('SPW3009', `component ${this.definition.name} has no state ${name}`, span, help);
    return null;
  }

  /** Gives a state the edges of its body. */
  private fill(state: number, body: Target, scope: Constants): void {
    if (body.kind !== 'choice') return;
    for (const branch of body.branches) this.branch(state, branch, scope);
  }

  private branch(state: number, branch: Replicated<Branch>, scope: Constants): void {
    unroll(branch, scope, this.allowance, ({ labels, target }, inner) => {
      let from = state;
      labels.forEach((label, index) => {
        const last = index === labels.length - 1;
        // `a -> b -> Q` passes through a state without a name of its own.
        const to = last ? this.target(target, inner) : this.anonymous(label[0]!.item.span);
        if (to === null) return;
        for (const event of label) {
          unroll(event, inner, this.allowance, (reference, innermost) => {
            this.allowance.spend(reference.span, EDGE_COST);
            this.builder.edge(from, nameOf(reference, innermost), to);
          });
        }
        from = to;
      });
    });
  }

  private target(target: Target, scope: Constants): number | null {
    switch (target.kind) {
      case 'state':
        return this.lookup(nameOf(target.state, scope), target.state.span);
      case 'stop':
        this.stop ??= this.state('STOP', [], target.span);
        return this.stop;
      case 'choice': {
        const id = this.anonymous(target.span);
        this.fill(id, target, scope);
        return id;
      }
    }
  }

  private anonymous(span: Span): number {
    this.fresh++;
    return this.state(`_${this.fresh}`, [], span);
  }

  private report(code: 'SPW3006' | 'SPW3009', message: string, span: Span, help?: string): void {
    // One slip in a replicated line is one message, not a thousand.
    if (this.problems.some((known) => known.span?.start === span.start && known.code === code)) return;
    this.problems.push(problem(code, message, span, help));
  }
}

/** States that no path from an initial state reaches, one message for each place in the text. */
function unreachable(structure: Kripke, spans: readonly Span[]): Diagnostic[] {
  const reached = reachable(structure);
  const places = new Map<number, { span: Span; names: string[] }>();
  for (let state = 0; state < stateCount(structure); state++) {
    if (reached[state] === 1) continue;
    const span = spans[state]!;
    const place = places.get(span.start) ?? { span, names: [] };
    place.names.push(structure.stateNames[state]!);
    places.set(span.start, place);
  }
  return [...places.values()].map(({ span, names }) =>
    problem(
      'SPW3011',
      `nobody reaches state ${names[0]}${names.length > 1 ? ` (and ${names.length - 1} more of this line)` : ''} of component ${structure.name}`,
      span,
      'add the missing arrow, or write `allow unreachable;` in the component if it is meant',
    ),
  );
}

/** 1 for every state that some initial state reaches inside the structure. */
export function reachable(structure: Kripke): Uint8Array {
  const reached = new Uint8Array(stateCount(structure));
  const { first, target } = structure.edges;
  const open = new IntStack();
  const meet = (state: number): void => {
    if (reached[state] === 1) return;
    reached[state] = 1;
    open.push(state);
  };
  for (const state of structure.initial) meet(state);
  while (open.size > 0) {
    const state = open.pop();
    for (let i = first[state]!; i < first[state + 1]!; i++) meet(target[i]!);
  }
  return reached;
}
