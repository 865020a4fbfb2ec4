/**
 * How much of calls a document shows.
 *
 * @module
 */
import type { TranscriptItem } from "../projection/transcript_item.ts";
import type { ToolDetail } from "./session_document.ts";

/** The item with as much of calls as is wanted; undefined where nothing of it is. */
export function atDetail(item: TranscriptItem, tools: ToolDetail): TranscriptItem | undefined {
  if (tools === "full") return item;
  switch (item.type) {
    case "tool":
    case "bash": {
      if (tools === "none") return undefined;
      const { output: _output, error: _error, ...outcome } = item;
      return outcome;
    }
    case "diff":
      return tools === "none" ? undefined : { ...item, lines: [] };
    default:
      return item;
  }
}
