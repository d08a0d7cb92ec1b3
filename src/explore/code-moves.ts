// The commonest steps as functions of their own, for WebAssembly: a change, the move of the process from `at` to `to`, the report, and everything back. A statement is
// then a test and a call, which is much less text for the engine's compiler, whose time counts more than a call.

import type { CodeContext } from './code-expression.ts';
import { CHANGES_QUEUE } from './code-queue.ts';
import type { Shape } from './layout.ts';
import { FRAME } from './layout.ts';

const LOCATION = `S[b+${FRAME.location}]`;
const move = (report: string): string => `${LOCATION}=to;${report}(p,e);${LOCATION}=at;`;

/** In each pair the second is for sequences that go on. */
const PAIR = [
  ['', 'out'],
  ['C', 'chn'],
] as const;

export const MOVES = PAIR.map(
  ([end, report]) => `
function go${end}(p,b,e,to,at){${move(report)}return 1}
function set${end}(p,b,z,x,e,to,at){const o=S[z];S[z]=x;${move(report)}S[z]=o;return 1}
function setG${end}(p,b,z,x,e,to,at){const o=S[z];S[z]=x;mq(0);${move(report)}S[z]=o;qn--;return 1}
function take${end}(p,b,c,q,s,nf,e,to,at){const m=u;cut(q,s,nf);${CHANGES_QUEUE}${move(report)}undo(m);qn--;return 1}`,
).join('');

/** For channels of one shape: adds a message where there is room. Cells behind the end count, too: a receive in the same sequence may have moved the end, and is taken back later. */
export function sendFunction(
  { helpers }: CodeContext,
  { id, capacity, fields }: Shape,
  end: '' | 'C',
): string {
  const name = `send${end}${id}`;
  if (helpers.some((text) => text.startsWith(`function ${name}(`))) return name;
  const each = (code: (field: number) => string): string => fields.map((_, i) => code(i)).join('');
  const report = end === '' ? 'out' : 'chn';
  helpers.push(
    `function ${name}(p,b,c,q,e,to,at${each((i) => `,a${i}`)}){const l=M[q];if(l>=${capacity})return 0;const z=q+1+l*${fields.length}${each((i) => `,y${i}=M[z+${i}]`)};` +
      `M[q]=l+1;${each((i) => `M[z+${i}]=a${i};`)}pk(c,-1);${CHANGES_QUEUE}${move(report)}qn--;M[q]=l;${each((i) => `M[z+${i}]=y${i};`)}return 1}`,
  );
  return name;
}
