/**
 * A message's content, part by part.
 *
 * @module
 */
import type { Content, Part, ToolResultPart } from "../../event/message.ts";
import { attachmentText } from "../attachment.ts";
import { summarizeInput } from "../input_summary.ts";
import { outputText } from "../output_text.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText } from "../text_width.ts";
import { wrapWords } from "../wrap.ts";
import { renderOutput } from "./output.ts";
import { renderThought } from "./reasoning.ts";
import type { View } from "./view.ts";

/** Rows of a text, as who said it wants it shown. */
export type RenderText = (text: string, view: View) => string[];

/** Rows of a content, parts apart by an empty row. */
export function renderContent(content: Content, view: View, renderText: RenderText): string[] {
  if (typeof content === "string") return content.trim() === "" ? [] : renderText(content, view);
  const blocks = content.map((part) => renderPart(part, view, renderText));
  const shown = blocks.filter((rows) => rows.length > 0);
  return shown.flatMap((rows, index) => (index === 0 ? rows : ["", ...rows]));
}

function renderPart(part: Part, view: View, renderText: RenderText): string[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : renderText(part.text, view);
    case "reasoning":
      return renderThought(part.text, view);
    case "tool_call":
      return [
        cutText(`→ ${sanitizeLine(part.name)} ${summarizeInput(part.input).text}`, view.width),
      ];
    case "tool_result":
      return renderResult(part, view);
    default:
      return wrapWords(attachmentText(part), view.width).map((row) =>
        view.style.paint("cyan", row)
      );
  }
}

function renderResult(part: ToolResultPart, view: View): string[] {
  const head = `← ${sanitizeLine(part.name)} · ${sanitizeLine(part.status)}`;
  return [cutText(head, view.width), ...renderOutput(outputText(part.output), view, { indent: 4 })];
}
