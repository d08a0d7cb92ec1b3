// Queues as words: the length, then the fields of the messages side by side.

import type { Shape } from './layout.ts';

export interface QueuePacking {
  /** Queues may become longer than their capacity. */
  readonly unlimited: boolean;
  /** For WebAssembly: states are read from the array PW, from its beginning. */
  readonly bare: boolean;
}

/** The lowest so many bits. */
export const mask = (bits: number): number => (bits >= 32 ? -1 : 2 ** bits - 1);

/**
 * Short queues always take as many words as when they are full: then what comes after them stays in its place, and states that differ in
 * little differ in few words.
 */
const MAX_FIXED = 8;

/** Words of a full queue. */
function widthOf({ capacity, fields }: Shape): number {
  let words = capacity > 255 ? 1 : 0;
  let used = capacity > 255 ? 32 : 8;
  for (let i = 0; i < capacity && words <= MAX_FIXED; i++)
    for (const { bits } of fields) {
      if (used + bits > 32) {
        words++;
        used = 0;
      }
      used += bits;
    }
  return words + 1;
}

export const isFixed = (shape: Shape, { unlimited }: QueuePacking): boolean =>
  !unlimited && shape.capacity > 0 && widthOf(shape) <= MAX_FIXED;

/** What packs a queue of this shape, and what unpacks it. */
export const queueFunctions = (shape: Shape, options: QueuePacking): string =>
  shape.capacity === 0 ? '' : packQueue(shape, options, 'pq') + unpackQueue(shape, options);

const isWide = (shape: Shape, { unlimited }: QueuePacking): boolean => unlimited || shape.capacity > 255;

export function packQueue(shape: Shape, options: QueuePacking, name: string): string {
  const size = shape.fields.length;
  const fields = shape.fields
    .map(({ bits, signed }, i) => {
      const value = signed && bits < 32 ? `(M[a+${i}]&${mask(bits)})` : `M[a+${i}]`;
      return `if(s>${32 - bits}){W[o++]=x;x=0;s=0}x|=${value}<<s;s+=${bits};`;
    })
    .join('');
  const fixed = isFixed(shape, options);
  const wide = isWide(shape, options);
  const room = options.unlimited ? `if(o+2+n*${size}>W.length)growW(o+2+n*${size});` : '';
  return `
function ${name}${shape.id}(q,o){const n=M[q]${fixed ? `,e=o+${widthOf(shape)}` : ''};${room}let x=${wide ? '0' : 'n'},s=${wide ? 32 : 8};${wide ? 'W[o++]=n;s=0;' : ''}
for(let i=0,a=q+1;i<n;i++,a+=${size}){${fields}}
${wide ? 'if(s>0)W[o++]=x;' : 'W[o++]=x;'}${fixed ? 'while(o<e)W[o++]=0;' : ''}return o}`;
}

function unpackQueue(shape: Shape, options: QueuePacking): string {
  const fields = shape.fields
    .map(({ bits, signed }, i) => {
      const value = bits === 32 ? 'x' : signed ? `x>>>s<<${32 - bits}>>${32 - bits}` : `x>>>s&${mask(bits)}`;
      return `if(s>${32 - bits}){x=A[o++];s=0}M[a+${i}]=${value};s+=${bits};`;
    })
    .join('');
  const fixed = isFixed(shape, options);
  const wide = isWide(shape, options);
  return `
function uq${shape.id}(${options.bare ? '' : 'A,'}q,o){${fixed ? `const e=o+${widthOf(shape)};` : ''}let x=A[o++],s=${wide ? 32 : 8};const n=${wide ? 'x' : 'x&255'};M[q]=n;
for(let i=0,a=q+1;i<n;i++,a+=${shape.fields.length}){${fields}}return ${fixed ? 'e' : 'o'}}`;
}
