// Regular expressions over message types (numbers), with Brzozowski's derivatives. The smart constructors keep alternatives sorted and
// without repetition, so that every expression has finitely many derivatives (Brzozowski 1964) and equal ones share a text key.

export type Regex =
  | { readonly kind: 'none'; readonly key: string }
  | { readonly kind: 'empty'; readonly key: string }
  | { readonly kind: 'letter'; readonly letter: number; readonly key: string }
  | { readonly kind: 'sequence'; readonly first: Regex; readonly rest: Regex; readonly key: string }
  | { readonly kind: 'choice'; readonly options: readonly Regex[]; readonly key: string }
  | { readonly kind: 'star'; readonly body: Regex; readonly key: string };

export const NONE: Regex = { kind: 'none', key: 'none' };
export const EMPTY: Regex = { kind: 'empty', key: 'e' };
export const letter = (index: number): Regex => ({ kind: 'letter', letter: index, key: `${index}` });

export function sequence(first: Regex, rest: Regex): Regex {
  if (first.kind === 'none' || rest.kind === 'none') return NONE;
  if (first.kind === 'empty') return rest;
  if (rest.kind === 'empty') return first;
  if (first.kind === 'sequence') return sequence(first.first, sequence(first.rest, rest));
  return { kind: 'sequence', first, rest, key: `(${first.key} ${rest.key})` };
}

export function choice(options: readonly Regex[]): Regex {
  const flat = new Map<string, Regex>();
  for (const option of options) {
    for (const part of option.kind === 'choice' ? option.options : [option]) {
      if (part.kind !== 'none') flat.set(part.key, part);
    }
  }
  const sorted = [...flat.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (sorted.length === 0) return NONE;
  if (sorted.length === 1) return sorted[0]!;
  return { kind: 'choice', options: sorted, key: `(${sorted.map((part) => part.key).join('|')})` };
}

export function star(body: Regex): Regex {
  if (body.kind === 'none' || body.kind === 'empty') return EMPTY;
  if (body.kind === 'star') return body;
  return { kind: 'star', body, key: `${body.key}*` };
}

export const plus = (body: Regex): Regex => sequence(body, star(body));

export function acceptsEmpty(regex: Regex): boolean {
  switch (regex.kind) {
    case 'none':
    case 'letter':
      return false;
    case 'empty':
    case 'star':
      return true;
    case 'sequence':
      return acceptsEmpty(regex.first) && acceptsEmpty(regex.rest);
    case 'choice':
      return regex.options.some(acceptsEmpty);
  }
}

/** The words u with `by`·u in the language. */
export function derivative(regex: Regex, by: number): Regex {
  switch (regex.kind) {
    case 'none':
    case 'empty':
      return NONE;
    case 'letter':
      return regex.letter === by ? EMPTY : NONE;
    case 'star':
      return sequence(derivative(regex.body, by), regex);
    case 'choice':
      return choice(regex.options.map((option) => derivative(option, by)));
    case 'sequence': {
      const inFirst = sequence(derivative(regex.first, by), regex.rest);
      return acceptsEmpty(regex.first) ? choice([inFirst, derivative(regex.rest, by)]) : inFirst;
    }
  }
}

/** The same language without the empty word. */
export function nonEmptyPart(regex: Regex): Regex {
  switch (regex.kind) {
    case 'none':
    case 'empty':
      return NONE;
    case 'letter':
      return regex;
    case 'star':
      return sequence(nonEmptyPart(regex.body), regex);
    case 'choice':
      return choice(regex.options.map(nonEmptyPart));
    case 'sequence':
      if (!acceptsEmpty(regex)) return regex;
      return choice([sequence(nonEmptyPart(regex.first), regex.rest), nonEmptyPart(regex.rest)]);
  }
}

/** The words of the language that begin with this letter. */
export const beginningWith = (regex: Regex, first: number): Regex =>
  sequence(letter(first), derivative(regex, first));

/** As the user writes it: `MIP MIP*`, `(DT | MIP)* MAP`, `e`. */
export function showRegex(regex: Regex, names: readonly string[]): string {
  switch (regex.kind) {
    case 'none':
      return 'none';
    case 'empty':
      return 'e';
    case 'letter':
      return names[regex.letter]!;
    case 'star':
      return `${showFactor(regex.body, names)}*`;
    case 'choice':
      return regex.options.map((option) => showRegex(option, names)).join(' | ');
    case 'sequence':
      return showSequence(regex, names);
  }
}

function showSequence(regex: Regex & { kind: 'sequence' }, names: readonly string[]): string {
  const { first, rest } = regex;
  if (rest.kind === 'star' && rest.body.key === first.key) return `${showFactor(first, names)}+`;
  if (rest.kind === 'sequence' && rest.first.kind === 'star' && rest.first.body.key === first.key)
    return `${showFactor(first, names)}+ ${showPart(rest.rest, names)}`;
  return `${showPart(first, names)} ${showPart(rest, names)}`;
}

const showPart = (regex: Regex, names: readonly string[]): string =>
  regex.kind === 'choice' ? `(${showRegex(regex, names)})` : showRegex(regex, names);

const showFactor = (regex: Regex, names: readonly string[]): string =>
  regex.kind === 'choice' || regex.kind === 'sequence' || regex.kind === 'star'
    ? `(${showRegex(regex, names)})`
    : showRegex(regex, names);
