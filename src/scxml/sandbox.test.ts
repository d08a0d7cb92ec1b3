import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { SourceFile } from '../source/source.ts';
import type { Code } from './chart.ts';
import { EcmaModel } from './ecma-model.ts';
import { type Engine, EvaluationError, encode, Fault, loadEngine, NO_DATA, Sandbox } from './sandbox.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

const code = (text: string): Code => ({ text, span: { file: new SourceFile('t', text), start: 0, end: 1 } });
const system = { sessionId: 's', name: 'n' };

/** A fresh model with a session at hand. */
function fresh(): EcmaModel {
  const model = new EcmaModel(new Sandbox(engine));
  model.enter(system, NO_DATA);
  return model;
}

/** Leaves and enters again: the data as text is all that goes through. */
const again = (model: EcmaModel): void => model.enter(system, model.leave());

describe('data', () => {
  test('JSON survives being written down', () => {
    const model = fresh();
    model.define('x', null);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has one zero, ECMAScript has two.
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        model.assignValue(code('x'), encode(plain));
        again(model);
        expect(model.text(code('JSON.stringify(x)'))).toBe(JSON.stringify(plain));
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['undefined', 'x === undefined'],
    ['NaN', 'x !== x'],
    ['-0', 'Object.is(x, -0)'],
    ['-Infinity', 'x === -Infinity'],
    ['10n ** 30n', 'x === 10n ** 30n'],
    ['new Date(0)', 'x.getTime() === 0 && x instanceof Date'],
    ['/a+/iu', "x.test('xAA') && x.flags === 'iu'"],
    ['[1, , 3]', 'x.length === 3 && !(1 in x)'],
    ['new Map([[1, {a: 2}]])', 'x.get(1).a === 2'],
    ['new Set([1, 2])', 'x.has(2) && x.size === 2'],
    ['Object.freeze({a: 1})', 'Object.isFrozen(x)'],
    ['Object.create(null)', 'Object.getPrototypeOf(x) === null'],
    ['new TypeError("no")', 'x instanceof Error && x.message === "no" && x.name === "TypeError"'],
    ['function (a) { return a + 1 }', 'x(1) === 2'],
    ['({ m() { return 7 } })', 'x.m() === 7'],
    ['(a) => a * 2', 'x(4) === 8'],
    [
      '{ constructor: 1, toString: 2, __proto__: null, hasOwnProperty: 3 }',
      'x.toString === 2 && x.hasOwnProperty === 3',
    ],
    ['"\\u2028\\ud800"', 'x.length === 2'],
  ])('%s', (text, check) => {
    const model = fresh();
    model.define('x', code(text));
    expect(model.truth(code(check))).toBe(true);
    again(model);
    expect(model.truth(code(check))).toBe(true);
    const first = model.leave();
    again(model);
    expect(model.leave()).toBe(first);
  });

  test('what is shared stays shared, and circles stay circles', () => {
    const model = fresh();
    model.run(code('var a = {n: 0}; var b = [a, a]; a.self = a;'));
    again(model);
    model.run(code('b[0].n = 5'));
    expect(model.truth(code('a.n === 5 && b[1] === a && a.self === a'))).toBe(true);
  });

  test('equal data is the same text, however it came about', () => {
    const one = fresh();
    one.run(code('var x = 1; var y = {a: 1}; y.b = 2;'));
    const other = fresh();
    other.run(code('var y = {a: 1, b: 3}; y.b--; var x = 2 - 1; var z = 1; delete z; z = undefined;'));
    other.run(code('delete globalThis.z'));
    expect(other.leave()).toBe(one.leave());
  });

  test('two sessions in one sandbox do not see each other', () => {
    const model = new EcmaModel(new Sandbox(engine));
    model.enter(system, NO_DATA);
    model.run(code('var secret = 1; function f() { return 2 }'));
    const first = model.leave();
    model.enter({ sessionId: 't', name: 'n' }, NO_DATA);
    expect(
      model.truth(code('typeof secret === "undefined" && typeof f === "undefined" && _sessionid === "t"')),
    ).toBe(true);
    model.enter(system, first);
    expect(model.truth(code('secret === 1 && f() === 2'))).toBe(true);
  });

  test('let and const at the top of a script are variables of the chart', () => {
    const model = fresh();
    model.run(code('let a = 1; const b = 2; class C { m() { return a + b } }'));
    again(model);
    expect(model.truth(code('new C().m() === 3'))).toBe(true);
  });

  test.each([
    ['a function that remembers', 'var f = (function () { var n = 0; return function () { return n++ } })()'],
    ['a function made at run time', 'var f = new Function("return 1")'],
    ['an accessor', 'var o = { get a() { return 1 } }'],
    ['a symbol', 'var s = Symbol("s")'],
    ['an instance with methods', 'class C { m() {} }; var c = new C()'],
    ['a generator', 'var g = (function* () {})()'],
    [
      'an object with a property that cannot be changed',
      'var o = {}; Object.defineProperty(o, "a", {value: 1})',
    ],
  ])('%s cannot be compared, and is said to be so', (_, script) => {
    const model = fresh();
    model.run(code(script));
    expect(() => model.leave()).toThrow(Fault);
    // The next session is not harmed.
    model.enter(system, NO_DATA);
    expect(model.text(code('1 + 1'))).toBe('2');
  });
});

describe('limits', () => {
  test.each([
    ['an endless loop', 'for (;;);'],
    ['an endless recursion of calls in a loop', 'function f() { while (true) g() } function g() {} f()'],
    ['a regular expression that backtracks', '/(a+)+b/.test("a".repeat(40))'],
    ['an array that pretends', 'Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)'],
    ['a sparse array', 'var a = []; a.length = 4e9; a.indexOf(1)'],
    ['memory', 'var a = [1]; for (;;) a = a.concat(a)'],
    ['memory in one go', '"x".repeat(1e9)'],
    ['Math.random', 'Math.random()'],
    ['the clock', 'Date.now()'],
    ['the clock by another name', 'new Date()'],
    ['the clock, caught', 'try { new Date() } catch {}'],
  ])('%s', (_, script) => {
    const model = fresh();
    expect(() => model.run(code(script))).toThrow(Fault);
    model.enter(system, NO_DATA);
    expect(model.text(code('1 + 1'))).toBe('2');
  });

  test.each([
    ['too deep a recursion', 'function f() { f() } f()'],
    ['a name that is not there', 'nothing.at.all'],
    ['an exception', 'throw new Error("no")'],
    ['a thrown string', 'throw "no"'],
    ['process', 'process.exit(1)'],
    ['modules', 'require("fs")'],
    ['fetch', 'fetch("http://localhost")'],
    ['no syntax', 'var ('],
    ['an import', 'import fs from "fs"'],
  ])('%s is an error of the chart', (_, script) => {
    expect(() => fresh().run(code(script))).toThrow(EvaluationError);
  });

  test.each([
    'Array.prototype.push = null',
    'Object.prototype.x = 1',
    'globalThis.Array = null',
    'Object.defineProperty(Object.prototype, "y", { value: 1 })',
    '[].__proto__.map = 1',
    '_sessionid = "other"',
    '_event = 1',
    'JSON.parse = () => 1',
    'Object.setPrototypeOf(Array.prototype, null)',
    '(function(){}).constructor.prototype.z = 1',
  ])('the language itself does not change: %s', (script) => {
    const model = fresh();
    try {
      model.run(code(script));
    } catch (error) {
      expect(error).toBeInstanceOf(EvaluationError);
    }
    expect(
      model.truth(
        code(
          '[1].map((a) => a + 1)[0] === 2 && !("x" in {}) && !("y" in {}) && !("z" in {}) && _sessionid === "s"',
        ),
      ),
    ).toBe(true);
    expect(model.leave()).toBe(NO_DATA);
  });
});
