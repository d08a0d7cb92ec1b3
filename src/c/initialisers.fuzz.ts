// Random initialisers: structs, unions, bit-fields and arrays inside each other (some with nothing in them), with and without names, braces and designators; whole structs as values, of the part
// that is named or of what it begins with; arrays that get their length. The program has one input that makes it fail, which tells the sum of everything
// that was initialised.

import fc from 'fast-check';

type Shape =
  | { readonly kind: 'int'; readonly type: string }
  | { readonly kind: 'array'; readonly of: Shape; readonly length: number }
  | { readonly kind: 'record'; readonly union: boolean; readonly fields: readonly Field[] };
interface Field {
  readonly name: string | null;
  readonly shape: Shape;
  /** Of a bit-field, in bits. */
  readonly bits?: number;
}

const int: fc.Arbitrary<Shape> = fc
  .constantFrom('int', 'short', 'unsigned char', 'long')
  .map((type) => ({ kind: 'int', type }));

const { shape } = fc.letrec<{ shape: Shape; record: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    int,
    fc
      .tuple(tie('shape'), fc.nat(3))
      // What gcc makes of a value for an array of no structs or rows is its own affair.
      .map(
        ([of, length]): Shape => ({ kind: 'array', of, length: of.kind === 'int' ? length : length || 1 }),
      ),
    tie('record'),
  ),
  record: fc
    .tuple(
      fc.boolean(),
      fc.array(fc.tuple(tie('shape'), fc.boolean(), fc.integer({ min: 5, max: 8 })), {
        maxLength: 4,
      }),
    )
    .map(
      ([union, parts]): Shape => ({
        kind: 'record',
        union: union && parts.length > 1,
        fields: parts.map(([part, flag, bits], i) => ({
          name: flag && part.kind === 'record' ? null : `f${i}`,
          shape: part,
          ...(flag && part.kind === 'int' ? { bits } : {}),
        })),
      }),
    ),
}));

/** Names are made unique by where they stand, so that members of unnamed structs do not clash. */
function declared(part: Shape, name: string, prefix: string): string {
  if (part.kind === 'int') return `${part.type} ${name}`;
  if (part.kind === 'array') return declared(part.of, `${name}[${part.length}]`, prefix);
  const inner = part.fields.map((field, i) => {
    const path = `${prefix}${i}`;
    const width = field.bits === undefined ? '' : ` : ${field.bits}`;
    return `${declared(field.shape, field.name === null ? '' : `m${path}`, path)}${width};`;
  });
  const tag = name === '' ? '' : tagOf(part, prefix);
  return `${part.union ? 'union' : 'struct'} ${tag} { ${inner.join(' ')} } ${name}`;
}

/** A member without a name has no tag: it would declare nothing. */
const tagOf = (part: Shape, prefix: string): string =>
  part.kind === 'record' ? `t${part.union ? 'u' : 's'}${prefix}` : '';

function leaves(part: Shape, place: string, prefix: string): string[] {
  if (part.kind === 'int') return [place];
  if (part.kind === 'array')
    return Array.from({ length: part.length }, (_, i) => leaves(part.of, `${place}[${i}]`, prefix)).flat();
  // Which bytes of a union beyond the member that is given are zero is the compiler's affair.
  const seen = part.union ? part.fields.slice(0, 1) : part.fields;
  return seen.flatMap((field, i) =>
    leaves(field.shape, field.name === null ? place : `${place}.m${prefix}${i}`, `${prefix}${i}`),
  );
}

type Pick = (below: number) => number;

/** A whole struct for a part, or for the struct that the part begins with; null where it has no name. */
function wholeStruct(
  part: Shape,
  prefix: string,
  hasName: boolean,
  pick: Pick,
  depth: number,
): string | null {
  if (part.kind !== 'record') return null;
  const [first] = part.fields;
  const inner =
    first?.shape.kind === 'record' && pick(2) === 0
      ? wholeStruct(first.shape, `${prefix}0`, first.name !== null, pick, depth)
      : null;
  if (inner !== null || !hasName) return inner;
  return `(${part.union ? 'union' : 'struct'} ${tagOf(part, prefix)})${list(part, prefix, pick, depth - 1, false)}`;
}

/** A list for an aggregate: values in order, designators now and then. */
function list(part: Shape, prefix: string, pick: Pick, depth: number, anyMember: boolean): string {
  const items: string[] = [];
  for (let n = pick(6); n > 0; n--) {
    const path = pick(3) === 0 ? designator(part, prefix, pick, anyMember) : null;
    const inner = path === null ? null : path.at;
    const braces = inner !== null && inner.kind !== 'int' && depth > 0 && pick(2) === 0;
    const whole =
      braces && path!.hasName && pick(2) === 0 ? wholeStruct(inner, path!.prefix, true, pick, depth) : null;
    const value =
      whole ?? (braces ? list(inner, path!.prefix, pick, depth - 1, anyMember) : String(pick(16)));
    items.push(`${path === null ? '' : `${path.text} = `}${value}`);
  }
  return `{ ${items.join(', ')} }`;
}

function designator(
  part: Shape,
  prefix: string,
  pick: Pick,
  anyMember: boolean,
): { text: string; at: Shape; prefix: string; hasName: boolean } | null {
  let text = '';
  let at = part;
  let path = prefix;
  let hasName = true;
  do {
    if ((at.kind === 'array' && at.length === 0) || (at.kind === 'record' && at.fields.length === 0)) break;
    if (at.kind === 'array') {
      text += `[${pick(at.length)}]`;
      at = at.of;
    } else if (at.kind === 'record') {
      // Of what they leave of the others only globals are sure.
      const index = at.union && !anyMember ? 0 : pick(at.fields.length);
      const field: Field = at.fields[index]!;
      path = `${path}${index}`;
      if (field.name !== null) text += `.m${path}`;
      at = field.shape;
      hasName = field.name !== null;
      if (field.name === null) continue;
    }
  } while (at.kind !== 'int' && (text === '' || text.endsWith('=') || pick(2) === 0));
  return text === '' ? null : { text, at, prefix: path, hasName };
}

export const initialisers = fc
  .tuple(shape, fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 }), fc.boolean())
  .map(([part, numbers, local]) => {
    let next = 0;
    const pick: Pick = (below) => numbers[next++ % numbers.length]! % below;
    const whole: Shape = {
      kind: 'record',
      union: false,
      fields: [
        { name: 'f0', shape: part },
        { name: 'f1', shape: { kind: 'int', type: 'int' } },
      ],
    };
    const open: Shape = { kind: 'array', of: part, length: 4 };
    const definition = `${declared(whole, 'x', '')} = ${list(whole, '', pick, 2, !local)};
${declared(part, 'y[]', '9')} = ${list(open, '9', pick, 1, false).replace('{ }', '{ 1 }').replace('{  }', '{ 1 }')};`;
    // A literal whose length is that of its list.
    const numbersOf = Array.from({ length: 1 + pick(4) }, () => pick(50));
    const literal = `(${['int', 'double', 'short'][pick(3)]}[]){ ${numbersOf.join(', ')} }`;
    const more = [
      '(int)sizeof y',
      `(int)sizeof(${literal})`,
      ...numbersOf.map((_, i) => `(int)(${literal})[${i}]`),
    ];
    const sum = [...leaves(whole, 'x', ''), ...more].map((leaf, i) => `${(i % 7) + 1} * ${leaf}`).join(' + ');
    return `${local ? '' : definition}
int main(void) {
  ${local ? definition : ''}
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  __VERIFIER_assume(!((a | b | c) & ~3));
  assert((${sum}) % 64 != a + 4 * b + 16 * c);
  return 0;
}
`;
  })
  // gcc forgets what was given to the struct around a literal without members that takes a value back; C keeps it.
  .filter((text) => {
    const empty = [...text.matchAll(/(?:struct|union) (\w+) \{ *\}/g)].map(([, name]) => name);
    return !empty.some((name) => text.includes(` ${name}){`));
  });
