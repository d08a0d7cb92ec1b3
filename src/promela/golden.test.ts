import { expect, test } from 'vitest';
import type { Proctype, Program } from '../process/program.ts';
import { showStatement } from '../process/show.ts';
import { render } from '../source/diagnostic.ts';
import { CASES } from './testing/cases.ts';
import { loadText } from './testing.ts';

// What becomes of every case: its automata, or what is wrong with it. `npx vitest run golden -u` writes the file anew.
test('cases', async () => {
  const parts = CASES.map(({ name, text }) => {
    const { program, diagnostics } = loadText(text);
    const problems = diagnostics.map(render);
    const automata =
      program === null ? [] : [...program.proctypes, ...program.claims].map((p) => draw(program, p));
    return [`=== ${name}`, ...problems, ...automata].join('\n');
  });
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('./cases.golden.txt');
});

function draw(program: Program, proctype: Proctype): string {
  const mark = (id: number) => {
    const { isEnd, isProgress, isAccept } = proctype.locations[id]!;
    return `${id}${isEnd ? 'e' : ''}${isProgress ? 'p' : ''}${isAccept ? 'a' : ''}`;
  };
  const edges = proctype.edges.map((edge) => {
    const arrow = edge.keepsControl ? '=>' : '->';
    const blocked = edge.blockedBy.length === 0 ? '' : `   unless ${edge.blockedBy.join(' ')}`;
    return `  ${edge.id}: ${mark(edge.from)} ${arrow} ${mark(edge.to)}  ${showStatement(program, edge.statement)}${blocked}`;
  });
  return [`${proctype.kind} ${proctype.name}, starts at ${proctype.initial}`, ...edges].join('\n');
}
