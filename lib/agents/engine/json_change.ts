/** Applies changes to a JSON value by paths, as mutation logs record them. */
import { isObject } from "../../core/event/guard.ts";
import { asList, asNumber } from "./json.ts";

export type JsonChange =
  | { kind: "set"; value: unknown }
  | { kind: "delete" }
  /** A change that cuts a list to `length`, if given, and appends values. */
  | { kind: "push"; values: unknown; length?: unknown };

type Container = Record<string | number, unknown>;

/** Applies a change to the value at a path in an object. A missing path changes nothing. */
export function applyChange(root: object, path: readonly unknown[], change: JsonChange): void {
  let at = root as Container;
  for (const key of path.slice(0, -1)) {
    const next = hasRoom(at, key) ? at[key] : undefined;
    if (!isObject(next) && !Array.isArray(next)) return;
    at = next as Container;
  }
  const key = path.at(-1);
  if (!hasRoom(at, key)) return;
  if (change.kind === "set") at[key] = change.value;
  else if (change.kind === "delete") delete at[key];
  else {
    const list = Array.isArray(at[key]) ? at[key] as unknown[] : [];
    at[key] = list;
    list.splice(asNumber(change.length) ?? list.length);
    for (const value of asList(change.values)) list.push(value);
  }
}

/** True if a container can have a value under the key. A list takes indexes up to its length. */
function hasRoom(at: Container, key: unknown): key is string | number {
  if (!Array.isArray(at)) return typeof key === "string" && key !== "__proto__";
  return Number.isInteger(key) && Number(key) >= 0 && Number(key) <= at.length;
}
