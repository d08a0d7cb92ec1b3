// States as few 32-bit words: header, globals, claim, one record per process, then the queues. The words up to the queues are the
// *control part*. The encoding is prefix-free (counts and lengths come before what they count), so two states are equal
// exactly when the words of one are a prefix of the other's storage.

import type { Proctype, ProctypeId } from '../process/program.ts';
import { cellsOf } from '../process/storage.ts';
import { isFixed, mask, packQueue, type QueuePacking, queueFunctions } from './code-packing-queues.ts';
import { HASHING, PACKING_ANEW, patchingCode } from './code-patching.ts';
import type { Features } from './features.ts';
import type { Layout, Limits, Shape } from './layout.ts';
import { FRAME, HEADER } from './layout.ts';

interface PackedCell {
  /** Code for the cell. */
  readonly cell: string;
  readonly bits: number;
  readonly signed: boolean;
  /** Whose it is. */
  readonly variable?: number;
}

/** Of a process: what its word keeps of each cell, by location (LM). */
interface Masks {
  readonly table: number[];
  /** By location: the variables that are left out. */
  readonly dead: readonly (readonly number[])[];
}

const bitsFor = (count: number): number => Math.max(1, 32 - Math.clz32(Math.max(0, count - 1)));
const put = ({ cell, bits, signed }: PackedCell, shift: number): string => {
  const value = signed && bits < 32 ? `(${cell}&${mask(bits)})` : cell;
  return shift === 0 ? value : `${value}<<${shift}`;
};
const take = ({ bits, signed }: PackedCell, word: string, shift: number): string => {
  if (bits === 32) return word;
  if (signed) return `${word}<<${32 - shift - bits}>>${32 - bits}`;
  return shift === 0 ? `${word}&${mask(bits)}` : `${word}>>>${shift}&${mask(bits)}`;
};

/** Long arrays become loops, the rest straight-line code. */
const LOOP_FROM = 48;

interface Piece {
  readonly pack: string;
  readonly unpack: string;
}

function words(cells: readonly PackedCell[], masks: Masks | null): Piece {
  const pack: string[] = [];
  const unpack: string[] = [];
  let line: string[] = [];
  let back: string[] = [];
  let inWord: { variable: number | undefined; bits: number }[] = [];
  let used = 0;
  const flush = (): void => {
    if (line.length === 0) return;
    pack.push(`W[o++]=${masked(line.join('|'), inWord, masks)};`);
    inWord = [];
    unpack.push(`x=A[o++];${back.join('')}`);
    line = [];
    back = [];
    used = 0;
  };
  for (const cell of cells) {
    if (used + cell.bits > 32) flush();
    line.push(put(cell, used));
    inWord.push({ variable: cell.variable, bits: mask(cell.bits) << used });
    back.push(`${cell.cell}=${take(cell, 'x', used)};`);
    used += cell.bits;
  }
  flush();
  return { pack: pack.join(''), unpack: unpack.join('') };
}

/** The word without what is dead where the process stands. */
function masked(
  word: string,
  cells: readonly { readonly variable: number | undefined; readonly bits: number }[],
  masks: Masks | null,
): string {
  if (masks === null) return word;
  const kept = masks.dead.map((dead) =>
    cells
      .filter(({ variable }) => variable !== undefined && dead.includes(variable))
      .reduce((all, { bits }) => all & ~bits, -1),
  );
  if (kept.every((all) => all === -1)) return word;
  const first = masks.table.length;
  masks.table.push(...kept);
  return `(${word})&LM[${first}+S[b+${FRAME.location}]]`;
}

function loop(base: string, count: number, bits: number, signed: boolean): Piece {
  const per = Math.floor(32 / bits);
  const value = signed && bits < 32 ? `(S[z+j]&${mask(bits)})` : 'S[z+j]';
  const back = bits === 32 ? 'x' : signed ? `x<<${32 - bits}>>${32 - bits}` : `x&${mask(bits)}`;
  const shift = bits === 32 ? '' : `x>>>=${bits};`;
  const header = `for(let i=0;i<${count};i+=${per}){const z=${base}+i,l=i+${per}<${count}?${per}:${count}-i;`;
  return {
    pack: `${header}let x=0;for(let j=0;j<l;j++)x|=${value}<<(j*${bits});W[o++]=x}`,
    unpack: `${header}let x=A[o++];for(let j=0;j<l;j++){S[z+j]=${back};${shift}}}`,
  };
}

/**
 * The cells of some variables in order, packed. `prefix` cells come first in the first word. Faint cells are left out; when a state is
 * unpacked those of frames are 0, global ones hold whatever was there: their values go nowhere.
 */
function variables(
  layout: Layout,
  ids: readonly number[],
  address: (cell: number) => string,
  prefix: readonly PackedCell[],
  { faint }: Pick<PackingOptions, 'faint'>,
  masks: Masks | null = null,
): Piece {
  const pieces: Piece[] = [];
  let pending: PackedCell[] = [...prefix];
  const flush = (): void => {
    if (pending.length > 0) pieces.push(words(pending, masks));
    pending = [];
  };
  for (const id of ids) {
    const variable = layout.program.variables[id]!;
    const cells = cellsOf(layout.program.structs, variable).map(({ storage }) => storage);
    const uniform = cells.every((cell) => cell.bits === cells[0]!.bits && cell.signed === cells[0]!.signed);
    const isFaint = faint.get(id);
    if (isFaint !== undefined && variable.owner !== null)
      pieces.push({ pack: '', unpack: zeros(isFaint, (i) => address(layout.base[id]! + i)) });
    if (isFaint?.every((is) => is)) continue;
    if (uniform && isFaint === undefined && cells.length >= LOOP_FROM) {
      flush();
      pieces.push(loop(address(layout.base[id]!), cells.length, cells[0]!.bits, cells[0]!.signed));
    } else
      cells.forEach((cell, i) => {
        if (isFaint?.[i] === true) return;
        pending.push({ cell: `S[${address(layout.base[id]! + i)}]`, ...cell, variable: id });
      });
  }
  flush();
  return {
    pack: pieces.map((piece) => piece.pack).join(''),
    unpack: pieces.map((piece) => piece.unpack).join(''),
  };
}

/** Long runs of them become loops. */
function zeros(isFaint: readonly boolean[], address: (i: number) => string): string {
  if (isFaint.length >= LOOP_FROM && isFaint.every((is) => is))
    return `for(let i=0;i<${isFaint.length};i++)S[${address(0)}+i]=0;`;
  return isFaint.map((is, i) => (is ? `S[${address(i)}]=0;` : '')).join('');
}

export interface PackingOptions extends QueuePacking {
  readonly claim: Proctype | null;
  /** By proctype and location: variables whose values are left out. */
  readonly dead: readonly (readonly (readonly number[])[])[] | null;
  /** By variable: cells that are left out. */
  readonly faint: ReadonlyMap<number, readonly boolean[]>;
  /** Of these the frames are packed in ascending order, whoever's they are. */
  readonly symmetric: readonly ProctypeId[];
  readonly anyOrderOfDeath: boolean;
  readonly limits: Limits;
  /** Of the longest state. */
  readonly words: number;
}

export function packingCode(layout: Layout, features: Features, options: PackingOptions): string {
  const { program } = layout;
  const last: PackedCell[] = features.last ? [{ cell: `S[${HEADER.last}]`, bits: 16, signed: true }] : [];
  const globals = variables(layout, program.globals, (cell) => `${cell}`, last, options);
  const claim = claimPiece(layout, options);
  const typeBits = bitsFor(program.proctypes.length);
  const table: number[] = [];
  const frames = program.proctypes.map((proctype) => {
    const dead = options.dead?.[proctype.id];
    return frame(layout, features, proctype, typeBits, options, dead === undefined ? null : { table, dead });
  });
  const given = options.bare ? '' : 'A,';
  const hasLocalChannels = layout.localChannels.some((slots) => slots.length > 0);
  const isOrdered = options.symmetric.length > 0;
  const patches = canPatch(features, options);
  const placeFrame = patches ? 'FA[i]=o;' : '';
  const placeQueue = (channel: number | string): string => (patches ? `QA[${channel}]=o;` : '');
  const code = `
${table.length > 0 ? `const LM=new Int32Array([${table.join(',')}]);` : ''}
${isOrdered ? orderCode(program.proctypes.length, options.symmetric) : ''}
${layout.shapes.map((shape) => queueFunctions(shape, options)).join('\n')}
let controlWords=0,globalWords=0;
function pack(){let o=1;const np=S[0];W[0]=np|S[${HEADER.exclusive}]+1<<16;${globals.pack}${claim.pack}globalWords=o;
for(let i=0;i<np;i++){const b=PB[i];${isOrdered ? 'FO[i]=o;' : ''}switch(S[b]){${frames
    .map((piece, t) => `case ${t}:${piece.pack}break;`)
    .join('\n')}}}
controlWords=o;${isOrdered ? `FO[np]=o;if(S[${HEADER.exclusive}]<0)inOrder(np);` : ''}
${layout.globalChannels.map((slot, j) => (slot.shape.capacity === 0 ? '' : `o=pq${slot.shape.id}(M[${j}],o);`)).join('')}
${hasLocalChannels ? `for(let j=${layout.globalChannels.length};j<S[1];j++)switch(QSH[j]){${dispatch(layout, (shape) => `o=pq${shape.id}(M[j],o);`)}}` : ''}
return o}
${options.bare ? 'function unpack(){let o=0,x=A[o++]' : 'function unpack(A,o){let x=A[o++]'};const np=x&65535;S[0]=np;S[${HEADER.exclusive}]=(x>>>16)-1;${globals.unpack}${claim.unpack}
let b=${layout.firstFrame},j=${layout.globalChannels.length};
for(let i=0;i<np;i++){PB[i]=b;${placeFrame}switch(A[o]&${mask(typeBits)}){${frames
    .map(
      (piece, t) =>
        `case ${t}:${piece.unpack}S[b]=${t};b+=${layout.frameSize[t]};${channelTables(layout, t)}break;`,
    )
    .join('\n')}}}
S[${HEADER.top}]=b;S[1]=j;
${options.unlimited ? `let h=${'QUEUES'};` : 'let h=GLOBALHEAP;'}
${layout.globalChannels
  .map((slot, k) => {
    if (slot.shape.capacity === 0) return options.unlimited ? `h=nq(${k},h,0,0);` : '';
    if (!options.unlimited) return `${placeQueue(k)}o=uq${slot.shape.id}(${given}M[${k}],o);`;
    return `h=nq(${k},h,A[o]+4,${slot.shape.fields.length});o=uq${slot.shape.id}(${given}M[${k}],o);`;
  })
  .join('')}
${
  hasLocalChannels
    ? `for(let k=${layout.globalChannels.length};k<j;k++)switch(QSH[k]){${layout.shapes
        .map((shape) => {
          const reserve = shape.capacity === 0 ? '0' : options.unlimited ? 'A[o]+4' : `${shape.capacity}`;
          const read = shape.capacity === 0 ? '' : `${placeQueue('k')}o=uq${shape.id}(${given}M[k],o);`;
          return `case ${shape.id}:h=nq(k,h,${reserve},${shape.fields.length});${read}break;`;
        })
        .join('')}}`
    : ''
}
S[${HEADER.heap}]=h;return o}`;
  if (!options.bare) return code;
  const emitting = patches
    ? patchingCode(layout, options.limits, {
        globals: globals.pack + claim.pack,
        frames: frames.map((piece) => piece.pack),
        queues: layout.shapes.map((shape) =>
          isFixed(shape, options) ? packQueue(shape, options, 'rq') : null,
        ),
        words: options.words,
        hasClaim: options.claim !== null,
      })
    : PACKING_ANEW;
  return code.replaceAll(/\bA\[/g, 'PW[') + HASHING + emitting;
}

/** Does every piece stay in its place while the number of processes is the same, and is known which ones a step changes? */
const canPatch = (
  { priority, last }: Features,
  { bare, symmetric, anyOrderOfDeath }: PackingOptions,
): boolean => bare && !priority && !last && symmetric.length === 0 && !anyOrderOfDeath;

/**
 * Sorts the packed frames of each such proctype, by insertion: they were sorted before the step, so one or two are out of place. FO: where the frame of
 * a process begins in W.
 */
function orderCode(proctypes: number, symmetric: readonly ProctypeId[]): string {
  const isSymmetric = Array.from({ length: proctypes }, (_, id) =>
    symmetric.includes(id as ProctypeId) ? 1 : 0,
  );
  return `
const FO=new Int32Array(2100),SY=new Int32Array([${isSymmetric.join(',')}]);
function inOrder(np){for(let i=1;i<np;i++){const t=S[PB[i]];if(SY[t]===0)continue;let j=i;for(let k=i-1;k>=0;k--){if(S[PB[k]]!==t)continue;if(!swapped(FO[k],FO[j],FO[i+1]-FO[i]))break;j=k}}}
function swapped(a,b,n){let i=0;while(i<n&&W[a+i]===W[b+i])i++;if(i===n||W[a+i]<W[b+i])return false;while(i<n){const x=W[a+i];W[a+i]=W[b+i];W[b+i]=x;i++}return true}`;
}

const dispatch = (layout: Layout, code: (shape: Shape) => string): string =>
  layout.shapes
    .filter((shape) => shape.capacity > 0)
    .map((shape) => `case ${shape.id}:${code(shape)}break;`)
    .join('');

/** A process's own channels get the next numbers, in the order of declaration. */
function channelTables(layout: Layout, type: number): string {
  return layout.localChannels[type]!.map((slot) => `QSH[j]=${slot.shape.id};QNM[j]=${slot.name};j++;`).join(
    '',
  );
}

function claimPiece(layout: Layout, options: PackingOptions): Piece {
  const { claim } = options;
  if (claim === null) return { pack: '', unpack: '' };
  const base = layout.claimFrame;
  const location: PackedCell = {
    cell: `S[${base + FRAME.location}]`,
    bits: bitsFor(claim.locations.length),
    signed: false,
  };
  return variables(layout, claim.locals, (cell) => `${base + cell}`, [location], options);
}

function frame(
  layout: Layout,
  features: Features,
  proctype: Proctype,
  typeBits: number,
  options: PackingOptions,
  masks: Masks | null,
): Piece {
  const prefix: PackedCell[] = [
    { cell: 'S[b]', bits: typeBits, signed: false },
    { cell: `S[b+${FRAME.location}]`, bits: bitsFor(proctype.locations.length), signed: false },
  ];
  if (features.priority) prefix.push({ cell: `S[b+${FRAME.priority}]`, bits: 8, signed: false });
  const own = [...proctype.parameters, ...proctype.locals];
  return variables(layout, own, (cell) => `b+${cell}`, prefix, options, masks);
}
