// The shape of statecharts as SCXML, one document per logic: states, transitions, histories and delays as they are. What is code elsewhere has no place in
// the shape: guards become variables of the data model by their names, actions and invocations are comments, and each of them is named as a loss.

import type { Logic, StateNode, Transition } from './behaviour.ts';
import type { ActorSystem } from './system.ts';

export interface ScxmlText {
  readonly text: string;
  /** What the documents cannot carry, one line each. */
  readonly losses: readonly string[];
}

export function toScxml({ logics, language }: ActorSystem): ScxmlText {
  const losses: string[] = [];
  const text = logics.map((logic) => new Writer(logic, losses, language === 'scxml').document()).join('\n');
  if (logics.length > 1)
    losses.push(`${logics.length} documents: who invokes or spawns whom is not part of them`);
  return { text, losses };
}

class Writer {
  private readonly logic: Logic;
  private readonly losses: string[];
  private readonly written: boolean;
  private readonly guards = new Set<string>();

  /** `written`: guards are expressions already. */
  constructor(logic: Logic, losses: string[], written: boolean) {
    this.written = written;
    this.logic = logic;
    this.losses = losses;
  }

  document(): string {
    const { root, name } = this.logic;
    const parallel = root.kind === 'parallel';
    const initial =
      root.kind === 'compound' && root.initial !== null ? ` initial="${idOf(root.initial)}"` : '';
    const own = this.transitionsOf('', '  ');
    const inner = root.states.flatMap((state) => this.element(state, '    '));
    const wrapped = parallel
      ? [`  <parallel id="${idOf(name)}">`, ...own.map((line) => `  ${line}`), ...inner, '  </parallel>']
      : own.length === 0
        ? inner.map((line) => line.slice(2))
        : // The document itself has no transitions: a state around everything has them.
          [
            `  <state id="${idOf(name)}"${initial}>`,
            ...own.map((line) => `  ${line}`),
            ...inner,
            '  </state>',
          ];
    const model = this.guards.size === 0 && !this.written ? 'null' : 'ecmascript';
    const data = [...this.guards].map((guard) => `    <data id="${variable(guard)}" expr="true"/>`);
    return [
      `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="${escaped(name)}" datamodel="${model}"${own.length === 0 && !parallel ? initial : ''}>`,
      ...(data.length === 0 ? [] : ['  <datamodel>', ...data, '  </datamodel>']),
      ...wrapped,
      '</scxml>',
      '',
    ].join('\n');
  }

  private lose(what: string): void {
    this.losses.push(`${this.logic.name}: ${what}`);
  }

  private element(node: StateNode, indent: string): string[] {
    const name = idOf(node.name);
    if (node.kind === 'history') return this.history(node, indent);
    const tag = node.kind === 'parallel' ? 'parallel' : node.kind === 'final' ? 'final' : 'state';
    const initial =
      node.kind === 'compound' && node.initial !== null
        ? ` initial="${idOf(`${node.name}.${node.initial}`)}"`
        : '';
    const comments = node.lines.map((line) => {
      this.lose(`'${line}' in ${node.name} is a comment`);
      return `${indent}  ${comment(line)}`;
    });
    const inner = [
      ...comments,
      ...this.delays(node.name, `${indent}  `),
      ...this.transitionsOf(node.name, `${indent}  `),
      ...node.states.flatMap((state) => this.element(state, `${indent}  `)),
    ];
    if (inner.length === 0) return [`${indent}<${tag} id="${name}"${initial}/>`];
    return [`${indent}<${tag} id="${name}"${initial}>`, ...inner, `${indent}</${tag}>`];
  }

  /** Without a history the parent's first state is entered. */
  private history(node: StateNode, indent: string): string[] {
    const parent = node.name.slice(0, Math.max(0, node.name.lastIndexOf('.')));
    const around = find(this.logic.root, parent);
    const first = node.initial ?? around?.initial ?? around?.states[0]?.key ?? node.key;
    const target = idOf(parent === '' ? first : `${parent}.${first}`);
    return [`${indent}<history id="${idOf(node.name)}"><transition target="${target}"/></history>`];
  }

  /** `after 500` is a timer that is set on entry and taken back on exit. */
  private delays(state: string, indent: string): string[] {
    const timers = this.logic.transitions.flatMap(({ from, event }) => {
      const delay = from === state ? delayOf(event) : null;
      return delay === null ? [] : [delay];
    });
    const all = [...new Set(timers)].map((delay) => ({ delay, event: timerEvent(state, delay) }));
    if (all.length === 0) return [];
    for (const { delay } of all)
      if (!/^\d+$/.test(delay)) this.lose(`the delay '${delay}' of ${state} is code: it is 0 ms`);
    const sends = all.map(
      ({ delay, event }) =>
        `<send event="${event}" id="${event}" delay="${/^\d+$/.test(delay) ? delay : 0}ms"/>`,
    );
    const cancels = all.map(({ event }) => `<cancel sendid="${event}"/>`);
    return [`${indent}<onentry>${sends.join('')}</onentry>`, `${indent}<onexit>${cancels.join('')}</onexit>`];
  }

  private transitionsOf(from: string, indent: string): string[] {
    return this.logic.transitions
      .filter((transition) => transition.from === from)
      .map((transition) => `${indent}${this.transition(transition)}`);
  }

  private transition({ from, event, to, guard, actions }: Transition): string {
    const where = from === '' ? 'the root' : from;
    if (guard !== null && this.written) this.lose(`the condition '${guard}' of ${where} has lost its data`);
    else if (guard !== null) {
      this.guards.add(guard);
      this.lose(
        `the guard '${guard}' on ${event} of ${where} is a variable of the data model, true at first`,
      );
    }
    for (const action of actions) this.lose(`the action '${action}' on ${event} of ${where} is a comment`);
    const delay = delayOf(event);
    const name = delay === null ? eventName(event, from) : timerEvent(from, delay);
    const parts = [
      event === 'always' ? '' : ` event="${escaped(name)}"`,
      guard === null ? '' : ` cond="${this.written ? escaped(guard) : variable(guard)}"`,
      to === null ? '' : ` target="${to.map(idOf).join(' ')}"`,
    ].join('');
    const body = actions.map(comment).join('');
    return body === '' ? `<transition${parts}/>` : `<transition${parts}>${body}</transition>`;
  }
}

const delayOf = (event: string): string | null => /^after (.*)$/s.exec(event)?.[1] ?? null;

const timerEvent = (state: string, delay: string): string =>
  `after.${delay.replace(/[^\w.-]/g, '_')}.${idOf(state === '' ? 'root' : state)}`;

/** Events of the platform by SCXML's names. */
function eventName(event: string, from: string): string {
  if (event === 'done') return from === '' ? 'done' : `done.state.${idOf(from)} done.invoke`;
  if (event === 'error') return 'error';
  return event.replace(/\s+/g, '.');
}

function find(node: StateNode, name: string): StateNode | undefined {
  if (node.name === name) return node;
  for (const child of node.states) {
    const found = find(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const comment = (text: string): string => `<!-- ${escaped(text).replaceAll('--', '- -')} -->`;
/** XML ids have no blanks; they begin with a letter. */
const idOf = (name: string): string => name.replace(/[^\w.-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_');
const variable = (guard: string): string => guard.replace(/[^\w$]/g, '_').replace(/^(?=\d)/, '_');
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
