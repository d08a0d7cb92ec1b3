// What runs inside the sandbox before anything of the user's does.
//
// It keeps the language's own objects from being changed, makes clock and random numbers report themselves, and gives the host functions to evaluate
// pieces of code and to take and restore the *whole* data: every global variable that is not the language's, as one text. The text is
// canonical: variables in the order of their names, properties in their own order, and an object that is reachable twice is written once and named the second time,
// so that equal texts are equal data and restoring keeps what is shared.
//
// Tagged arrays: i instance of a function, u undefined, n special number, b bigint, a array, h hole, o object, O object without prototype, z frozen, f function, d date, r regexp,
// m map, s set, e error, x XML, # first mention of a shared object, @ further mention. Everything else is JSON.

export const PRELUDE = String.raw`
(function (host) {
  'use strict';
  const { stringify, parse } = JSON;
  const { getPrototypeOf, getOwnPropertyNames, getOwnPropertySymbols, getOwnPropertyDescriptor, defineProperty, freeze, isFrozen, isExtensible, create } = Object;
  const isArray = Array.isArray, { deleteProperty, construct } = Reflect;
  const ObjectPrototype = Object.prototype, ArrayPrototype = Array.prototype, FunctionPrototype = Function.prototype;
  const sourceOf = (f) => FunctionPrototype.toString.call(f);
  const indirectEval = eval, MakeFunction = Function;
  const RealDate = Date, RealMap = Map, RealSet = Set, RealError = Error, RealRegExp = RegExp;
  const LONGEST = 1000000;
  const system = create(null);
  for (const name of ['_sessionid', '_name', '_ioprocessors', '_x', '_event'])
    defineProperty(globalThis, name, { get: () => system[name], enumerable: false, configurable: false });

  class Unrepresentable extends RealError {}

  // Clock and random numbers: an analysis needs the same answer to the same question.
  Math.random = function random() { host.nondeterministic('Math.random'); throw new RealError('random numbers are not available'); };
  function Clock(...args) {
    if (new.target === undefined || args.length === 0) { host.nondeterministic('the clock'); throw new RealError('the clock is not available'); }
    return construct(RealDate, args, new.target);
  }
  Clock.prototype = RealDate.prototype;
  Clock.UTC = RealDate.UTC; Clock.parse = RealDate.parse;
  Clock.now = function now() { host.nondeterministic('the clock'); throw new RealError('the clock is not available'); };
  defineProperty(Clock, 'name', { value: 'Date' });
  defineProperty(RealDate.prototype, 'constructor', { value: Clock, writable: true, configurable: true });
  defineProperty(globalThis, 'Date', { value: Clock, writable: true, configurable: true });
  for (const name of ['WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Promise', 'Proxy', 'InternalError']) delete globalThis[name];

  // Methods of arrays go through 'length' elements without ever asking whether time is up.
  for (const name of getOwnPropertyNames(ArrayPrototype)) {
    const method = ArrayPrototype[name];
    if (typeof method !== 'function' || name === 'constructor') continue;
    const limited = { [name](...args) {
      if (this != null && this.length > LONGEST) { host.tooLong(); throw new RealError('the array is too long'); }
      return method.apply(this, args);
    } }[name];
    defineProperty(ArrayPrototype, name, { value: limited, writable: true, configurable: true });
  }

  // XML in data: enough of the DOM to read it.
  class XmlNode {
    #tree; #text;
    constructor(tree, text) { this.#tree = tree; this.#text = text; freeze(this); }
    static textOf(node) { return node.#text; }
    static is(value) { return typeof value === 'object' && value !== null && #text in value; }
    get nodeType() { return this.#tree.n === null ? 9 : typeof this.#tree === 'string' ? 3 : 1; }
    get tagName() { return this.#tree.n; }
    get nodeName() { return this.#tree.n === null ? '#document' : this.#tree.n; }
    get localName() { return this.#tree.n; }
    get childNodes() { return this.#tree.c.map((child) => typeof child === 'string' ? freeze({ nodeType: 3, nodeName: '#text', nodeValue: child, textContent: child }) : new XmlNode(child, null)); }
    get children() { return this.#tree.c.filter((child) => typeof child !== 'string').map((child) => new XmlNode(child, null)); }
    get firstChild() { return this.childNodes[0] ?? null; }
    get documentElement() { return this.#tree.n === null ? this.children[0] : undefined; }
    get textContent() { const all = (tree) => typeof tree === 'string' ? tree : tree.c.map(all).join(''); return all(this.#tree); }
    getAttribute(name) { return this.#tree.a?.[name] ?? null; }
    hasAttribute(name) { return this.#tree.a?.[name] !== undefined; }
    getElementsByTagName(name) {
      const found = [];
      const visit = (tree) => { for (const child of tree.c) if (typeof child !== 'string') { if (name === '*' || child.n === name) found.push(new XmlNode(child, null)); visit(child); } };
      visit(this.#tree);
      return found;
    }
    toString() { return this.#text ?? '[object XML]'; }
  }

  const base = new RealSet(getOwnPropertyNames(globalThis));
  base.add('In');
  const inState = host.inState;
  defineProperty(globalThis, 'In', { value: function In(name) { return inState(String(name)); }, writable: false, configurable: false });

  // A property that objects inherit becomes one with a setter, so that an object of the user's can still have its own of that name.
  for (const proto of [ObjectPrototype, ArrayPrototype, FunctionPrototype, RealError.prototype]) {
    for (const key of getOwnPropertyNames(proto)) {
      const property = getOwnPropertyDescriptor(proto, key);
      if (!('value' in property) || !property.configurable) continue;
      const value = property.value;
      defineProperty(proto, key, {
        get() { return value; },
        set(own) {
          if (this === proto) throw new TypeError('built-in objects cannot be changed');
          defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
        },
        enumerable: property.enumerable, configurable: false,
      });
    }
  }
  const done = new RealSet();
  function harden(start) {
    const stack = [start];
    while (stack.length > 0) {
      const object = stack.pop();
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || done.has(object)) continue;
      done.add(object);
      for (const key of [...getOwnPropertyNames(object), ...getOwnPropertySymbols(object)]) {
        const property = getOwnPropertyDescriptor(object, key);
        stack.push(property.value, property.get, property.set);
      }
      stack.push(getPrototypeOf(object));
      if (object !== globalThis) freeze(object);
    }
  }
  for (const name of base) if (!(name in system)) harden(globalThis[name]);
  for (const start of [function* () {}, async function () {}, async function* () {}, [][Symbol.iterator](), new RealMap()[Symbol.iterator](), new RealSet()[Symbol.iterator](), ''[Symbol.iterator](), ''.matchAll(/x/g), XmlNode])
    harden(start);
  for (const name of base) {
    const property = getOwnPropertyDescriptor(globalThis, name);
    if (property !== undefined && property.configurable) defineProperty(globalThis, name, 'value' in property ? { writable: false, configurable: false } : { configurable: false });
  }

  const closedTexts = new RealSet(), openTexts = new RealSet();
  const functions = new RealMap();

  function isPlain(object) {
    if (!isExtensible(object)) return false;
    if (getOwnPropertySymbols(object).length > 0) return false;
    for (const key of getOwnPropertyNames(object)) {
      if (key === 'length' && isArray(object)) continue;
      const property = getOwnPropertyDescriptor(object, key);
      if (!('value' in property) || !property.writable || !property.enumerable || !property.configurable) return false;
    }
    return true;
  }

  function encode(root) {
    const seen = new RealMap();
    const count = (value) => {
      if (typeof value !== 'object' || value === null) return;
      const times = seen.get(value) ?? 0;
      seen.set(value, times + 1);
      if (times > 0 || XmlNode.is(value)) return;
      if (value instanceof RealMap) value.forEach((item, key) => { count(key); count(item); });
      else if (value instanceof RealSet) value.forEach(count);
      else for (const key of getOwnPropertyNames(value)) { const p = getOwnPropertyDescriptor(value, key); if ('value' in p) count(p.value); }
    };
    count(root);
    const names = new RealMap();
    const write = (value) => {
      switch (typeof value) {
        case 'string': case 'boolean': return value;
        case 'undefined': return ['u'];
        case 'number': return Number.isFinite(value) && !Object.is(value, -0) ? value : ['n', Object.is(value, -0) ? '-0' : String(value)];
        case 'bigint': return ['b', String(value)];
        case 'function': return writeFunction(value);
        case 'symbol': throw new Unrepresentable('a symbol');
      }
      if (value === null) return null;
      if (seen.get(value) === 1) return writeObject(value);
      if (names.has(value)) return ['@', names.get(value)];
      names.set(value, names.size);
      return ['#', names.get(value), writeObject(value)];
    };
    const writeFunction = (value) => {
      const text = sourceOf(value);
      if (!closedTexts.has(text) || openTexts.has(text)) throw new Unrepresentable('a function that is made while the chart runs, or that remembers variables of a function around it');
      for (const key of getOwnPropertyNames(value)) if (!/^(length|name|prototype|arguments|caller)$/.test(key)) throw new Unrepresentable('a function with properties of its own');
      return ['f', text];
    };
    // An instance of a function that can be kept, whose prototype holds nothing.
    const constructorOf = (proto) => {
      const maker = getOwnPropertyDescriptor(proto, 'constructor')?.value;
      if (typeof maker !== 'function' || maker.prototype !== proto || getPrototypeOf(proto) !== ObjectPrototype || getOwnPropertyNames(proto).length + getOwnPropertySymbols(proto).length !== 1) throw new Unrepresentable('an object with a prototype of its own');
      return writeFunction(maker)[1];
    };
    const writeObject = (object) => {
      if (XmlNode.is(object)) {
        const text = XmlNode.textOf(object);
        if (text === null) throw new Unrepresentable('a part of an XML document');
        return ['x', text];
      }
      const proto = getPrototypeOf(object);
      if (isFrozen(object) && (proto === ObjectPrototype || proto === ArrayPrototype)) return ['z', writeOpen(object, proto)];
      if (proto === RealDate.prototype) return ['d', write(RealDate.prototype.getTime.call(object))];
      if (proto === RealRegExp.prototype) return ['r', object.source, object.flags, object.lastIndex];
      if (object instanceof RealError && getPrototypeOf(proto) !== null) return ['e', String(object.name), String(object.message)];
      if (!isPlain(object)) throw new Unrepresentable('an object with accessors, symbols or properties that cannot be changed');
      if (proto === RealMap.prototype) { const all = ['m']; RealMap.prototype.forEach.call(object, (item, key) => all.push(write(key), write(item))); return all; }
      if (proto === RealSet.prototype) { const all = ['s']; RealSet.prototype.forEach.call(object, (item) => all.push(write(item))); return all; }
      return writeOpen(object, proto);
    };
    const writeOpen = (object, proto) => {
      if (isArray(object) && proto === ArrayPrototype) {
        if (object.length > LONGEST) { host.tooLong(); throw new RealError('the array is too long'); }
        if (getOwnPropertyNames(object).some((key) => key !== 'length' && !/^\d+$/.test(key))) throw new Unrepresentable('an array with named properties');
        const all = ['a'];
        for (let i = 0; i < object.length; i++) all.push(getOwnPropertyDescriptor(object, i) === undefined ? ['h'] : write(object[i]));
        return all;
      }
      const all = proto === null ? ['O'] : proto === ObjectPrototype ? ['o'] : ['i', constructorOf(proto)];
      for (const key of getOwnPropertyNames(object)) all.push(key, write(object[key]));
      return all;
    };
    return write(root);
  }

  function decode(tree) {
    const shared = [];
    const read = (node, name) => {
      if (!isArray(node)) return node;
      const keep = (object) => { if (name !== undefined) shared[name] = object; return object; };
      switch (node[0]) {
        case 'u': return undefined;
        case 'n': return Number(node[1]);
        case 'b': return BigInt(node[1]);
        case 'a': { const all = keep([]); for (let i = 1; i < node.length; i++) { if (isArray(node[i]) && node[i][0] === 'h') all.length = i; else defineProperty(all, i - 1, { value: read(node[i]), writable: true, enumerable: true, configurable: true }); } return all; }
        case 'o': case 'O': { const all = keep(node[0] === 'o' ? {} : create(null)); for (let i = 1; i < node.length; i += 2) defineProperty(all, node[i], { value: read(node[i + 1]), writable: true, enumerable: true, configurable: true }); return all; }
        case 'i': { const all = keep(create(functionOf(node[1]).prototype)); for (let i = 2; i < node.length; i += 2) defineProperty(all, node[i], { value: read(node[i + 1]), writable: true, enumerable: true, configurable: true }); return all; }
        case 'z': return freeze(read(node[1], name));
        case 'f': return functionOf(node[1]);
        case 'd': return keep(new RealDate(read(node[1])));
        case 'r': { const all = keep(new RealRegExp(node[1], node[2])); all.lastIndex = node[3]; return all; }
        case 'm': { const all = keep(new RealMap()); for (let i = 1; i < node.length; i += 2) all.set(read(node[i]), read(node[i + 1])); return all; }
        case 's': { const all = keep(new RealSet()); for (let i = 1; i < node.length; i++) all.add(read(node[i])); return all; }
        case 'e': { const all = keep(new RealError(node[2])); all.name = node[1]; return all; }
        case 'x': return keep(xml(node[1]));
        case '#': return read(node[2], node[1]);
        default: return shared[node[1]];
      }
    };
    return read(tree);
  }

  function functionOf(text) {
    let made = functions.get(text);
    if (made === undefined) {
      try { made = indirectEval('(' + text + ')'); } catch { const holder = indirectEval('({' + text + '})'); made = holder[getOwnPropertyNames(holder)[0]]; }
      functions.set(text, made);
    }
    return made;
  }

  const xml = (text) => { const tree = host.parseXml(text); if (tree === null) throw new RealError('no well-formed XML'); return new XmlNode(parse(tree), text); };

  const variables = () => getOwnPropertyNames(globalThis).filter((name) => !base.has(name)).sort();
  const compiled = new RealMap();
  const compile = (key, make) => { let made = compiled.get(key); if (made === undefined) compiled.set(key, made = make()); return made; };
  const expression = (text) => compile('e' + text, () => MakeFunction('return (' + text + '\n);'));
  const setter = (text) => compile('l' + text, () => MakeFunction('value', '"use strict"; ' + text + '\n = value;'));
  const loops = [];
  const set = (location, value) => { setter(location)(value); };
  const setVariable = (name, value) => { if (name in system) throw new TypeError(name + ' cannot be changed'); globalThis[name] = value; };
  const literal = (text) => { try { return parse(text); } catch { return text.trim().replace(/\s+/g, ' '); } };

  return {
    restore(text) {
      for (const name of variables()) if (!deleteProperty(globalThis, name)) globalThis[name] = undefined;
      const data = decode(parse(text));
      for (const name of getOwnPropertyNames(data)) defineProperty(globalThis, name, { value: data[name], writable: true, enumerable: true, configurable: true });
    },
    snapshot() {
      const data = create(null);
      for (const name of variables()) data[name] = globalThis[name];
      try { return stringify(encode(data)); } catch (error) { if (error instanceof Unrepresentable) host.unrepresentable(error.message); throw error; }
    },
    allow(text) { const { closed, open } = parse(text); for (const one of closed) closedTexts.add(one); for (const one of open) openTexts.add(one); },
    bind(text) { const all = decode(parse(text)); for (const name of getOwnPropertyNames(all)) system[name] = harmless(all[name]); },
    value(text) { try { return stringify(encode(expression(text)())); } catch (error) { if (error instanceof Unrepresentable) host.unrepresentable(error.message); throw error; } },
    text(text) { return String(expression(text)()); },
    truth(text) { return expression(text)() ? '1' : ''; },
    run(text) { indirectEval(text); },
    assign(location, text) { set(location, expression(text)()); },
    assignValue(location, tree) { set(location, decode(parse(tree))); },
    define(name, text) { setVariable(name, undefined); if (text !== '') setVariable(name, expression(text)()); },
    defineValue(name, tree) { setVariable(name, decode(parse(tree))); },
    isDefined(name) { return name in globalThis && !base.has(name) ? '1' : ''; },
    literal(text) { return stringify(encode(literal(text))); },
    begin(text) { const array = expression(text)(); if (!isArray(array)) throw new TypeError('foreach needs an array'); loops.push(array.slice()); return String(array.length); },
    each(item, index, at) { setVariable(item, loops[loops.length - 1][at]); if (index !== '') setVariable(index, Number(at)); },
    end() { loops.pop(); },
    log(text) { const value = expression(text)(); return typeof value === 'string' ? value : typeof value === 'object' && value !== null && !XmlNode.is(value) ? stringify(value) ?? String(value) : String(value); },
  };

  function harmless(value) { if (typeof value === 'object' && value !== null && !XmlNode.is(value)) freeze(value); return value; }
})
`;
