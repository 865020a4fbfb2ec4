/**
 * Renders the messages of the user and the model.
 *
 * @module
 */
import { contentText } from "../../event/message.ts";
import type { MessageItem } from "../../projection/transcript/transcript_item.ts";
import { firstLine } from "../first_line.ts";
import { sanitizeLine } from "../sanitize.ts";
import { attachmentNote } from "./attachment.ts";
import { contentHtml } from "./content.ts";
import { timeHtml } from "./moment.ts";
import { markdownHtml, plainHtml } from "./markdown.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

const TITLE = 90;

/** The line by which a prompt is named: its first, or what is attached to it. */
export function promptTitle({ content }: MessageItem): string {
  const line = firstLine(contentText(content), TITLE);
  if (line !== "" || typeof content === "string") return line || "(empty prompt)";
  for (const part of content) {
    if (part.type === "image" || part.type === "file") {
      return firstLine(attachmentNote(part), TITLE);
    }
  }
  return "(no text)";
}

/** HTML of a prompt. */
export function promptHtml(item: MessageItem, view: HtmlView): SafeHtml {
  const body = contentHtml(item.content, view, (text) => plainHtml(text.trim()));
  return safe`<div class="prompt">${
    speakerHtml(
      "User",
      item,
      view,
    )
  }<div class="said" dir="auto">${body}</div>${interruptionHtml(item)}</div>`;
}

/** HTML of an answer; nothing where the model only called tools. */
export function answerHtml(item: MessageItem, view: HtmlView): SafeHtml {
  const body = contentHtml(item.content, view, (text) => markdownHtml(text, view.highlight));
  const interruption = interruptionHtml(item);
  if (body.markup === "" && interruption.markup === "") return NOTHING;
  return safe`<div class="answer">${
    speakerHtml(
      "Assistant",
      item,
      view,
    )
  }<div class="said" dir="auto">${body}</div>${interruption}</div>`;
}

function speakerHtml(name: string, item: MessageItem, view: HtmlView): SafeHtml {
  const known = [safe`<b>${name}</b>`];
  if (item.model !== undefined) {
    known.push(safe`${sanitizeLine(item.model)}`);
  }
  if (item.time !== undefined) known.push(timeHtml(item.time, view.format_time));
  return safe`<p class="speaker">${joinHtml(known, " · ")}</p>`;
}

/** Stands where the text breaks off. */
function interruptionHtml(item: MessageItem): SafeHtml {
  if (!item.interrupted) return NOTHING;
  const reason = item.reason ? safe`: ${item.reason}` : NOTHING;
  return safe`<p class="notice"><b class="warn">Interrupted</b>${reason}</p>`;
}
