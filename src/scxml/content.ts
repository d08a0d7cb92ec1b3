// Executable content: runs blocks of actions against the data model. An error ends the block and is told to the chart as an event.

import type { Span } from '../source/source.ts';
import { startOf } from '../source/source.ts';
import { type Address, addressOf, isScxmlInvoke, isScxmlSend, milliseconds } from './addresses.ts';
import type {
  Action,
  Chart,
  Code,
  Content,
  ForEachAction,
  Given,
  Invoke,
  Parameter,
  SendAction,
  State,
} from './chart.ts';
import type { DataModel } from './data-model.ts';
import { type ChartEvent, plainEvent, SCXML_PROCESSOR } from './event.ts';
import { type Encoded, EvaluationError, encode, UNDEFINED } from './sandbox.ts';
import type { Effect, StartSource, Surroundings } from './session.ts';

/** Where content reaches the macrostep around it. */
export interface Hooks {
  readonly raise: (event: ChartEvent, span: Span) => void;
  readonly effect: (effect: Effect) => void;
  readonly isInvoked: (id: string) => boolean;
}

/** The part of the document that an error is blamed on. */
interface Place {
  readonly kind: string;
  readonly span: Span;
}

/** Ends a block: the error has been told. */
class BlockEnds extends Error {}

class Undeliverable extends Error {}

export class ContentRunner {
  ids: number;
  private readonly chart: Chart;
  private readonly model: DataModel;
  private readonly around: Surroundings;
  private readonly hooks: Hooks;

  constructor(chart: Chart, model: DataModel, around: Surroundings, ids: number, hooks: Hooks) {
    this.chart = chart;
    this.model = model;
    this.around = around;
    this.ids = ids;
    this.hooks = hooks;
  }

  /** One block: what follows an error in it is left out. */
  run(actions: readonly Action[]): void {
    try {
      for (const action of actions) this.act(action);
    } catch (error) {
      if (!(error instanceof BlockEnds)) throw error;
    }
  }

  /** Runs a piece of code; true when it went well. An error becomes `error.execution`. */
  attempt(place: Place & { readonly code?: Code }, work: () => void, sendId: string | null = null): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (error instanceof Undeliverable) this.tell('error.communication', place, error.message, sendId);
      else if (error instanceof EvaluationError) this.tell('error.execution', place, error.message, sendId);
      else throw error;
      return false;
    }
  }

  doneData(state: State): Encoded {
    if (state.doneData === null) return UNDEFINED;
    const { parameters, content } = state.doneData;
    if (content === null)
      return parameters.length === 0
        ? UNDEFINED
        : this.parameters([], parameters, { kind: 'donedata', span: state.span });
    let value = UNDEFINED;
    this.attempt({ kind: 'donedata', span: state.span }, () => {
      value = this.valueOf(content);
    });
    return value;
  }

  /** An empty `finalize` stores what came back where what was passed came from. */
  finalize(invoke: Invoke): void {
    const { finalize } = invoke;
    if (finalize === null) return;
    if (!finalize.isEmpty) {
      this.run(finalize.actions);
      return;
    }
    for (const { name, value } of [
      ...invoke.names.map((code) => ({ name: code.text, value: code })),
      ...invoke.parameters,
    ])
      this.attempt({ kind: 'finalize', span: invoke.span }, () => {
        const read: Code = { text: `(_event.data || {})[${JSON.stringify(name)}]`, span: value.span };
        if (this.model.truth({ text: `${read.text} !== undefined`, span: value.span }))
          this.model.assign(value, read);
      });
  }

  /** Starts an invocation; its id, or null when it fails. */
  invoke(invoke: Invoke): string | null {
    const place = { kind: 'invoke', span: invoke.span };
    let started: string | null = null;
    this.attempt(place, () => {
      const id = this.invokeId(invoke);
      if (!isScxmlInvoke(this.given(invoke.type)))
        throw new EvaluationError(`there is no invocation of the type '${this.given(invoke.type)}'`);
      const chart = this.around.resolve(this.startSource(invoke));
      if (chart === null) throw new Undeliverable('the chart that is invoked cannot be read');
      const values = new Map<string, Encoded>();
      for (const name of invoke.names) values.set(name.text, this.model.value(name));
      for (const { name, value } of invoke.parameters)
        this.attempt(place, () => values.set(name, this.model.value(value)));
      this.hooks.effect({ kind: 'start', id, invoke, chart, values, span: invoke.span });
      started = id;
    });
    return started;
  }

  /** Ids that nobody can tell apart are used again, so that charts that invoke in a loop stay finite. */
  private invokeId(invoke: Invoke): string {
    if (invoke.id !== null) return invoke.id;
    const base = `${this.chart.states[invoke.state]!.name}.${invoke.index}`;
    if (invoke.idLocation === null) return invoke.finalize === null ? base : `${base}.${++this.ids}`;
    const id = `${base}.${++this.ids}`;
    this.model.assignValue(invoke.idLocation, encode(id));
    return id;
  }

  private startSource({ source }: Invoke): StartSource {
    switch (source.kind) {
      case 'inline':
        return { kind: 'chart', chart: source.chart };
      case 'src':
        return { kind: 'src', src: this.given(source.src) ?? '' };
      case 'none':
        throw new EvaluationError('an invocation needs something to invoke');
      case 'content': {
        if ('kind' in source.value) return { kind: 'text', text: source.value.xml ?? source.value.text };
        const value: unknown = JSON.parse(this.model.value(source.value));
        if (Array.isArray(value) && value[0] === 'x') return { kind: 'text', text: String(value[1]) };
        return { kind: 'text', text: typeof value === 'string' ? value : this.model.text(source.value) };
      }
    }
  }

  private act(action: Action): void {
    switch (action.kind) {
      case 'raise':
        this.hooks.raise(plainEvent(action.event, 'internal', UNDEFINED), action.span);
        return;
      case 'send':
        this.send(action);
        return;
      case 'cancel':
        this.orEnd(action, () =>
          this.hooks.effect({ kind: 'cancel', id: this.given(action.sendId) ?? '', span: action.span }),
        );
        return;
      case 'log':
        this.orEnd(action, () => {
          const text = action.value === null ? '' : this.model.log(action.value);
          this.hooks.effect({ kind: 'log', label: action.label, text, span: action.span });
        });
        return;
      case 'assign':
        this.orEnd(action, () => this.model.assign(action.location, action.value));
        return;
      case 'script':
        this.orEnd(action, () => this.model.run(action.code));
        return;
      case 'if': {
        const branch = action.branches.find(
          ({ condition }) => condition === null || this.condition(action, condition),
        );
        for (const inner of branch?.actions ?? []) this.act(inner);
        return;
      }
      case 'foreach':
        this.forEach(action);
        return;
    }
  }

  private orEnd(place: Place, work: () => void, sendId: string | null = null): void {
    if (!this.attempt(place, work, sendId)) throw new BlockEnds();
  }

  /** An error in a condition of `if` is false, and told; the block goes on. */
  private condition(place: Place, code: Code): boolean {
    let holds = false;
    this.attempt(place, () => {
      holds = this.model.truth(code);
    });
    return holds;
  }

  private forEach({ array, item, index, actions, span }: ForEachAction): void {
    this.orEnd({ kind: 'foreach', span }, () =>
      this.model.forEach(array, item, index, () => {
        for (const action of actions) this.act(action);
      }),
    );
  }

  private send(action: SendAction): void {
    let id = action.id;
    const place = { kind: 'send', span: action.span };
    if (action.idLocation !== null) {
      const location = action.idLocation;
      id = `send.${++this.ids}`;
      this.orEnd(place, () => this.model.assignValue(location, encode(id)));
    }
    const sendId = id;
    this.orEnd(place, () => this.deliver(action, sendId), sendId);
  }

  private deliver(action: SendAction, sendId: string | null): void {
    const type = this.given(action.type);
    const text = this.given(action.target);
    const name = this.given(action.event) ?? '';
    const delay = milliseconds(this.given(action.delay));
    const data = this.payload(action);
    if (!isScxmlSend(type)) throw new EvaluationError(`there is no event processor '${type}' here`);
    if (delay === null) throw new EvaluationError('a delay is a number of seconds or milliseconds');
    const address = addressOf(text, this.around);
    if (address === null) throw new EvaluationError(`'${text}' is no target`);
    if (address.kind === 'internal') {
      if (delay > 0) throw new EvaluationError('an internal event cannot be delayed');
      this.hooks.raise({ ...plainEvent(name, 'internal', data), sendId }, action.span);
      return;
    }
    this.requireReachable(address, text ?? '');
    this.hooks.effect({
      kind: 'send',
      target: address,
      address: text ?? '',
      event: {
        name,
        type: 'external',
        sendId,
        origin: `#_scxml_${this.around.sessionId}`,
        originType: SCXML_PROCESSOR,
        invokeId: address.kind === 'parent' ? this.around.invokeId : null,
        data,
      },
      delay,
      id: sendId,
      span: action.span,
    });
  }

  private requireReachable(address: Address, text: string): void {
    const reachable =
      address.kind === 'self' ||
      (address.kind === 'parent' && this.around.hasParent) ||
      (address.kind === 'invoked' && this.hooks.isInvoked(address.id)) ||
      (address.kind === 'session' && this.around.knows(address.id));
    if (!reachable) throw new Undeliverable(`there is no session '${text}'`);
  }

  private payload({ payload, span }: SendAction): Encoded {
    if (payload.content !== null) return this.valueOf(payload.content);
    if (payload.names.length === 0 && payload.parameters.length === 0) return UNDEFINED;
    return this.parameters(payload.names, payload.parameters, { kind: 'send', span });
  }

  /** An error in a name of the list is the whole action's; one in a parameter leaves out that parameter. */
  private parameters(names: readonly Code[], parameters: readonly Parameter[], place: Place): Encoded {
    const parts: string[] = ['"o"'];
    const add = (name: string, value: Encoded): void => {
      parts.push(JSON.stringify(name), value);
    };
    for (const name of names) add(name.text, this.model.value(name));
    for (const { name, value } of parameters) this.attempt(place, () => add(name, this.model.value(value)));
    return parts.length === 1 ? UNDEFINED : `[${parts.join(',')}]`;
  }

  private valueOf(value: Code | Content): Encoded {
    return 'kind' in value ? this.model.content(value) : this.model.value(value);
  }

  private given(given: Given | null): string | null {
    if (given === null) return null;
    return given.kind === 'text' ? given.text : this.model.text(given.code);
  }

  private tell(name: string, { kind, span }: Place, reason: string, sendId: string | null): void {
    const { line, column } = startOf(span);
    const data = encode({ tagname: kind, line, column, reason });
    this.hooks.raise({ ...plainEvent(name, 'platform', data), sendId }, span);
  }
}
