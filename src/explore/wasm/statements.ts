// Statements of the generated text as WebAssembly, in one pass. A `switch` becomes a table of jumps.

import { Bytes } from './bytes.ts';
import { Expressions } from './expressions.ts';
import { BINARY, I32, OP } from './opcodes.ts';
import type { Scanner } from './scanner.ts';
import type { Unit } from './unit.ts';

/** Where `break` and `continue` lead: how many blocks are open there. */
interface Target {
  readonly outside: number;
  readonly next: number | null;
}

/** Reads a function from its parameters on. */
export function functionBody(scanner: Scanner, unit: Unit): Bytes {
  return new Statements(scanner, new Bytes(1024), unit).functionBody();
}

class Statements extends Expressions {
  private targets: Target[] = [];

  functionBody(): Bytes {
    this.parameters();
    const parameters = this.localCount;
    this.scanner.expect('{');
    while (!this.scanner.take('}')) this.statement();
    this.constant(0);
    this.code.byte(OP.end);
    const locals = this.localCount - parameters;
    const body = new Bytes(this.code.length + 8);
    if (locals > 0) body.unsigned(1).unsigned(locals).byte(I32);
    else body.unsigned(0);
    return body.append(this.code);
  }

  private parameters(): void {
    this.scanner.expect('(');
    while (!this.scanner.take(')')) {
      this.declareLocal(this.scanner.name());
      if (this.scanner.take('=')) this.scanner.next();
      this.scanner.take(',');
    }
  }

  protected effects(): void {
    const { targets } = this;
    this.targets = [];
    while (this.scanner.kind !== 'end') this.statement();
    this.targets = targets;
  }

  private statement(): void {
    if (!this.beginsWithKeyword()) this.effect();
  }

  private beginsWithKeyword(): boolean {
    switch (this.scanner.text) {
      case '{':
        this.block();
        return true;
      case ';':
        this.scanner.next();
        return true;
      case 'const':
      case 'let':
        this.declarations();
        return true;
      case 'if':
        this.choice();
        return true;
      case 'for':
        this.forLoop();
        return true;
      case 'while':
        this.whileLoop();
        return true;
      case 'switch':
        this.switch();
        return true;
      case 'return':
        this.return();
        return true;
      case 'break':
      case 'continue':
        this.leave();
        return true;
      default:
        return false;
    }
  }

  private leave(): void {
    const isBreak = this.scanner.name() === 'break';
    const { outside, next } = this.targets.findLast((target) => isBreak || target.next !== null)!;
    this.jumpTo(isBreak ? outside : next!);
  }

  private jumpTo(depth: number, op: number = OP.br): void {
    this.code.byte(op).unsigned(this.depth - depth);
  }

  private block(): void {
    this.scanner.expect('{');
    this.scopes.push(new Map());
    while (!this.scanner.take('}')) this.statement();
    this.scopes.pop();
  }

  private declarations(): void {
    const { scanner } = this;
    scanner.next();
    do {
      const name = scanner.name();
      if (scanner.take('=')) this.expression();
      else this.constant(0);
      this.code.byte(OP.localSet).unsigned(this.declareLocal(name));
    } while (scanner.take(','));
  }

  private return(): void {
    this.scanner.next();
    if (this.scanner.is(';') || this.scanner.is('}')) this.constant(0);
    else this.expression();
    this.code.byte(OP.return);
  }

  private choice(): void {
    const { scanner } = this;
    scanner.expect('if');
    scanner.expect('(');
    this.expression();
    scanner.expect(')');
    this.open(OP.if);
    this.statement();
    scanner.take(';');
    if (scanner.take('else')) {
      this.code.byte(OP.else);
      this.statement();
    }
    this.close();
  }

  private whileLoop(): void {
    this.scanner.expect('while');
    this.scanner.expect('(');
    this.loop(')', null);
  }

  private forLoop(): void {
    const { scanner } = this;
    this.scopes.push(new Map());
    scanner.expect('for');
    scanner.expect('(');
    if (scanner.is('let')) this.declarations();
    scanner.expect(';');
    this.loop(';', ')');
    this.scopes.pop();
  }

  /** From the condition on. What comes after each turn is written before the body, behind a jump: it is read only once. */
  private loop(endOfTest: string, endOfUpdate: string | null): void {
    const { scanner, code } = this;
    this.open(OP.block);
    const outside = this.depth;
    this.open(OP.loop);
    const again = this.depth;
    if (!scanner.is(endOfTest)) {
      this.expression();
      code.byte(OP.eqz);
      this.jumpTo(outside, OP.brIf);
    }
    scanner.expect(endOfTest);
    const update = endOfUpdate === null ? null : this.apart(endOfUpdate);
    this.open(OP.block);
    this.targets.push({ outside, next: this.depth });
    this.statement();
    this.targets.pop();
    this.close();
    if (update !== null) code.append(update);
    this.jumpTo(again);
    this.close();
    this.close();
  }

  /** Code for effects up to the sign, kept aside. */
  private apart(end: string): Bytes {
    const { scanner, code } = this;
    const start = code.length;
    while (!scanner.take(end)) {
      this.effect();
      scanner.take(',');
    }
    return code.cut(start);
  }

  private switch(): void {
    const { scanner } = this;
    scanner.expect('switch');
    scanner.expect('(');
    const start = this.code.length;
    this.expression();
    const discriminant = this.code.cut(start);
    scanner.expect(')');
    const values = scanner.casesAhead();
    scanner.expect('{');
    this.open(OP.block);
    const outside = this.depth;
    for (let i = 0; i < values.length; i++) this.open(OP.block);
    this.jumps(discriminant, values, outside);
    this.targets.push({ outside, next: null });
    while (!scanner.take('}')) {
      if (scanner.take('case')) scanner.next();
      else scanner.expect('default');
      scanner.expect(':');
      this.close();
      this.scopes.push(new Map());
      while (!scanner.is('case') && !scanner.is('default') && !scanner.is('}')) this.statement();
      this.scopes.pop();
    }
    this.targets.pop();
    this.close();
  }

  private jumps(discriminant: Bytes, values: readonly (number | null)[], outside: number): void {
    const { code } = this;
    const numbers = values.filter((value) => value !== null);
    // The innermost block belongs to the first case: leaving it arrives at that case's code.
    const placeOf = (index: number): number => (index < 0 ? outside : outside + values.length - index);
    const otherwise = placeOf(values.indexOf(null));
    const least = Math.min(...numbers);
    const size = Math.max(...numbers) - least + 1;
    if (numbers.length === 0 || size > 4 * numbers.length + 16) {
      const local = this.localCount++;
      code.append(discriminant).byte(OP.localSet).unsigned(local);
      values.forEach((value, index) => {
        if (value === null) return;
        code.byte(OP.localGet).unsigned(local).byte(OP.constant).signed(value).byte(OP.eq);
        this.jumpTo(placeOf(index), OP.brIf);
      });
      this.jumpTo(otherwise);
      return;
    }
    code.append(discriminant);
    if (least !== 0) code.byte(OP.constant).signed(least).byte(OP.sub);
    code.byte(OP.brTable).unsigned(size);
    const places = new Map(values.map((value, index) => [value, placeOf(index)]));
    for (let i = 0; i < size; i++) code.unsigned(this.depth - (places.get(least + i) ?? otherwise));
    code.unsigned(this.depth - otherwise);
  }

  private effect(): void {
    const { scanner, code } = this;
    if (scanner.is('++') || scanner.is('--') || scanner.is('(')) {
      this.expression();
      code.byte(OP.drop);
      return;
    }
    const name = scanner.name();
    if (scanner.is('(')) {
      this.call(name);
      code.byte(OP.drop);
    } else if (scanner.is('[')) {
      const offset = this.place(name);
      scanner.expect('=');
      this.expression();
      code.byte(OP.store).unsigned(2).unsigned(offset);
    } else if (scanner.is('++') || scanner.is('--')) {
      this.step(name, scanner.take('++') ? OP.add : OP.sub);
      scanner.take('--');
    } else this.assign(name);
  }

  private assign(name: string): void {
    const { scanner, code } = this;
    const operator = scanner.text;
    scanner.next();
    if (operator !== '=') this.get(name);
    this.expression();
    if (operator === '||=') code.byte(OP.or);
    else if (operator !== '=') code.byte(BINARY[operator.slice(0, -1)]!);
    this.set(name);
  }
}
