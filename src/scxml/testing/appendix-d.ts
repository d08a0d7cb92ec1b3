// For tests: the algorithm of the recommendation's appendix D once more, almost word by word (see `microstep`) on the XML tree, with sets of elements and no numbers. It shares nothing
// with the interpreter but the XML parser. Data model `null`; of the actions `raise` and `log`, whose labels are the observable.

import { childElements, type Element } from '../xml.ts';

export interface NaiveStep {
  readonly configuration: readonly string[];
  readonly log: readonly string[];
  readonly running: boolean;
}

export class Endless extends Error {}

const MOST = 500;
const STATES = ['state', 'parallel', 'final'];

export class AppendixD {
  private readonly root: Element;
  private readonly parents = new Map<Element, Element | null>();
  private readonly order: Element[] = [];
  private configuration = new Set<Element>();
  private readonly historyValue = new Map<Element, Element[]>();
  private internalQueue: string[] = [];
  private running = true;
  private log: string[] = [];

  constructor(root: Element) {
    this.root = root;
    const visit = (element: Element, parent: Element | null): void => {
      this.parents.set(element, parent);
      this.order.push(element);
      for (const child of childElements(element)) visit(child, element);
    };
    visit(root, null);
  }

  start(): NaiveStep {
    this.enterInitially();
    return this.mainEventLoop();
  }

  event(name: string): NaiveStep {
    this.log = [];
    if (this.running) {
      const enabled = this.selectTransitions(name);
      if (enabled.length > 0) this.microstep(enabled);
    }
    return this.mainEventLoop();
  }

  private mainEventLoop(): NaiveStep {
    let count = 0;
    while (this.running) {
      if (++count > MOST) throw new Endless();
      let enabled = this.selectEventlessTransitions();
      if (enabled.length === 0) {
        const event = this.internalQueue.shift();
        if (event === undefined) break;
        enabled = this.selectTransitions(event);
      }
      if (enabled.length > 0) this.microstep(enabled);
    }
    const configuration = [...this.configuration].map(idOf).sort();
    if (!this.running) this.exitInterpreter();
    return { configuration, log: this.log, running: this.running };
  }

  private exitInterpreter(): void {
    const inOrder = this.inExitOrder(this.configuration);
    const before = new Set(this.configuration);
    for (const state of inOrder) for (const content of parts(state, 'onexit')) this.execute(content);
    this.configuration = before;
  }

  private selectEventlessTransitions(): Element[] {
    return this.selectWhere((transition) => !transition.attributes.has('event'));
  }

  private selectTransitions(event: string): Element[] {
    return this.selectWhere((transition) => {
      const descriptors = (transition.attributes.get('event')?.value ?? '')
        .split(/\s+/)
        .filter((one) => one !== '');
      return descriptors.some((one) => one === '*' || `${event}.`.startsWith(`${one.replace(/\.\*$/, '')}.`));
    });
  }

  private selectWhere(suits: (transition: Element) => boolean): Element[] {
    const enabled: Element[] = [];
    const atomic = this.inDocumentOrder([...this.configuration].filter((state) => this.isAtomic(state)));
    for (const state of atomic) {
      const found = [state, ...this.properAncestors(state, null)]
        .flatMap((one) => parts(one, 'transition'))
        .find((transition) => suits(transition) && this.conditionMatch(transition));
      if (found !== undefined && !enabled.includes(found)) enabled.push(found);
    }
    return this.removeConflicting(enabled);
  }

  private conditionMatch(transition: Element): boolean {
    const state = /In\('(\w+)'\)/.exec(transition.attributes.get('cond')?.value ?? '')?.[1];
    return state === undefined || [...this.configuration].some((one) => idOf(one) === state);
  }

  private removeConflicting(enabled: readonly Element[]): Element[] {
    let filtered: Element[] = [];
    for (const t1 of enabled) {
      let preempted = false;
      const toRemove: Element[] = [];
      for (const t2 of filtered) {
        const other = new Set(this.computeExitSet([t2]));
        if (!this.computeExitSet([t1]).some((state) => other.has(state))) continue;
        if (this.isDescendant(this.sourceOf(t1), this.sourceOf(t2))) toRemove.push(t2);
        else {
          preempted = true;
          break;
        }
      }
      if (!preempted) filtered = [...filtered.filter((one) => !toRemove.includes(one)), t1];
    }
    return filtered;
  }

  private microstep(transitions: readonly Element[]): void {
    const toExit = this.inExitOrder(this.computeExitSet(transitions));
    // Here the text is not followed: it asks for the domain again when the states have been left, and a history that was recorded on the way out can
    // make it a smaller one, inside which too little is entered for a legal configuration.
    const domains = transitions.map((transition) => this.domainOf(transition));
    for (const state of toExit)
      for (const history of parts(state, 'history')) {
        const deep = history.attributes.get('type')?.value === 'deep';
        const remembered = [...this.configuration].filter((one) =>
          deep ? this.isAtomic(one) && this.isDescendant(one, state) : this.parents.get(one) === state,
        );
        this.historyValue.set(history, remembered);
      }
    for (const state of toExit) {
      for (const content of parts(state, 'onexit')) this.execute(content);
      this.configuration.delete(state);
    }
    for (const transition of transitions) this.execute(transition);
    this.enterStates(transitions, domains);
  }

  private enterInitially(): void {
    const toEnter = new Set<Element>();
    const byDefault = new Set<Element>();
    const defaults = new Map<Element, Element>();
    for (const target of this.initialTargets(this.root))
      this.addDescendants(target, toEnter, byDefault, defaults);
    for (const target of this.initialTargets(this.root))
      this.addAncestors(target, this.root, toEnter, byDefault, defaults);
    const content = parts(this.root, 'initial').flatMap((initial) => parts(initial, 'transition'));
    for (const one of content) this.execute(one);
    this.enter(toEnter, byDefault, defaults);
  }

  private enterStates(transitions: readonly Element[], domains: readonly (Element | null)[]): void {
    const toEnter = new Set<Element>();
    const byDefault = new Set<Element>();
    const defaults = new Map<Element, Element>();
    for (const [index, transition] of transitions.entries()) {
      for (const target of this.targetsOf(transition))
        this.addDescendants(target, toEnter, byDefault, defaults);
      const ancestor = domains[index] ?? null;
      for (const target of this.effectiveTargets(transition))
        this.addAncestors(target, ancestor, toEnter, byDefault, defaults);
    }
    this.enter(toEnter, byDefault, defaults);
  }

  private enter(
    toEnter: ReadonlySet<Element>,
    byDefault: ReadonlySet<Element>,
    defaults: ReadonlyMap<Element, Element>,
  ): void {
    for (const state of this.inDocumentOrder([...toEnter])) {
      this.configuration.add(state);
      for (const content of parts(state, 'onentry')) this.execute(content);
      if (byDefault.has(state))
        for (const initial of parts(state, 'initial'))
          for (const one of parts(initial, 'transition')) this.execute(one);
      const history = defaults.get(state);
      if (history !== undefined) for (const one of parts(history, 'transition')) this.execute(one);
      if (state.name !== 'final') continue;
      const parent = this.parents.get(state)!;
      if (parent === this.root) this.running = false;
      else {
        this.internalQueue.push(`done.state.${idOf(parent)}`);
        const grandparent = this.parents.get(parent)!;
        if (
          grandparent.name === 'parallel' &&
          statesIn(grandparent).every((child) => this.isInFinalState(child))
        )
          this.internalQueue.push(`done.state.${idOf(grandparent)}`);
      }
    }
  }

  private computeExitSet(transitions: readonly Element[]): Element[] {
    const exited = new Set<Element>();
    for (const transition of transitions) {
      if (!transition.attributes.has('target')) continue;
      const domain = this.domainOf(transition);
      for (const state of this.configuration) if (this.isDescendant(state, domain)) exited.add(state);
    }
    return [...exited];
  }

  private domainOf(transition: Element): Element | null {
    const targets = this.effectiveTargets(transition);
    if (targets.length === 0) return null;
    const source = this.sourceOf(transition);
    const internal = transition.attributes.get('type')?.value === 'internal';
    if (internal && this.isCompound(source) && targets.every((target) => this.isDescendant(target, source)))
      return source;
    const candidates = this.properAncestors(source, null).filter(
      (one) => one === this.root || this.isCompound(one),
    );
    return candidates.find((ancestor) => targets.every((target) => this.isDescendant(target, ancestor)))!;
  }

  private effectiveTargets(transition: Element): Element[] {
    const targets = new Set<Element>();
    for (const target of this.targetsOf(transition)) {
      if (target.name !== 'history') targets.add(target);
      else {
        const remembered =
          this.historyValue.get(target) ?? this.effectiveTargets(parts(target, 'transition')[0]!);
        for (const one of remembered) targets.add(one);
      }
    }
    return [...targets];
  }

  private addDescendants(
    state: Element,
    toEnter: Set<Element>,
    byDefault: Set<Element>,
    defaults: Map<Element, Element>,
  ): void {
    if (state.name === 'history') {
      const parent = this.parents.get(state)!;
      const remembered = this.historyValue.get(state);
      if (remembered === undefined) defaults.set(parent, state);
      const targets = remembered ?? this.targetsOf(parts(state, 'transition')[0]!);
      for (const one of targets) this.addDescendants(one, toEnter, byDefault, defaults);
      for (const one of targets) this.addAncestors(one, parent, toEnter, byDefault, defaults);
      return;
    }
    toEnter.add(state);
    if (this.isCompound(state)) {
      byDefault.add(state);
      for (const one of this.initialTargets(state)) this.addDescendants(one, toEnter, byDefault, defaults);
      for (const one of this.initialTargets(state))
        this.addAncestors(one, state, toEnter, byDefault, defaults);
    } else if (state.name === 'parallel') this.addRegions(state, toEnter, byDefault, defaults);
  }

  private addAncestors(
    state: Element,
    top: Element | null,
    toEnter: Set<Element>,
    byDefault: Set<Element>,
    defaults: Map<Element, Element>,
  ): void {
    for (const ancestor of this.properAncestors(state, top)) {
      if (ancestor === this.root) continue;
      toEnter.add(ancestor);
      if (ancestor.name === 'parallel') this.addRegions(ancestor, toEnter, byDefault, defaults);
    }
  }

  private addRegions(
    parallel: Element,
    toEnter: Set<Element>,
    byDefault: Set<Element>,
    defaults: Map<Element, Element>,
  ): void {
    for (const child of statesIn(parallel))
      if (![...toEnter].some((one) => this.isDescendant(one, child)))
        this.addDescendants(child, toEnter, byDefault, defaults);
  }

  private isInFinalState(state: Element): boolean {
    if (this.isCompound(state))
      return statesIn(state).some((child) => child.name === 'final' && this.configuration.has(child));
    return state.name === 'parallel' && statesIn(state).every((child) => this.isInFinalState(child));
  }

  private initialTargets(state: Element): Element[] {
    const attribute = state.attributes.get('initial')?.value;
    if (attribute !== undefined) return attribute.split(/\s+/).map((id) => this.byId(id));
    const initial = parts(state, 'initial')[0];
    if (initial !== undefined) return this.targetsOf(parts(initial, 'transition')[0]!);
    return [statesIn(state)[0]!];
  }

  private targetsOf(transition: Element): Element[] {
    const target = transition.attributes.get('target')?.value;
    return target === undefined ? [] : target.split(/\s+/).map((id) => this.byId(id));
  }

  private byId = (id: string): Element =>
    this.order.find((element) => element.attributes.get('id')?.value === id)!;

  private sourceOf = (transition: Element): Element => this.parents.get(transition)!;

  private isCompound = (state: Element): boolean => state.name === 'state' && statesIn(state).length > 0;

  private isAtomic = (state: Element): boolean =>
    state.name === 'final' || (state.name === 'state' && statesIn(state).length === 0);

  private isDescendant = (state: Element, ancestor: Element | null): boolean =>
    ancestor !== null && this.properAncestors(state, null).includes(ancestor);

  private properAncestors(state: Element, top: Element | null): Element[] {
    const ancestors: Element[] = [];
    for (
      let at = this.parents.get(state) ?? null;
      at !== null && at !== top;
      at = this.parents.get(at) ?? null
    )
      ancestors.push(at);
    return ancestors;
  }

  private inDocumentOrder = (states: readonly Element[]): Element[] =>
    this.order.filter((one) => states.includes(one));

  private inExitOrder = (states: Iterable<Element>): Element[] => this.inDocumentOrder([...states]).reverse();

  private execute(block: Element): void {
    for (const action of childElements(block)) {
      if (action.name === 'raise') this.internalQueue.push(action.attributes.get('event')!.value);
      if (action.name === 'log') this.log.push(action.attributes.get('label')!.value);
    }
  }
}

const parts = (element: Element, name: string): Element[] =>
  childElements(element).filter((child) => child.name === name);
const statesIn = (element: Element): Element[] =>
  childElements(element).filter((child) => STATES.includes(child.name));
const idOf = (element: Element): string => element.attributes.get('id')?.value ?? '';
