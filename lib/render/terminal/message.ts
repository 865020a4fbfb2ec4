/**
 * Renders messages: the user's behind a bar, the model's as Markdown.
 *
 * @module
 */
import type { MessageItem } from "../../projection/transcript/transcript_item.ts";
import { renderMarkdown } from "../markdown.ts";
import { sanitizeLine } from "../sanitize.ts";
import { renderContent } from "./content.ts";
import { renderSpeaker } from "./header.ts";
import { renderMarked } from "./marked_prose.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const BAR = "▌ ";
const USER_LIMITS = { limits: { head: 40, tail: 10 } };

/** Rows of a message; none where the model only called tools. */
export function renderMessage(item: MessageItem, view: View): string[] {
  return item.role === "user" ? renderUser(item, view) : renderAssistant(item, view);
}

function renderUser(item: MessageItem, view: View): string[] {
  const inner = narrowView(view, BAR.length);
  const rows = renderContent(
    item.content,
    inner,
    (text, narrowed) => renderProse(text, narrowed, USER_LIMITS),
  );
  const header = renderSpeaker({ text: "user", format: ["bold", "cyan"] }, item, [], inner);
  const all = [header, ...rows, ...renderInterruption(item, inner)];
  const bar = view.style.paint("cyan", BAR.trimEnd());
  return all.map((row) => (row === "" ? bar : `${bar} ${row}`));
}

function renderAssistant(item: MessageItem, view: View): string[] {
  const rows = renderContent(
    item.content,
    view,
    (text, narrowed) => renderMarkdown(text, { width: narrowed.width, style: narrowed.style }),
  );
  const interruption = renderInterruption(item, view);
  if (rows.length + interruption.length === 0) return [];
  const name = { text: "assistant", format: ["bold", "green"] } as const;
  const model = { text: sanitizeLine(item.model ?? ""), format: "dim" } as const;
  return [renderSpeaker(name, item, [model], view), ...rows, ...interruption];
}

/** Stands where the text breaks off. */
function renderInterruption(item: MessageItem, view: View): string[] {
  if (!item.interrupted) return [];
  return renderMarked(
    "✗",
    item.reason ? `interrupted: ${item.reason}` : "interrupted",
    view,
    "yellow",
  );
}
