// A potential as a sentence: what is counted, and what never happens to the sum.

import type { ExplainedPotential, ProofExplanation } from '../../verdict/verdict.ts';

const MOST_TERMS = 12;

/** "Each message in a, plus 2 if server is at busy, never rises above 2." */
export function potentialSentence(kind: ProofExplanation['kind'], potential: ExplainedPotential): string {
  const { start } = potential;
  const terms = termsOf(potential);
  const shown = terms.slice(0, MOST_TERMS);
  const more = terms.length > shown.length ? `, plus ${terms.length - shown.length} more terms below` : '';
  const sum = shown.length === 0 ? 'The empty sum' : capital(shown.join(', ')) + more;
  return kind === 'bound'
    ? `${sum}: this sum never rises above ${start}, what it is at the start.`
    : `${sum}: this sum is never negative, and every step that is not progress makes it fall.`;
}

/** Places of equal weight in one term. */
function termsOf({ weights }: ExplainedPotential): string[] {
  const groups = new Map<string, { kind: string; weight: string; names: string[] }>();
  for (const { kind, name, weight } of weights) {
    const owner = kind === 'location' ? name.slice(0, Math.max(0, name.indexOf(' at '))) : '';
    const key = `${kind} ${weight} ${owner}`;
    const group = groups.get(key) ?? { kind, weight, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map((group, index) => term(group, index === 0));
}

function term(
  { kind, weight, names }: { kind: string; weight: string; names: readonly string[] },
  first: boolean,
): string {
  const negative = weight.startsWith('-');
  const amount = negative ? weight.slice(1) : weight;
  const sign = negative ? 'minus ' : first ? '' : 'plus ';
  if (kind !== 'location') {
    const what = kind === 'value' ? 'each unit of' : 'each message';
    return `${sign}${amount === '1' ? what : `${amount} for ${what}`} ${kind === 'value' ? '' : 'in '}${listed(names)}`.replace(
      '  ',
      ' ',
    );
  }
  const cut = names[0]!.indexOf(' at ');
  const owner = cut < 0 ? names[0]! : names[0]!.slice(0, cut);
  const places = names.map((name) => (cut < 0 ? name : name.slice(cut + 4)));
  return `${sign}${amount} if ${owner} is at ${listed(places)}`;
}

const listed = (names: readonly string[]): string => {
  const shown = names.length > 6 ? [...names.slice(0, 5), `${names.length - 5} others`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
