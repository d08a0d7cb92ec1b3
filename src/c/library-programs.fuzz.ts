// Pieces of random programs that call functions of the library with texts and objects that are found through pointers: loops over bytes, written in C
// (lower/model-texts.ts), against the library that gcc links.

import { type Piece, programsOf } from './pieces.fuzz.ts';

/** Only their signs are C's. */
const SIGN = '#define SIGN(x) (((x) > 0) - ((x) < 0))';

const TEXTS = `static const char *texts@[8] = { "", "a", "abc", "ABD", "abcabd", " -17x", "b\\xe9z", "0x1F" };
static char store@[3][9] = { "one", "two", "" };
static char *pick@(int n) { return (n & 8) ? store@[n & 1] : (char *)texts@[n & 7]; }`;

const piece = (inside: string): Piece => ({ outside: TEXTS, inside });

const PIECES: readonly Piece[] = [
  piece('{ const char *s = pick@(E); acc += strlen(s) * 3 + strnlen(s, K); }'),
  piece(
    `{ const char *s = pick@(E), *f = strchr(s, "abx"[(unsigned)(F) % 3]), *l = strrchr(s, 'a' + ((G) & 1)); acc += (f ? f - s : -5) + (l ? l - s : -9); }`,
  ),
  piece(
    '{ const char *s = pick@(E), *t = pick@(F); acc += SIGN(strcmp(s, t)) + 5 * SIGN(strncmp(s, t, K)) + 25 * SIGN(strcasecmp(s, t)) + 125 * SIGN(strncasecmp(t, s, 2)); }',
  ),
  piece('{ const char *s = pick@(E), *t = pick@((F) & 3), *f = strstr(s, t); acc += f ? f - s : -3; }'),
  piece(
    '{ const char *s = pick@(E), *t = pick@(F); acc += strspn(s, t) + 7 * strcspn(s, t); const char *f = strpbrk(s, "cd-"); acc += f ? *f : 1; }',
  ),
  piece(
    '{ char to[24]; char *p = to + ((G) & 1); strcpy(p, pick@(E)); strcat(p, pick@(F)); acc += strlen(p) + p[0]; strncat(p, pick@(G), K); acc += strlen(p) * 3; }',
  ),
  piece(
    '{ char to[12]; memset(to, 7, 12); char *p = to + ((F) & 1); strncpy(p, pick@(E), K + 4); for (int i = 0; i < 12; i++) acc = acc * 3 + to[i]; }',
  ),
  piece('{ char to[12]; char *p = to + ((F) & 3), *e = stpcpy(p, pick@(E)); acc += e - p + *e; }'),
  piece(
    '{ unsigned char a[4] = { E, F, 3, K }, b[4] = { E, G, 3, 1 }; unsigned char *p = a + ((F) & 1), *q = b + ((F) & 1); acc += SIGN(memcmp(p, q, (G) & 3)); unsigned char *f = memchr(p, K, 3 - ((F) & 1)); acc += f ? f - a : 9; }',
  ),
  piece(
    '{ char *s = strdup(pick@(E)); acc += strlen(s) + s[0]; s[0] = 0; free(s); s = strndup(pick@(F), K); acc += strlen(s) * 5; free(s); }',
  ),
  piece(
    '{ int c = (E) & 127; acc += !!isdigit(c) + 2 * !!isalpha(c) + 4 * !!isspace(c) + 8 * !!isupper(c) + 16 * !!isxdigit(c) + 32 * !!ispunct(c) + toupper(c) - tolower(c) + 64 * !!isprint(c) + 128 * !!isalnum(c) + 256 * !!iscntrl(c) + 512 * !!isblank(c) + 1024 * !!isgraph(c) + 2048 * !!islower(c); }',
  ),
  piece(
    `{ char b[12] = " -12z"; b[2] = '0' + ((E) & 7); b[3] = "7x8"[(unsigned)(F) % 3]; char *e; acc += atoi(b) + (int)strtol(b, &e, 10); acc += e - b; b[2] = "0xa"[(unsigned)(G) % 3]; acc += (int)strtoul(b + 2, &e, 0) + (e - b); }`,
  ),
  piece(
    `{ char b[26] = "99999999999999999999999"; b[17 + ((E) & 7)] = 0; acc += strtol(b, 0, 10) % 1000 + (strtoul(b, 0, 10) % 999) + (strtoll(b, 0, 16) & 7) + (int)(strtoull(b, 0, 36) >> 60); b[0] = '-'; acc += strtol(b, 0, 10) % 1000 + (int)strtoul(b, 0, 10) + (int)atoll(b + 15) + atol(b + 14); }`,
  ),
  piece(
    '{ div_t d = div(E, K); ldiv_t l = ldiv(F, -K); acc += d.quot + 3 * d.rem + l.quot * 5 + l.rem; lldiv_t q = lldiv(G, 3); acc += q.quot - q.rem; }',
  ),
  piece(
    '{ char to[20] = { 0 }, *p = to; __builtin_strcpy(p, pick@(E)); __builtin_strcat(p, "!"); acc += __builtin_strlen(p) + __builtin_strcspn(p, "!"); __builtin_memset(p + ((F) & 3), K, 2); acc += p[2] + (__builtin_strstr("abc", "bc") != 0); }',
  ),
];

export const libraryPrograms = programsOf(PIECES).map(
  (text) => `#include <ctype.h>\n#include <strings.h>\n${SIGN}\n${text}`,
);
