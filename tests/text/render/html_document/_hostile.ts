/**
 * Texts that would be more than text in a careless page, and items that are full of them.
 */
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import type { DocumentHeader } from "../../../../lib/text/render/session_document.ts";
import { SAMPLE_ITEMS } from "../_sample_items.ts";
import { readJson } from "../_data.ts";
import { HEADER } from "./_page.ts";

const VECTORS = readJson<string[]>("hostile_html.json");

/** Where in a field the vector stands. */
const PLACES: ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `before ${vector} after`,
  (vector) => `first\n\n${vector}\n\nlast`,
  (vector) => `\u202e${vector}\u2066`,
  (vector) => `${"x".repeat(120)}${vector}`,
];

/** At least 300 hostile texts. */
export const PAYLOADS = VECTORS.flatMap((vector) => PLACES.map((place) => place(vector)));

/** A value of which every text is replaced, but that which says what sort of item it is. */
export function withTexts<Value>(value: Value, replace: (text: string) => string): Value {
  function visit(inner: unknown, name: string): unknown {
    if (typeof inner === "string") return name === "type" ? inner : replace(inner);
    if (Array.isArray(inner)) return inner.map((entry) => visit(entry, ""));
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => [key, visit(entry, key)]),
    );
  }
  return visit(value, "") as Value;
}

/** Names by which a decoded event can hold nothing but one of a few words. */
const CLOSED = new Set(["status", "kind", "role"]);

/** Every item, with the payload in each of its fields and as the name of arguments. */
export function hostileItems(payload: string): TranscriptItem[] {
  const items = SAMPLE_ITEMS.map((item) => {
    const hostile = withTexts(item, () => payload);
    const kept = Object.entries(item).filter(([name]) => CLOSED.has(name));
    return Object.assign(hostile, item.type === "unreadable" ? {} : Object.fromEntries(kept));
  });
  const base = { seq: 90, integrity: "verified" as const };
  const data = { [payload]: { [payload]: [payload] }, path: payload };
  const edit = { file_path: payload, old_string: `a ${payload}`, new_string: `b ${payload}` };
  const image = { type: "image" as const, media_type: "image/png", sha256: "", bytes: 1 };
  return [
    ...items,
    { type: "tool", ...base, call_id: "c", name: "n", input: data, status: "ok", output: payload },
    { type: "tool", ...base, call_id: "c", name: "n", input: edit, status: "ok" },
    { type: "message", role: "user", ...base, content: [{ ...image, data: payload }] },
    { type: "message", role: payload as "user", ...base, content: payload },
    { type: "bash", ...base, call_id: payload, command: payload, status: payload as "ok" },
  ];
}

/** A header with the payload in each of its fields. */
export function hostileHeader(payload: string): DocumentHeader {
  const summary: Summary = withTexts(HEADER.summary, () => payload);
  return { ...HEADER, summary, exported_at: payload, generator: payload };
}
