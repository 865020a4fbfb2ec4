/**
 * Renders as JSON what no other item shows.
 *
 * @module
 */
import type { ExtensionItem, UnreadableItem } from "../../projection/transcript/transcript_item.ts";
import { sanitizeLine } from "../sanitize.ts";
import { callHtml } from "./call.ts";
import { dataHtml } from "./output.ts";
import { safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** HTML of an event whose payload does not fit its kind: it may be a call's, and is shown as one. */
export function unreadableHtml(item: UnreadableItem, view: HtmlView): SafeHtml {
  const line = safe`<p class="notice"><b class="warn">Unreadable ${sanitizeLine(item.kind)}</b>: ${
    sanitizeLine(
      item.reason,
    )
  }</p>`;
  if (view.tools !== "full") return line;
  return safe`${line}${
    callHtml({
      name: "What was read",
      short: "",
      end: [],
      body: () => dataHtml("Payload", item.payload, view),
    }, view)
  }`;
}

/** HTML of another agent's own record. */
export function extensionHtml(item: ExtensionItem, view: HtmlView): SafeHtml {
  return callHtml({
    name: sanitizeLine(item.agent),
    short: sanitizeLine(item.name),
    end: [{ text: "record" }],
    body: () => dataHtml("Data", item.data, view),
  }, view);
}
