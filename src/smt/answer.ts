// What the solver answers: s-expressions, and the values in its models.

export type Sexpr = string | readonly Sexpr[];

/** All s-expressions of a text. Strings keep their quotes; quoted symbols lose their bars. */
export function parseSexprs(text: string): Sexpr[] {
  const stack: Sexpr[][] = [[]];
  for (const [token] of text.matchAll(/\(|\)|\|[^|]*\||"(?:[^"]|"")*"|;[^\n]*|[^\s()|";]+/g)) {
    if (token.startsWith(';')) continue;
    if (token === '(') stack.push([]);
    else if (token === ')') {
      const done = stack.pop()!;
      if (stack.length === 0) throw new Error(`impossible: unbalanced answer of the solver: ${text}`);
      stack[stack.length - 1]!.push(done);
    } else stack[stack.length - 1]!.push(token.startsWith('|') ? token.slice(1, -1) : token);
  }
  if (stack.length !== 1) throw new Error(`impossible: unbalanced answer of the solver: ${text}`);
  return stack[0]!;
}

/** A boolean, an integer (bit-vectors as unsigned), or null for anything else (arrays, functions, algebraic numbers). */
export type Value = boolean | bigint | null;

export function parseValue(answer: Sexpr): Value {
  if (typeof answer === 'string') {
    if (answer === 'true') return true;
    if (answer === 'false') return false;
    if (/^\d+$/.test(answer)) return BigInt(answer);
    if (answer.startsWith('#b')) return BigInt(`0b${answer.slice(2)}`);
    if (answer.startsWith('#x')) return BigInt(`0x${answer.slice(2)}`);
    return null;
  }
  if (answer[0] === '-' && answer.length === 2) {
    const inner = parseValue(answer[1]!);
    return typeof inner === 'bigint' ? -inner : null;
  }
  if (answer[0] === '_' && typeof answer[1] === 'string' && /^bv\d+$/.test(answer[1]))
    return BigInt(answer[1].slice(2));
  return null;
}
