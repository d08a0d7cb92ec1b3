// Pieces of random programs, each of which exercises one feature of C or GNU C.

import { type Piece, programsOf } from './pieces.fuzz.ts';

const PIECES: readonly Piece[] = [
  // Pointers and numbers beside arrays in one struct: an index does not leave its array. One that begins before the object, where an index leads back into it.
  {
    outside: `struct box@ { int n, a[4], *p; char c[5]; int m[2][3], *q; }; struct four@ { int a[4]; }; struct two@ { int u, v; };`,
    inside: `{ int own = K; struct box@ b = { 0, { 1, 2, 3, 4 }, &own, "ab", { { 1 }, { 2 } } }; b.q = &b.n; for (int i = 0; i < 4; i++) { b.a[i] += E; ++*b.q; } b.c[(F) & 3] = G; b.m[(E) & 1][(F) & 1] = 7; *b.p += 2; acc += *b.p + b.a[(G) & 3] + b.n + b.m[1][0] + b.c[2];
    int w[8] = { K }; struct four@ *f = (struct four@ *)((struct two@ *)&w[1] - ((E) & 1)); f->a[1 + ((F) & 1)] = G; acc += w[0] * 3 + w[1] + w[3]; }`,
  },
  {
    outside: `struct in@ { int *at; int v[3]; unsigned char u[2]; }; struct out@ { struct in@ in[2]; int n; struct in@ *mine; };
static void put@(struct in@ *i, int k, int v) { if (k >= 0 && k < 3) i->v[k] = v; else i->u[k & 1] = v; ++*i->at; }`,
    inside: `{ struct out@ o = { 0 }; for (int i = 0; i < 2; i++) o.in[i].at = &o.n; o.mine = &o.in[(E) & 1]; put@(o.mine, F, G); put@(&o.in[0], (G) & 3, E); o.mine->v[(F) & 1] ^= K; o.in[(G) & 1].u[(E) & 1]++; acc += o.n + o.in[0].v[1] * 3 + o.in[1].v[0] + o.in[1].u[0] + (o.in[0].at == &o.n); }`,
  },
  {
    outside: `union mix@ { struct { short h[4]; int *p; } s; int w[2]; }; static int kept@ = K;`,
    inside: `{ union mix@ t[2] = { { { { 1, 2 }, &kept@ } }, { { { 3 }, &kept@ } } }; t[(E) & 1].s.h[(F) & 3] = G; t[(F) & 1].w[(G) & 1] += 5; acc += t[0].w[0] + t[1].s.h[(E) & 3] + *t[(G) & 1].s.p; ++*t[0].s.p; acc += kept@; }`,
  },
  {
    outside: 'struct flex@ { int n; short data[]; };',
    inside: `{ struct flex@ *f = malloc(sizeof(struct flex@) + 4 * sizeof(short)); f->n = 4;
    for (int i = 0; i < f->n; i++) f->data[i] = (E) * i; acc += f->data[(F) & 3] + sizeof(*f); free(f); }`,
  },
  {
    outside: `typedef unsigned __int128 wide@; static wide@ mul@(unsigned long x, long y) { return (wide@)x * y; }`,
    inside: `{ wide@ w = mul@((unsigned long)(E) << 61, F); w += (wide@)(G) << 70; w ^= w >> 13; acc += (int)(w >> 64) + (int)w + (w > (wide@)7 << 60); }`,
  },
  {
    outside: `struct pair@ { char tag; int v[3]; struct { unsigned lo : 5; signed hi : 6; } b; };
static struct pair@ make@(int x) { struct pair@ p = { x, { x, x + 1, x * x }, { x, -x } }; return p; }
static struct pair@ twist@(struct pair@ p, int at) { int k = p.v[0]; p.v[0] = p.v[at]; p.v[at] = k; p.b.lo += 9; return p; }`,
    inside: `{ struct pair@ p = twist@(twist@(make@(E), 1), (F) & 1 ? 2 : 1), q = p; q.tag++; acc += make@(G).v[2] + p.v[1] * 3 + p.b.lo - p.b.hi + (p.tag == q.tag); }`,
  },
  {
    outside: `static int add@(int x, int y) { return x + y; } static int sub@(int x, int y) { return x - y; }
static int (*const table@[])(int, int) = { add@, sub@, add@ }; typedef int (*op@)(int, int);
static op@ choose@(int n) { return n > 1 ? sub@ : *table@; } static int apply@(op@ f, int n) { return f ? f(n, K) : -1; }`,
    inside: `acc += table@[(unsigned)(E) % 3](F, 2) + choose@(G)(acc, 1) + apply@(acc & 1 ? add@ : 0, E);`,
  },
  {
    inside: `{ unsigned n = 7 + ((E) & 3), k = (n + 3) / 4, s = 0; switch (n % 4) { case 0: do { s += 1; case 3: s += 2; case 2: s += (F) & 7; case 1: s ^= 5; } while (--k > 0); } acc += s; }`,
  },
  {
    inside: `{ int i = 0; if ((E) > K) goto inside@; for (; i < 4; i++) { acc += i; if (i == 2 && (F) < 0) goto done@; inside@: acc ^= i + 1; if (acc > 1000) break; } acc -= 2; done@:; }`,
  },
  {
    outside: `static int depth@(int n, int *sum) { static int calls; int own = n * 2; if (n <= 0) return calls++; int r = depth@(n - 1, &own); *sum += own; return r + own; }`,
    inside: `{ int s = 0; acc += depth@((E) & 3, &s); acc += s; }`,
  },
  {
    outside: `static int even@(unsigned n); static int odd@(unsigned n) { return n == 0 ? 0 : even@(n - 1); } static int even@(unsigned n) { return n == 0 || odd@(n - 1); }`,
    inside: `acc += even@((E) & 7) * 3 + odd@((F) & 3);`,
  },
  {
    outside: `union bits@ { unsigned long l; unsigned char c[8]; struct { unsigned short a, b; int i; } s; signed char t; };`,
    inside: `{ union bits@ u = { .l = 0 }; u.s.a = E; u.s.i = F; u.c[3] ^= G; acc += (int)(u.l >> 20) + u.t + u.c[(E) & 7] + (int)u.l; union bits@ v = u; v.s.b++; acc += v.c[2] - u.c[2]; }`,
  },
  {
    outside: `struct __attribute__((packed)) tight@ { char c; int i; short s : 11; unsigned char d; long l; }; struct loose@ { char c; struct tight@ t; _Alignas(8) char e; };`,
    inside: `{ struct loose@ x = { 1, { 2, E, F, G, -1 }, 4 }; struct tight@ *p = &x.t; p->i += p->s; p->l -= p->d; acc += p->i + (int)p->l + sizeof x + sizeof *p + offsetof(struct loose@, e); }`,
  },
  {
    inside: `{ int grid[3][4] = { [1] = { [2] = 5, 6 }, [0][3] = E }, (*row)[4] = grid + 1, *flat = &grid[0][0]; row[0][(F) & 3]++; row[1][1] = G; acc += flat[3] + flat[6] + flat[7] + grid[2][1] + (row - grid) + (&grid[2][0] - flat); }`,
  },
  {
    inside: `{ char text[] = "a\\0b\\x41\\101z", *p = text; int n = 0; while (*p) p++; p++; for (; *p; p++) n = n * 3 + *p; text[(E) & 3] += F; acc += n + sizeof text + text[1] + (p - text); }`,
  },
  {
    inside: `{ unsigned char u = E; signed char s = F; short h = -(G) * 1000; unsigned w = s; acc += (u - 5 < 0) + (w > 5u) + (s < 1u) + (u << 24 < 0) + (h >> 3) + (~u > 0) + (unsigned char)~u + (s ? -1 : 1u) / 2 % 100; }`,
  },
  {
    outside:
      'struct flags@ { unsigned a : 1, b : 3; _Bool c : 1; int d : 2; unsigned long long e : 33; unsigned f : 31; };',
    inside: `{ struct flags@ f = { E, F, G, -1 }; f.a++; f.b -= 3; f.d += 1; f.e = ~f.e; f.f--; acc += f.a + f.b * 2 + f.c + f.d + (int)(f.e >> 30) + (f.a - 2 < 0) + (f.f - 1 > 0) + (f.e + 1 > 0) + (f.b << 29 < 0); }`,
  },
  {
    outside: `static int old@(a, b, p) int a, *p; short b; { return a + b * *p; } extern int later@; static int uses@(void) { extern int later@; return later@; } int later@; int later@ = K;`,
    inside: `{ int v = F; acc += old@(E, (short)(G), &v) + uses@(); later@ += 1; { int later@ = 9; acc += later@; } }`,
  },
  {
    outside: `#define CAT_(x, y) x##y
#define CAT(x, y) CAT_(x, y)
#define STR(x...) #x
#define SUM(first, ...) (first + MORE(__VA_ARGS__))
#define MORE(x, ...) (x * 2 __VA_OPT__(+ 1))
#define FN(x) FN2(x)
#define FN2(x) ((x) + FN)
static int FN = 4, CAT(var, __LINE__) = 2;`,
    inside: `acc += SUM(E, F, 9) + SUM(1, G) + FN(2) + sizeof STR(a + "b\\n", c) + sizeof(STR()); `,
  },
  {
    inside: `{ int n = 1 + ((E) & 3), m = 2; struct { short s; int v; } va[n * m]; for (int i = 0; i < n * m; i++) va[i].v = i * 10 + (F); acc += va[n].v + sizeof va + sizeof va[0]; }`,
  },
  {
    outside: `static int vla@(int n, int m, int a[n]) { return a[m] + sizeof(a) / sizeof(void *); }`,
    inside: `{ int n = 3; int a[n]; for (int i = 0; i < n; i++) a[i] = (E) << i; acc += vla@(n, (F) & 1, a) + sizeof a; typeof(a[0]) z = G; acc ^= z; }`,
  },
  {
    inside: `{ struct { int x, y; } *p, arr[2] = { { E, F }, { .y = G } }; p = arr; acc += p++->x; acc += (*p).y + (p == arr + 1) + (p > arr) + !p; p = &((typeof(arr[0])[]){ { 7, 8 }, { 9 } })[1]; acc += p[-1].y + p->x; }`,
  },
  {
    inside: `{ float f = (E) / 2.0f; double d = (F) * 0.1; long double l = G; acc += (int)(f * 3) + (d == 0.3) + (int)(l / 4 * 8) + (f < d) + (int)-d + (unsigned char)(f + 250) + !f; d += acc; acc = d; }`,
  },
  {
    inside: `{ struct node { int v; struct node *next; } pool[3], *head = 0; for (int i = 0; i < 3; i++) { pool[i].v = i * (E); pool[i].next = head; head = &pool[i]; } if ((F) & 1) head = head->next; for (struct node *p = head; p; p = p->next) acc = acc * 3 + p->v; }`,
  },
  {
    inside: `{ struct cell { int v; struct cell *next; } *list = NULL; for (int i = 0; i < 1 + ((E) & 1); i++) { struct cell *c = malloc(sizeof *c); c->v = i + (F); c->next = list; list = c; } while (list) { struct cell *next = list->next; acc += list->v; free(list); list = next; } }`,
  },
  {
    outside: `enum __attribute__((packed)) small@ { P@, Q@ = 130 }; enum big@ { R@ = 0x80000000, S@ = 1 }; struct en@ { enum small@ s; enum big@ b : 20; char c; };`,
    inside: `{ struct en@ x = { E, F, G }; x.s += Q@; acc += x.s + x.b + sizeof x + (R@ + R@ == 0) + (S@ - 2 < 0) + (-x.b < 0) + sizeof(R@); }`,
  },
  {
    inside: `{ long x = (long)(E) << 40 | (F); int *p = (int *)&x; short *q = (short *)p; acc += p[1] + q[0]; q[(G) & 3] = 77; acc += (int)(x >> 8); unsigned char *b = (unsigned char *)&x; acc += b[2] + b[(E) & 7]; }`,
  },
  {
    inside: `{ int a[4] = { E, F, G, 1 }, b[4]; memcpy(b, a, sizeof a); memmove(b + 1, b, 3 * sizeof *b); memset(a, (F) & 1 ? 0 : -1, 2 * sizeof *a); acc += a[1] + b[3] + b[1] * 2 + a[2]; }`,
  },
  {
    outside: `struct gap@ { char c; int i; short s; }; union under@ { struct gap@ s; unsigned char b[12]; int n[3]; }; struct around@ { union under@ u; char k; };`,
    inside: `{ union under@ x, y; struct around@ p = { .k = E }, q; for (int i = 0; i < 12; i++) { x.b[i] = i + (E); y.b[i] = i * (F); } struct gap@ *to = (G) & 1 ? &x.s : &y.s, *from = (E) & 1 ? &x.s : &y.s; if ((F) & 1) memset(to, G, sizeof *to); else memmove(to, from, sizeof *to); p.u = x; q = p; acc += q.u.b[1] + q.u.b[11] * 3 + (q.u.n[0] & 0xffff) + y.b[2] + q.k; y.s = p.u.s; acc += y.s.i + y.b[0] + y.s.s; }`,
  },
  {
    inside: `{ int r = 0; for (int i = 0, j = 5; i < j; i++, j -= (E) & 1) { if (i == (F)) continue; switch (i) { case 0 ... 1: r++; continue; case 2: break; default: r += 3; goto out@; } r *= 2; } out@: acc += r; }`,
  },
  {
    inside: `{ const char *s = (E) > 1 ? "yes" : "no"; const char *t = (F) ? s : "no"; acc += s[0] + t[1] + (s == t) + ("abc"[(G) & 3]) + sizeof("x" "yz") + L'\\x41' + 'ab'; }`,
  },
  {
    outside: `static _Bool truth@(double d) { return d; } static _Bool of@(int *p) { return p; } static char narrow@(long l) { return l; }`,
    inside: `{ _Bool b = (E) * 256; b += 2; _Bool c = b; c--; b ^= truth@(0.25 * (F)); int v; acc += b + c * 2 + of@((G) ? &v : 0) + narrow@(300 + (E)) + sizeof(b + 0) + -b; }`,
  },
  {
    outside: `static int counter@(void) { static int n = K; static int *p = &n; return ++*p; } static void both@(int *restrict x, int *y) { *x += *y; *y = counter@(); }`,
    inside: `{ int x = E, y = F; both@(&x, &y); both@(&y, &x); acc += x * 2 + y + counter@(); }`,
  },
  {
    inside: `{ int x = E; acc += ({ int y = x; if (y > 1) goto over@; y += ({ int x = y; x * 2; }); over@: y; }) + ({ F; }) + (x ?: (G)); __auto_type z = 3L * x; acc += sizeof z + z; }`,
  },
  {
    inside: `acc += _Generic((char)1, char: E, int: 100) + _Generic(&acc, int *: F, default: 50) + _Generic("x", char *: G, const char *: 60, default: 70) + _Generic(1u << 3, unsigned: 1, int: 2) + _Generic((short)1 + (short)1, short: 5, int: 6) + _Generic(acc ? 1 : 2L, int: 7, long: 8);`,
  },
  {
    outside: `struct in@ { struct { int p; union { int q; char r; }; }; int s; } ; struct out@ { struct in@ list[2]; int t; } glob@ = { { { { 1, { 2 } }, 3 }, [1].s = 4 }, 5 };`,
    inside: `{ struct out@ o = glob@; o.list[(E) & 1].q += F; o.list[1].r = G; struct in@ *i = &o.list[1]; i->p = o.t; acc += o.list[0].q + i->q + i->p + i[-1].s + i->s; glob@.t++; acc += glob@.t; }`,
  },
  {
    inside: `{ unsigned u = E; int s = -(F); long l = u - 1; acc += (l > 0) + ((u - 1 > 0) << 1) + (s / 2) + (s % 2) + (s >> 1) + (int)((unsigned)s >> 30) + (u * 0x80000000u != 0) + (0xffffffff == -1) + (0x7fffffff + 1 < 0) + (-1 < 0u) + ((unsigned short)-1 + 1 > 0) + (2147483648 > 0) + (-2147483648 < 0); }`,
  },
  {
    outside: `typedef int arr@[3]; typedef arr@ *parr@; static int last@(arr@ a) { return a[2]; } static arr@ *pass@(parr@ p) { (*p)[1] = 8; return p; } static int first@(const int a[static 2]) { return *a + a[1]; }`,
    inside: `{ arr@ a = { E, F, G }; acc += last@(a) + (*pass@(&a))[1] + first@(a) + sizeof(arr@) + sizeof *pass@(&a); }`,
  },
  {
    inside: `{ int x = E, *p = &x, **pp = &p, y = F; *(acc & 1 ? p : &y) += 4; (acc & 2 ? (*pp = &y) : p)[0]++; acc += x + y * 2 + **pp; (x > y) ? (acc += 1) : (acc -= 1); acc += (x, y) + !!p + (p && *p > 2) + (p == *pp); }`,
  },
  {
    inside: `{ char sa[] = "abca"; sa[1] += (E) & 1; acc += !__builtin_strncmp(sa, "abd", 2.9) + 2 * !__builtin_memcmp(sa, "abd", 2.5f) + 4 * (__builtin_strchr(sa, 98.7) == sa + 1) + 8 * (__builtin_strrchr(sa, 97 + 256LL) == sa + 3) + (__builtin_memchr(sa, 99.9, 2.9) != 0); }`,
  },
  {
    inside: `{ int o; unsigned char uc; acc += __builtin_add_overflow(E, 0x7ffffffe, &o); acc += o & 7; acc += __builtin_mul_overflow(F, 100, &uc); acc += uc + __builtin_popcount(G) + __builtin_ctz((E) | 16) + __builtin_bswap32(F) / 0x1000000 + __builtin_constant_p(3) + __builtin_expect(G, 0) + abs(-(E)); if ((E) < -9999) __builtin_unreachable(); }`,
  },
  {
    outside: `static inline __attribute__((always_inline)) int clamp@(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; } static int many@(int n, ...) { return n * 2; }`,
    inside: `acc = clamp@(acc, -5000, 5000) + many@(E, 1, 2.0, "x", (char)3); { register int k = F; volatile int *v = &acc; *v += k; }`,
  },
  {
    inside: `for (int i = 0; i < 2; i++) { int *p = (int[]){ i, E }; struct { int m[2]; } s = { .m = { [1] = p[0] + (F) } }, t; t = s; p[1] += t.m[1]; acc += p[1] - t.m[0]; if (i == (G)) break; else acc++; }`,
  },
  {
    outside: `struct odd@ { long long t : 35; unsigned long long w : 40; unsigned long long v : 33; }; static int ticks@; static int tick@(int x) { ticks@++; return x; }`,
    inside: `{ struct odd@ o = { E, F, G }; long long n = o.t-- + tick@(K); n += tick@(1) ? o.w++ : o.v; acc += (int)(n + (o.v -= 4) % 9) + o.t + (o.w - o.v > 0) + sizeof(o.t + 1) + ticks@; }`,
  },
  {
    outside: `void _exit(int); static void stay@(int x) {} static void (*const leave@[])(int) = { _exit, stay@ };`,
    inside: `{ void (*q)(int) = (E) > 3 ? _exit : stay@; q(0); leave@[(F) != -3](0); if ((E) > 3) acc = 12; }`,
  },
  {
    inside: `{ int a[4] = { (E) & 3, (F) & 3, 2, 1 }, k = (a[a[0] & 3] = (G) & 3); k += (a[a[a[1] & 3] & 3] += 1) * 3; k ^= ++a[a[2] & 3] + a[a[3] & 3]-- * 5; struct { unsigned n : 2, m : 5; } b[4] = { { E, F }, { 3 }, { G, 9 } }; k += (b[b[0].n].n = F) + (b[b[2].n].m -= 3) * 7 + ++b[b[1].n].n; acc += k + a[0] + a[1] * 2 + b[0].n; }`,
  },
  {
    inside: `{ struct ring { struct ring *next; int v; short w[2]; } r[3] = { { r + ((E) & 1), 4, { 1 } }, { r + 2, F, { 5, 6 } }, { r, G } }, *p = r + ((F) & 1); *p = *p->next; acc += p->v + (p->next - r) * 3; int v = (*p->next = *p->next->next).v; acc += v + p->w[1]; if ((G) & 1) memset(r[1].next, 0, sizeof *r); else memcpy(r[2].next, r + 1, sizeof *r); for (int i = 0; i < 3; i++) acc = acc * 3 + r[i].v + r[i].w[0] + !r[i].next; }`,
  },
  {
    outside: `struct duo@ { int a; short b[2]; }; static struct duo@ duo@(int n) { struct duo@ d = { n, { n + 1, n * 3 } }; return d; }
static struct duo@ mix@(struct duo@ x, struct duo@ y) { struct duo@ d = { x.a * 3 + y.b[0], { x.b[1], y.a } }; return d; }
static struct duo@ deep@(int n) { return n <= 0 ? duo@(K) : mix@(deep@(n - 1), deep@(n - 2)); } static int pick@(short *x, short *y) { return x[1] * 5 - y[0]; }`,
    inside: `{ struct duo@ (*f)(int) = (E) & 1 ? duo@ : deep@, d = mix@(mix@(duo@(E), duo@(F)), mix@(f(1), f((G) & 3))); acc += d.a + d.b[1] * 2 + pick@(duo@(F).b, duo@(G).b) + mix@(deep@(2), d).a - deep@((E) & 3).b[(F) & 1] + duo@(duo@(E).a).b[0]; }`,
  },
  {
    inside: `{ int n = 0, i = 0; for (; i < 4; ({ if (i == (E)) { i += 2; } else i++; i; })) { while (({ if (n > 5) break; n++ < (F); })) n += 2; do { if (n & 1) continue; n += 3; } while (({ if (i == 3) continue; 0; })); for (int j = 0; ({ if (j > 1 && (G) > 1) break; j < 2; }); j++) n ^= j; n++; } acc += n + i; }`,
  },
  {
    inside: `{ enum { one@ = K, two@ }; int s = 0; for (int i = 0; i < 2; i += 1 + 0 * sizeof(enum { two@ = 7, one@ })) s += one@ + (E); do s += two@; while (s < (F) + (int)sizeof(enum { two@, one@ })); if (sizeof(enum { two@ = 3 }) > (unsigned)(G)) s += two@; else s -= two@; acc += s + one@; }`,
  },
  {
    inside: `{ float f = E; double d = F; int i = G, *p = &i, *q = 0, k = 0; d = k++ ? f : d; f = ++k > 2 ? i : f; p = k++ & 1 ? q : p; i = p ? (k += 4, *p) : k; acc += (int)d + (int)f * 2 + k + i + (int)(i-- > (E) ? f : i); }`,
  },
  {
    inside: `{ char s[8] = { 'a' + ((E) & 1), 'b', 'c', 0, 'b' }, t[] = "abd", *p; int o = memcmp(s, t, 1 + ((F) & 3) * 0 + 2); acc += strlen(s) + (strcmp(s, t) < 0) + 2 * !strncmp(s, t, 2) + (o > 0) * 4; s[(G) & 3] = 0; p = strchr(s, 'b'); acc += (p ? p - s : -1) + strlen(s) * 3 + (strrchr(t, 'd') - t) + !memchr(s, 'b', 2) + (strcmp("x", "x") == 0); }`,
  },
  {
    outside: `static int machine@(const signed char *code, int x) { static const void *const table[] = { &&inc, &&dbl, &&neg, &&hop, &&stop }; goto *table[*code++]; inc: x += K; goto *table[*code++]; dbl: x *= 2; goto *table[*code++]; neg: x = -x; goto *table[*code++]; hop: if (x & 1) code++; goto *table[*code++]; stop: return x; }
static int stairs@(int n) { void *to = n > 0 ? &&more : &&done; goto *to; more: return stairs@(n - 1) + 2; done: return 0; }`,
    inside: `{ signed char code[] = { (E) & 3, (F) & 3, 1, 3, 2, 4, 4 }; acc += machine@(code, G) + machine@(code + 2, acc) + stairs@((E) & 3);
    void *at = (F) & 1 ? &&here@ : &&there@; goto *at; here@: acc++; there@: acc += ({ __label__ a, b; int r = 1; void *p = (G) > 1 ? &&a : &&b; goto *p; a: r += 2; b: r; }); }`,
  },
  {
    outside: `static short half@(int x) { return x / 2; }
enum { size@ = sizeof(half@(3)) + _Generic(half@(1), short: 1, default: 9) };
static int sum@(int n, int m, short a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 3 + a[i][j]; return s + sizeof a[0] + sizeof *a; }
static int edge@(int m, int k, int (*p)[m][k]) { return p[1][m - 1][k - 1] + (&p[1][0][0] - &p[0][0][0]) + sizeof p[0] + sizeof p[0][0]; }`,
    inside: `{ int n = 1 + ((E) & 1), m = 1 + ((F) & 1); short a[n][m + 1]; for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) a[i][j] = i * 7 + j * (G); acc += sum@(n, m + 1, a) + sizeof a;
    int b[2][m][2]; b[1][m - 1][1] = K; acc += edge@(m, 2, b); typedef char row[m]; row (*q)[n] = 0; m = 5; acc += sizeof(row) + sizeof *q + sizeof(int[m][n++]) + n;
    int z[12] = { 1, 2, 3, 4, 5, 6, 7 }; typeof(*(short (*)[n + half@(2)])z) w; acc += sizeof w + sizeof(*(int (*)[n])z) + ((int (*)[n])z)[1][1] + size@;
    typeof((int (*)[n])z) r = (void *)z; m = 3; acc += r[1][0] + sizeof *r + sizeof(((char (*)[m][m])z)[0][1]) + sizeof(*(int (*)[half@(8 + 0 * m++)])z) + m; }`,
  },
  {
    outside: `struct pt@ { int x; short y; }; static int pass@(int n, __builtin_va_list l) { int s = 0; while (n-- > 0) s = s * 2 + __builtin_va_arg(l, int); return s; }
static int args@(const char *f, ...) { __builtin_va_list l, k; __builtin_va_start(l, f); __builtin_va_copy(k, l); int r = 0; for (; *f; f++) switch (*f) { case 'i': r += __builtin_va_arg(l, int); break; case 'u': r -= __builtin_va_arg(l, unsigned) & 3; break; case 'l': r ^= __builtin_va_arg(l, long); break; case 'd': r += (int)(__builtin_va_arg(l, double) * 4); break; case 'p': r += ++*__builtin_va_arg(l, int *); break; case 's': { struct pt@ q = __builtin_va_arg(l, struct pt@); r += q.x * q.y; break; } default: r += pass@(2, l); } r += __builtin_va_arg(k, int); __builtin_va_end(l); __builtin_va_end(k); return r; }`,
    inside: `{ int v = E; struct pt@ q = { F, K }; acc += args@((E) & 1 ? "iuldps" : "iuld", (char)(F), G, 3L * (E), 0.5f * (F), &v, q) + v + args@("i?i", G, (short)(E), F, K); }`,
  },
  {
    inside: `{ char to[12] = "x", from[4] = { 'a' + ((E) & 1), (F) & 1 ? 'b' : 0, 'c' }, pad[5] = "zzzz"; acc += strcpy(to + 1, from) == to + 1; strcat(to, "!"); strncat(to, from, K); strncpy(pad, from, 1 + K % 3); for (int i = 0; i < 8; i++) acc = acc * 3 + to[i]; acc += pad[1] * 5 + pad[3]; }`,
  },
];

export const featurePrograms = programsOf(PIECES);
