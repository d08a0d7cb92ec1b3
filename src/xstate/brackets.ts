// A program's text as a tree of brackets: enough to find object literals and their keys, whatever else is in the text. No parser: types,
// decorators and JSX pass through as words.

export interface Group {
  readonly open: '{' | '[' | '(';
  readonly start: number;
  /** Parts between commas. */
  readonly parts: Part[];
}

export interface Part {
  readonly pieces: (Word | Group)[];
}

export interface Word {
  readonly text: string;
  readonly start: number;
  /** The value of a string literal. */
  readonly string?: string;
}

export const isGroup = (piece: Word | Group): piece is Group => 'open' in piece;

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*|\d[\w.]*|=>|[{}[\](),:;]|\S/g;

export function bracketTree(text: string): Group {
  const root: Group = { open: '{', start: 0, parts: [{ pieces: [] }] };
  const stack: Group[] = [root];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const start = match.index;
    const top = stack.at(-1)!;
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (token === '{' || token === '[' || token === '(') {
      const group: Group = { open: token, start, parts: [{ pieces: [] }] };
      top.parts.at(-1)!.pieces.push(group);
      stack.push(group);
    } else if (token === '}' || token === ']' || token === ')') {
      if (stack.length > 1) stack.pop();
    } else if (token === ',') top.parts.push({ pieces: [] });
    else top.parts.at(-1)!.pieces.push(wordOf(token, start));
  }
  return root;
}

function wordOf(token: string, start: number): Word {
  if (!/^['"`]/.test(token)) return { text: token, start };
  return { text: token, start, string: token.slice(1, -1).replace(/\\(.)/g, '$1') };
}

export interface Entry {
  readonly start: number;
  /** The object, list or call that is its value, if it is one. */
  readonly value: Group | null;
}

/** The keys of an object literal, with where they stand. */
export function entriesOf(group: Group): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { pieces } of group.parts) {
    const [key, colon, value] = pieces;
    if (key === undefined || isGroup(key)) continue;
    const name = key.string ?? key.text;
    if (colon === undefined) entries.set(name, { start: key.start, value: null });
    else if (!isGroup(colon) && colon.text === ':')
      entries.set(name, { start: key.start, value: value !== undefined && isGroup(value) ? value : null });
  }
  return entries;
}

/** Every group inside, itself included. */
export function* allGroups(group: Group): Generator<Group> {
  yield group;
  for (const { pieces } of group.parts)
    for (const piece of pieces) if (isGroup(piece)) yield* allGroups(piece);
}
