/** Applies changes to a value of JSON by paths, as logs of mutations record them. */
import { isObject } from "../../core/event/guard.ts";
import { asList, asNumber } from "./json.ts";

/** A change at the end of a path. */
export type JsonChange =
  | { kind: "set"; value: unknown }
  | { kind: "delete" }
  /** Cuts a list to a length, if one is given, and adds values. */
  | { kind: "push"; values: unknown; length?: unknown };

type Container = Record<string | number, unknown>;

/** Applies a change below an object. A path that leads nowhere changes nothing. */
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

/** True for a key of an object, or for a place in a list or right behind it. */
function hasRoom(at: Container, key: unknown): key is string | number {
  if (!Array.isArray(at)) return typeof key === "string" && key !== "__proto__";
  return Number.isInteger(key) && Number(key) >= 0 && Number(key) <= at.length;
}
