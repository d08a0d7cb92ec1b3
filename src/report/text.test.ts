import { expect, test } from 'vitest';
import { FLOODING_RUN, PROVED_AND_UNKNOWN, REFUTED, refutedBy } from './testing/fixtures.ts';
import { reportText } from './text.ts';

test('a refutation shows the loop in source lines, the growth and how to see it again', () => {
  expect(reportText([REFUTED])).toMatchInlineSnapshot(`
    "flood & co.pml
      bounded  REFUTED  the queue q grows <without> limit
        queue  bound  exact  declared  at that capacity
        q       none      -         2  fills up, whatever the capacity
        after 2 steps, 1 step for ever:
          flood & co.pml:3  producer  q!1
          flood & co.pml:6  consumer  q?_
          for ever:
          flood & co.pml:3  producer  q!1
        each round leaves 1 more message in q
        see it: spillway check 'flood & co.pml' --property bounded --format json --out run.json; spillway replay run.json 'flood & co.pml'
    "
  `);
});

test('proved and unknown side by side', () => {
  expect(reportText([PROVED_AND_UNKNOWN], { verbose: true })).toMatchInlineSnapshot(`
    "ring.pml
      bounded        PROVED   all 1234 states explored
        queue    bound  exact  declared  at that capacity
        link[0]      2      2         4  a send never blocks
        link[1]      5      -         4  a send may block
        time: search 10 ms
      livelock-free  UNKNOWN  the counting abstraction leaves a suspicious combination of loops
        why: the loops shown could repeat together
        loops that together could do it, as far as the analysis sees:
          node(0): +1 link[0] each round
            ring.pml:3  link[0]!x
        hint: nothing can make this loop go on (ring.pml:3)
        spillway explain abstraction-too-coarse says what can be done about it
    "
  `);
});

test('several models end in a summary', () => {
  expect(reportText([PROVED_AND_UNKNOWN, REFUTED]).trimEnd().split('\n').at(-1)).toBe(
    '2 models: 1 proved, 1 refuted, 1 unknown',
  );
});

test('on a narrow terminal tables fold, and no line of a step is longer than the terminal', () => {
  const text = reportText([PROVED_AND_UNKNOWN], { columns: 44 });
  expect(text).toMatch(
    /^ {4}link\[1\]\n {6}bound: 5, declared: 4, at that\n {6}capacity: a send may block$/m,
  );
  const long = { ...FLOODING_RUN, actors: ['a_process_with_a_name_that_is_far_too_long_for_anything', 'b'] };
  const lines = reportText([refutedBy(long)], { columns: 60 }).split('\n');
  const steps = lines.filter((line) => line.startsWith('      '));
  expect(Math.max(...steps.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines).toContain('        q!1');
});

test('a long way to what repeats is shown with its beginning and its end', () => {
  const way = Array.from({ length: 30 }, (_, index) => ({
    ...FLOODING_RUN.steps[0]!,
    text: `way ${index + 1}`,
  }));
  const run = { ...FLOODING_RUN, steps: [...way, ...FLOODING_RUN.steps], loopStart: 30 };
  const lines = reportText([refutedBy(run)]).split('\n');
  const shown = lines.flatMap((line) => /way \d+|… .*|for ever:$/.exec(line)?.[0] ?? []);
  expect(shown).toEqual([
    'for ever:',
    ...['way 1', 'way 2', 'way 3', 'way 4', '… 16 steps between'],
    ...Array.from({ length: 10 }, (_, index) => `way ${index + 21}`),
    'for ever:',
  ]);
});
