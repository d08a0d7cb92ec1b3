// Tests of the shape of data from outside. `record<T>` demands a test for every field of T: a field that is added to the type is missed here by the
// compiler, not by a user.

export type Test = (value: unknown) => boolean;

export const isText: Test = (value) => typeof value === 'string';
export const isWhole: Test = (value) => Number.isInteger(value);
export const isNumber: Test = (value) => typeof value === 'number';
export const isTruth: Test = (value) => typeof value === 'boolean';
export const isObject: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

export const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

export const list =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);

export const oneOf = (words: readonly unknown[]): Test => {
  const known = new Set(words);
  return (value) => known.has(value);
};

/** Further fields are let be. */
export function record<T extends object>(
  fields: { readonly [Key in Extract<keyof T, string>]-?: Test },
): Test {
  const tests = Object.entries<Test>(fields);
  return (value) =>
    isObject(value) && tests.every(([key, test]) => test((value as Record<string, unknown>)[key]));
}

/** By the field that tells the members of a union apart. */
export function variant<Key extends string>(
  key: Key,
  members: Readonly<Record<string, Test>>,
): (value: unknown) => boolean {
  const tests = new Map(Object.entries(members));
  return (value) =>
    isObject(value) && tests.get(String((value as Record<Key, unknown>)[key]))?.(value) === true;
}
