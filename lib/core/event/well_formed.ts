/**
 * Makes text valid in UTF-8. A lone surrogate, from a text cut in the wrong place, makes every
 * later request fail.
 */

import { ExactNumber } from "./exact_number.ts";

/**
 * Returns a copy of a JSON value in which every lone surrogate, in keys too, is U+FFFD. Keys stay
 * distinct.
 */
export function wellFormed<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return value instanceof ExactNumber ? value : copyObject(value);
}

function copyObject(value: object): unknown {
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    let key = name.toWellFormed();
    while (members.has(key)) key += "\ufffd";
    members.set(key, copy(member));
  }
  // Not by assignment: a key `__proto__` must stay a key.
  return Object.fromEntries(members);
}
