// The data model `ecmascript`: expressions are examined before they reach the sandbox, and the data is written down again only after something
// ran that can have changed it.

import type { Code, Content } from './chart.ts';
import type { DataModel, SystemVariables } from './data-model.ts';
import {
  type ExpressionFacts,
  examineExpression,
  examineLocation,
  examineScript,
  isVariableName,
  type ScriptFacts,
} from './ecma-source.ts';
import { type ChartEvent, SCXML_PROCESSOR } from './event.ts';
import { type Encoded, EvaluationError, encode, encodeValue, type Sandbox, UNDEFINED } from './sandbox.ts';

export class EcmaModel implements DataModel {
  private readonly sandbox: Sandbox;
  private readonly expressions = new Map<string, ExpressionFacts>();
  private readonly scripts = new Map<string, ScriptFacts>();
  /** The data of the session at hand. */
  private data: Encoded = UNDEFINED;
  private system: string = UNDEFINED;
  private event: ChartEvent | null = null;
  /** What the sandbox holds; null: unknown. */
  private loaded: Encoded | null = null;
  private loadedSystem: string | null = null;
  private loadedEvent: ChartEvent | null | undefined;
  private changed = false;
  decided: (code: Code) => boolean | null = () => null;

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  enter(system: SystemVariables, data: Encoded): void {
    if (this.changed) this.loaded = null;
    this.data = data;
    this.changed = false;
    this.event = null;
    const processor = { location: `#_scxml_${system.sessionId}` };
    this.system = encode({
      _sessionid: system.sessionId,
      _name: system.name,
      _ioprocessors: { [SCXML_PROCESSOR]: processor, scxml: processor },
      _x: {},
    });
  }

  leave(): Encoded {
    if (!this.changed) return this.data;
    this.changed = false;
    this.data = this.guarded(() => this.sandbox.call('snapshot'));
    this.loaded = this.data;
    return this.data;
  }

  bindEvent(event: ChartEvent | null): void {
    this.event = event;
  }

  setConfiguration(isActive: (state: string) => boolean): void {
    this.sandbox.isActive = isActive;
  }

  truth(code: Code): boolean {
    return this.decided(code) ?? this.evaluate('truth', code) === '1';
  }

  value(code: Code): Encoded {
    return this.evaluate('value', code);
  }

  text(code: Code): string {
    return this.evaluate('text', code);
  }

  log(code: Code): string {
    return this.evaluate('log', code);
  }

  run(code: Code): void {
    const facts = this.script(code.text);
    if (facts.problem !== null) throw new EvaluationError(`SyntaxError: ${facts.problem.message}`);
    this.changing('run', facts.text);
  }

  assign(location: Code, value: Code | Content): void {
    this.requireLocation(location);
    if ('kind' in value) {
      this.assignValue(location, this.content(value));
      return;
    }
    this.require(value);
    this.changing('assign', location.text, expressionIn(value.text));
  }

  assignValue(location: Code, value: Encoded): void {
    this.requireLocation(location);
    this.changing('assignValue', location.text, value);
  }

  define(id: string, value: Code | Content | null): void {
    if (!isVariableName(id)) throw new EvaluationError(`'${id}' is no name of a variable`);
    if (value === null || !('kind' in value)) {
      const problem = value === null ? null : this.facts(value.text).problem;
      this.changing('define', id, problem === null && value !== null ? expressionIn(value.text) : '');
      if (value !== null) this.require(value);
      return;
    }
    this.changing('defineValue', id, this.content(value));
  }

  /** Only a variable that the chart declares takes a value from outside. */
  defineValue(id: string, value: Encoded): void {
    if (isVariableName(id) && this.changing('isDefined', id) === '1') this.changing('defineValue', id, value);
  }

  forEach(array: Code, item: Code, index: Code | null, body: () => void): void {
    this.require(array);
    for (const name of [item, index])
      if (name !== null && !isVariableName(name.text))
        throw new EvaluationError(`'${name.text}' is no name of a variable`);
    const length = Number(this.changing('begin', expressionIn(array.text)));
    try {
      for (let at = 0; at < length; at++) {
        this.changing('each', item.text, index?.text ?? '', String(at));
        body();
      }
    } finally {
      // Not after a fault: then there is no sandbox any more.
      if (this.loaded !== null) this.sandbox.call('end');
    }
  }

  content(content: Content): Encoded {
    if (content.xml !== null) return JSON.stringify(['x', content.xml]);
    const facts = this.facts(content.text);
    if (facts.problem === null && /^\s*[[{]/.test(content.text))
      return this.evaluate('value', { text: content.text, span: content.span });
    return this.calling('literal', content.text);
  }

  private evaluate(name: 'truth' | 'value' | 'text' | 'log', code: Code): string {
    const facts = this.require(code);
    const text = expressionIn(code.text);
    return facts.isPure ? this.calling(name, text) : this.changing(name, text);
  }

  private require(code: Code): ExpressionFacts {
    const facts = this.facts(code.text);
    if (facts.problem !== null) throw new EvaluationError(`SyntaxError: ${facts.problem.message}`);
    return facts;
  }

  private requireLocation(code: Code): void {
    const key = `location ${code.text}`;
    let facts = this.expressions.get(key);
    if (facts === undefined) this.expressions.set(key, (facts = examineLocation(code.text)));
    if (facts.problem !== null) throw new EvaluationError(`SyntaxError: ${facts.problem.message}`);
  }

  private facts(text: string): ExpressionFacts {
    let facts = this.expressions.get(text);
    if (facts === undefined) {
      facts = examineExpression(text);
      this.expressions.set(text, facts);
      if (facts.closed.closed.length + facts.closed.open.length > 0)
        this.sandbox.allow(JSON.stringify(facts.closed));
    }
    return facts;
  }

  private script(text: string): ScriptFacts {
    let facts = this.scripts.get(text);
    if (facts === undefined) {
      facts = examineScript(text);
      this.scripts.set(text, facts);
      if (facts.closed.closed.length + facts.closed.open.length > 0)
        this.sandbox.allow(JSON.stringify(facts.closed));
    }
    return facts;
  }

  private changing(name: Parameters<Sandbox['call']>[0], ...args: readonly string[]): string {
    this.load();
    this.changed = true;
    return this.guarded(() => this.sandbox.call(name, ...args));
  }

  private calling(name: Parameters<Sandbox['call']>[0], ...args: readonly string[]): string {
    this.load();
    return this.guarded(() => this.sandbox.call(name, ...args));
  }

  /** After a fault nothing is known about the sandbox. */
  private guarded(work: () => string): string {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EvaluationError)) {
        this.loaded = null;
        this.loadedSystem = null;
        this.loadedEvent = undefined;
      }
      throw error;
    }
  }

  private load(): void {
    if (this.loaded === null || (!this.changed && this.loaded !== this.data)) {
      this.guarded(() => this.sandbox.call('restore', this.data));
      this.loaded = this.data;
    }
    if (this.loadedSystem !== this.system) {
      this.guarded(() => this.sandbox.call('bind', this.system));
      this.loadedSystem = this.system;
    }
    if (this.loadedEvent !== this.event) {
      this.guarded(() => this.sandbox.call('bind', JSON.stringify(['o', '_event', eventTree(this.event)])));
      this.loadedEvent = this.event;
    }
  }
}

const expressionIn = (text: string): string => text.replace(/\s*;\s*$/, '');

function eventTree(event: ChartEvent | null): unknown {
  if (event === null) return encodeValue(undefined);
  const optional = (value: string | null): unknown => (value === null ? ['u'] : value);
  return [
    'o',
    'name',
    event.name,
    'type',
    event.type,
    'sendid',
    optional(event.sendId),
    'origin',
    optional(event.origin),
    'origintype',
    optional(event.originType),
    'invokeid',
    optional(event.invokeId),
    'data',
    JSON.parse(event.data),
  ];
}
