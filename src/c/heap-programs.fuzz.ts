// Pieces of random programs that allocate what inputs and variables say, let it grow and shrink, hand it around as bytes, and use tables and large arrays.

import { type Piece, programsOf } from './pieces.fuzz.ts';

const PIECES: readonly Piece[] = [
  {
    inside: `{ int n = 9 + K, *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = i * (E); acc += a[n - 1] + a[(F) & 7]; free(a); }`,
  },
  {
    inside: `{ int n = 8 + ((E) & 7), *a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = i + (F); acc += a[n - 1] - a[n / 2]; free(a); }`,
  },
  {
    outside: `struct vec@ { int n, room; int *data; };
static void push@(struct vec@ *v, int x) { if (v->n == v->room) { v->room = v->room ? 2 * v->room : K; v->data = realloc(v->data, v->room * sizeof *v->data); } v->data[v->n++] = x; }`,
    inside: `{ struct vec@ v = { 0, 0, 0 }; for (int i = 0; i < 6 + ((E) & 7); i++) push@(&v, i * (F)); for (int i = 0; i < v.n; i++) acc += v.data[i] * (i + 1); acc += v.room; free(v.data); }`,
  },
  {
    inside: `{ char *s = malloc(4 + K); int n = 4 + K; for (int i = 0; i < n; i++) s[i] = i + (E); s = realloc(s, n + ((F) & 3)); for (int i = n; i < n + ((F) & 3); i++) s[i] = 1; s = realloc(s, 3); acc += s[0] + s[2]; free(s); }`,
  },
  {
    outside: `struct item@ { char tag; int value; struct item@ *next; };`,
    inside: `{ struct item@ *a = realloc(0, 2 * sizeof *a); a[0].tag = E; a[0].value = F; a[0].next = a; a[1] = a[0]; a[1].value++; a[1].next = 0;
    a = realloc(a, (2 + K) * sizeof *a); a[K + 1] = a[1]; a[K + 1].tag += 2; acc += a[0].tag + a[1].value * 3 + a[K + 1].tag + a[K + 1].value + (a[1].next == 0); free(a); }`,
  },
  {
    outside: `static void *get@(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; } static void *kept@[3];`,
    inside: `{ kept@[0] = get@(8 + 4 * K); kept@[1] = get@(10); int *p = kept@[0]; char *q = kept@[1]; for (int i = 0; i < 2 + K; i++) p[i] = i - (E); for (int i = 0; i < 10; i++) q[i] = i * (F); acc += p[(G) & 1] + q[(E) & 7] + p[K]; }`,
  },
  {
    outside: `struct l@ { long v; struct l@ *next; }; static struct l@ *cons@(long v, void *next) { struct l@ *n = calloc(1, sizeof *n); n->v = v; n->next = next; return n; }`,
    inside: `{ struct l@ *l = 0; for (int i = 0; i < 2 + ((E) & 7); i++) l = cons@(i * (F), l); for (; l; l = l->next) acc = acc * 3 + (int)l->v; }`,
  },
  {
    inside: `{ int total = 0; for (int n = 1; n < 10 + K; n++) { short v[n]; for (int i = 0; i < n; i++) v[i] = i + (E); total += v[n - 1] + (int)sizeof v; } acc += total; }`,
  },
  {
    inside: `{ unsigned n = 5 * K; unsigned char *p = calloc(n, 3); p[n] = E; p[2 * n + 1] = F; acc += p[n] + p[(G) & 3] + p[3 * n - 1] + p[2 * n + 1]; memset(p, 7, n); acc += p[n - 1] + p[n]; free(p); }`,
  },
  {
    outside: `struct m@ { unsigned rows, columns; double *at; };`,
    inside: `{ struct m@ m = { 2 + ((E) & 1), 3 + K, 0 }; m.at = malloc(m.rows * m.columns * sizeof(double)); for (unsigned i = 0; i < m.rows * m.columns; i++) m.at[i] = i * 0.5; acc += (int)(2 * m.at[m.columns + ((F) & 1)]); free(m.at); }`,
  },
  {
    outside: `static const unsigned char bits@[300] = { 1, 2, 3, [7] = 9, [100 ... 140] = K, [256] = 77, [299] = 5 };`,
    inside: `acc += bits@[(E) & 7] + bits@[100 + ((F) & 3)] + bits@[256] + bits@[296 + ((G) & 3)] * 2;`,
  },
  {
    outside: `static int squares@[500] = { [3] = 9, [4] = 16, [260] = -5, [499] = 11 }; static int at@(int i) { return i < 0 || i >= 500 ? -1 : squares@[i]; }`,
    inside: `acc += at@(E) + at@(260 * ((F) & 1)) + at@(496 + ((G) & 7));`,
  },
  {
    outside: `static int big@[600]; static char text@[1024];`,
    inside: `{ for (int i = 0; i < 600; i += 7) big@[i] = i + (E); big@[500] = F; acc += big@[7 * K] + big@[500] + big@[501 + ((G) & 3)]; memset(text@, 'a', 1000); text@[300 + ((E) & 3)] = 'z'; acc += text@[301] + text@[1000]; }`,
  },
  {
    outside: `static const char *names@[3] = { "red", "green", "blue" }; static const struct { short from; int to; } map@[200] = { { 1, 2 }, { 3, 4 }, [150] = { 5, 6 } };`,
    inside: `{ int n = (unsigned)(E) % 3; acc += names@[n][(F) & 1] + map@[(G) & 3].to + map@[150].from * map@[149 + ((F) & 1)].to; }`,
  },
  {
    inside: `{ int n = 300 + K; int *a = malloc(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = i ^ (E); a = realloc(a, 2 * n * sizeof(int)); a[n] = F; acc += a[n - 1] + a[n] + a[(G) & 7]; a = realloc(a, 4 * K); acc += a[K - 1]; free(a); }`,
  },
];

export const heapPrograms = programsOf(PIECES);
