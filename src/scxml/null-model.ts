// The data model `null`: no data, and conditions of the form In('state') alone.

import type { Code } from './chart.ts';
import type { DataModel } from './data-model.ts';
import { type Encoded, EvaluationError, encode, NO_DATA, UNDEFINED } from './sandbox.ts';

const PREDICATE = /^\s*In\(\s*(['"]?)([^'"()\s]+)\1\s*\)\s*$/;

/** The state a condition asks about, or null when it is no condition of this data model. */
export const stateAskedFor = (condition: string): string | null => PREDICATE.exec(condition)?.[2] ?? null;

export class NullModel implements DataModel {
  private isActive: (state: string) => boolean = () => false;
  decided: (code: Code) => boolean | null = () => null;

  enter(): void {}
  leave(): Encoded {
    return NO_DATA;
  }
  bindEvent(): void {}
  setConfiguration(isActive: (state: string) => boolean): void {
    this.isActive = isActive;
  }
  truth(code: Code): boolean {
    const state = stateAskedFor(code.text);
    if (state === null) throw new EvaluationError(`the data model 'null' knows only In('state')`);
    return this.isActive(state);
  }
  value(): Encoded {
    return noExpressions();
  }
  text(): string {
    return noExpressions();
  }
  log(): string {
    return noExpressions();
  }
  run(): void {
    noExpressions();
  }
  assign(): void {
    noExpressions();
  }
  assignValue(): void {
    noExpressions();
  }
  define(): void {
    noExpressions();
  }
  /** What an invoking chart passes is of no use here. */
  defineValue(): void {}
  forEach(): void {
    noExpressions();
  }
  content(content: { readonly text: string; readonly xml: string | null }): Encoded {
    return content.xml === null && content.text === ''
      ? UNDEFINED
      : encode(content.xml ?? content.text.trim().replace(/\s+/g, ' '));
  }
}

function noExpressions(): never {
  throw new EvaluationError("the data model 'null' has no expressions");
}
