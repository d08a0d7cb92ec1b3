// The fixed part of the generated machine: memory, undo log, queues, processes, steps. The names are short because the
// generated text is long; machine.ts documents what the outside sees.

import { FAULT_HELPERS } from './code-expression.ts';
import { MOVES } from './code-moves.ts';
import { MARKING } from './code-patching.ts';
import { FAULT } from './faults.ts';
import type { Features } from './features.ts';
import type { Layout, Limits } from './layout.ts';
import { FRAME, HEADER } from './layout.ts';

export interface RuntimeOptions {
  /** Is it for WebAssembly? Then nothing is traced, no array grows, and states go to the store of code-store.ts. */
  readonly bare: boolean;
  readonly unlimited: boolean;
  readonly limits: Limits;
  readonly anyOrderOfDeath: boolean;
}

/** Entries of the undo log from this address on are process numbers: their frame's place is restored. */
const PB_MARK = 0x40000000;

/** A process that is not the youngest leaves a gap: the frames above it move down. */
function dieCode(layout: Layout, { anyOrderOfDeath }: RuntimeOptions): string {
  if (!anyOrderOfDeath) {
    const channels = layout.localChannels.some((slots) => slots.length > 0) ? 'w(1,S[1]-LQ[S[b]])' : '';
    return `function die(p,b){w(0,p);w(${HEADER.top},b);${channels}}`;
  }
  return `const FS=new Int32Array([${layout.frameSize.join(',')}]);
function wp(i,v){U[u]=i+${PB_MARK};U[u+1]=PB[i];u+=2;PB[i]=v}
function die(p,b){const z=FS[S[b]],e=S[${HEADER.top}]-z,n=S[0]-1;while(u+2*(e-b+n-p)+65536>U.length)growU();for(let a=b;a<e;a++)w(a,S[a+z]);
for(let i=p;i<n;i++)wp(i,PB[i+1]-z);w(0,n);w(${HEADER.top},e)}`;
}

/** In cells: the table of channels, the frames, the queues, a packed state. */
export function memorySizes(layout: Layout, limits: Limits) {
  const table = limits.channels + 1;
  const frames = Math.max(0, ...layout.frameSize) * (limits.processes + 1);
  const localQueue = Math.max(
    0,
    ...layout.localChannels.flatMap((slots) =>
      slots.map((slot) => 2 + slot.shape.capacity * slot.shape.fields.length),
    ),
  );
  const globalQueues = layout.globalChannels.reduce(
    (sum, slot) => sum + 2 + slot.shape.capacity * slot.shape.fields.length,
    0,
  );
  const queues = table + 2 + globalQueues + localQueue * limits.channels + 64;
  return { table, frames, queues, words: layout.firstFrame + frames + queues + 64 };
}

/**
 * Where a long sequence is stored in between depends on what its process did before, not on what others did in the same call (`all`): whoever takes the
 * step again, with other processes beside it, comes to the same states. `sh` is the shape of a channel; where there is none, one beyond the last, which has −1 fields and capacity. Queues in M: [reserved, length, cells…]; M[j] points at the length of channel j+1. */
export function runtimeCode(layout: Layout, features: Features, options: RuntimeOptions): string {
  const { limits, unlimited, bare } = options;
  const traced = (code: string): string => (bare ? '' : code);
  const roomToUndo = (cells: string): string => (bare ? undoCheck(cells) : '');
  const { table, frames, queues, words } = memorySizes(layout, limits);
  return `
const S=new Int32Array(${layout.firstFrame + frames + Math.max(0, ...layout.frameSize) + 8});
${unlimited ? 'let' : 'const'} M=new Int32Array(${unlimited ? Math.max(4096, table * 8) : queues});
${unlimited ? 'let' : 'const'} W=new Int32Array(${words});
const PB=new Int32Array(${limits.processes + 1}),QSH=new Int32Array(${table}),QNM=new Int32Array(${table});
const NF=new Int32Array([${[...layout.shapes.map((shape) => shape.fields.length), -1].join(',')}]);
const CAP=new Int32Array([${[...layout.shapes.map((shape) => (unlimited && shape.capacity > 0 ? 0x7fffffff : shape.capacity)), -1].join(',')}]);
const QX=new Int32Array(${layout.queueNames.length});
const QUEUES=${table + 2},NONE=${table + 1};
let U=new Int32Array(${bare ? BARE.undo : 65536}),RV=new Int32Array(${bare ? BARE.handshake : 4096}),PR=new Int32Array(${bare ? BARE.probed : 768});
let u=0,rp=0,fault=0,TO=false,dry=0,micro=false,work=0,cn=0,soft=0,pn=0,probed=-1,chosenCount=0;
const C=new Int32Array(1200),chosen=new Int32Array(${limits.processes + 1});
${traced('let sink=null,onFault=null,T=null,RVT=null;')}
function clear(a,e){${bare ? 'for(let i=a;i<e;i++)S[i]=0' : 'S.fill(0,a,e)'}}
function w(a,v){${traced('if(u+2>U.length)growU();')}U[u]=a;U[u+1]=S[a];u+=2;S[a]=v}
function wm(a,v){${traced('if(u+2>U.length)growU();')}U[u]=~a;U[u+1]=M[a];u+=2;M[a]=v}
function undo(m){while(u>m){u-=2;const a=U[u];if(a>=0)${options.anyOrderOfDeath ? `if(a>=${PB_MARK})PB[a-${PB_MARK}]=U[u+1];else ` : ''}S[a]=U[u+1];else M[~a]=U[u+1]}${traced('if(T!==null&&u===0)T.length=0')}}
${bare ? bareGrowth : GROWTH}
${
  unlimited
    ? `function growM(n){if(n>${2 ** 28})throw new RangeError('memory');const t=new Int32Array(Math.max(n,M.length*2));t.set(M);M=t}
function growW(n){const t=new Int32Array(Math.max(n,W.length*2));t.set(W);W=t}
function nq(j,h,reserve,nf){const need=h+2+reserve*nf;if(need>M.length)growM(need);M[h]=reserve;M[j]=h+1;M[h+1]=0;return need}
function room(j,nf){const q=M[j],l=M[q];if(l<M[q-1])return q;const h=S[${HEADER.heap}],reserve=l*2+4,need=h+2+reserve*nf;
if(need>M.length)growM(need);M[h]=reserve;M[h+1]=l;for(let i=1;i<=l*nf;i++)M[h+1+i]=M[q+i];w(${HEADER.heap},need);wm(j,h+1);return h+1}`
    : 'function nq(j,h,reserve,nf){M[h]=reserve;M[j]=h+1;M[h+1]=0;return h+2+reserve*nf}'
}
${FAULT_HELPERS}
function vl(c){if(c>0&&c<=S[1])return M[c-1];fault=${FAULT.uninitialisedChannel};return NONE}
function sh(c){return c>0&&c<=S[1]?QSH[c-1]:${layout.shapes.length}}
function fl(c){if(c>0&&c<=S[1]){const k=CAP[QSH[c-1]];return M[M[c-1]]===(k===0?1:k)}fault=${FAULT.uninitialisedChannel};return false}
function nr(c){if(c>0&&c<=S[1]&&CAP[QSH[c-1]]===0)soft=${FAULT.pollRendezvous};return true}
function beyond(){fault=${FAULT.messageFields};return false}
function sft(p,e,p2,e2){const f=soft;soft=0;if(dry!==0)return;C[cn]=p;C[cn+1]=e;C[cn+2]=p2;C[cn+3]=e2;onFault(f,cn+4)}
function tr(k,f,v){switch(k*4096+f){${truncations(layout)}}return v}
function pk(c,i){const q=M[c-1],l=M[q],k=QNM[c-1];if(l>QX[k]&&dry===0)QX[k]=l;${traced(`if(T!==null&&dry===0)T.push({kind:'send',channel:c,position:i<0?l-1:i,sorted:i>=0,message:at(q,i<0?l-1:i,NF[QSH[c-1]])})`)}}
${traced(TRACING)}
function cp(q,i,nf){${traced(`if(T!==null)note('copy',q,i,nf)`)}}
function gap(q,i,nf){${roomToUndo('M[q]*nf')}const e=q+1+i*nf;for(let a=q+M[q]*nf;a>=e;a--)wm(a+nf,M[a]);wm(q,M[q]+1);return e}
function cut(q,i,nf){${traced(`if(T!==null)note('receive',q,i,nf);`)}${roomToUndo('M[q]*nf')}const e=q+1+(M[q]-1)*nf;for(let a=q+1+i*nf;a<e;a++)wm(a,M[a+nf]);wm(q,M[q]-1)}
${dieCode(layout, options)}
const LQ=new Int32Array([${layout.localChannels.map((slots) => slots.length).join(',')}]);
function rf(p,t){if(p<0){for(let i=0;i<S[0];i++)if(S[PB[i]]===t)return PB[i];return DEAD}return p<S[0]&&S[PB[p]]===t?PB[p]:DEAD}
const DEAD=${layout.firstFrame + frames};
function ra(p,t,l){const f=rf(p,t);return f!==DEAD&&S[f+${FRAME.location}]===l}
function pv(p){return p>=0&&p<S[0]?S[PB[p]+${FRAME.location}]:0}
function gp(p){return p>=0&&p<S[0]?S[PB[p]+${FRAME.priority}]:0}
function sp(p,v){if(p<0||p>=S[0])return 1;if(v<1||v>255){fault=${FAULT.priorityRange};return 1}w(PB[p]+${FRAME.priority},v);return 1}
function en(p){if(p<0||p>=S[0])return false;const f=fault,m=u,d=dry;dry=1;const k=xt(p,PB[p]);dry=d;undo(m);fault=f;return k>0}
${features.priority ? `function hp(p){const v=S[PB[p]+${FRAME.priority}];for(let i=0;i<S[0];i++)if(i!==p&&S[PB[i]+${FRAME.priority}]>v&&en(i))return false;return true}` : ''}
function xt(p,b){switch(S[b]){${layout.program.proctypes.map((proctype) => `case ${proctype.id}:return x${proctype.id}(p,b);`).join('')}}return 0}
function xp(p,b){${features.priority ? 'if(!hp(p))return 0;' : ''}return xt(p,b)}
function rt(p,b,sp,se,c,r){switch(S[b]){${layout.program.proctypes.map((proctype) => `case ${proctype.id}:return r${proctype.id}(p,b,sp,se,c,r);`).join('')}}return 0}
function rv(p,e,c,r){if(dry===1)return 1;${traced(`if(T!==null)RVT={kind:'rendezvous',channel:c,message:Array.from(RV.subarray(r,r+NF[QSH[c-1]]))};`)}if(r>RV.length-64)growRV();let k=0;for(let i=S[0]-1;i>=0;i--)if(i!==p)k+=rt(i,PB[i],p,e,c,r);return k}
function flt(p,e){const f=fault;fault=0;if(dry!==0){if(dry===2)seen(p,p===probed?e:-1,-1,-1);return}C[cn]=p;C[cn+1]=e;C[cn+2]=-1;C[cn+3]=-1;onFault(f,cn+4)}
function asr(p,e){if(fault===0&&dry===0){C[cn]=p;C[cn+1]=e;C[cn+2]=-1;C[cn+3]=-1;onFault(${FAULT.assertion},cn+4)}return true}
function seen(p,e,p2,e2){if(pn+3>PR.length)growPR();PR[pn]=e;PR[pn+1]=p2;PR[pn+2]=e2;pn+=3}
function probe(p){u=0;rp=0;fault=0;TO=false;pn=0;probed=p;dry=2;xt(p,PB[p]);dry=0;fault=0;return pn}
function push(p,e,p2,e2){C[cn]=p;C[cn+1]=e;C[cn+2]=p2;C[cn+3]=e2;cn+=4}
function out(p,e){if(dry!==0){if(dry===2)seen(p,e,-1,-1);return}push(p,e,-1,-1);emit();cn-=4}
function out2(p,e,p2,e2){if(dry===2){seen(p,e,p2,e2);return}${traced('if(T!==null)T.push(RVT);')}push(p,e,p2,e2);emit();cn-=4;${traced('if(T!==null)T.length=0')}}
function chn(p,e){if(dry!==0){if(dry===2)seen(p,e,-1,-1);return}push(p,e,-1,-1);cont(p);cn-=4}
function chn2(p,e,p2,e2){if(dry===2){seen(p,e,p2,e2);return}${traced('if(T!==null)T.push(RVT);')}push(p,e,p2,e2);cont(p2);cn-=4;${traced('if(T!==null)T.length=0')}}
${bare ? MARKING + MOVES : 'function emit(){const n=pack();sink(W,n)}\nfunction copy(){const n=pack();return W.slice(0,n)}'}
function cont(p){if(micro||cn>=1000||++work>400){S[${HEADER.exclusive}]=p;emit();S[${HEADER.exclusive}]=-1;return}
${roomToUndo('0')}const t=TO;TO=false;const k=xp(p,PB[p]);TO=t;if(k===0)emit()}
function system(){TO=false;let n=0;if(chosenCount>0){for(let i=0;i<chosenCount;i++)n+=all(chosen[i]);return n}
for(let i=S[0]-1;i>=0;i--)n+=all(i);
${features.timeout ? 'if(n===0){TO=true;for(let i=S[0]-1;i>=0;i--)n+=all(i);TO=false}' : ''}return n}
function all(i){work=0;return xp(i,PB[i])}
`;
}

/** What is traced: see machine.ts. */
const TRACING = `
function at(q,i,nf){return Array.from(M.subarray(q+1+i*nf,q+1+(i+1)*nf))}
function note(kind,q,i,nf){if(dry!==0)return;let j=0;while(M[j]!==q)j++;T.push({kind,channel:j+1,position:i,sorted:false,message:at(q,i,nf)})}`;

const GROWTH = `
function larger(a){const t=new Int32Array(a.length*2);t.set(a);return t}
function growU(){U=larger(U)}
function growRV(){RV=larger(RV)}
function growPR(){PR=larger(PR)}`;

/**
 * Where nothing is traced, changes are logged without looking whether there is room: one statement makes few. Whatever makes many (queues that are
 * moved, d_step, processes that move) and whatever follows in an atomic sequence looks beforehand.
 */
export const undoCheck = (cells: string): string => `if(u+2*(${cells})+65536>U.length)growU();`;

/** Arrays that cannot grow are long; where one is not long enough, the search ends as it does when memory is over. */
const BARE = { undo: 1 << 22, handshake: 1 << 16, probed: 1 << 16 } as const;
const bareGrowth = `
function growU(){tooLarge()}
function growRV(){tooLarge()}
function growPR(){tooLarge()}`;

function truncations(layout: Layout): string {
  return layout.shapes
    .flatMap((shape) =>
      shape.fields.map(({ bits, signed }, field) => {
        if (bits === 32) return '';
        const code = signed ? `v<<${32 - bits}>>${32 - bits}` : `v&${2 ** bits - 1}`;
        return `case ${shape.id * 4096 + field}:return ${code};`;
      }),
    )
    .join('');
}
