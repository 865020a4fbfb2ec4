/**
 * Names the outcome of a call in a word.
 *
 * @module
 */
import { statusText } from "../status_text.ts";
import type { ItemStatus } from "../../projection/transcript/transcript_item.ts";
import { sanitizeLine } from "../sanitize.ts";
import type { Format } from "../style.ts";
import { formatDuration } from "../duration.ts";
import type { Segment } from "./header.ts";

const FORMATS: Record<ItemStatus, Format> = {
  ok: "green",
  error: "red",
  interrupted: "yellow",
  skipped: "yellow",
  unsettled: "yellow",
  not_run: "yellow",
};

/** What a tool's and a command's item share. */
export interface Outcome {
  status: ItemStatus;
  duration_ns?: number;
  truncated?: boolean;
  orphan?: boolean;
}

/** The status as words. */
export function statusSegment(status: ItemStatus): Segment {
  return { text: sanitizeLine(statusText(status)), format: FORMATS[status] };
}

/** What else there is to say of the outcome. */
export function outcomeSegments(item: Outcome): Segment[] {
  const segments: Segment[] = [];
  if (item.duration_ns !== undefined) {
    segments.push({ text: formatDuration(item.duration_ns), format: "dim" });
  }
  if (item.truncated) segments.push({ text: "output truncated", format: "yellow" });
  if (item.orphan) segments.push({ text: "settled without a start", format: "yellow" });
  return segments;
}
