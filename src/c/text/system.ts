// System headers as a C compiler's preprocessor gives them: thousands of declarations in GNU C, of which a program uses a few. What it
// does not use, directly or through what it uses, is left out before parsing, so only the declarations that matter must be understood.

import type { Token } from '../../cpp/token.ts';
import type { SourceFile } from '../../source/source.ts';

/** From `cc -E -dD`: the macros and declarations of real files, without the compiler's own predefined macros. */
export function headerText(compilerOutput: string): string {
  let real = false;
  const kept: string[] = [];
  for (const line of compilerOutput.split('\n')) {
    const marker = /^# \d+ "(.*?)"/.exec(line);
    if (marker !== null) real = !marker[1]!.startsWith('<');
    else if (real) kept.push(line);
  }
  return `${kept.join('\n')}\n`;
}

interface Chunk {
  readonly tokens: readonly Token[];
  /** Variables, functions, types, constants; the tags with their word before them. */
  readonly declares: readonly string[];
  /** Of a built-in header. */
  readonly ours: boolean;
}

/** Without the declarations of headers that nothing else needs. What a built-in one says is not heard again from a compiler's. */
export function onlyUsed(
  tokens: readonly Token[],
  builtIn: ReadonlySet<SourceFile>,
  system: ReadonlySet<SourceFile>,
): readonly Token[] {
  if (builtIn.size + system.size === 0) return tokens;
  const isHeader = (token: Token): boolean => builtIn.has(token.span.file) || system.has(token.span.file);
  const pieces: (Token | Chunk)[] = [];
  const needed = new Set<string>();
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i]!;
    if (!isHeader(token)) {
      if (token.kind === 'name') needed.add(token.text);
      pieces.push(token);
      i++;
      continue;
    }
    const ours = builtIn.has(token.span.file);
    let end = i;
    while (end < tokens.length && (ours ? builtIn : system).has(tokens[end]!.span.file)) end++;
    const part = tokens.slice(i, end);
    for (const chunk of chunksOf(ours ? part : withoutAttributes(part, MEANT), ours)) pieces.push(chunk);
    i = end;
  }
  const kept = closure(
    pieces.filter((piece): piece is Chunk => 'declares' in piece),
    needed,
  );
  const first = pieces.findIndex((piece) => 'declares' in piece);
  return [...pieces.slice(0, first), ...oursFirst(pieces.slice(first))].flatMap((piece) =>
    'declares' in piece ? (kept.has(piece) ? piece.tokens : []) : [piece],
  );
}

/** A compiler's header can need what a built-in one declares that is included after it. Built-in ones need nothing but each other. */
function oursFirst(pieces: readonly (Token | Chunk)[]): (Token | Chunk)[] {
  const isOurs = (piece: Token | Chunk): boolean => 'declares' in piece && piece.ours;
  const isSystem = (piece: Token | Chunk): boolean => 'declares' in piece && !piece.ours;
  if (!pieces.some(isSystem)) return [...pieces];
  return [...pieces.filter(isOurs), ...pieces.filter((piece) => !isOurs(piece))];
}

function closure(chunks: readonly Chunk[], needed: Set<string>): Set<Chunk> {
  const known = new Set(chunks.flatMap(({ ours, declares }) => (ours ? declares : [])));
  const declaring = new Map<string, Chunk[]>();
  const seen = new Set<string>();
  for (const chunk of chunks) {
    if (!chunk.ours && chunk.declares.every((name) => known.has(name))) continue;
    // Two headers can bring the same declaration.
    const text = chunk.tokens.map((token) => token.text.trim()).join(' ');
    if (seen.has(text)) continue;
    seen.add(text);
    for (const declared of chunk.declares) {
      const name = declared.replace(/^.* /, '');
      const list = declaring.get(name);
      if (list === undefined) declaring.set(name, [chunk]);
      else list.push(chunk);
    }
  }
  const kept = new Set<Chunk>();
  // A set that grows while it is walked: what is needed can need more.
  for (const name of needed)
    for (const chunk of declaring.get(name) ?? []) {
      if (kept.has(chunk)) continue;
      kept.add(chunk);
      for (const token of chunk.tokens) if (token.kind === 'name') needed.add(token.text);
    }
  return kept;
}

/** Declarations at file level: up to a semicolon, or to the brace that closes a function's body. */
function chunksOf(tokens: readonly Token[], ours: boolean): Chunk[] {
  const chunks: Chunk[] = [];
  let depth = 0;
  let current: Token[] = [];
  let solid: Token | undefined;
  let inBody = false;
  const finish = () => {
    if (current.length > 0)
      chunks.push({ tokens: current, declares: declaredNames(withoutAttributes(current)), ours });
    current = [];
    inBody = false;
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    // The name a function has for the linker says nothing about it.
    if (depth === 0 && /^(__asm__|__asm|asm)$/.test(token.text)) {
      i = closing(tokens, i);
      continue;
    }
    if (depth === 0 && isAttribute(token)) {
      const end = closing(tokens, i);
      current.push(...tokens.slice(i, end + 1));
      i = end;
      continue;
    }
    current.push(token);
    if (depth === 0 && isPunct(token, '{')) inBody = isPunct(solid, ')');
    if (isPunct(token, '{') || isPunct(token, '(') || isPunct(token, '[')) depth++;
    if (isPunct(token, '}') || isPunct(token, ')') || isPunct(token, ']')) depth--;
    solid = token;
    if (depth === 0 && (isPunct(token, ';') || (inBody && isPunct(token, '}')))) finish();
  }
  finish();
  return chunks;
}

const TAGGED = /^(struct|union|enum)$/;

/** Variables, functions and types at depth 0, tags, and the constants of enumerations. */
function declaredNames(tokens: readonly Token[]): string[] {
  const names: string[] = [];
  let depth = 0;
  let last: string | null = null;
  let enumeration = false;
  tokens.forEach((token, i) => {
    const before = tokens[i - 1]?.text ?? '';
    const opens = isPunct(token, '{') || isPunct(token, '(') || isPunct(token, '[');
    if (isPunct(token, '{')) enumeration = before === 'enum' || tokens[i - 2]?.text === 'enum';
    if (isPunct(token, '}')) enumeration = false;
    if (token.kind === 'name') {
      if (depth === 0 && !TAGGED.test(token.text)) last = token.text;
      if (TAGGED.test(before) && isPunct(tokens[i + 1], '{')) names.push(`${before} ${token.text}`);
      if (enumeration && (before === '{' || before === ',')) names.push(token.text);
    }
    // A declarator in parentheses: a pointer to a function, or a name shielded from macros.
    if (depth === 0 && isPunct(token, '(') && isPunct(tokens[closing(tokens, i - 1) + 1], '('))
      last = tokens.slice(i).find(({ kind }) => kind === 'name')?.text ?? null;
    if (depth === 0 && last !== null && (isPunct(token, ';') || isPunct(token, ','))) {
      names.push(last);
      last = null;
    }
    if (opens) depth++;
    else if (isPunct(token, '}') || isPunct(token, ')') || isPunct(token, ']')) depth--;
  });
  if (last !== null) names.push(last);
  return names;
}

const ATTRIBUTES = new Set(['__attribute__', '__attribute', '_Alignas']);

/** Of all attributes these change what a type is, where things lie, or what a call does. */
const MEANT =
  /^(?:_Alignas|(?:__)?(?:mode|aligned|packed|vector_size|transparent_union|noreturn|weak)(?:__)?)$/;

const isAttribute = ({ kind, text }: Token): boolean => kind === 'name' && ATTRIBUTES.has(text);

/** Of attributes only those with such a word. */
function withoutAttributes(tokens: readonly Token[], but = /^$/): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++)
    if (isAttribute(tokens[i]!)) {
      const end = closing(tokens, i);
      const group = tokens.slice(i, end + 1);
      if (group.some(({ text }) => but.test(text))) kept.push(...group);
      i = end;
    } else kept.push(tokens[i]!);
  return kept;
}

/** The index of the parenthesis that closes the group after position i. */
function closing(tokens: readonly Token[], i: number): number {
  let depth = 0;
  for (let j = i + 1; j < tokens.length; j++) {
    if (isPunct(tokens[j], '(')) depth++;
    else if (isPunct(tokens[j], ')') && --depth === 0) return j;
    else if (depth === 0) return i;
  }
  return tokens.length;
}

const isPunct = (token: Token | undefined, text: string): boolean =>
  token !== undefined && token.kind === 'mark' && token.text === text;
