// What of a model a verdict depends on, as a text: equal texts, equal verdicts. Comments and layout count for nothing. A property that is no
// formula does not depend on the model's formulas, and a formula not on the others; unless a formula looks at the place where a process
// stands (`p@label`), since such labels become states of their own.

const TOKEN = /"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*|\w+|\n|[^\s\w]/g;

/** The words of a text; line breaks count in Promela, once. */
function words(text: string): string {
  const kept: string[] = [];
  for (const [token] of text.replace(/\\\r?\n/g, ' ').matchAll(TOKEN)) {
    if (token.startsWith('//')) continue;
    const word = token.startsWith('/*') ? (token.includes('\n') ? '\n' : '') : token;
    if (word === '' || (word === '\n' && (kept.at(-1) ?? '\n') === '\n')) continue;
    kept.push(word);
  }
  return kept.join(' ');
}

export interface Fingerprint {
  of(property: string): string;
}

const FORMULA = /(?:^|(?<=[;}\n] ?))\s*ltl (\w+ )?\{[^{}]*\}/g;

export function fingerprint(language: string, sources: ReadonlyMap<string, string>): Fingerprint {
  const all = [...sources].map(([path, text]) => `${path}\n${words(text)}`).join('\n');
  if (language !== 'promela') return { of: () => all };
  const formulas = new Map<string, string>();
  const rest = all.replace(FORMULA, (formula, name: string | undefined) => {
    if (name === undefined) return formula;
    formulas.set(name.trim(), formula.trim());
    return '';
  });
  // Also where a macro hides such a label.
  if (all.includes('@')) return { of: () => all };
  return {
    of: (property) => {
      const name = property.startsWith('ltl:') ? property.slice(4) : null;
      return name === null ? rest : `${rest}\n${formulas.get(name) ?? all}`;
    },
  };
}
