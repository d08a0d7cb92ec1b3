// The set of visited states inside the machine's memory, as text for WebAssembly. It begins flat: the words of each state one after the other, which
// is fastest. Where memory becomes scarce (`compact`), a state of n words takes eight bytes and its part of what it shares with others.
//
// Idea (Laarman, van de Pol, Weber, Parallel recursive state compression for free, 2011; SPIN's collapse compression, Holzmann 1997): four
// words make a block; blocks are the leaves of two trees, one for each half of the state, in which every node has four children. A node is kept
// once, whoever uses it, and a state is the pair of its trees. Neighbours in the state graph differ in few words, so only the nodes above
// a difference are looked up; the others are the predecessor's (PN). The number of words, which gives the trees their shape, is kept in the
// root of the first.
//
// Nodes and pairs (in flat times: where the words are, and their hash value) lie in pages in the order of discovery: a state is its number, 0, 1, 2, … They are found through tables with open addressing, whose
// entries hold a number and, in the bits that are left, a part of the hash value. A small cache in front (NC) knows the nodes used last.
//
// The memory as a whole is the array H. What belongs to the store lies in G (named in STORE_CELLS) and in the directories D… of pages.
// What several threads do to one store is in code-store-shared.ts.

import {
  enter,
  G,
  hashOfNode,
  hashOfState,
  lookUp,
  MAX_PAGES,
  NODE,
  NODE_PAGE,
  NODES,
  PARENT,
  resize,
  SHARED_ARRAYS,
  STATE,
  STATES,
  STORE_PAGE,
  slot,
} from './code-store-parts.ts';
import { SHARED_STORE } from './code-store-shared.ts';

/** For states of at most so many words. */
export const storeCode = (words: number, isShared: boolean): string =>
  arrays(words) + (isShared ? SHARED_STORE : ownStore(words)) + COMMON;

const arrays = (words: number): string => `
const G=new Int32Array(32),${SHARED_ARRAYS.slice(1)
  .map((name) => `${name}=new Int32Array(${MAX_PAGES})`)
  .join(',')};
const NC=new Int32Array(32768),PW=new Int32Array(${words + 8}),PN=new Int32Array(${words * 2 + 64}),X=new Int32Array(${words});
let first=0,second=0,PL=0,lw=0,lh=0,wh=0,fresh=false,current=-1,successor=-1,inside=false,tell=false,transitions=0,counted=0,stop=false;
`;

const ownStore = (words: number): string => `
function page(words){if(words<=${STORE_PAGE}&&${G.freePages}>0){${G.freePages}=${G.freePages}-1;const f=DF[${G.freePages}];for(let i=0;i<${STORE_PAGE};i++)H[f+i]=0;return f}
const at=${G.top};${G.top}=at+words;room(${G.top});return at}
function begin(top){${G.top}=top;${G.isFlat}=${words < STORE_PAGE ? 1 : 0};${G.flatPages}=0;${G.flatNext}=0;${G.flatEnd}=0;${G.freePages}=0;${G.states}=0;${G.nodes}=0;PL=0;
${G.stateSlots}=0;resizeStates(16384);${G.nodeSlots}=0;resizeNodes(16384)}
function resizeStates(n){${resize(STATES, G.stateLimit, `for(let k=0;k<${G.states};k++){const r=${STATE},a=H[r],b=H[r+1];if(${G.isFlat}!==0)enterState(b,k);else{${hashOfState}enterState(h,k)}}`)}}
function resizeNodes(n){${resize(NODES, G.nodeLimit, `for(let k=0;k<${G.nodes};k++){const r=${NODE},a=H[r],b=H[r+1],c=H[r+2],d=H[r+3],t=H[r+4];${hashOfNode}enterNode(h,k)}`)}}
function lookUpNode(a,b,c,d,t,h){${lookUp(NODES, `const r=${NODE};if(H[r]===a&&H[r+1]===b&&H[r+2]===c&&H[r+3]===d&&H[r+4]===t)return k;`)}
const k=${G.nodes};if((k&32767)===0)DN[k>>>15]=page(${NODE_PAGE});
const r=${NODE};H[r]=a;H[r+1]=b;H[r+2]=c;H[r+3]=d;H[r+4]=t;${slot('DI')}=z|k+1;
${G.nodes}=k+1;if(k>=${G.nodeLimit})resizeNodes(wider(${G.nodeSlots}));return k}
function addFlat(n){const h=wh;
${lookUp(STATES, `const r=${STATE};if(H[r+1]===h&&isFlat(H[r],n)){fresh=false;return k}`)}
let w=${G.flatNext};if(w+n>=${G.flatEnd}){w=page(${STORE_PAGE});${G.flatEnd}=w+${STORE_PAGE};DF[${G.flatPages}]=w;${G.flatPages}=${G.flatPages}+1}
${G.flatNext}=w+n+1;H[w]=n;for(let j=1;j<n;j+=2)copy2(H[w+j],W[j-1]);H[w+n]=W[n-1];
fresh=true;return append(w,h,i,z)}
function append(a,b,i,z){const k=${G.states};if((k&131071)===0)DS[k>>>17]=page(${STORE_PAGE});if((k&262143)===0)DP[k>>>18]=page(${STORE_PAGE});
const r=${STATE};H[r]=a;H[r+1]=b;${PARENT}=current;${slot('DT')}=z|k+1;
${G.states}=k+1;if(k>=${G.stateLimit})resizeStates(wider(${G.stateSlots}));return k}
function compact(){if(${G.isFlat}===0)return;${G.isFlat}=0;PL=0;
for(let k=0;k<${G.states};k++){const r=${STATE},w=H[r],n=H[w];for(let j=0;j<n;j++)W[j]=H[w+1+j];pairOf(n);H[r]=first;H[r+1]=second;read(k)}
${G.freePages}=${G.flatPages};resizeStates(${G.stateSlots})}
function add(n){if(${G.isFlat}!==0)return addFlat(n);
pairOf(n);const a=first,b=second;${hashOfState}
${lookUp(STATES, `const r=${STATE};if(H[r]===a&&H[r+1]===b){fresh=false;return k}`)}
fresh=true;return append(a,b,i,z)}
function insert(n,parent){for(let i=0;i<n;i++)W[i]=PW[i];wh=hashOf(n);PL=0;current=parent;return add(n)}
function explore(from,to){let s=from;while(s<to&&s<${G.states}&&!stop){load(s);if(expand(0)===0)onStill();s++}return s}
`;

const COMMON = `
function bitsFor(n){let b=1;while(1<<b<=n)b++;return b}
function enterState(h,k){${enter(STATES)}}
function enterNode(h,k){${enter(NODES)}}
function wider(n){return n<4194304?n+n:n+(n>>>1)}
function node(a,b,c,d,t){${hashOfNode}
const e=(h&4095)<<3;if(NC[e]===a&&NC[e+1]===b&&NC[e+2]===c&&NC[e+3]===d&&NC[e+4]===t&&NC[e+5]!==0)return NC[e+5]-1;
const k=lookUpNode(a,b,c,d,t,h);NC[e]=a;NC[e+1]=b;NC[e+2]=c;NC[e+3]=d;NC[e+4]=t;NC[e+5]=k+1;return k}
function quarter(n){let q=1;while(q<<2<n)q=q<<2;return q}
function fold(from,to,at,t){if(X[from]===X[to])return PN[at];
if(to-from===1){const w=from<<2;return node(W[w],W[w+1],W[w+2],W[w+3],t)}
const q=quarter(to-from),x=from+q,y=x+q,z=y+q;let c=0,d=0;at=at<<2;
const a=fold(from,x,at-1,0),b=fold(x,y<to?y:to,at,0);
if(y<to){c=fold(y,z<to?z:to,at+1,0);if(z<to)d=fold(z,to,at+2,0)}
return node(a,b,c,d,t)}
function isFlat(w,n){if(H[w]!==n||H[w+n]!==W[n-1])return false;for(let j=1;j<n;j+=2)if(!same2(H[w+j],W[j-1]))return false;return true}
function pairOf(n){const e=n+3>>>2,m=e+1>>>1;for(let i=n;i<e<<2;i++)W[i]=0;
if(n===PL){let j=0,x=0;while(j<e){const w=j<<2;if((W[w]^PW[w]|W[w+1]^PW[w+1]|W[w+2]^PW[w+2]|W[w+3]^PW[w+3])!==0)x++;j++;X[j]=x}}
else for(let j=1;j<=e;j++)X[j]=j;
first=fold(0,m,1,n);second=0;if(m<e)second=fold(m,e,2,0)}
function unfold(k,from,to,at){if(PN[at]===k)return;PN[at]=k;const r=${NODE};
if(to-from===1){const w=from<<2;PW[w]=H[r];PW[w+1]=H[r+1];PW[w+2]=H[r+2];PW[w+3]=H[r+3];return}
const q=quarter(to-from),x=from+q,y=x+q,z=y+q;at=at<<2;
unfold(H[r],from,x,at-1);unfold(H[r+1],x,y<to?y:to,at);
if(y<to){unfold(H[r+2],y,z<to?z:to,at+1);if(z<to)unfold(H[r+3],z,to,at+2)}}
function lengthOf(k){return H[${NODE}+4]}
function read(k){lw=0;return bring(k)}
function bring(k){const r=${STATE},a=H[r];if(${G.isFlat}!==0){const l=H[a];for(let j=1;j<l;j+=2)copy2(PW[j-1],H[a+j]);PW[l-1]=H[a+l];return l}
const n=lengthOf(a),e=n+3>>>2,m=e+1>>>1;
if(n!==PL){PL=n;for(let i=0;i<PN.length;i++)PN[i]=-1}
unfold(a,0,m,1);if(m<e)unfold(H[r+1],m,e,2);return n}
function parentOf(k){return ${PARENT}}
function load(s){current=s;const n=bring(s);for(let j=1;j<n;j+=2)copy2(W[j-1],PW[j-1]);W[n-1]=PW[n-1];lw=n;const k=s;if(${G.isFlat}!==0)lh=H[${STATE}+1];unpack()}
function step(n){const e=W[0]>>>16;if(e===0)transitions++;
if(ended){onClaim();return}
const s=add(n);if(fresh||successor<0)successor=s;
if(e!==0)inside=true;else if(fresh)counted++;
if(tell)onStep(s,fresh)}
`;
