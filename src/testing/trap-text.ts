// Choices, and control structures around the statements of one generator of random models.

import type { Pick } from './random-semantics.ts';

/** Choices, and control structures around the statements of one generator. */
export class Text {
  readonly pick: Pick;
  private labels = 0;

  constructor(pick: Pick) {
    this.pick = pick;
  }

  one<T>(items: readonly T[]): T {
    return items[this.pick(items.length)]!;
  }

  label(...prefixes: string[]): string {
    return `${this.one(prefixes)}${this.labels++}`;
  }

  sequence(statement: () => string, depth: number, length: number): string {
    return Array.from({ length }, () => this.block(statement, depth)).join(';\n');
  }

  /** One statement, or a control structure around some. */
  block(statement: () => string, depth: number): string {
    const inner = (length = 1 + this.pick(2)) => this.sequence(statement, depth - 1, length);
    switch (this.pick(depth > 0 ? 14 : 8)) {
      case 8:
      case 9:
        return `if\n:: ${inner()}\n:: ${inner()}\nfi`;
      case 10:
        return `atomic { ${inner()} }`;
      case 11:
        return `if\n:: ${inner(1)}\n:: else -> ${inner(1)}\nfi`;
      case 12:
        return `do\n:: ${inner()}\n:: ${inner(1)}; break\nod`;
      case 13:
        return `{ ${inner()} } unless { ${inner(1)} }`;
      default:
        return statement();
    }
  }
}

export const capacity = (text: Text): string => text.one(['0', '0', '1', '2']);
