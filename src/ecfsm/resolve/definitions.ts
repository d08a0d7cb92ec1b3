// Definitions of predicates and functions: names to rules. The prelude goes through the same code.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { SourceFile } from '../../source/source.ts';
import { problem } from '../codes.ts';
import type { Comparison, Linear } from '../model.ts';
import type {
  Definitions,
  FunctionDefinition,
  Lemma,
  PredicateDefinition,
  Rule,
  RuleBody,
  RuleVariable,
} from '../sequence/definition.ts';
import { ELEMENT } from '../sequence/definition.ts';
import { PRELUDE, PRELUDE_NAME } from '../sequence/prelude.ts';
import type { OpenQuestion } from '../sequence/prove.ts';
import { proveDefinitions } from '../sequence/prove.ts';
import type { DefinitionNode, FormulaNode, Name, RuleNode } from '../syntax/ast.ts';
import { parse } from '../syntax/parse.ts';
import type { Resolution } from './linear.ts';
import { toConjunction, toLinear } from './linear.ts';

let prelude: readonly DefinitionNode[] | null = null;

function preludeNodes(): readonly DefinitionNode[] {
  if (prelude === null) {
    const diagnostics: Diagnostic[] = [];
    prelude = parse(new SourceFile(PRELUDE_NAME, PRELUDE), diagnostics).definitions;
    if (diagnostics.length > 0)
      throw new Error(`impossible: the prelude is wrong: ${diagnostics[0]!.message}`);
  }
  return prelude;
}

/** A problem that is none if these questions have no solution. */
export interface Deferred {
  readonly diagnostic: Diagnostic;
  readonly questions: readonly OpenQuestion[];
}

/** Without `deferred`, what difference constraints leave open is reported as an error. */
export function resolveDefinitions(
  own: readonly DefinitionNode[],
  diagnostics: Diagnostic[],
  deferred?: Deferred[],
): Definitions {
  const nodes = [...preludeNodes(), ...own];
  const kinds = new Map<string, DefinitionNode>();
  for (const node of nodes) {
    const first = kinds.get(node.name.text);
    if (first !== undefined)
      diagnostics.push(
        problem('SPW4102', node.name.span, `'${node.name.text}' is already defined`, {
          ...(first.span.file.path === PRELUDE_NAME
            ? { help: 'this name is built in' }
            : { related: [{ span: first.name.span, message: 'first here' }] }),
        }),
      );
    else kinds.set(node.name.text, node);
  }
  const resolver = new Resolver(kinds, diagnostics);
  const before = diagnostics.length;
  const definitions = resolver.all(nodes);
  if (diagnostics.length > before) return definitions;
  for (const { kind, name, span, open } of proveDefinitions(
    definitions,
    (at) => at.file.path !== PRELUDE_NAME,
  )) {
    const diagnostic = underived(kind, name, span);
    if (open.length > 0 && deferred !== undefined) deferred.push({ diagnostic, questions: open });
    else diagnostics.push(diagnostic);
  }
  return definitions;
}

function underived(
  kind: 'not-covered' | 'disagree' | 'lemma' | 'cons',
  name: string,
  span: Diagnostic['span'],
) {
  const help = 'rules for [], [x] and s . x define; everything else must follow from them by induction';
  switch (kind) {
    case 'not-covered':
      return problem(
        'SPW4303',
        span,
        `the conditions of the rules of '${name}' for s . x do not cover all cases`,
      );
    case 'disagree':
      return problem(
        'SPW4304',
        span,
        `this rule of '${name}' disagrees with an earlier one where both apply`,
      );
    case 'cons':
      return problem('SPW4305', span, `this rule of '${name}' does not follow from its definition`, { help });
    case 'lemma':
      return problem('SPW4306', span, 'this inequality does not follow from the definitions', { help });
  }
}

class Resolver {
  private readonly known: ReadonlyMap<string, DefinitionNode>;
  private readonly diagnostics: Diagnostic[];

  constructor(known: ReadonlyMap<string, DefinitionNode>, diagnostics: Diagnostic[]) {
    this.known = known;
    this.diagnostics = diagnostics;
  }

  all(nodes: readonly DefinitionNode[]): Definitions {
    const predicates = new Map<string, PredicateDefinition>();
    const functions = new Map<string, FunctionDefinition>();
    const lemmas: Lemma[] = [];
    for (const node of nodes) {
      if (node.kind === 'predicate') predicates.set(node.name.text, this.predicate(node));
      else functions.set(node.name.text, this.fn(node));
      lemmas.push(...node.lemmas.map((lemma) => this.lemma(node, lemma)));
    }
    return { predicates, functions, lemmas };
  }

  private predicate(node: DefinitionNode): PredicateDefinition {
    const emptyRule = node.rules.find((rule) => rule.pattern === 'empty');
    const singleRule = node.rules.find((rule) => rule.pattern === 'single');
    const single = singleRule === undefined ? [] : this.body(node, singleRule).comparisons;
    this.requireSnoc(node);
    return {
      name: node.name.text,
      empty: emptyRule?.body.kind === 'truth' ? emptyRule.body.value : true,
      single,
      snoc: this.rules(node, 'snoc', (rule) => this.body(node, rule)),
      cons: this.rules(node, 'cons', (rule) => this.body(node, rule)),
      span: node.span,
    };
  }

  private fn(node: DefinitionNode): FunctionDefinition {
    const emptyRule = node.rules.find((rule) => rule.pattern === 'empty');
    const singleRule = node.rules.find((rule) => rule.pattern === 'single');
    if (singleRule === undefined)
      this.diagnostics.push(
        problem('SPW4302', node.span, `the function '${node.name.text}' needs a rule for one element`, {
          help: `write '${node.name.text}([x]) = …;'`,
        }),
      );
    this.requireSnoc(node);
    const constant = emptyRule === undefined ? null : this.value(node, emptyRule);
    return {
      name: node.name.text,
      empty: constant === null ? null : constant.constant,
      single: singleRule === undefined ? ZERO : this.value(node, singleRule),
      snoc: this.rules(node, 'snoc', (rule) => this.value(node, rule)),
      cons: this.rules(node, 'cons', (rule) => this.value(node, rule)),
      span: node.span,
    };
  }

  private requireSnoc(node: DefinitionNode): void {
    for (const rule of node.rules) {
      if (rule.condition.length > 0 && (rule.pattern === 'single' || rule.pattern === 'empty'))
        this.diagnostics.push(
          problem('SPW4301', rule.span, 'only rules for s . x and x . s may have a condition'),
        );
    }
    if (node.rules.some((rule) => rule.pattern === 'snoc')) return;
    this.diagnostics.push(
      problem('SPW4302', node.span, `'${node.name.text}' needs a rule for a longer sequence`, {
        help: `write '${node.name.text}(${node.sequence.text} . x) = …;'`,
      }),
    );
  }

  private rules<B>(node: DefinitionNode, pattern: 'snoc' | 'cons', body: (rule: RuleNode) => B): Rule<B>[] {
    return node.rules
      .filter((rule) => rule.pattern === pattern)
      .map((rule) => ({
        condition: toConjunction(rule.condition, this.scope(node, rule.element)),
        body: body(rule),
        span: rule.span,
      }));
  }

  private value(node: DefinitionNode, rule: RuleNode): Linear<RuleVariable> {
    if (rule.body.kind !== 'value') return ZERO;
    return toLinear(rule.body.value, this.scope(node, rule.element, rule.pattern)) ?? ZERO;
  }

  private body(node: DefinitionNode, rule: RuleNode): RuleBody {
    if (rule.body.kind === 'truth')
      return { predicates: [], comparisons: rule.body.value ? [] : [IMPOSSIBLE] };
    return rule.body.kind === 'atoms'
      ? this.atoms(node, rule.body.atoms, this.scope(node, rule.element, rule.pattern))
      : { predicates: [], comparisons: [] };
  }

  private atoms(
    node: DefinitionNode,
    atoms: readonly FormulaNode[],
    scope: Resolution<RuleVariable>,
  ): RuleBody {
    const predicates: string[] = [];
    const comparisons: Comparison<RuleVariable>[] = [];
    for (const atom of atoms) {
      if (atom.kind === 'compare') comparisons.push(...toConjunction([atom.comparison], scope));
      else if (atom.kind === 'predicate') {
        const name = this.applied(atom.name, 'predicate');
        if (atom.argument.kind !== 'sequence' || atom.argument.name.text !== node.sequence.text)
          this.diagnostics.push(
            problem('SPW4301', atom.span, `rules speak about '${node.sequence.text}' only`),
          );
        else if (name !== null) predicates.push(name);
      } else
        this.diagnostics.push(
          problem('SPW4301', atom.span, 'a rule is a conjunction of predicates and inequalities'),
        );
    }
    return { predicates, comparisons };
  }

  private lemma(node: DefinitionNode, lemma: DefinitionNode['lemmas'][number]): Lemma {
    const scope = this.scope(node, null);
    const { predicates, comparisons } = this.atoms(node, lemma.premises, scope);
    return {
      predicates,
      condition: comparisons,
      conclusion: toConjunction(lemma.conclusion, scope),
      span: lemma.span,
    };
  }

  private applied(name: Name, kind: 'predicate' | 'function'): string | null {
    const found = this.known.get(name.text);
    if (found?.kind === kind) return name.text;
    this.diagnostics.push(
      found === undefined
        ? problem('SPW4201', name.span, `there is no ${kind} '${name.text}'`)
        : problem('SPW4209', name.span, `'${name.text}' is a ${found.kind}, not a ${kind}`),
    );
    return null;
  }

  private scope(
    node: DefinitionNode,
    element: Name | null,
    pattern?: RuleNode['pattern'],
  ): Resolution<RuleVariable> {
    return {
      diagnostics: this.diagnostics,
      same: (a, b) => a === b,
      lookup: (leaf) => {
        if (leaf.kind === 'name' && leaf.name.text === element?.text) return ELEMENT;
        const about =
          leaf.kind === 'call' && leaf.argument.kind === 'sequence' ? leaf.argument.name.text : null;
        if (
          leaf.kind === 'call' &&
          about === node.sequence.text &&
          pattern !== 'single' &&
          pattern !== 'empty'
        )
          return this.applied(leaf.name, 'function');
        this.diagnostics.push(
          problem(
            'SPW4301',
            leaf.span,
            `only the element and functions of '${node.sequence.text}' can stand here`,
          ),
        );
        return null;
      },
    };
  }
}

const ZERO: Linear<RuleVariable> = { terms: [], constant: 0 };
const IMPOSSIBLE: Comparison<RuleVariable> = { sum: { terms: [], constant: 1 }, relation: '<=' };
