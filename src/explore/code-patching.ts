// A packed state made from the one before the step: only what the step may have changed is packed again, and the hash value follows.
//
// W holds the words of the loaded state. A step moves some processes (they are in C), changes queues and global variables (they are marked in QD while
// the change lasts); `patch` packs their pieces again, each in its place, and the word that it finds changed leaves the sum of hash values with its old value
// and comes back with its new one (Zobrist 1970). TW remembers which words these are, so that W can become the loaded state's again. Where processes come or go,
// or a queue changes that takes as many words as it has messages, everything is packed anew.

import { G } from './code-store-parts.ts';
import type { Layout } from './layout.ts';
import { HEADER } from './layout.ts';

export interface Pieces {
  /** Code that packs global variables and the claim's, from `o` on. */
  readonly globals: string;
  /** By proctype: its frame at `b`, from `o` on. */
  readonly frames: readonly string[];
  /** By shape: the functions of queues, null where their width varies. */
  readonly queues: readonly (string | null)[];
  /** Of the longest state. */
  readonly words: number;
  readonly hasClaim: boolean;
}

/** More changes of one step than this are not kept apart. */
const MOST_MARKS = 64;

/** Marks, which every change makes (code-statement.ts); `c` is a channel, or 0 for global variables. */
export const MARKING = `
const QD=new Int32Array(${MOST_MARKS});
let qn=0;
function mq(c){if(qn<${MOST_MARKS})QD[qn]=c;qn++}`;

/** Every word that the code writes is compared first. */
const compared = (code: string): string =>
  code.replaceAll(/W\[o\+\+\]=([^;}]+)/g, '{const y=$1;if(y!==W[o])pw(o,y);o++}');

/** Hash values of words serve a flat store only. */
export const HASHING = `
function packAnew(){const n=pack();if(${G.isFlat}!==0)wh=hashOf(n);return n}
function mixed(x,i){const h=Math.imul(x^Math.imul(i,-1640531535),-2048144777);return Math.imul(h^h>>>15,739982445)}
function hashOf(n){let h=0;for(let i=0;i<n;i++)h+=mixed(W[i],i);return h}`;

/** `lw`: words of the loaded state, 0 where W does not hold it; `lh` its hash value; `wh` that of W. `FA`, `QA`: where frames and queues begin. */
export function patchingCode(
  layout: Layout,
  limits: { channels: number; processes: number },
  pieces: Pieces,
): string {
  return `
const TW=new Int32Array(${pieces.words}),FA=new Int32Array(${limits.processes + 1}),QA=new Int32Array(${limits.channels + 1});
let tn=0;
function pw(o,y){wh=wh-mixed(W[o],o)+mixed(y,o);W[o]=y;TW[tn]=o;tn++}
function pg(){let o=1;${compared(pieces.globals)}}
function pf(i){let o=FA[i];const b=PB[i];switch(S[b]){${pieces.frames
    .map((code, type) => `case ${type}:${compared(code)}break;`)
    .join('\n')}}}
${pieces.queues.map((code) => (code === null ? '' : compared(code))).join('\n')}
function pc(j){switch(QSH[j]){${layout.shapes
    .map(({ id }) => (pieces.queues[id] === null ? '' : `case ${id}:rq${id}(M[j],QA[j]);return true;`))
    .join('')}}return false}
function patch(){const np=S[0];if(qn>${MOST_MARKS}||(W[0]&65535)!==np)return false;
tn=0;wh=lh;const y=np|S[${HEADER.exclusive}]+1<<16;if(y!==W[0])pw(0,y);${pieces.hasClaim ? 'pg();' : ''}
for(let i=0;i<cn;i+=4){pf(C[i]);if(C[i+2]>=0)pf(C[i+2])}
for(let i=0;i<qn;i++){const c=QD[i];if(c===0)pg();else if(!pc(c-1))return false}
return true}
function emit(){if(lw>0&&patch()){step(lw);for(let i=0;i<tn;i++){const o=TW[i];W[o]=PW[o]}return}
const n=packAnew();step(n);for(let i=0;i<lw;i++)W[i]=PW[i]}`;
}

/** Where pieces are not known to stay in their places. */
export const PACKING_ANEW = '\nfunction emit(){step(packAnew())}';
