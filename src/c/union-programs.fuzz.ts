// Random programs in which the members of a few tagged unions hold numbers at one time and addresses at another: they are copied whole, in parts and byte by byte, moved
// as numbers, compared, and used as what the tag says they are. Nothing in them is undefined, and nothing depends on where things lie.

import fc from 'fast-check';

type Tag = 'LONG' | 'PTR' | 'NODE' | 'FUN';

/** Views of all bytes, through which anything is copied; `@` is for names of its own. */
const VIEWS = ['u.l', 'u.q', 'u.v'];

const MEMBERS = [
  'int i;',
  'unsigned long l;',
  'unsigned char b[8];',
  'unsigned short h[4];',
  'struct { unsigned lo, hi; } s;',
  'int *p;',
  'struct node *q;',
  'int (*f)(int);',
  'void *v;',
  'struct { short a : 5; unsigned short c : 11; } w;',
];

const NUMBERS = ['in1', 'in2', 'in3', 'in1 + in2', 'in2 - 1', 'in3 * 3', 'acc & 3', '1', '2', '-1'];
const INDICES = ['0', '1', '2', '0', '1', 'in1 % 3', 'in2 & 1', '(in3 >> 1) + 1'];
const POINTERS = [
  '&x',
  '&y',
  'list',
  'list + 1',
  '&list[in1]',
  '(in2 & 1 ? &x : &y)',
  '&list[in3 & 2]',
  'at',
];
const NODES = ['&nodes[0]', '&nodes[1]', '&nodes[in1 & 1]', '(in3 > 1 ? &nodes[0] : &nodes[1])'];
const FUNCTIONS = ['add', 'twice', '(in2 > 1 ? add : twice)'];

/** I, J are indices of unions; E, F numbers; P, N, H what kinds of pointers point to. What stands in the unions: */
const GIVEN: Readonly<Record<Tag, readonly string[]>> = {
  LONG: [
    't[I].tag = INT; t[I].u.l = 0; t[I].u.i = E;',
    't[I].tag = LONG; t[I].u.l = (long)(E) * 1000000007L;',
    't[I].tag = LONG; for (int i = 0; i < 8; i++) t[I].u.b[i] = i * (E);',
    't[I].tag = LONG; t[I].u.s.lo = E; t[I].u.s.hi = F;',
    't[I].tag = LONG; t[I].u.l = 0; t[I].u.w.a = E; t[I].u.w.c = F;',
    't[I].tag = LONG; memset(&t[I].u, E, sizeof t[I].u);',
  ],
  PTR: [
    't[I].tag = PTR; t[I].u.p = P;',
    't[I].tag = PTR; t[I].u.v = P;',
    't[I].tag = PTR; t[I].u.l = (unsigned long)P;',
    't[I].tag = PTR; *(int **)&t[I].u = P;',
    't[I].tag = PTR; t[I].u = (union u){ .p = P };',
    't[I] = (struct t){ PTR, { .p = P } };',
    't[I].tag = PTR; int *m@ = P; memcpy(&t[I].u, &m@, sizeof m@);',
    't[I].tag = PTR; t[I].u.p = list; t[I].u.l += 4 * ((E) & 3);',
    't[I].tag = PTR; t[I].u.p = &list[3]; t[I].u.p -= (E) & 3;',
    'at = P;',
    'if (t[I].tag == PTR) at = t[I].u.p;',
    'if (t[I].tag == PTR) *t[I].u.p = E;',
    'if (t[I].tag == PTR && t[J].tag == PTR) acc += t[I].u.p == t[J].u.p;',
    'if (t[I].tag == PTR) acc += t[I].u.p == P;',
  ],
  NODE: [
    't[I].tag = NODE; t[I].u.q = N;',
    't[I] = (struct t){ NODE, { .q = N } };',
    'if (t[I].tag == NODE && t[I].u.q->next) t[I].u.q = t[I].u.q->next;',
    'if (t[I].tag == NODE) acc += t[I].u.q->n;',
    'if (t[I].tag == NODE) t[I].u.q->next = N;',
  ],
  FUN: ['t[I].tag = FUN; t[I].u.f = H;', 'acc += t[I].tag == FUN && t[I].u.f == add;'],
};

const USED = [
  'use(&t[I], E);',
  'acc += value(t[I]);',
  'acc += value(table[I]);',
  'if (table[I].tag == LONG) acc += (int)table[I].u.l;',
  'assert(CHECK);',
];

const COPIED = [
  't[I] = t[J];',
  '{ struct t c = t[I]; t[I] = t[J]; t[J] = c; }',
  '{ union u c = t[J].u; t[I].tag = t[J].tag; t[I].u = c; }',
  'if (I != J) memcpy(&t[I], &t[J], sizeof t[0]);',
  '{ struct t c; memcpy(&c, &t[J], sizeof c); t[I] = c; }',
  't[I].tag = t[J].tag; for (int i = 0; i < 8; i++) t[I].u.b[i] = t[J].u.b[i];',
  't[I].tag = t[J].tag; for (int i = 4; i-- > 0; ) t[I].u.h[i] = t[J].u.h[i];',
  't[I].tag = t[J].tag; t[I].u.s.lo = t[J].u.s.lo; t[I].u.s.hi = t[J].u.s.hi;',
  't[I].tag = t[J].tag; t[I].u.VIEW = t[J].u.VIEW;',
  '{ unsigned long n = t[J].u.l; t[I].tag = t[J].tag; t[I].u.l = n; }',
  '{ void *n = t[J].u.v; t[I].tag = t[J].tag; t[I].u.v = n; }',
  't[I] = same(t[J]);',
  'swap(&t[I].u, &t[J].u); { int c = t[I].tag; t[I].tag = t[J].tag; t[J].tag = c; }',
  '{ struct t *h = malloc(sizeof *h); *h = t[J]; struct t *k = malloc(2 * sizeof *k); k[1] = *h; t[I] = k[1]; }',
  'kept = t[J]; t[I] = kept;',
  't[I] = *(E > 1 ? &t[J] : &kept);',
  't[I] = table[J];',
];

/** Changed and changed back. */
const CHANGED = [
  't[I].u.l ^= KEY; acc += E; t[I].u.l ^= KEY;',
  't[I].u.b[1] ^= E; t[I].u.b[1] ^= E;',
  't[I].u.h[2] += 3; t[I].u.h[2] -= 3;',
  't[I].u.l = ~t[I].u.l; t[I].u.l = ~t[I].u.l;',
  'if (t[I].tag == t[J].tag) t[I].u.l += t[J].u.l - t[I].u.l;',
  'if (t[I].tag == PTR && t[J].tag == PTR) { unsigned long d@ = t[J].u.l - t[I].u.l; t[I].u.l += d@; *t[I].u.p = E; }',
  't[I].u.l = t[I].u.l << 32 | t[I].u.l >> 32; t[I].u.s.lo ^= t[I].u.s.hi; t[I].u.s.hi ^= t[I].u.s.lo; t[I].u.s.lo ^= t[I].u.s.hi;',
];

/** Looked at as a number. */
const LOOKED_AT = [
  'if (t[I].tag == t[J].tag) acc += 2 * (t[I].u.l == t[J].u.l);',
  'if (t[I].tag > LONG) acc += (t[I].u.l != 0) + (t[I].u.v == 0);',
  'if (t[I].tag == PTR) acc += (int)(t[I].u.l & 3) + 3 * (t[I].u.b[0] & 1);',
  'if (t[I].tag <= LONG) acc += t[I].u.b[E & 7] + (t[I].u.h[1] & 15) + (int)(t[I].u.s.hi & 3) - t[I].u.w.a;',
  'acc += memcmp(&t[I].u, &t[I].u, 8);',
];

const CHECKS = [
  'acc % 7 != 3',
  'acc % 5 < 4',
  'x + y != 5',
  'acc != 12',
  'x < 90',
  'acc > -100000',
  'list[1] < 7',
];

type Pick = (below: number) => number;

export const unionPrograms = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 }).map((numbers) => {
  let next = 0;
  const pick: Pick = (below) => numbers[next++ % numbers.length]! % below;
  const of = <T>(list: readonly T[]): T => list[pick(list.length)]!;
  const members = [...MEMBERS];
  for (let i = members.length; i > 1; i--) {
    const j = pick(i);
    [members[i - 1], members[j]] = [members[j]!, members[i - 1]!];
  }
  const step = (text: string, number: number): string => {
    const holes: Readonly<Record<string, string>> = {
      I: of(INDICES),
      J: of(INDICES),
      E: `(${of(NUMBERS)})`,
      F: `(${of(NUMBERS)})`,
      P: of(POINTERS),
      N: of(NODES),
      H: of(FUNCTIONS),
      KEY: of(['0x5a5a', '0xffffffffffff0000', '1', '0x123456789abcdef0']),
      VIEW: of(VIEWS).slice(2),
      CHECK: of(CHECKS),
    };
    return text
      .replace(/\b(?:[IJEFPNH]|KEY|VIEW|CHECK)\b/g, (hole) => holes[hole]!)
      .replaceAll('@', String(number));
  };
  // Programs that have all of it tell little: what is looked at anywhere is any number everywhere.
  const tags = (['PTR', 'NODE', 'FUN', 'LONG'] as const).filter((_, i) => pick(3) > i - 1);
  const given = tags.flatMap((tag) => GIVEN[tag]);
  const others = [...USED, ...COPIED, ...(pick(4) === 0 ? CHANGED : []), ...(pick(4) === 0 ? LOOKED_AT : [])];
  const first = ['0', '1', '2'].map((index) => of(GIVEN[of(tags)].slice(0, 2)).replace(/\bI\b/g, index));
  const row = () =>
    of(tags.includes('PTR') ? ['{ LONG, { .l = 9 } }', '{ PTR, { .p = &x } }', '{ 0 }'] : ['{ 0 }']);
  const drawn = Array.from({ length: 3 + pick(8) }, () => of(pick(2) === 0 ? given : others));
  const steps = [...first, ...drawn].map(step);
  const cases = (list: Readonly<Record<string, string>>): string =>
    Object.entries(list)
      .filter(([tag]) => tags.includes((tag === 'INT' ? 'LONG' : tag) as Tag))
      .map(([tag, text]) => `    case ${tag}: ${text}`)
      .join('\n');
  return `#include <stdlib.h>
#include <string.h>
enum { INT, LONG, PTR, NODE, FUN };
struct node { int n; struct node *next; };
union u { ${members.join(' ')} };
struct t { int tag; union u u; };
static int x = 1, y = 2, list[4] = { 3, 4, 5, 6 }, acc, *at = &y;
static struct node nodes[2] = { { 7, &nodes[1] }, { 8, 0 } };
static struct t t[3], kept${of(['', ' = { PTR, { .p = &x } }'])};
static const struct t table[3] = { ${row()}, ${row()}, ${row()} };
static int add(int v) { return v + 1; }
static int twice(int v) { return v * 2; }
static int value(struct t one) {
  switch (one.tag) {
${cases({
  INT: 'return one.u.i;',
  LONG: 'return (int)(one.u.l % 11);',
  PTR: 'return *one.u.p;',
  NODE: 'return one.u.q->n;',
  FUN: 'return one.u.f(3);',
})}
    default: return 5;
  }
}
static void use(struct t *one, int v) {
  switch (one->tag) {
${cases({
  INT: 'one->u.i += v; break;',
  LONG: 'one->u.l += v; break;',
  PTR: '*one->u.p += v; break;',
  NODE: 'one->u.q->n = v; break;',
  FUN: 'acc += one->u.f(v); break;',
})}
    default: acc++; break;
  }
}
static struct t same(struct t one) { return one; }
static void swap(union u *a, union u *b) { union u c = *a; *a = *b; *b = c; }
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int in1 = input(), in2 = input(), in3 = input();
  ${steps.join('\n  ')}
  acc += value(t[${of(INDICES)}]);
  assert(${of(CHECKS)});
  return 0;
}
`;
});
