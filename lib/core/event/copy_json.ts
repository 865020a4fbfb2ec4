/** Copies JSON values deeply. `structuredClone` would make plain objects of exact numbers. */

/** Returns a deep copy of a JSON value. Instances of classes, such as bytes, are not copied. */
export function copyJson<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  // Not by assignment: a key `__proto__` must stay a key.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}
