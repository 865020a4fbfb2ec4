/**
 * A transcript on a terminal.
 *
 * @module
 */
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { integrityLabel } from "./integrity_mark.ts";
import { replacedText } from "./replaced_text.ts";
import { createStyle } from "./style.ts";
import { renderBash } from "./terminal/bash.ts";
import { renderCompaction } from "./terminal/compaction.ts";
import { renderContext } from "./terminal/context.ts";
import { renderDiff } from "./terminal/diff.ts";
import { renderClosed, renderFailure } from "./terminal/ending.ts";
import { renderMessage } from "./terminal/message.ts";
import { renderExtension, renderUnreadable } from "./terminal/raw.ts";
import { renderReasoning } from "./terminal/reasoning.ts";
import { renderSession } from "./terminal/session.ts";
import { renderTool } from "./terminal/tool.ts";
import type { View } from "./terminal/view.ts";
import { cutText } from "./text_width.ts";
import type { TimeFormat } from "./time_label.ts";

/** What {@linkcode renderItem} needs to know about the reader. */
export interface TerminalOptions {
  /** Columns; `Infinity` where nothing limits a line. */
  width: number;
  color: boolean;
  /** Show what is long to its end. */
  full: boolean;
  /**
   * Writes a time in the reader's language and zone.
   *
   * @default {(iso) => iso}
   */
  format_time?: TimeFormat;
}

/**
 * Renders one item of a transcript as a person reads it.
 *
 * Items can be written one after another: each ends with a blank line. An item that shows nothing,
 * such as a message that only calls tools, gives an empty string. Control characters of the item
 * never reach the terminal.
 *
 * @param item The item.
 * @param options The reader's terminal.
 * @returns Lines, or an empty string.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { renderItem } from "./terminal.ts";
 *
 * const text = renderItem(
 *   { type: "message", role: "user", content: "hi", seq: 2, integrity: "verified" },
 *   { width: 80, color: false, full: false },
 * );
 * assert.equal(text, "▌ user #2\n▌ hi\n\n");
 * ```
 */
export function renderItem(item: TranscriptItem, options: TerminalOptions): string {
  const view: View = {
    width: Math.max(1, Math.floor(options.width)),
    style: createStyle(options.color),
    full: options.full,
    format_time: options.format_time,
  };
  const rows = renderRows(item, view);
  const mark = integrityLabel(item.integrity);
  if (mark !== undefined) rows.unshift(view.style.paint(["bold", "red"], mark));
  return rows.length === 0 ? "" : rows.join("\n") + "\n\n";
}

function renderRows(item: TranscriptItem, view: View): string[] {
  switch (item.type) {
    case "session":
      return renderSession(item, view);
    case "context":
      return renderContext(item, view);
    case "message":
      return renderMessage(item, view);
    case "reasoning":
      return renderReasoning(item, view);
    case "tool":
      return renderTool(item, view);
    case "bash":
      return renderBash(item, view);
    case "diff":
      return renderDiff(item, view);
    case "compaction":
      return renderCompaction(item, view);
    case "replaced":
      return [view.style.paint("dim", cutText(replacedText(item), view.width))];
    case "failure":
      return renderFailure(item, view);
    case "closed":
      return renderClosed(item, view);
    case "unreadable":
      return renderUnreadable(item, view);
    case "extension":
      return renderExtension(item, view);
  }
}
