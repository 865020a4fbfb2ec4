/** Measures the content of events in bytes, by kind, to show what makes a session large. */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { isObject } from "../event/guard.ts";
import type { EventKind } from "../event/payload.ts";

/** The kinds of content, in the order in which lists show them. */
const CONTENT_KINDS = ["images", "results", "prompts", "answers", "calls", "others"] as const;

export type ContentKind = typeof CONTENT_KINDS[number];

export type ContentBytes = Partial<Record<ContentKind, number>>;

const KINDS: ReadonlyMap<EventKind, ContentKind> = new Map([
  ["user_message", "prompts"],
  ["assistant_message", "answers"],
  ["assistant_interrupted", "answers"],
  ["reasoning_message", "answers"],
  ["tool_start", "calls"],
  ["bash_start", "calls"],
  ["tool_end", "results"],
  ["bash_end", "results"],
]);

const encoder = new TextEncoder();

/** Adds the bytes of events as JSON to `sum`. Attached data of any event counts as images. */
export function addContentBytes(sum: ContentBytes, events: readonly LogEvent[]): void {
  for (const event of events) if (event.form === "known") addEvent(sum, event);
}

function addEvent(sum: ContentBytes, { kind, payload }: KnownEvent): void {
  let attached = 0;
  const text = JSON.stringify(payload, (_key, value: unknown) => {
    if (!isObject(value) || typeof value.data !== "string" || !("media_type" in value)) {
      return value;
    }
    attached += value.data.length;
    return { ...value, data: "" };
  });
  add(sum, KINDS.get(kind) ?? "others", encoder.encode(text).length);
  add(sum, "images", attached);
}

function add(sum: ContentBytes, kind: ContentKind, bytes: number): void {
  if (bytes > 0) sum[kind] = (sum[kind] ?? 0) + bytes;
}

export function contentShares(sum: ContentBytes): { kind: ContentKind; bytes: number }[] {
  return CONTENT_KINDS.flatMap((kind) => {
    const bytes = sum[kind];
    return bytes === undefined ? [] : [{ kind, bytes }];
  });
}
