// What functions of the library do, in C. Each text is read by itself, with the predefined macros alone; it calls nothing but what is listed here:
//   FAR(n)       no object has so many bytes: an assumption, by which loops are seen to end
//   UNDEFINED()  C leaves it undefined
//   OPEN_INT()   any int: C does not say which
//   __spillway_apart(a, b)  how many bytes `a` lies behind `b`; of different objects many
//   ANY_INT()    an int that is not modelled: nothing is refuted by it
// Signed arithmetic in them never overflows.

import { TABLES } from './model-tables.ts';

const HEAD = `
typedef __SIZE_TYPE__ size_t;
#define FAR(n) __builtin_assume((n) < __PTRDIFF_MAX__)
#define UNDEFINED() __builtin_unreachable()
#define OPEN_INT() __spillway_open()
#define ANY_INT() __spillway_any()
#define BYTE(text, i) (((const unsigned char *)(text))[i])
size_t __spillway_apart(const void *, const void *);
#define APART(a, b, n) if (__spillway_apart(a, b) <= (n) || __spillway_apart(b, a) <= (n)) UNDEFINED()
#define ORDER(a, b) { int order = OPEN_INT(); if ((a) < (b)) return order < 0 ? order : -1; return order > 0 ? order : 1; }
#define LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : (c))
`;

const TEXTS = `
size_t strlen(const char *s) { size_t n = 0; while (s[n]) { n++; FAR(n); } return n; }
size_t strnlen(const char *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; return n; }
char *strchr(const char *s, int c) { size_t n = 0; while (s[n] != (char)c) { if (!s[n]) return 0; n++; FAR(n); } return (char *)s + n; }
char *strrchr(const char *s, int c) { char *last = 0; size_t n = 0; for (;;) { if (s[n] == (char)c) last = (char *)s + n; if (!s[n]) return last; n++; FAR(n); } }
char *strchrnul(const char *s, int c) { size_t n = 0; while (s[n] && s[n] != (char)c) { n++; FAR(n); } return (char *)s + n; }
void *memchr(const void *s, int c, size_t most) { for (size_t n = 0; n < most; n++) if (BYTE(s, n) == (unsigned char)c) return (char *)s + n; return 0; }
int strcmp(const char *a, const char *b) { size_t n = 0; while (a[n] == b[n]) { if (!a[n]) return 0; n++; FAR(n); } ORDER(BYTE(a, n), BYTE(b, n)) }
int strncmp(const char *a, const char *b, size_t most) { for (size_t n = 0; n < most; n++) { if (a[n] != b[n]) ORDER(BYTE(a, n), BYTE(b, n)) if (!a[n]) return 0; } return 0; }
int memcmp(const void *a, const void *b, size_t most) { for (size_t n = 0; n < most; n++) if (BYTE(a, n) != BYTE(b, n)) ORDER(BYTE(a, n), BYTE(b, n)) return 0; }
int strcasecmp(const char *a, const char *b) { for (size_t n = 0;; n++) { int x = BYTE(a, n), y = BYTE(b, n); x = LOWER(x); y = LOWER(y); if (x != y) ORDER(x, y) if (!x) return 0; FAR(n); } }
int strncasecmp(const char *a, const char *b, size_t most) { for (size_t n = 0; n < most; n++) { int x = BYTE(a, n), y = BYTE(b, n); x = LOWER(x); y = LOWER(y); if (x != y) ORDER(x, y) if (!x) return 0; } return 0; }
char *strstr(const char *s, const char *part) { for (size_t n = 0;; n++) { FAR(n); size_t k = 0; while (part[k] && s[n + k] == part[k]) { k++; FAR(k); } if (!part[k]) return (char *)s + n; if (!s[n + k]) return 0; } }
size_t strspn(const char *s, const char *set) { size_t n = 0; for (;;) { size_t k = 0; while (set[k] && set[k] != s[n]) { k++; FAR(k); } if (!set[k]) return n; n++; FAR(n); } }
size_t strcspn(const char *s, const char *set) { size_t n = 0; for (; s[n];) { size_t k = 0; while (set[k] && set[k] != s[n]) { k++; FAR(k); } if (set[k]) return n; n++; FAR(n); } return n; }
char *strpbrk(const char *s, const char *set) { size_t n = 0; for (; s[n];) { size_t k = 0; while (set[k] && set[k] != s[n]) { k++; FAR(k); } if (set[k]) return (char *)s + n; n++; FAR(n); } return 0; }
char *strcpy(char *to, const char *from) { size_t n = 0; while ((to[n] = from[n])) { n++; FAR(n); } APART(to, from, n); return to; }
char *stpcpy(char *to, const char *from) { size_t n = 0; while ((to[n] = from[n])) { n++; FAR(n); } APART(to, from, n); return to + n; }
char *strncpy(char *to, const char *from, size_t most) { size_t n = 0; while (n < most && from[n]) { to[n] = from[n]; n++; } while (n < most) { to[n] = 0; n++; } return to; }
char *strcat(char *to, const char *from) { size_t at = 0, n = 0; while (to[at]) { at++; FAR(at); } while ((to[at + n] = from[n])) { n++; FAR(n); } APART(to, from, at + n); return to; }
char *strncat(char *to, const char *from, size_t most) { size_t at = 0, n = 0; while (to[at]) { at++; FAR(at); } while (n < most && from[n]) { to[at + n] = from[n]; n++; } to[at + n] = 0; return to; }
char *strdup(const char *s) { size_t n = 0; while (s[n]) { n++; FAR(n); } char *to = __builtin_malloc(n + 1); for (size_t i = 0; i <= n; i++) to[i] = s[i]; return to; }
char *strndup(const char *s, size_t most) { size_t n = 0; while (n < most && s[n]) n++; char *to = __builtin_malloc(n + 1); for (size_t i = 0; i < n; i++) to[i] = s[i]; to[n] = 0; return to; }
int snprintf(char *s, size_t n, const char *format, ...) { for (size_t i = 0; i < n; i++) s[i] = ANY_INT(); return ANY_INT(); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int tolower(int c) { return LOWER(c); }
`;

/** A function of <ctype.h> in the locale "C": which number other than 0 says yes is left open. */
const kindOfCharacter = (name: string, test: string): string =>
  `int ${name}(int c) { if (!(${test})) return 0; int yes = OPEN_INT(); return yes ? yes : 1; }`;

const between = (low: string, high: string): string => `c >= ${low} && c <= ${high}`;
const LETTER = `(${between("'a'", "'z'")} || ${between("'A'", "'Z'")})`;
const DIGIT = `(${between("'0'", "'9'")})`;
const CHARACTERS = [
  kindOfCharacter('isdigit', DIGIT),
  kindOfCharacter('isalpha', LETTER),
  kindOfCharacter('isalnum', `${LETTER} || ${DIGIT}`),
  kindOfCharacter('islower', between("'a'", "'z'")),
  kindOfCharacter('isupper', between("'A'", "'Z'")),
  kindOfCharacter('isspace', `c == ' ' || (${between("'\\t'", "'\\r'")})`),
  kindOfCharacter('isblank', "c == ' ' || c == '\\t'"),
  kindOfCharacter('iscntrl', '(c >= 0 && c < 32) || c == 127'),
  kindOfCharacter('isprint', 'c >= 32 && c < 127'),
  kindOfCharacter('isgraph', 'c > 32 && c < 127'),
  kindOfCharacter('ispunct', `c > 32 && c < 127 && !${LETTER} && !${DIGIT}`),
  kindOfCharacter('isxdigit', `${DIGIT} || (${between("'a'", "'f'")}) || (${between("'A'", "'F'")})`),
];

/** `div` and its like; the quotient of the least number by -1 is undefined, as it is for `/`. */
const quotient = (name: string, type: string): string =>
  `typedef struct { ${type} quot; ${type} rem; } ${name}_t; ${name}_t ${name}(${type} a, ${type} b) { ${name}_t both; both.quot = a / b; both.rem = a % b; return both; }`;

const QUOTIENTS = [
  quotient('div', 'int'),
  quotient('ldiv', 'long'),
  quotient('lldiv', 'long long'),
  quotient('imaxdiv', 'long long'),
];

/** The number that a text begins with, cut at the ends of the type (C11 7.22.1.4). What `errno` becomes is not modelled. */
const parsed = (name: string, type: string, isSigned: boolean): string => `
${type} ${name}(const char *s, char **end, int base) {
  size_t n = 0, first; int minus = 0, over = 0, any = 0; unsigned ${type.replace('unsigned ', '')} value = 0;
  const unsigned ${type.replace('unsigned ', '')} most = -1, top = most / 2;
  while (s[n] == ' ' || (s[n] >= '\\t' && s[n] <= '\\r')) { n++; FAR(n); }
  if (s[n] == '-' || s[n] == '+') { minus = s[n] == '-'; n++; }
  first = n;
  if ((base == 0 || base == 16) && s[n] == '0' && (s[n + 1] == 'x' || s[n + 1] == 'X')) {
    char c = s[n + 2];
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) { n += 2; base = 16; }
  }
  if (base == 0) base = s[n] == '0' ? 8 : 10;
  for (;;) {
    char c = s[n];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
    if (digit >= base) break;
    if (value > (most - digit) / base) over = 1;
    value = value * base + digit; any = 1; n++; FAR(n);
  }
  if (end) *end = (char *)s + (any ? n : 0);
  ${
    isSigned
      ? 'if (minus) return over || value > top + 1 ? -(long long)top - 1 : value == top + 1 ? -(long long)top - 1 : -(long long)value; return over || value > top ? top : value;'
      : 'return over ? most : minus ? -value : value;'
  }
}`;

const whole = (name: string, result: string, by: string): string => `
${parsed(by, by === 'parsed_l' ? 'long' : 'long long', true)
  .trim()
  .replace(/^/, 'static ')}
${result} ${name}(const char *s) { return (${result})${by}(s, 0, 10); }`;

const NUMBERS = [
  parsed('strtol', 'long', true),
  parsed('strtoll', 'long long', true),
  parsed('strtoul', 'unsigned long', false),
  parsed('strtoull', 'unsigned long long', false),
  whole('atoi', 'int', 'parsed_l'),
  whole('atol', 'long', 'parsed_l'),
  whole('atoll', 'long long', 'parsed_ll'),
];

/** Bytes the other way round: x86 begins with the lowest. */
const NETWORK = `
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
`;

/**
 * Locks of a program without threads: the first word says whether the lock is held (1), or destroyed (2). Locked again it would wait for ever, or count, or give an error, by
 * its kind, which is not followed: what comes after that is not refuted, and what the lock gives from then on (3) is not known until it is made anew: one that counts is still
 * held after it is released once. Nor is anything undefined for sure where what is not held is released, or what is destroyed is used.
 */
const LOCKS = `
int pthread_mutex_init(void *m, const void *kind) { *(int *)m = 0; return 0; }
int pthread_mutex_lock(void *m) { int was = *(int *)m; if (!was) { *(int *)m = 1; return 0; } *(int *)m = 3; if (ANY_INT()) { if (was == 2) UNDEFINED(); for (;;) ; } return ANY_INT(); }
int pthread_mutex_trylock(void *m) { int was = *(int *)m; if (!was) { *(int *)m = 1; return 0; } if (was == 2 && ANY_INT()) UNDEFINED(); int given = ANY_INT(); if (!given || was != 1) *(int *)m = 3; return given; }
int pthread_mutex_unlock(void *m) { int was = *(int *)m; if (was == 1) { *(int *)m = 0; return 0; } *(int *)m = 3; if (ANY_INT()) UNDEFINED(); return ANY_INT(); }
int pthread_mutex_destroy(void *m) { int was = *(int *)m; if (!was) { *(int *)m = 2; return 0; } *(int *)m = 3; if (ANY_INT()) UNDEFINED(); return ANY_INT(); }
int pthread_cond_init(void *c, const void *kind) { *(int *)c = 0; return 0; }
int pthread_cond_signal(void *c) { (void)*(int *)c; return 0; }
int pthread_cond_broadcast(void *c) { (void)*(int *)c; return 0; }
int pthread_cond_destroy(void *c) { (void)*(int *)c; return 0; }
`;

const nameOf = (text: string): string => [...text.matchAll(/(\w+)\([^()]*\) \{/g)].at(-1)![1]!;

const linesOf = (text: string): string[] => text.trim().split('\n');

const nameOfLine = (line: string): string => /(\w+)\(/.exec(line)![1]!;

/** By name. */
export const MODEL_TEXTS: ReadonlyMap<string, string> = new Map([
  ...linesOf(TEXTS + NETWORK.trim() + LOCKS).map((line) => [nameOfLine(line), HEAD + line] as const),
  ...CHARACTERS.map((line) => [nameOfLine(line), HEAD + line] as const),
  ...QUOTIENTS.map((text) => [nameOf(text), HEAD + text] as const),
  ...NUMBERS.map((text) => [nameOf(text), HEAD + text] as const),
  ...TABLES.map((text) => [nameOf(text), text] as const),
]);

/** They mean this only in a program that is one thread; in a .spec others may hold the lock. */
export const OF_ONE_THREAD: ReadonlySet<string> = new Set(linesOf(LOCKS).map(nameOfLine));

/** They depend on the locale, which `setlocale` may change. */
export const OF_LOCALE: ReadonlySet<string> = new Set([
  ...[...CHARACTERS, ...TABLES].map(nameOfLine),
  ...['toupper', 'tolower', 'strcasecmp', 'strncasecmp'],
]);

/** Exact only for texts that are known by their places: elsewhere loops over texts from outside would cost more than they tell. */
export const OF_KNOWN_TEXTS: ReadonlySet<string> = new Set(NUMBERS.map(nameOf));

/** They may write all that the second argument allows, and nobody knows how much of it: only where all of it lies inside of a target that is known by its place. */
export const OF_KNOWN_TARGETS: ReadonlySet<string> = new Set(['snprintf']);
