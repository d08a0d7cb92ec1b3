// Random programs in which an address travels by detours (through bytes, numbers, unions, buffers, tables, functions that nobody shows) before something is written
// or called through it. Nothing in them is undefined, so gcc's word counts on every input, also where the analysis has to guess.
// Functions called `elsewhere_…` are declared here and defined for gcc alone (ELSEWHERE).

import fc from 'fast-check';

interface Detour {
  readonly outside?: string;
  /** P is a pointer that is there, Q one that is to become equal to it; T its type (`int *`); E a number over the inputs; `@` a number of its own. */
  readonly inside: string;
}

/** For gcc: what the functions from elsewhere do. */
export const ELSEWHERE = `#include <stdarg.h>
static void *elsewhere_kept, *elsewhere_list[8];
void elsewhere_keep(void *p) { elsewhere_kept = p; }
void *elsewhere_last(void) { return elsewhere_kept; }
void elsewhere_poke(void) { *(int *)elsewhere_kept = 3; }
void elsewhere_call(void (*f)(void)) { f(); }
void elsewhere_call_kept(void) { ((void (*)(void))elsewhere_kept)(); }
void elsewhere_put(void **where) { *where = elsewhere_kept; }
long elsewhere_number(void) { return (long)elsewhere_kept; }
void elsewhere_keep_number(unsigned long n) { elsewhere_kept = (void *)n; }
void elsewhere_copy(void *to, const void *from, int n) { for (int i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i]; }
void *elsewhere_same(void *p) { return p; }
void elsewhere_many(int n, ...) { va_list l; va_start(l, n); for (int i = 0; i < n; i++) elsewhere_list[i] = va_arg(l, void *); va_end(l); elsewhere_kept = elsewhere_list[n - 1]; }
`;

const DECLARED = `void elsewhere_keep(void *); void *elsewhere_last(void); void elsewhere_poke(void); void elsewhere_call(void (*)(void));
void elsewhere_call_kept(void); void elsewhere_put(void **); long elsewhere_number(void); void elsewhere_keep_number(unsigned long);
void elsewhere_copy(void *, const void *, int); void *elsewhere_same(void *); void elsewhere_many(int, ...);`;

const DETOURS: readonly Detour[] = [
  { inside: 'Q = P;' },
  { inside: 'Q = (T)(unsigned long)P;' },
  { inside: 'unsigned long n@ = (unsigned long)P; n@ ^= 0x5a5a; n@ ^= 0x5a5a; Q = (T)n@;' },
  {
    inside: 'unsigned long n@ = ~(unsigned long)P; for (int i = 0; i < (E); i++) n@ = ~~n@; Q = (T)~n@;',
  },
  {
    inside:
      'unsigned lo@ = (unsigned long)P, hi@ = (unsigned long)P >> 32; Q = (T)((unsigned long)hi@ << 32 | lo@);',
  },
  {
    inside:
      'unsigned char b@[8]; unsigned long n@ = (unsigned long)P, m@ = 0; for (int i = 0; i < 8; i++) b@[i] = n@ >> 8 * i; for (int i = 8; i-- > 0; ) m@ = m@ << 8 | b@[i]; Q = (T)m@;',
  },
  { inside: 'char b@[sizeof(T)]; T r@ = P; memcpy(b@, &r@, sizeof r@); memcpy(&Q, b@, sizeof Q);' },
  {
    inside:
      'T r@ = P; unsigned char *f@ = (unsigned char *)&r@, *g@ = (unsigned char *)&Q; for (int i = 0; i < 8; i++) g@[i] = f@[i];',
  },
  {
    inside: 'T r@ = P; unsigned *f@ = (unsigned *)&r@, *g@ = (unsigned *)&Q; g@[1] = f@[1]; g@[0] = f@[0];',
  },
  { outside: 'static T keep@;', inside: 'keep@ = P; Q = keep@;' },
  { outside: 'static T wide@[300];', inside: 'wide@[280 + (E)] = P; Q = wide@[280 + (E)];' },
  {
    outside: 'static char raw@[400];',
    inside: 'T r@ = P; memcpy(raw@ + 8 * (E), &r@, 8); memcpy(&Q, raw@ + 8 * (E), 8);',
  },
  {
    outside: 'union u@ { T p; unsigned long n; unsigned short h[4]; };',
    inside: 'union u@ a@, c@; a@.p = P; for (int i = 0; i < 4; i++) c@.h[i] = a@.h[i]; Q = c@.p;',
  },
  {
    outside: 'union v@ { T p; unsigned long n; };',
    inside: 'union v@ a@; a@.p = P; a@.n += E; a@.n -= E; Q = a@.p;',
  },
  {
    outside: 'struct s@ { char c; T p; T more[2]; };',
    inside: 'struct s@ a@ = { 1, P, { 0, P } }, b@; b@ = a@; Q = (E) > 1 ? b@.p : b@.more[1];',
  },
  {
    outside:
      'struct s@ { T p; int n; }; static struct s@ make@(T p) { struct s@ s = { p, 1 }; return s; } static T get@(struct s@ s) { return s.p; }',
    inside: 'Q = get@(make@(P));',
  },
  {
    outside: 'struct f@ { unsigned long lo : 20, mid : 25, hi : 19; };',
    inside:
      'unsigned long n@ = (unsigned long)P; struct f@ f@ = { n@, n@ >> 20, n@ >> 45 }; Q = (T)((unsigned long)f@.lo | (unsigned long)f@.mid << 20 | (unsigned long)f@.hi << 45);',
  },
  {
    outside: 'static T back@(T p, int n) { return n <= 0 ? p : back@(p, n - 1); }',
    inside: 'Q = back@(P, E);',
  },
  { outside: 'static void out@(T *to, T from) { *to = from; }', inside: 'out@(&Q, P);' },
  {
    outside:
      'static T last@(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); T p = 0; while (n-- > 0) p = __builtin_va_arg(l, T); __builtin_va_end(l); return p; }',
    inside: 'Q = last@(2, (T)0, P);',
  },
  {
    inside: 'T *h@ = malloc(3 * sizeof(T)); h@[2] = P; h@ = realloc(h@, 4 * sizeof(T)); Q = h@[2]; free(h@);',
  },
  { inside: 'T *h@ = calloc(2, sizeof(T)); h@[(E) & 1] = P; Q = h@[0] ? h@[0] : h@[1];' },
  { inside: 'T a@[4] = { 0, P, 0, P }; Q = a@[((E) & 1) * 2 + 1];' },
  { inside: 'T a@[3] = { P, P, P }; memmove(a@ + 1, a@, 2 * sizeof(T)); Q = *(a@ + (E) % 3);' },
  { inside: 'T r@ = P, *rr@ = &r@, **rrr@ = &rr@; T *const *z@ = (T *const *)rrr@; Q = **z@;' },
  { inside: 'switch (E) { case 0: Q = P; break; case 1: goto l@; default: l@: Q = P; }' },
  { inside: 'Q = 0; do { if (Q) break; Q = P; } while (1);' },
  // Numbers in pointers: whether they come back decides where Q points.
  { inside: 'void *z@ = (void *)(long)(E); Q = (long)z@ == (E) ? P : 0;' },
  { inside: 'void *z@ = (void *)(long)(E); int k@ = (int)(long)z@; Q = k@ == (E) ? P : (T)z@;' },
  {
    inside:
      'void *z@ = (E) > 1 ? (void *)(-1ul - (E)) : (void *)P; Q = (unsigned long)z@ >= -4095ul ? P : (T)z@;',
  },
  {
    outside: 'static void *e@(int n, void *p) { return n > 1 ? (void *)(long)-n : p; }',
    inside:
      'void *z@ = e@(E, P); if ((unsigned long)z@ > -4095ul) Q = (long)z@ == -(E) ? P : 0; else Q = z@;',
  },
  {
    inside:
      'unsigned long z@[3] = { (unsigned long)P, (unsigned char)(unsigned long)P, E }; T y@ = (T)z@[2]; Q = (unsigned long)y@ == (E) ? (T)z@[0] : y@;',
  },
  {
    outside: 'union w@ { T p; unsigned char b; unsigned long n; };',
    inside: 'union w@ a@; a@.n = (E); Q = (long)a@.p < 4 ? P : 0;',
  },
  // Numbers that one cast makes of several pointers, and that are handed on.
  {
    outside: 'static unsigned long number@(T p) { return (unsigned long)p; }',
    inside: 'unsigned long n@ = number@(P), m@ = number@(0); Q = m@ ? (T)m@ : (T)n@;',
  },
  {
    inside:
      'unsigned long n@ = 0, f@ = 1; for (int i = 0; i < 2; i++) { n@ = (unsigned long)(i ? P : (T)0); if (!i) f@ = n@; } Q = f@ ? (T)f@ : (T)n@;',
  },
  {
    outside:
      'struct k@ { int c; unsigned long n; }; static unsigned long on@(unsigned long n) { return n + 1; }',
    inside: 'struct k@ a@ = { 1, on@((unsigned long)P) }, b@; b@ = a@; b@.n--; Q = (T)b@.n;',
  },
  {
    outside:
      'static T deep@(unsigned long n, int k) { unsigned long m = n; return k <= 0 ? (T)n : deep@(m, k - 1); }',
    inside: 'Q = deep@((unsigned long)P, E);',
  },
  { inside: '__int128 n@ = (__int128)P; Q = n@ < 0 ? 0 : (T)n@;' },
  { inside: 'volatile unsigned long v@ = (unsigned long)P; Q = (T)v@;' },
  { inside: 'T volatile v@ = P; Q = v@;' },
  { inside: 'Q = *&(T){ P };' },
  { inside: 'Q = ({ T x@ = P; x@; });' },
  { inside: 'long d@ = (char *)P - (char *)&Q; Q = (T)((char *)&Q + d@);' },
  {
    inside:
      'unsigned long n@ = 0, m@ = (unsigned long)P; for (int i = 0; i < 64; i++) if (m@ >> i & 1) n@ |= 1ul << i; Q = (T)n@;',
  },
  {
    inside:
      'unsigned long n@ = (unsigned long)P; double d@ = (double)(n@ >> 32); unsigned long m@ = (unsigned long)d@ << 32 | (unsigned)n@; Q = (T)m@;',
  },
  {
    inside:
      'unsigned __int128 n@ = (unsigned __int128)(unsigned long)P << 40; Q = (T)(unsigned long)(n@ >> 40);',
  },
  { inside: 'unsigned long n@ = (unsigned long)P * 3; Q = (T)(n@ / 3);' },
  { inside: 'unsigned long n@ = (unsigned long)P, x@ = 1 + (E); n@ += x@ * 16; n@ -= x@ << 4; Q = (T)n@;' },
  { inside: 'unsigned long n@ = -(unsigned long)P; Q = (T)-n@;' },
  { inside: 'unsigned long a@ = (unsigned long)P >> 4, b@ = (unsigned long)P & 15; Q = (T)(a@ << 4 | b@);' },
  { inside: 'elsewhere_keep((void *)P); Q = (T)elsewhere_last();' },
  { inside: 'elsewhere_keep((void *)P); void *w@ = 0; elsewhere_put(&w@); Q = (T)w@;' },
  { inside: 'elsewhere_keep((void *)P); Q = (T)elsewhere_number();' },
  { inside: 'elsewhere_keep_number((unsigned long)P); Q = (T)elsewhere_last();' },
  { inside: 'T r@ = P; elsewhere_copy(&Q, &r@, sizeof Q);' },
  { inside: 'T a@[2] = { 0, P }; T b@[2]; elsewhere_copy(b@, a@, sizeof a@); Q = b@[1];' },
  { inside: 'Q = (T)elsewhere_same((void *)P);' },
  { inside: 'elsewhere_many(2, (void *)0, (void *)P); Q = (T)elsewhere_last();' },
  { outside: 'T shown@;', inside: 'shown@ = P; Q = shown@;' },
  {
    outside: 'struct n@ { struct n@ *next; T p; };',
    inside:
      'struct n@ *l@ = 0; for (int i = 0; i < 3; i++) { struct n@ *n = malloc(sizeof *n); n->next = l@; n->p = P; l@ = n; } for (int i = 0; i < (E) % 3; i++) l@ = l@->next; Q = l@->p;',
  },
  {
    outside: 'struct in@ { int tag; T p; }; struct box@ { long pad; struct in@ in; };',
    inside:
      'struct box@ x@ = { 1, { 2, P } }; struct in@ *m@ = &x@.in; struct box@ *c@ = (struct box@ *)((char *)m@ - offsetof(struct box@, in)); Q = c@->in.p;',
  },
  {
    outside:
      'static T (*const pick@[2])(T); static T one@(T p) { return p; } static T (*const pick@[2])(T) = { one@, one@ };',
    inside: 'Q = pick@[(E) & 1](P);',
  },
  {
    inside:
      'char t@[24] = { 0 }; T r@ = P; for (unsigned i = 0; i < sizeof r@; i++) t@[i * 3] = ((char *)&r@)[i]; for (unsigned i = 0; i < sizeof Q; i++) ((char *)&Q)[i] = t@[i * 3];',
  },
  { inside: 'int n@ = 1 + (E); T v@[n@]; v@[n@ - 1] = P; Q = v@[n@ - 1];' },
  { inside: 'T r@ = P; Q = 0; asm_free@: if (!Q) { Q = r@; goto asm_free@; }' },
  { inside: 'long a@[2]; a@[0] = (long)P; a@[1] = a@[0] - 64; Q = (T)(a@[1] + 64);' },
  {
    inside:
      'unsigned long m@ = (unsigned long)P | 0; m@ = (m@ & 0xffff0000ffff0000ul) + (m@ & 0x0000ffff0000fffful); Q = (T)m@;',
  },
];

/** Where the address leads, and what is asked of that: `now()` is its value. */
const TARGETS: readonly { readonly outside: string; readonly inside: string; readonly place: string }[] = [
  { outside: 'static int x;', inside: '', place: 'x' },
  { outside: 'int x;', inside: '', place: 'x' },
  { outside: '', inside: 'int x = 0;', place: 'x' },
  { outside: '', inside: 'int a[3] = { 0 };', place: 'a[1]' },
  { outside: 'static struct { short s; int m, k; } s;', inside: '', place: 's.k' },
  { outside: 'static int w[300];', inside: '', place: 'w[7]' },
  { outside: '', inside: 'int *h = malloc(8); h[0] = h[1] = 0;', place: 'h[1]' },
  { outside: 'static int *own(void) { static int n; return &n; }', inside: '', place: '*own()' },
];

/** What is done with the address at the end. */
const ENDS: readonly string[] = [
  '*P = 5;',
  '*P += 5;',
  'P[0]++;',
  'if (in1 > 1) *P = 5;',
  'memset(P, 0, sizeof *P); *P |= 5;',
  'elsewhere_keep(P); elsewhere_poke();',
  '*(in2 ? P : &other) = 5;',
  'char *c = (char *)P; *c = 5;',
];

const CALL_ENDS: readonly string[] = [
  'P();',
  'if (in1 > 1) P();',
  'elsewhere_call(P);',
  'elsewhere_keep((void *)P); elsewhere_call_kept();',
  '(in2 ? P : nothing)();',
];

const ASKED = ['== 0', '!= 0', '!= 5', '== 5', '< 4', '!= 1', '!= 3'];

const detour = fc.record({
  which: fc.nat(DETOURS.length - 1),
  E: fc.constantFrom('in1', 'in2', 'in3', 'in1 & in2', '1', '2', '3 - in1'),
});

const HEAD = `#include <stddef.h>
#include <stdlib.h>
#include <string.h>
${DECLARED}
static int other;
static void nothing(void) { other++; }`;

function travelled(
  chosen: readonly { readonly which: number; readonly E: string }[],
  type: string,
): { readonly outside: string[]; readonly inside: string[]; readonly last: string } {
  const outside: string[] = [];
  const inside: string[] = [];
  chosen.forEach(({ which, E }, i) => {
    const filled = (text: string) =>
      text
        .replace(/\bT\b/g, type)
        .replace(/\bP\b/g, `p${i}`)
        .replace(/\bQ\b/g, `p${i + 1}`)
        .replace(/\bE\b/g, `(${E})`)
        .replaceAll('@', `_${i + 1}`);
    outside.push(filled(DETOURS[which]!.outside ?? ''));
    inside.push(`${type} p${i + 1}; ${filled(DETOURS[which]!.inside)}`);
  });
  return { outside, inside, last: `p${chosen.length}` };
}

/** `int *` to something that is written through it, or the address of a function that writes it. */
export const detourPrograms = fc
  .tuple(
    fc.array(detour, { minLength: 1, maxLength: 3 }),
    fc.constantFrom(...TARGETS),
    fc.constantFrom(...ENDS),
    fc.constantFrom(...CALL_ENDS),
    fc.constantFrom(...ASKED),
    fc.nat(2),
  )
  .map(([chosen, target, end, callEnd, asked, kind]) => {
    const calls = kind === 0;
    const type = calls ? 'callee' : 'int *';
    const { outside, inside, last } = travelled(chosen, type);
    const use = (calls ? callEnd : end).replace(/\bP\b/g, last);
    const start = calls ? `callee p0 = change;` : `int *p0 = &${target.place};`;
    return `${HEAD}
typedef void (*callee)(void);
static int changed;
static void change(void) { changed = 5; }
${target.outside}
${outside.join('\n')}
int input(void) { int v = __VERIFIER_nondet_int(); __VERIFIER_assume(v >= 0 && v < 4); return v; }
int main(void) {
  int in1 = input(), in2 = input(), in3 = input();
  ${target.inside}
  ${start}
  ${inside.join('\n  ')}
  ${use}
  assert(${calls ? 'changed' : target.place} ${asked});
  return 0;
}
`;
  });
