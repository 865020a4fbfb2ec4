/**
 * A message's content, part by part.
 *
 * @module
 */
import type { Content, Part } from "../../event/message.ts";
import { sanitizeLine } from "../sanitize.ts";
import { attachmentHtml } from "./attachment.ts";
import { callHtml } from "./call.ts";
import { inputHtml, inputLine } from "./tool_input.ts";
import { statusWord } from "./outcome.ts";
import { outputPartsHtml } from "./output.ts";
import { thoughtHtml } from "./reasoning.ts";
import { joinHtml, NOTHING, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** HTML of a text, as who said it wants it shown. */
export type TextHtml = (text: string) => SafeHtml;

/** HTML of a content; nothing where it shows nothing. */
export function contentHtml(content: Content, view: HtmlView, text: TextHtml): SafeHtml {
  const parts: readonly Part[] = typeof content === "string"
    ? [{ type: "text", text: content }]
    : content;
  return joinHtml(parts.map((part) => partHtml(part, view, text)));
}

function partHtml(part: Part, view: HtmlView, text: TextHtml): SafeHtml {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? NOTHING : text(part.text);
    case "reasoning":
      return part.text.trim() === "" ? NOTHING : thoughtHtml(part.text);
    case "tool_call":
      return callHtml({
        name: sanitizeLine(part.name),
        short: inputLine(part.input),
        end: [{ text: "called" }],
        body: () => inputHtml(part.input, view),
      }, view);
    case "tool_result":
      return callHtml({
        name: sanitizeLine(part.name),
        short: "",
        end: [statusWord(part.status)],
        body: () => outputPartsHtml(part.output, view),
      }, view);
    default:
      return attachmentHtml(part);
  }
}
