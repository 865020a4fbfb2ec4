/**
 * Renders the failure of a turn and the end of a session.
 *
 * @module
 */
import type { ClosedItem, FailureItem } from "../../projection/transcript/transcript_item.ts";
import { sanitizeLine } from "../sanitize.ts";
import { renderSegments, type Segment } from "./header.ts";
import { indentRows } from "./indent.ts";
import { renderMarked } from "./marked_prose.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const SUMMARY = { limits: { head: 8, tail: 4 } };

/** Rows of a turn that ended without an answer. */
export function renderFailure(item: FailureItem, view: View): string[] {
  const word = item.reason === "cancelled" ? "cancelled" : "failed";
  const text = item.message.trim() === "" ? word : `${word}: ${item.message}`;
  return renderMarked("✗", text, view, item.reason === "cancelled" ? "yellow" : "red");
}

/** Rows of the session's end. */
export function renderClosed(item: ClosedItem, view: View): string[] {
  const format = item.status === "failed" ? "red" : "green";
  const segments: Segment[] = [{ text: `■ session ${sanitizeLine(item.status)}`, format }];
  if (item.exit_code !== undefined) segments.push({ text: `exit ${item.exit_code}` });
  const summary = renderProse(item.summary ?? "", narrowView(view, 2), SUMMARY);
  return [renderSegments(segments, view), ...indentRows(summary, "  ")];
}
