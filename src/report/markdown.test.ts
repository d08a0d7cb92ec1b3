import { expect, test } from 'vitest';
import { reportMarkdown } from './markdown.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from './testing/fixtures.ts';

test('what needs attention comes first, with its run', () => {
  expect(reportMarkdown([REFUTED, PROVED_AND_UNKNOWN])).toMatchInlineSnapshot(`
    "## ❌ Spillway: 2 models: 1 proved, 1 refuted, 1 unknown

    | | model | property | verdict | |
    | --- | --- | --- | --- | --- |
    | ❌ | <code>flood &amp; co.pml</code> | <code>bounded</code> | refuted | the queue q grows &lt;without&gt; limit |
    | ❔ | <code>ring.pml</code> | <code>livelock-free</code> | unknown | the counting abstraction leaves a suspicious combination of loops |

    <details><summary>❌ <code>flood &amp; co.pml</code> <code>bounded</code>: refuted</summary>

    \`\`\`text
    the queue q grows <without> limit

    1  flood & co.pml:3  producer  q!1  q = [1]
    2  flood & co.pml:6  consumer  q?_  q = []
         ── from here on, again and again ──
    3  flood & co.pml:3  producer  q!1  q = [1]

    each round leaves 1 more in q
    at the end:
      q = [1]
    \`\`\`

    \`\`\`text
    spillway check 'flood & co.pml' --property bounded
    \`\`\`

    </details>

    <details><summary>❔ <code>ring.pml</code> <code>livelock-free</code>: unknown</summary>

    the loops shown could repeat together

    \`\`\`text
    spillway check ring.pml --property livelock-free
    \`\`\`

    </details>

    | | model | property | verdict | |
    | --- | --- | --- | --- | --- |
    | ✅ | <code>ring.pml</code> | <code>bounded</code> | proved | all 1234 states explored |
    "
  `);
});

test('an expected refutation is good; a broken model is not', () => {
  const expected = {
    ...REFUTED,
    properties: REFUTED.properties.map((one) => ({ ...one, expected: 'refuted' as const })),
  };
  expect(reportMarkdown([expected])).toMatch(/^## ✅/);
  const diagnostics = [
    { code: 'SPW9002' as const, severity: 'error' as const, message: 'has ``` in it', at: null },
  ];
  const broken = reportMarkdown([{ ...REFUTED, properties: [], diagnostics }]);
  expect(broken).toMatch(/^## ❌/);
  expect(broken).toContain('````text\nerror[SPW9002]: has ``` in it\n````');
  expect(reportMarkdown([{ ...REFUTED, properties: [] }])).toContain('nothing to check');
});

test('names cannot break the table, and a great many models fit', () => {
  const odd = reportMarkdown([{ ...REFUTED, files: ['a|b`c_*<x>.pml'] }]);
  expect(odd).toContain('<code>a&#124;b&#96;c&#95;&#42;&lt;x&gt;.pml</code>');
  const many = reportMarkdown(Array.from({ length: 20_000 }, () => PROVED_AND_UNKNOWN));
  expect(many.length).toBeLessThan(1_000_000);
  expect(many).toContain('| | … and 18000 more | | | |');
  expect(many).toContain('does not fit');
});
