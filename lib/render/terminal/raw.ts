/**
 * Renders as JSON what no other item shows.
 *
 * @module
 */
import type { ExtensionItem, UnreadableItem } from "../../projection/transcript/transcript_item.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText } from "../text_width.ts";
import { numberText } from "./header.ts";
import { renderMarked } from "./marked_prose.ts";
import { renderOutput } from "./output.ts";
import type { View } from "./view.ts";

/** Rows of an event whose payload does not fit its kind. */
export function renderUnreadable(item: UnreadableItem, view: View): string[] {
  const text = `unreadable ${item.kind}${numberText(item)}: ${item.reason}`;
  return [...renderMarked("!", text, view, "yellow"), ...renderData(item.payload, view)];
}

/** Rows of another agent's own record. */
export function renderExtension(item: ExtensionItem, view: View): string[] {
  const title = cutText(sanitizeLine(`${item.agent}: ${item.name}${numberText(item)}`), view.width);
  return [view.style.paint("dim", title), ...renderData(item.data, view)];
}

function renderData(data: unknown, view: View): string[] {
  const json: string | undefined = JSON.stringify(data, undefined, 2);
  return renderOutput(json ?? "", view, { indent: 4, format: "dim" });
}
