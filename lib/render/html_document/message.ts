/** Renders the messages of the user and the model. */
import type { Block, MessageBlock } from "../block/block.ts";
import { firstLine } from "../first_line.ts";
import { sanitizeLine } from "../sanitize.ts";
import { attachmentNote } from "./attachment.ts";
import { timeHtml } from "./moment.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

const TITLE = 90;

/** Writes a block of a message's content. */
export type WriteBlock = (block: Block, view: HtmlView) => SafeHtml;

/** The line by which a prompt is named: its first, or what is attached to it. */
export function promptTitle({ content }: MessageBlock): string {
  for (const block of content) {
    const line = block.type === "prose" ? firstLine(block.text, TITLE) : "";
    if (line !== "") return line;
  }
  const attached = content.find((block) => block.type === "attachment");
  return attached === undefined ? "(no text)" : firstLine(attachmentNote(attached.part), TITLE);
}

/** HTML of a message; nothing of an answer that says nothing. */
export function messageHtml(block: MessageBlock, view: HtmlView, write: WriteBlock): SafeHtml {
  const { role, content } = block;
  const notices = content.filter(({ type }) => type === "notice");
  const said = content.filter(({ type }) => type !== "notice");
  const body = joinHtml(said.map((one) => write(one, view)));
  const below = joinHtml(notices.map((one) => write(one, view)));
  if (role === "assistant" && body.markup === "" && below.markup === "") return NOTHING;
  const [kind, name] = role === "user" ? ["prompt", "User"] : ["answer", "Assistant"];
  return safe`<div class="${kind}">${
    speakerHtml(name, block, view)
  }<div class="said" dir="auto">${body}</div>${below}</div>`;
}

function speakerHtml(name: string, { model, time }: MessageBlock, view: HtmlView): SafeHtml {
  const known = [safe`<b>${name}</b>`];
  if (model !== undefined) known.push(safe`${sanitizeLine(model)}`);
  if (time !== undefined) known.push(timeHtml(time, view.format_time));
  return safe`<p class="speaker">${joinHtml(known, " · ")}</p>`;
}
