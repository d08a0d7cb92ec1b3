// Random models for tests: every construct of the language nested in every other, all of it accepted by SPIN.

import { Random as Generator } from '../../base/random.ts';

export type Random = (below: number) => number;

/** A generator with a fixed seed: the same numbers in every run. */
function seededRandom(seed: number): Random {
  const generator = new Generator(seed);
  return (below) => generator.below(below);
}

/** A model of many proctypes, so that one run of SPIN and the compiler judges them all. */
export function randomModel(seed: number, proctypes: number): string {
  const random = seededRandom(seed);
  const bodies = Array.from({ length: proctypes }, (_, i) => new BodyWriter(random).proctype(`p${i}`));
  return [
    'mtype = { red, green };',
    'byte x, y, z; byte a[3]; chan q = [2] of { mtype, byte }; chan r = [0] of { byte };',
    'inline step(v) { v++; x = v }',
    'inline twice(v) { step(v); if :: v > 2 -> v = 0 :: else fi }',
    ...bodies,
    'init { skip }',
    '',
  ].join('\n');
}

interface Place {
  readonly depth: number;
  readonly inLoop: boolean;
  /** Nothing that jumps or blocks in ways a d_step forbids. */
  readonly inDStep: boolean;
}

class BodyWriter {
  private readonly random: Random;
  private readonly labels: string[] = [];
  private readonly wanted: string[] = [];
  private variables = 0;

  constructor(random: Random) {
    this.random = random;
  }

  proctype(name: string): string {
    const body = this.sequence({ depth: 0, inLoop: false, inDStep: false }, 2 + this.random(4));
    // Gotos were written before it was known which labels there would be.
    const targets = this.labels.length === 0 ? ['last'] : this.labels;
    const jumps = body.map((line) =>
      line.replaceAll(/GOTO\d+/g, () => `goto ${targets[this.random(targets.length)]}`),
    );
    return [
      `proctype ${name}(byte n) {`,
      '  byte i, j;',
      ...jumps.map((line) => `  ${line}`),
      'last: skip',
      '}',
    ].join('\n');
  }

  private sequence(place: Place, length: number): string[] {
    const lines: string[] = [];
    for (let i = 0; i < length; i++) {
      const statement = this.statement(place);
      if (i > 0 && !place.inDStep && this.random(6) === 0) lines.push(...this.labelled());
      lines.push(...statement.slice(0, -1), `${statement.at(-1)};`);
    }
    return lines;
  }

  private labelled(): string[] {
    const prefix = ['L', 'end', 'progress', 'accept', 'M'][this.random(5)]!;
    const label = `${prefix}_${this.labels.length}`;
    this.labels.push(label);
    return [`${label}: ${this.simple()};`];
  }

  private statement(place: Place): string[] {
    const simple = place.depth > 3 || this.random(3) === 0;
    if (simple) return [this.simple()];
    const inner = { ...place, depth: place.depth + 1 };
    switch (this.random(place.inDStep ? 4 : 13)) {
      case 0:
        return this.choice('if', 'fi', inner);
      case 1:
        return this.loop(inner);
      case 2:
        return ['{', ...indent(this.sequence(inner, 1 + this.random(3))), '}'];
      case 3:
        return this.counting(inner);
      case 4:
      case 5:
        return ['atomic {', ...indent(this.sequence(inner, 1 + this.random(3))), '}'];
      case 6: {
        // SPIN refuses every jump that lands on a d_step, and cannot translate one that ends in a loop.
        const body = this.sequence({ ...inner, inLoop: false, inDStep: true }, 1 + this.random(3));
        return ['skip;', 'd_step {', ...indent([...body, 'x = 1']), '}'];
      }
      case 7:
      case 8:
        return this.unless(inner);
      case 9:
        this.wanted.push('');
        return [`GOTO${this.wanted.length}`];
      case 10:
        return [place.inLoop ? 'break' : this.simple()];
      case 11:
        return [`byte v${this.variables} = ${this.value()}`, `v${this.variables++}++`].map((text, i) =>
          i === 0 ? `${text};` : text,
        );
      default:
        return [this.random(2) === 0 ? 'step(i)' : 'twice(j)'];
    }
  }

  private simple(): string {
    switch (this.random(9)) {
      case 0:
        return `x == ${this.value()}`;
      case 1:
        return `a[${this.random(3)}] = ${this.value()}`;
      case 2:
        return 'skip';
      case 3:
        return `q!${this.random(2) === 0 ? 'red' : 'green'},${this.value()}`;
      case 4:
        return `q?${this.random(2) === 0 ? 'red,y' : '_,eval(z)'}`;
      case 5:
        return 'r!1';
      case 6:
        return 'printf("x")';
      case 7:
        return `assert(y < ${this.random(9)})`;
      default:
        return `${['x', 'y', 'z'][this.random(3)]} = ${this.value()}`;
    }
  }

  private value(): string {
    return ['1', 'y + 1', 'n', 'a[1] * 2 - z', '(x > 1 -> 2 : y)', '!x', '-1 + n % 3'][this.random(7)]!;
  }

  private choice(open: string, close: string, place: Place): string[] {
    const options = 1 + this.random(3);
    const lines = [open];
    for (let i = 0; i < options; i++) {
      const [first, ...rest] = this.sequence(place, 1 + this.random(3));
      lines.push(`:: ${first}`, ...indent(rest));
    }
    if (this.random(2) === 0)
      lines.splice(1, 0, ':: else', ...indent(this.random(2) === 0 ? this.sequence(place, 1) : []));
    return [...lines, close];
  }

  private loop(place: Place): string[] {
    const lines = this.choice('do', 'od', { ...place, inLoop: true });
    lines.splice(lines.length - 1, 0, ':: x > 3 -> break');
    return lines;
  }

  private counting(place: Place): string[] {
    const from = this.random(2) === 0 ? '1' : 'y';
    if (this.random(3) === 0) return [`select (i : ${from} .. ${this.random(2) === 0 ? '3' : '50'})`];
    const body = this.sequence({ ...place, inLoop: true }, 1 + this.random(2));
    return [`for (${this.random(2) === 0 ? 'i' : 'j'} : ${from} .. 3) {`, ...indent(body), '}'];
  }

  private unless(place: Place): string[] {
    // SPIN loses its way in atomic sequences where an unless begins with another one, or with a jump.
    const main = [`${this.simple()};`, ...this.sequence(place, this.random(3))];
    const way = [`${this.simple()};`, ...this.sequence(place, this.random(2))];
    const open = ['{', 'atomic {', '{'][this.random(3)]!;
    return [open, ...indent(main), '} unless {', ...indent(way), '}'];
  }
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
