/** Writes a value of any form as lines for people: each text behind the name of its field. */
import { ExactNumber } from "../../event/exact_number.ts";

/** Fields that say what a record says. */
const UNNAMED: ReadonlySet<string> = new Set(["", "content", "text", "prompt"]);

/**
 * Returns the texts and numbers in a value, one a line; flags and empty values are left out. Fields
 * stand by their names, because the order in a record tells nothing. Each word stands in the record as it is here, because a search looks there first.
 */
export function fieldLines(value: unknown, name = ""): string {
  if (typeof value === "string" || typeof value === "number" || value instanceof ExactNumber) {
    const text = String(value);
    return UNNAMED.has(name) || text === "" ? text : `${name} ${text}`;
  }
  if (typeof value !== "object" || value === null) return "";
  const fields = Array.isArray(value) ? Object.entries(value) : Object.entries(value).sort(byName);
  return fields
    .map(([key, item]) => fieldLines(item, Array.isArray(value) ? name : key))
    .filter((line) => line !== "").join("\n");
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
