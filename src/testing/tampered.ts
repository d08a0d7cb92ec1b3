// Every copy of a piece of JSON in which one thing is another: a number, a text, a truth value, or an item that is left out or comes twice.

export function* tampered(
  value: unknown,
  put: (changed: unknown) => unknown = (changed) => changed,
): Generator<unknown> {
  if (typeof value === 'number') for (const other of [value + 1, value - 1, -value - 1]) yield put(other);
  else if (typeof value === 'boolean') yield put(!value);
  else if (typeof value === 'string')
    yield put(/^-?\d+$/.test(value) ? String(BigInt(value) + 1n) : `${value}x`);
  else if (Array.isArray(value)) {
    for (const index of value.keys()) {
      yield put(value.toSpliced(index, 1));
      yield put(value.toSpliced(index, 0, value[index]));
      yield* tampered(value[index], (changed) => put(value.with(index, changed)));
    }
  } else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      yield* tampered(part, (changed) => put({ ...value, [key]: changed }));
}
