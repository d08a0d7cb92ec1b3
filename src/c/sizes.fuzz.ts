// Random C programs that allocate as much as two inputs from 0 to 3 say, and use it at places that inputs say: blocks of bytes, of numbers and of structs, arrays of variable
// length, memory that grows and shrinks, strings. gcc's address sanitizer judges them (lifetimes.fuzz.ts).

import fc from 'fast-check';

/** How many elements; one that is negative is more than there is. */
const size = fc.constantFrom(
  ...[
    'a',
    'b',
    'a + 1',
    'b + 2',
    'a + b',
    'a * 3',
    '2 * b + 1',
    'a * b',
    '9 + a',
    '4 * b + 8',
    '12',
    '50 * a + 1',
  ],
  ...['a - 1', '(unsigned char)(b - 1)', 'b > 1 ? a + 1 : 10'],
);
const index = fc.constantFrom(
  '0',
  'a',
  'b',
  'a + b',
  '2 * a',
  'n - 1',
  'n',
  'n / 2',
  '(n - 1) & 3',
  'b - 1',
  '8 + a',
);
const bound = fc.constantFrom('n', 'n', 'n', 'n - 1', 'n + 1', 'a + 1', 'b', '9');
const element = fc.constantFrom('char', 'short', 'int', 'struct { char c; short v; }');
const test = fc.constantFrom('a == 1', 'b > 1', 'a == b', 'a & 1', 'n > 2', 'n > 8', 'v');

/** Of something: a number is kept in what it is. */
const at = (type: string, place: string): string =>
  type.startsWith('struct') ? `v[${place}].v` : `v[${place}]`;

const use = (type: string): fc.Arbitrary<string> =>
  fc.oneof(
    index.map((i) => `${at(type, i)} = a;`),
    index.map((i) => `if (n > 0 && (${i}) >= 0 && (${i}) < n) ${at(type, i)} = b;`),
    index.map((i) => `s += ${at(type, i)} & 1;`),
    bound.map((n) => `for (int i = 0; i < ${n}; i++) ${at(type, 'i')} = i;`),
    bound.map((n) => `for (int i = ${n}; i > 0; i--) s ^= ${at(type, 'i - 1')};`),
    bound.map((n) => `for (int i = 0; i < ${n} && i < n; i++) ${at(type, 'i')}++;`),
    bound.map((n) => `if ((${n}) >= 0) memset(v, 1, (${n}) * sizeof *v);`),
    fc.constant('for (int i = 0; i < n; i++) { char *byte = (char *)&v[i]; *byte = 3; }'),
  );

const uses = (type: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: use(type) },
        {
          weight: 1,
          arbitrary: fc.tuple(test, use(type)).map(([t, one]) => `if (${t.replace('v', '1')}) { ${one} }`),
        },
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((all) => all.join(' '));

/** It may be nothing where too much was asked for. */
const block = element.chain((type) =>
  fc
    .tuple(
      size,
      fc.constantFrom(
        'malloc(n * sizeof *v)',
        'malloc(sizeof *v * n)',
        'calloc(n, sizeof *v)',
        'malloc(sizeof *v + n)',
      ),
      uses(type),
      fc.constantFrom('free(v);', 'free(v);', 'free(v);', 'if (b < 3) free(v);'),
      fc.option(fc.tuple(size, uses(type)), { freq: 3 }),
    )
    .map(([n, how, first, end, more]) => {
      const grown =
        more === null
          ? ''
          : `{ int m = ${more[0]}; if (m > 0) { ${type.startsWith('struct') ? 'void' : type} *w = realloc(v, m * sizeof *v); if (w) { v = w; n = m; } } ${more[1]} }`;
      return `{ int n = ${n}; ${type} *v = ${how}; if (v) { ${first} ${grown} } ${end} }`;
    }),
);

const variable = element.chain((type) =>
  fc
    .tuple(size, uses(type))
    .map(([n, body]) => `{ int n = ${n}; if (n > 0 && n < 90) { ${type} v[n]; ${body} } }`),
);

const again = fc
  .tuple(size, index)
  .map(
    ([n, i]) =>
      `for (int k = 0; k < 2; k++) { int n = ${n} + k; if (n > 0) { char v[n]; v[${i}] = k; s += sizeof v; } }`,
  );

const text = fc
  .tuple(fc.constantFrom('strlen(t) + 1', 'strlen(t)', 'strlen(t) + a', 'b + 5'))
  .map(
    ([room]) =>
      `{ char t[6] = "abcde"; t[a + b > 4 ? 5 : a + b] = 0; char *v = malloc(${room}); if (v) strcpy(v, t); free(v); }`,
  );

const tail = fc
  .tuple(fc.constantFrom('a', 'a + b', '3 * b + 7'), bound)
  .map(
    ([n, m]) =>
      `{ int n = ${n}; struct tail { int length; char rest[]; } *v = malloc(sizeof *v + n); v->length = n; for (int i = 0; i < ${m}; i++) v->rest[i] = 1; free(v); }`,
  );

const kept = fc
  .tuple(size, index)
  .map(
    ([n, i]) =>
      `{ int n = ${n}; if (n >= 0) { free(p); p = malloc(n + 1); p[0] = 1; if (n > (${i}) && (${i}) >= 0) p[${i}] = 2; } }`,
  );

export const sizePrograms = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: block },
      { weight: 2, arbitrary: variable },
      { weight: 1, arbitrary: again },
      { weight: 1, arbitrary: text },
      { weight: 1, arbitrary: tail },
      { weight: 1, arbitrary: kept },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map(
    (statements) => `int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  __VERIFIER_assume(a >= 0 && a < 4); __VERIFIER_assume(b >= 0 && b < 4);
  int s = 0; char *p = malloc(1);
  ${statements.join('\n  ')}
  free(p);
  return 0;
}
`,
  );
