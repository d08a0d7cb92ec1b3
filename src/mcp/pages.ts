// Searching pages of Markdown by their sections: sections with rare words of the query, in heading or text, come first.

export interface PageHit {
  readonly page: string;
  readonly heading: string;
  readonly excerpt: string;
}

interface Section {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MOST_HITS = 5;
const LONGEST_EXCERPT = 900;

function sectionsOf(page: string, markdown: string): Section[] {
  const sections: { page: string; heading: string; lines: string[] }[] = [{ page, heading: page, lines: [] }];
  let isFenced = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isFenced = !isFenced;
    const [, heading] = isFenced ? [] : (/^#{1,4} (.+)$/.exec(line) ?? []);
    if (heading === undefined) sections.at(-1)!.lines.push(line);
    else sections.push({ page, heading, lines: [] });
  }
  return sections
    .map(({ lines, ...rest }) => ({ ...rest, text: lines.join('\n').trim() }))
    .filter(({ text }) => text !== '');
}

/** The section with that heading; the page, and its headings, where there is none. */
export function sectionOf(markdown: string, heading: string | undefined): string {
  if (heading === undefined) return markdown;
  const sections = sectionsOf('', markdown);
  const wanted = heading.toLowerCase();
  const found =
    sections.find((one) => one.heading.toLowerCase() === wanted) ??
    sections.find((one) => one.heading.toLowerCase().includes(wanted));
  if (found !== undefined) return `## ${found.heading}\n${found.text}`;
  return `there is no section '${heading}'; there are: ${sections.map((one) => one.heading).join('; ')}`;
}

const COMMON = new Set([
  'how',
  'the',
  'what',
  'why',
  'when',
  'does',
  'can',
  'and',
  'for',
  'are',
  'with',
  'from',
  'that',
  'this',
  'into',
]);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_-]{3,}/gu) ?? []).filter((word) => !COMMON.has(word));

export function searchPages(pages: ReadonlyMap<string, string>, query: string): PageHit[] {
  const sections = [...pages].flatMap(([page, text]) => sectionsOf(page, text));
  const words = [...new Set(wordsOf(query))].slice(0, 12);
  const texts = sections.map(({ heading, text }) => `${heading}\n${text}`.toLowerCase());
  const scores = sections.map(() => 0);
  for (const word of words) {
    const counts = texts.map((text) => text.split(word).length - 1);
    const holders = counts.filter((count) => count > 0).length;
    if (holders === 0) continue;
    const rarity = Math.log(1 + sections.length / holders);
    for (const [i, { heading, page }] of sections.entries()) {
      const inHeading = `${heading} ${page}`.toLowerCase().includes(word) ? 2 : 0;
      scores[i]! += rarity * (Math.min(1, counts[i]!) + Math.log1p(counts[i]!) / 2 + inHeading);
    }
  }
  return [...sections.keys()]
    .filter((i) => scores[i]! > 0)
    .sort((a, b) => scores[b]! - scores[a]!)
    .slice(0, MOST_HITS)
    .map((i) => ({
      page: sections[i]!.page,
      heading: sections[i]!.heading,
      excerpt: excerptOf(sections[i]!.text, words),
    }));
}

/** Around the first of the words. */
function excerptOf(text: string, words: readonly string[]): string {
  if (text.length <= LONGEST_EXCERPT) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 200);
  const from = start === 0 ? 0 : text.indexOf('\n', start) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + LONGEST_EXCERPT)} …`;
}
