// Pieces of text that the store of one thread (code-store.ts) and that of several (code-store-shared.ts) are made of.

/** Places in G. */
export const STORE_CELLS = {
  top: 0,
  states: 1,
  stateSlots: 2,
  stateBits: 3,
  nodes: 4,
  nodeSlots: 5,
  nodeBits: 6,
  stateLimit: 7,
  nodeLimit: 8,
  isFlat: 9,
  flatPages: 10,
  flatNext: 11,
  flatEnd: 12,
  freePages: 13,
  stateUnits: 14,
  nodeUnits: 15,
} as const;

export const G = Object.fromEntries(
  Object.entries(STORE_CELLS).map(([name, cell]) => [name, `G[${cell}]`]),
) as Record<keyof typeof STORE_CELLS, string>;

/** A page has 2^18 words: as many entries or parents, half as many states. Nodes take five words: their pages have 5 · 2^15. */
export const STORE_PAGE = 1 << 18;
export const NODE_PAGE = 5 << 15;
export const MAX_PAGES = 4096;

const FINISH = 'h=Math.imul(h^h>>>15,739982445);h=h^h>>>13;';
export const hashOfState = `let h=Math.imul(a,-2048144777)+Math.imul(b,-1640531535);${FINISH}`;
export const hashOfNode = `let h=Math.imul(a,-2048144777)+Math.imul(b,-1640531535)+Math.imul(c,-1028477379)+Math.imul(d,668265263)+t;${FINISH}`;

/** The word with entry i of a table; the first word of a state's or a node's record. */
export const slot = (table: string): string => `H[${table}[i>>>18]+(i&262143)]`;
export const STATE = 'DS[k>>>17]+((k&131071)<<1)';
export const NODE = 'DN[k>>>15]+(k&32767)*5';
export const PARENT = 'H[DP[k>>>18]+(k&262143)]';

export interface Table {
  readonly pages: string;
  readonly slots: string;
  readonly bits: string;
}
export const STATES: Table = { pages: 'DT', slots: G.stateSlots, bits: G.stateBits };
export const NODES: Table = { pages: 'DI', slots: G.nodeSlots, bits: G.nodeBits };

/** Where an entry for hash value h is found or would be put, i: `same` decides whether number k is the one. */
export const lookUp = ({ pages, slots, bits }: Table, same: string): string =>
  `const y=${bits},z=h<<y,s=${slots};let i=mulhi(h,s);
for(;;){const v=${slot(pages)};if(v===0)break;
if((v^z)>>>y===0){const k=(v&(1<<y)-1)-1;${same}}
i=i+1;if(i===s)i=0}`;

/** Puts number k, which is not there, into the table. */
export const enter = ({ pages, slots, bits }: Table): string =>
  `let i=mulhi(h,${slots});while(${slot(pages)}!==0){i=i+1;if(i===${slots})i=0}${slot(pages)}=h<<${bits}|k+1;`;

/** Makes a table larger; `again` enters what was there. */
export const resize = ({ pages, slots, bits }: Table, limit: string, again: string): string =>
  `const old=${slots}+262143>>>18;${slots}=n;${limit}=(n>>>2)*3;${bits}=bitsFor(n);
for(let j=0;j<n+262143>>>18;j++){if(j>=old)${pages}[j]=page(${STORE_PAGE});else for(let i=0;i<${STORE_PAGE};i++)H[${pages}[j]+i]=0}
${again}`;

/** What all threads of a search use. */
export const SHARED_ARRAYS = ['G', 'DF', 'DS', 'DT', 'DP', 'DN', 'DI', 'DA', 'DU', 'DV'] as const;
