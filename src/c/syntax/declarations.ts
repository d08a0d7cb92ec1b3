// Declarations: specifiers, declarators, structs, enumerations, attributes. Which names are types is known here, so that `(T)(x)` and
// `a * b;` mean what C says.

import type { Token } from '../../cpp/token.ts';
import type { Span } from '../../source/source.ts';
import type {
  Declaration,
  Declarator,
  Expression,
  FieldDeclaration,
  FunctionDefinition,
  Parameter,
  TopLevel,
  TypeName,
  TypeSpec,
} from './ast.ts';
import type { Cursor } from './cursor.ts';
import { isWord } from './cursor.ts';
import { parseConditional, parseExpression, parseInitializer } from './expressions.ts';
import { parseBlock } from './statements.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const TYPE_WORDS = set(`void char short int long float double signed unsigned _Bool __signed__ __signed
  __int128 __int128_t __uint128_t _Float128 __float128 _Float64 _Float32 _Float32x _Float64x _Complex __complex__`);
const TYPE_KEYWORDS = set('struct union enum typeof __typeof__ __typeof typeof_unqual __auto_type');
const STORAGE = set('typedef static extern register auto _Thread_local __thread');
const IGNORED = set(`inline __inline __inline__ _Noreturn restrict __restrict __restrict__ __extension__
  constexpr thread_local`);
const QUALIFIERS = set('const volatile __const __const__ __volatile __volatile__ _Atomic');
const ATTRIBUTES = set('__attribute__ __attribute __declspec _Alignas alignas');
const ASM = set('asm __asm __asm__');

const isName = (token: Token, words: ReadonlySet<string>): boolean =>
  token.kind === 'name' && words.has(token.text);

/** Does a type begin with this token? */
export function startsType(cursor: Cursor, token: Token): boolean {
  if (token.kind !== 'name') return false;
  const { text } = token;
  return (
    TYPE_WORDS.has(text) ||
    TYPE_KEYWORDS.has(text) ||
    QUALIFIERS.has(text) ||
    cursor.isTypeName(text) ||
    (text === '__extension__' && token === cursor.token && startsType(cursor, cursor.peek(1)))
  );
}

export function startsDeclaration(cursor: Cursor): boolean {
  const { token } = cursor;
  if (isName(token, STORAGE) || isName(token, IGNORED) || isName(token, ATTRIBUTES)) {
    // `__extension__ (expression)` and an attribute before a `;` are statements.
    if (token.text === '__extension__') return !isWord(cursor.peek(1), '(');
    return true;
  }
  return startsType(cursor, token) && !(cursor.isTypeName(token.text) && isWord(cursor.peek(1), ':'));
}

interface Attributes {
  packed: boolean;
  noreturn: boolean;
  aligned: Expression | null;
  mode: string | null;
}

const noAttributes = (): Attributes => ({ packed: false, noreturn: false, aligned: null, mode: null });

/** Attributes here, if any: of those that change a layout or an end the meaning is kept. */
export function parseAttributes(cursor: Cursor, into: Attributes = noAttributes()): Attributes {
  for (;;) {
    if (isName(cursor.token, ASM) && isWord(cursor.peek(1), '(')) {
      cursor.next();
      cursor.skipGroup();
    } else if (cursor.is('[') && isWord(cursor.peek(1), '[')) {
      while (!cursor.take(']')) if (cursor.next().kind === 'end') cursor.fail("']]' is missing here");
      cursor.expect(']');
    } else if (isName(cursor.token, ATTRIBUTES)) {
      const word = cursor.next().text;
      if (!cursor.is('(')) cursor.fail("'(' is missing here");
      const mark = cursor.mark();
      cursor.skipGroup();
      const end = cursor.mark();
      cursor.reset(mark);
      if (word === '__attribute__' || word === '__attribute') readAttributes(cursor, end, into);
      else if (word !== '__declspec') into.aligned = alignment(cursor);
      cursor.reset(end);
    } else return into;
  }
}

/** What `_Alignas` says: a number, or the type that has the alignment. */
function alignment(cursor: Cursor): Expression {
  const start = cursor.next();
  if (!startsType(cursor, cursor.token)) return parseConditional(cursor);
  const of = parseTypeName(cursor);
  return { kind: 'alignof', of, span: cursor.spanFrom(start) };
}

function readAttributes(cursor: Cursor, end: number, into: Attributes): void {
  while (cursor.mark() < end) {
    const { text, kind } = cursor.next();
    const name = text.replace(/^__(.*)__$/, '$1');
    if (name === 'packed') into.packed = true;
    if (name === 'noreturn') into.noreturn = true;
    if (name === 'aligned' && cursor.is('(') && !isWord(cursor.peek(1), ')')) {
      cursor.next();
      into.aligned = parseConditional(cursor);
    } else if (name === 'aligned') {
      // The largest that any type needs.
      into.aligned = { kind: 'number', text: '16', span: cursor.token.span };
      if (cursor.is('(')) cursor.skipGroup();
    } else if (name === 'mode' && cursor.is('(')) {
      cursor.next();
      into.mode = cursor.next().text.replace(/^__(.*)__$/, '$1');
    } else if (kind === 'name' && cursor.is('(')) cursor.skipGroup();
  }
}

const withMode = (type: TypeSpec, mode: string | null): TypeSpec =>
  mode === null ? type : { kind: 'mode', mode, of: type, span: type.span };

interface Specifiers {
  readonly type: TypeSpec;
  readonly storage: Declaration['storage'];
  readonly threadLocal: boolean;
  readonly constant: boolean;
  readonly volatile: boolean;
  readonly attributes: Attributes;
  readonly start: Token;
}

function parseSpecifiers(cursor: Cursor): Specifiers {
  const start = cursor.token;
  const words: string[] = [];
  let type: TypeSpec | null = null;
  let storage: Declaration['storage'] = null;
  let threadLocal = false;
  const qualifiers = new Set<string>();
  const attributes = noAttributes();
  for (;;) {
    const { token } = cursor;
    if (token.kind !== 'name') {
      if (cursor.is('[') && isWord(cursor.peek(1), '[')) {
        parseAttributes(cursor, attributes);
        continue;
      }
      break;
    }
    const { text } = token;
    if (TYPE_WORDS.has(text)) words.push(cursor.next().text.replace(/^__signed(__)?$/, 'signed'));
    else if (STORAGE.has(text)) {
      cursor.next();
      if (text === 'typedef' || text === 'static' || text === 'extern') storage = text;
      else if (text === '_Thread_local' || text === '__thread') threadLocal = true;
    } else if (text === '_Atomic' && isWord(cursor.peek(1), '(')) {
      cursor.next();
      cursor.next();
      const inner = parseTypeName(cursor);
      cursor.expect(')');
      type = { kind: 'typeof', of: inner, span: cursor.spanFrom(token) };
      qualifiers.add('_Atomic');
    } else if (QUALIFIERS.has(text))
      qualifiers.add(cursor.next().text.replace(/^__(const|volatile)(__)?$/, '$1'));
    else if (IGNORED.has(text)) {
      if (cursor.next().text === '_Noreturn') attributes.noreturn = true;
    } else if (ATTRIBUTES.has(text)) parseAttributes(cursor, attributes);
    else if (TYPE_KEYWORDS.has(text) && type === null) type = parseTypeKeyword(cursor);
    else if (type === null && words.length === 0 && cursor.isTypeName(text)) {
      cursor.next();
      type = { kind: 'typedef', name: text, span: token.span };
    } else break;
  }
  const span = cursor.spanFrom(start);
  // C before 1999: int, where nothing is said.
  const plain: TypeSpec = type ?? { kind: 'words', words: words.length === 0 ? ['int'] : words, span };
  return {
    type: qualifiers.has('_Atomic') ? { kind: 'atomic', of: plain, span } : plain,
    storage,
    threadLocal,
    constant: qualifiers.has('const'),
    volatile: qualifiers.has('volatile'),
    attributes,
    start,
  };
}

function parseTypeKeyword(cursor: Cursor): TypeSpec {
  const start = cursor.next();
  if (start.text === 'struct' || start.text === 'union') return parseRecord(cursor, start);
  if (start.text === 'enum') return parseEnum(cursor, start);
  if (start.text === '__auto_type') return { kind: 'auto', span: start.span };
  cursor.expect('(');
  const of = startsType(cursor, cursor.token) ? parseTypeName(cursor) : parseExpression(cursor);
  cursor.expect(')');
  return { kind: 'typeof', of, span: cursor.spanFrom(start) };
}

function parseRecord(cursor: Cursor, start: Token): TypeSpec {
  const attributes = parseAttributes(cursor);
  const tag = cursor.token.kind === 'name' ? cursor.next().text : null;
  parseAttributes(cursor, attributes);
  if (!cursor.is('{') && tag === null) cursor.fail('the name of a struct is missing here');
  let fields: FieldDeclaration[] | null = null;
  if (cursor.take('{')) {
    fields = [];
    while (!cursor.is('}')) {
      if (cursor.take(';')) continue;
      if (takeStaticAssert(cursor)) continue;
      fields.push(parseField(cursor));
    }
    cursor.expect('}');
    parseAttributes(cursor, attributes);
  }
  const { packed, aligned } = attributes;
  return {
    kind: 'record',
    union: start.text === 'union',
    tag,
    fields,
    packed,
    aligned,
    span: cursor.spanFrom(start),
  };
}

function parseField(cursor: Cursor): FieldDeclaration {
  if (cursor.token.kind !== 'name') cursor.fail('a field is missing here');
  const { attributes: ofAll, ...specifiers } = parseSpecifiers(cursor);
  let { type } = specifiers;
  const declarators: FieldDeclaration['declarators'][number][] = [];
  while (!cursor.is(';') && !cursor.is('}')) {
    const at = cursor.token;
    const attributes = { ...ofAll };
    const declarator: Declarator = cursor.is(':')
      ? { kind: 'name', name: null, span: at.span }
      : parseDeclarator(cursor, attributes);
    const bits = cursor.take(':') ? parseConditional(cursor) : null;
    const { packed, aligned, mode } = parseAttributes(cursor, attributes);
    type = withMode(type, mode);
    declarators.push({ declarator, bits, packed, aligned });
    if (!cursor.take(',')) break;
  }
  cursor.expect(';');
  return { type, declarators };
}

function parseEnum(cursor: Cursor, start: Token): TypeSpec {
  parseAttributes(cursor);
  const tag = cursor.token.kind === 'name' ? cursor.next().text : null;
  if (!cursor.take('{')) return { kind: 'enum', tag, items: null, span: cursor.spanFrom(start) };
  const items: { name: string; value: Expression | null; span: Span }[] = [];
  while (!cursor.is('}')) {
    const name = cursor.name('the name of a constant');
    parseAttributes(cursor);
    const value = cursor.take('=') ? parseConditional(cursor) : null;
    cursor.declare(name.text, false);
    items.push({ name: name.text, value, span: cursor.spanFrom(name) });
    if (!cursor.take(',')) break;
  }
  cursor.expect('}');
  parseAttributes(cursor);
  return { kind: 'enum', tag, items, span: cursor.spanFrom(start) };
}

export function parseTypeName(cursor: Cursor): TypeName {
  cursor.take('__extension__');
  if (!startsType(cursor, cursor.token)) cursor.fail('a type is missing here');
  const { type } = parseSpecifiers(cursor);
  return { type, declarator: parseDeclarator(cursor) };
}

/** With or without a name; attributes on the way go to `into`. */
function parseDeclarator(cursor: Cursor, into: Attributes = noAttributes()): Declarator {
  parseAttributes(cursor, into);
  if (cursor.take('*')) {
    let atomic: boolean = false;
    while (isName(cursor.token, QUALIFIERS) || isName(cursor.token, IGNORED))
      if (cursor.next().text === '_Atomic') atomic = true;
    return {
      kind: 'pointer',
      ...(atomic ? { atomic: true as const } : {}),
      inner: parseDeclarator(cursor, into),
    };
  }
  if (cursor.is('^')) cursor.unsupported('a block', cursor.next());
  return parseDirect(cursor, into);
}

function parseDirect(cursor: Cursor, into: Attributes): Declarator {
  const start = cursor.token;
  let inner: Declarator;
  if (cursor.is('(') && !isParameterList(cursor)) {
    cursor.next();
    inner = parseDeclarator(cursor, into);
    cursor.expect(')');
  } else if (start.kind === 'name' && !isName(start, ASM) && !isName(start, ATTRIBUTES)) {
    cursor.next();
    inner = { kind: 'name', name: start.text, span: start.span };
  } else inner = { kind: 'name', name: null, span: start.span };
  for (;;) {
    if (cursor.is('[') && !isWord(cursor.peek(1), '[')) {
      cursor.next();
      while (isName(cursor.token, QUALIFIERS) || isName(cursor.token, IGNORED) || cursor.is('static'))
        cursor.next();
      if (cursor.is('*') && isWord(cursor.peek(1), ']')) cursor.next();
      const size = cursor.is(']') ? null : parseConditional(cursor);
      cursor.expect(']');
      inner = { kind: 'array', inner, size };
    } else if (cursor.is('(')) {
      inner = parseParameters(cursor, inner);
    } else {
      parseAttributes(cursor, into);
      return inner;
    }
  }
}

/** `(` opens parameters, not a declarator in brackets: a type or nothing follows. */
function isParameterList(cursor: Cursor): boolean {
  const next = cursor.peek(1);
  if (isWord(next, ')')) return true;
  return startsType(cursor, next) || isName(next, STORAGE);
}

function parseParameters(cursor: Cursor, inner: Declarator): Declarator {
  cursor.expect('(');
  return cursor.inScope(() => {
    const parameters: Parameter[] = [];
    let variadic = false;
    // Names only: the types follow before the body (C before 1989).
    const old =
      cursor.token.kind === 'name' &&
      !startsType(cursor, cursor.token) &&
      !isName(cursor.token, STORAGE) &&
      !isName(cursor.token, IGNORED) &&
      !isName(cursor.token, ATTRIBUTES);
    while (!cursor.is(')')) {
      if (cursor.take('...')) {
        variadic = true;
        break;
      }
      if (old) {
        const name = cursor.name('a parameter');
        parameters.push({
          type: { kind: 'words', words: ['int'], span: name.span },
          declarator: { kind: 'name', name: name.text, span: name.span },
        });
      } else {
        if (cursor.token.kind !== 'name' && !cursor.is('[')) cursor.fail('a parameter is missing here');
        const { type } = parseSpecifiers(cursor);
        const declarator = parseDeclarator(cursor);
        const name = nameOf(declarator);
        if (name !== null) cursor.declare(name, false);
        parameters.push({ type, declarator });
      }
      if (!cursor.take(',')) break;
    }
    cursor.expect(')');
    return { kind: 'function', inner, parameters, variadic };
  });
}

function nameOf(declarator: Declarator): string | null {
  return declarator.kind === 'name' ? declarator.name : nameOf(declarator.inner);
}

function takeStaticAssert(cursor: Cursor): boolean {
  if (!cursor.is('_Static_assert') && !(cursor.is('static_assert') && isWord(cursor.peek(1), '(')))
    return false;
  cursor.next();
  cursor.skipGroup();
  cursor.take(';');
  return true;
}

export function parseTopLevel(cursor: Cursor): TopLevel | null {
  if (cursor.take(';') || takeStaticAssert(cursor)) return null;
  if (isName(cursor.token, ASM)) {
    cursor.next();
    cursor.skipGroup();
    cursor.take(';');
    return null;
  }
  if (cursor.token.kind !== 'name' && !cursor.is('*') && !cursor.is('(') && !cursor.is('['))
    cursor.fail('this is not C: a declaration is missing here');
  const specifiers = parseSpecifiers(cursor);
  if (cursor.take(';')) return finished(cursor, specifiers, []);
  const first = cursor.token;
  const declarator = parseDeclarator(cursor, specifiers.attributes);
  const isFunction = functionPart(declarator) !== null;
  if (isFunction && (cursor.is('{') || startsDeclaration(cursor)))
    return parseFunction(cursor, specifiers, declarator);
  return parseItems(cursor, specifiers, first, declarator);
}

export function parseDeclaration(cursor: Cursor): Declaration | null {
  if (takeStaticAssert(cursor)) return null;
  const specifiers = parseSpecifiers(cursor);
  if (cursor.take(';')) return finished(cursor, specifiers, []);
  const first = cursor.token;
  const declarator = parseDeclarator(cursor, specifiers.attributes);
  if (functionPart(declarator) !== null && cursor.is('{'))
    cursor.unsupported('a function inside a function', specifiers.start, 'move it outside');
  return parseItems(cursor, specifiers, first, declarator);
}

function parseItems(
  cursor: Cursor,
  specifiers: Specifiers,
  firstToken: Token,
  firstDeclarator: Declarator,
): Declaration {
  const items: Declaration['items'][0][] = [];
  let start = firstToken;
  let declarator = firstDeclarator;
  for (;;) {
    const name = nameOf(declarator);
    if (name === null) cursor.fail('a name is missing here');
    parseAttributes(cursor, specifiers.attributes);
    cursor.declare(name, specifiers.storage === 'typedef');
    const value = cursor.take('=') ? parseInitializer(cursor) : null;
    items.push({ declarator, value, span: cursor.spanFrom(start) });
    if (!cursor.take(',')) break;
    parseAttributes(cursor, specifiers.attributes);
    start = cursor.token;
    declarator = parseDeclarator(cursor, specifiers.attributes);
  }
  cursor.expect(';');
  return finished(cursor, specifiers, items);
}

function finished(cursor: Cursor, specifiers: Specifiers, items: Declaration['items']): Declaration {
  const { type, storage, threadLocal, constant, volatile, attributes, start } = specifiers;
  return {
    kind: 'declaration',
    storage,
    threadLocal,
    constant,
    volatile,
    noreturn: attributes.noreturn,
    aligned: storage === 'typedef' ? attributes.aligned : null,
    type: withMode(type, attributes.mode),
    items,
    span: cursor.spanFrom(start),
  };
}

type FunctionDeclarator = Extract<Declarator, { kind: 'function' }>;

/** The function step next to the name, through brackets: what a definition defines. */
function functionPart(declarator: Declarator): FunctionDeclarator | null {
  if (declarator.kind === 'name') return null;
  if (declarator.kind === 'function' && declarator.inner.kind === 'name') return declarator;
  return functionPart(declarator.inner);
}

function parseFunction(cursor: Cursor, specifiers: Specifiers, declarator: Declarator): FunctionDefinition {
  const name = nameOf(declarator);
  if (name !== null) cursor.declare(name, false);
  const types = new Map<string, Parameter>();
  while (!cursor.is('{')) {
    if (cursor.token.kind !== 'name') cursor.fail("'{' is missing here");
    const declaration = parseDeclaration(cursor);
    for (const item of declaration?.items ?? []) {
      const parameter = nameOf(item.declarator);
      if (parameter !== null) types.set(parameter, { type: declaration!.type, declarator: item.declarator });
    }
  }
  const whole = types.size === 0 ? declarator : withTypes(declarator, types);
  return cursor.inScope(() => {
    for (const parameter of functionPart(whole)!.parameters) {
      const parameterName = nameOf(parameter.declarator);
      if (parameterName !== null) cursor.declare(parameterName, false);
    }
    const body = parseBlock(cursor);
    const { type, start } = specifiers;
    return {
      kind: 'function',
      type,
      declarator: whole,
      body,
      static: specifiers.storage === 'static',
      span: cursor.spanFrom(start),
    };
  });
}

function withTypes(declarator: Declarator, types: ReadonlyMap<string, Parameter>): Declarator {
  if (declarator.kind === 'name') return declarator;
  if (declarator.kind === 'function' && declarator.inner.kind === 'name')
    return {
      ...declarator,
      parameters: declarator.parameters.map(
        (parameter) => types.get(nameOf(parameter.declarator) ?? '') ?? parameter,
      ),
    };
  return { ...declarator, inner: withTypes(declarator.inner, types) };
}
