// The store of code-store.ts as several threads use it at once. Nobody waits for anybody: an entry of a table is put by compare-and-swap, with the record
// it names written before (Laarman, van de Pol, Weber, Boosting multi-core reachability performance with shared hash tables, 2010). Who comes
// second finds the other's entry, compares, and uses its own record for the next state.
//
// Numbers are given in units of 2^18 states (2^15 nodes); a unit belongs to one thread, which fills it from the beginning. So numbers have gaps, one at
// the end of the last unit of every thread: DU and DV hold, by unit, how many are in use (`flush` brings the last one up to date).
// A thread may add `left` states and `nodesLeft` nodes; then it waits until everybody has stopped and one thread has made the tables larger
// (`enlarge`) or compressed what is there (`compact`). DA holds the arrows of a reduced search (reduction/onward.ts).
//
// Entries are read atomically: whoever sees one sees the record that was written before it was put. Sizes change while everybody stands still.

import {
  G,
  hashOfNode,
  hashOfState,
  NODE,
  NODE_PAGE,
  NODES,
  PARENT,
  resize,
  STATE,
  STATES,
  STORE_PAGE,
  slot,
  type Table,
} from './code-store-parts.ts';

/** Threads that may use one store. */
export const MOST_THREADS = 8;
/** Of states. */
export const UNIT = 1 << 18;
const NODE_UNIT = 1 << 15;

/** As `lookUp`, and puts what is not there: `make` writes the record and gives its number, `done` counts it. */
const findOrPut = ({ pages, slots, bits }: Table, same: string, make: string, done: string): string =>
  `const y=${bits},z=h<<y,s=${slots};let i=mulhi(h,s),m=-1;
for(;;){let v=aget(${slot(pages)});
if(v===0){if(m<0)m=${make};v=cas(${slot(pages)},0,z|m+1);if(v===0){${done}}}
if((v^z)>>>y===0){const k=(v&(1<<y)-1)-1;${same}}
i=i+1;if(i===s)i=0}`;

/** Numbers have gaps: an entry has bits for all that can be given until the table grows again. */
const enlarge = (table: Table, limit: string, gaps: number, again: string): string =>
  resize(table, limit, again).replace('bitsFor(n)', `bitsFor(n+${gaps})`);

const eachState = (code: string): string =>
  `for(let p=0;p<${G.stateUnits};p++){const e=p*${UNIT}+DU[p];for(let k=p*${UNIT};k<e;k++){${code}}}`;
const eachNode = (code: string): string =>
  `for(let p=0;p<${G.nodeUnits};p++){const e=p*${NODE_UNIT}+DV[p];for(let k=p*${NODE_UNIT};k<e;k++){${code}}}`;

export const SHARED_STORE = `
let next=0,end=0,nodeNext=0,nodeEnd=0,flatNext=0,flatEnd=0,left=0,nodesLeft=0,spare=0,nodeSpare=0,added=0,arrows=false;
function page(words){if(words<=${STORE_PAGE}){const f=aadd(${G.freePages},-1);if(f>0){const a=DF[f-1];for(let i=0;i<${STORE_PAGE};i++)H[a+i]=0;return a}aadd(${G.freePages},1)}
return allocate(words)}
function allocate(words){const at=aadd(${G.top},words);room(at+words);return at}
function adopt(){next=${G.states};const u=next+${UNIT - 1}>>>18;${G.stateUnits}=u;end=u*${UNIT};for(let p=0;p<u;p++)DU[p]=${UNIT};
nodeNext=${G.nodes};const v=nodeNext+${NODE_UNIT - 1}>>>15;${G.nodeUnits}=v;nodeEnd=v*${NODE_UNIT};for(let p=0;p<v;p++)DV[p]=${NODE_UNIT};
flatNext=${G.flatNext};flatEnd=${G.flatEnd};flush();if(arrows)for(let p=0;p<u;p++)DA[p]=page(${STORE_PAGE})}
function flush(){if(end>0)DU[(end>>>18)-1]=next-end+${UNIT};if(nodeEnd>0)DV[(nodeEnd>>>15)-1]=nodeNext-nodeEnd+${NODE_UNIT}}
function unit(){flush();const old=next;next=aadd(${G.stateUnits},1)*${UNIT};end=next+${UNIT};DU[(end>>>18)-1]=0;onUnit(old,next)}
function nodeUnit(){flush();nodeNext=aadd(${G.nodeUnits},1)*${NODE_UNIT};nodeEnd=nodeNext+${NODE_UNIT};DV[(nodeEnd>>>15)-1]=0}
function enlargeStates(n){${enlarge(STATES, G.stateLimit, (MOST_THREADS + 1) * UNIT, eachState(`const r=${STATE},a=H[r],b=H[r+1];if(${G.isFlat}!==0)enterState(b,k);else{${hashOfState}enterState(h,k)}`))}}
function enlargeNodes(n){${enlarge(NODES, G.nodeLimit, (MOST_THREADS + 1) * NODE_UNIT, eachNode(`const r=${NODE},a=H[r],b=H[r+1],c=H[r+2],d=H[r+3],t=H[r+4];${hashOfNode}enterNode(h,k)`))}}
function countNodes(){let n=0;for(let p=0;p<${G.nodeUnits};p++)n+=DV[p];return n}
function putState(a,b){if(next===end)unit();const k=next;if(DS[k>>>17]===0)DS[k>>>17]=page(${STORE_PAGE});
if(DP[k>>>18]===0){DP[k>>>18]=page(${STORE_PAGE});if(arrows)DA[k>>>18]=page(${STORE_PAGE})}
const r=${STATE};H[r]=a;H[r+1]=b;${PARENT}=current;return k}
function putFlat(n,h){if(flatNext+n>=flatEnd){flatNext=page(${STORE_PAGE});flatEnd=flatNext+${STORE_PAGE};DF[aadd(${G.flatPages},1)]=flatNext}
const w=flatNext;H[w]=n;for(let j=1;j<n;j+=2)copy2(H[w+j],W[j-1]);H[w+n]=W[n-1];return putState(w,h)}
function stateAdded(){next++;added++;left--;if(left<spare)overflow();fresh=true}
function putNode(a,b,c,d,t){if(nodeNext===nodeEnd)nodeUnit();const k=nodeNext;if(DN[k>>>15]===0)DN[k>>>15]=page(${NODE_PAGE});
const r=${NODE};H[r]=a;H[r+1]=b;H[r+2]=c;H[r+3]=d;H[r+4]=t;return k}
function nodeAdded(){nodeNext++;nodesLeft--;if(nodesLeft<nodeSpare)overflow()}
function lookUpNode(a,b,c,d,t,h){${findOrPut(NODES, `const r=${NODE};if(H[r]===a&&H[r+1]===b&&H[r+2]===c&&H[r+3]===d&&H[r+4]===t)return k;`, 'putNode(a,b,c,d,t)', 'nodeAdded();return m')}}
function addFlat(n){const h=wh;
${findOrPut(STATES, `const r=${STATE};if(H[r+1]===h&&isFlat(H[r],n)){fresh=false;return k}`, 'putFlat(n,h)', 'flatNext=flatNext+n+1;stateAdded();return m')}}
function add(n){if(${G.isFlat}!==0)return addFlat(n);
pairOf(n);const a=first,b=second;${hashOfState}
${findOrPut(STATES, `const r=${STATE};if(H[r]===a&&H[r+1]===b){fresh=false;return k}`, 'putState(a,b)', 'stateAdded();return m')}}
function compact(){if(${G.isFlat}===0)return;${G.isFlat}=0;PL=0;
${eachState(`const r=${STATE},w=H[r],n=H[w];for(let j=0;j<n;j++)W[j]=H[w+1+j];nodesLeft=2147483647;while(nodeNext+n+16>${G.nodeLimit}){flush();enlargeNodes(wider(${G.nodeSlots}))}pairOf(n);H[r]=first;H[r+1]=second;read(k)`)}
flush();${G.freePages}=${G.flatPages};enlargeStates(${G.stateSlots})}
function setArrow(k,v){H[DA[k>>>18]+(k&262143)]=v;return 0}
function arrowOf(k){return H[DA[k>>>18]+(k&262143)]}
function explore(from,to){let s=from;while(s<to&&!stop&&left>0&&nodesLeft>0){load(s);if(expand(0)===0)onStill();s++}return s}
`;
