// The data model: the part of a chart's meaning that depends on its language of expressions. The interpreter knows only this interface.

import type { Code, Content } from './chart.ts';
import type { ChartEvent } from './event.ts';
import type { Encoded } from './sandbox.ts';

/** What one session is told about itself. */
export interface SystemVariables {
  readonly sessionId: string;
  readonly name: string;
}

/** Everything throws `EvaluationError` for what becomes `error.execution`, and `Fault` where the analysis ends. */
export interface DataModel {
  /** Loads a session's data. */
  enter(system: SystemVariables, data: Encoded): void;
  /** The data as it is now. */
  leave(): Encoded;
  bindEvent(event: ChartEvent | null): void;
  /** Asked by `In()`. */
  setConfiguration(isActive: (state: string) => boolean): void;
  /** Asked before a condition is evaluated; null: it is to be evaluated. */
  decided: (code: Code) => boolean | null;
  truth(code: Code): boolean;
  value(code: Code): Encoded;
  /** The value of a location's expression, where `undefined` for a name that was never declared is an error. */
  text(code: Code): string;
  log(code: Code): string;
  run(code: Code): void;
  assign(location: Code, value: Code | Content): void;
  assignValue(location: Code, value: Encoded): void;
  /** Creates a variable; null: without a value. */
  define(id: string, value: Code | Content | null): void;
  defineValue(id: string, value: Encoded): void;
  forEach(array: Code, item: Code, index: Code | null, body: () => void): void;
  content(content: Content): Encoded;
}
