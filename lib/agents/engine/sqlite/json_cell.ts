/**
 * Parses the JSON in a cell or a small file. Returns the object, or the reason why there is none.
 */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import type { DiagnosticCode } from "../../../core/log/diagnostic.ts";
import { keepExactMembers } from "../records/exact_members.ts";

export type JsonCell =
  | { value: Record<string, unknown> }
  | { code: DiagnosticCode; detail: string };

export function parseCell(text: unknown): JsonCell {
  const parsed = parseJson(text);
  if (!("value" in parsed)) return parsed;
  if (isObject(parsed.value)) return { value: parsed.value };
  return { code: "malformed-line", detail: "is not an object" };
}

export function parseJson(
  text: unknown,
): { value: unknown } | Exclude<JsonCell, { value: unknown }> {
  if (typeof text !== "string") return { code: "malformed-line", detail: "is not text" };
  const value = parsedJson(text);
  // The writer stopped midway, or bytes were lost.
  if (value === undefined) return { code: "malformed-line", detail: "is not JSON" };
  if (isDeeperThan(value, MAX_DEPTH)) {
    return { code: "too-deep", detail: `has more than ${MAX_DEPTH} nested levels` };
  }
  keepExactMembers(value, text);
  return { value };
}
