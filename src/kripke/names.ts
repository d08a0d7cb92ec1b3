// The names of an .lks file: constants, components with their parameters and states, events, propositions, formulas. Events and propositions
// need no declaration: they are declared where they are first met, events in an alphabet before others.

import { NameBook } from '../source/name-book.ts';
import type { Names } from '../source/names.ts';
import type { SourceFile, Span } from '../source/source.ts';
import type {
  ComponentDefinition,
  Expression,
  LksFile,
  Reference,
  Replicated,
  Replication,
  Target,
} from './syntax.ts';

/** What the variables of ranges and parameters stand for, innermost last. */
type Indices = ReadonlyMap<string, string>;

/** Into a book that others write in, too: a .spec has an .lks part. */
export function namesOfLks(file: SourceFile, tree: LksFile, book = new NameBook()): Names {
  new LksNames(file, book).all(tree);
  return book.finish();
}

class LksNames {
  private readonly file: SourceFile;
  private readonly book: NameBook;
  private loops = 0;

  constructor(file: SourceFile, book: NameBook) {
    this.file = file;
    this.book = book;
  }

  all(tree: LksFile): void {
    for (const { name, span, value } of tree.constants) {
      this.book.declare('constant', { text: name, span }, `const ${name}`, {
        detail: `const ${name} = ${text(value.span)}`,
      });
      this.expression(value, new Map());
    }
    for (const component of tree.components) this.component(component);
    for (const { item, loops, guard } of tree.system?.instances ?? []) {
      const scope = this.under(loops, guard, new Map());
      this.book.use(`component ${item.component}`, { text: item.component, span: item.span }, 'start');
      for (const argument of item.arguments) this.expression(argument, scope);
    }
    for (const formula of tree.formulas) {
      const detail = `ltl ${formula.name} { ${text(formula.text)} }`;
      const extent = { ...formula.nameSpan, end: formula.text.end };
      this.book.declare('formula', { text: formula.name, span: formula.nameSpan }, `ltl ${formula.name}`, {
        detail,
        extent,
      });
      this.words(formula.text);
    }
  }

  private component(component: ComponentDefinition): void {
    const { name, span, parameters, states, initial, alphabet } = component;
    const list = parameters.map((parameter) => parameter.name);
    const last = states.at(-1)?.item.head.span.end ?? span.end;
    const id = this.book.declare('process', { text: name, span }, `component ${name}`, {
      detail: `component ${name}${list.length === 0 ? '' : `(${list.join(', ')})`}`,
      extent: { ...span, end: Math.max(span.end, last) },
      parameters: list,
    });
    const scope = new Map<string, string>();
    for (const parameter of parameters) {
      const key = `parameter ${name}.${parameter.name}`;
      this.book.declare('parameter', { text: parameter.name, span: parameter.span }, key, {
        detail: `${parameter.name}, parameter of ${name}`,
        container: id,
      });
      scope.set(parameter.name, key);
    }
    for (const event of alphabet) this.each(event, scope, (reference, inner) => this.event(reference, inner));
    for (const { loops, guard, item } of states) {
      const inner = this.under(loops, guard, scope);
      const key = `state ${name}.${item.head.name}`;
      const head = { text: item.head.name, span: item.head.span };
      if (this.book.knows(key)) this.book.use(key, head);
      else
        this.book.declare('state', head, key, {
          detail: `${text(item.head.span)}, state of ${name}`,
          container: id,
        });
      this.indices(item.head, inner);
      for (const proposition of item.propositions)
        this.each(proposition, inner, (reference, innermost) => this.proposition(reference, innermost));
      this.target(item.body, inner, name);
    }
    for (const state of initial)
      this.each(state, scope, (reference, inner) => this.state(reference, inner, name));
  }

  private target(target: Target, scope: Indices, component: string): void {
    if (target.kind === 'state') this.state(target.state, scope, component);
    if (target.kind !== 'choice') return;
    for (const { loops, guard, item } of target.branches) {
      const inner = this.under(loops, guard, scope);
      for (const event of item.labels.flat())
        this.each(event, inner, (one, innermost) => this.event(one, innermost));
      this.target(item.target, inner, component);
    }
  }

  private state(reference: Reference, scope: Indices, component: string): void {
    this.book.use(`state ${component}.${reference.name}`, { text: reference.name, span: reference.span });
    this.indices(reference, scope);
  }

  private event(reference: Reference, scope: Indices): void {
    const name = { text: reference.name, span: reference.span };
    this.book.meet('event', name, `event ${reference.name}`, { detail: `event ${reference.name}` });
    this.indices(reference, scope);
  }

  private proposition(reference: Reference, scope: Indices): void {
    const name = { text: reference.name, span: reference.span };
    this.book.meet('field', name, `proposition ${reference.name}`, {
      detail: `proposition ${reference.name}`,
    });
    this.indices(reference, scope);
  }

  private each(
    one: Replicated<Reference>,
    scope: Indices,
    visit: (reference: Reference, scope: Indices) => void,
  ): void {
    visit(one.item, this.under(one.loops, one.guard, scope));
  }

  private under(loops: readonly Replication[], guard: Expression | null, scope: Indices): Indices {
    const inner = new Map(scope);
    for (const { variable, low, high, guard: own, span } of loops) {
      this.expression(low, inner);
      this.expression(high, inner);
      const at = /^for\s+/.exec(this.file.text.slice(span.start))?.[0].length ?? 0;
      const key = `loop ${this.loops++}`;
      const name = { text: variable, span: { ...span, start: span.start + at } };
      this.book.declare('parameter', name, key, {
        detail: `${variable} in ${text(low.span)}..${text(high.span)}`,
      });
      inner.set(variable, key);
      if (own !== null) this.expression(own, inner);
    }
    if (guard !== null) this.expression(guard, inner);
    return inner;
  }

  private indices({ indices }: Reference, scope: Indices): void {
    for (const index of indices) this.expression(index, scope);
  }

  private expression(expression: Expression, scope: Indices): void {
    switch (expression.kind) {
      case 'name': {
        const { name, span } = expression;
        this.book.use(scope.get(name) ?? `const ${name}`, { text: name, span });
        return;
      }
      case 'unary':
        this.expression(expression.operand, scope);
        return;
      case 'binary':
        this.expression(expression.left, scope);
        this.expression(expression.right, scope);
        return;
      case 'number':
        return;
    }
  }

  /** A formula is read when the system is known; its words are looked up as they stand. */
  private words(span: Span): void {
    for (const match of text(span).matchAll(/[A-Za-z_]\w*/g)) {
      const start = span.start + match.index;
      const name = { text: match[0], span: { ...span, start, end: start + match[0].length } };
      const key = ['proposition', 'event', 'const']
        .map((space) => `${space} ${name.text}`)
        .find((one) => this.book.knows(one));
      if (key !== undefined) this.book.use(key, name);
    }
  }
}

const text = ({ file, start, end }: Span): string => file.text.slice(start, end);
