/** Writes blocks as HTML. Long blocks are folded, and can be read without a script. */
import type { AttachmentPart } from "../../../core/event/message.ts";
import { callArguments } from "../block/argument_blocks.ts";
import type {
  Block,
  CallBlock,
  CodeBlock,
  CommandBlock,
  Fact,
  HeadBlock,
  MessageBlock,
  NoticeBlock,
  ReminderBlock,
  Word,
} from "../block/block.ts";
import { attachedLine, attachmentWords } from "../block/block_text.ts";
import { codeBlock } from "../block/call_block.ts";
import { callTitle, plainCommand } from "../block/call_title.ts";
import { callKind, toolVerb } from "../block/known_tools.ts";
import { FOLDS } from "../fold.ts";
import { sanitizeLine } from "../sanitize.ts";
import { firstLine } from "../text_width.ts";
import { changeCounts, changeHtml, diffTable } from "./diff.ts";
import { detailsHtml, factsHtml, foldedHtml, pathHtml, timeHtml, wordsHtml } from "./elements.ts";
import { markdownHtml, plainHtml } from "./markdown.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";
import type { HtmlView } from "./view.ts";

const BEGINNING = 120;
/** Matches Markdown's emphasis and headings. Summary lines of thoughts are shown without them. */
const EMPHASIS = /\*\*|^#+ /gm;

/** Returns empty HTML if the block shows nothing. */
export function blockHtml(block: Block, view: HtmlView): SafeHtml {
  switch (block.type) {
    case "head":
      return headHtml(block, view);
    case "message":
      return messageHtml(block, view);
    case "prose":
      return block.markup === "plain" && !view.renders_prompts
        ? plainHtml(block.text.trim())
        : markdownHtml(block.text, view.highlight);
    case "thinking":
      return foldedHtml(
        "Thinking",
        firstLine(block.text.replaceAll(EMPHASIS, ""), BEGINNING),
        markdownHtml(block.text, view.highlight),
      );
    case "reminder":
      return reminderHtml(block);
    case "call":
      return callHtml(block, view);
    case "command":
      return commandHtml(block, view);
    case "code":
      return codeHtml(block, view);
    case "diff":
      return block.is_asked
        ? safe`<p class="label">Change</p>${
          diffTable(block.lines, "The change that was asked for", view)
        }`
        : changeHtml(block, view);
    case "attachment":
      return attachmentHtml(block.part);
    case "attached":
      return foldedHtml(
        "Attached",
        sanitizeLine(attachedLine(block)),
        joinHtml(block.content.map((one) => blockHtml(one, view))),
      );
    case "notice":
      return noticeHtml(block, view);
    case "turn":
      return safe`<p class="note">${wordsHtml(block.words)}</p>`;
  }
}

function headHtml({ title, facts }: HeadBlock, { format_time }: HtmlView): SafeHtml {
  const cwd = facts.find(({ name }) => name === "Directory")?.value ?? "";
  const shown = facts.map(({ name, value, form }) =>
    [
      name,
      form === "path" ? pathHtml(value) : form === "time" ? timeHtml(value, format_time) : value,
    ] as const
  );
  return foldedHtml("Session started", pathHtml(cwd), factsHtml([["Title", title], ...shown]));
}

function codeHtml({ label, text, language }: CodeBlock, view: HtmlView): SafeHtml {
  if (text === "") return NOTHING;
  return safe`<p class="label">${sanitizeLine(label)}</p><pre><code>${
    view.highlight(text, language)
  }</code></pre>`;
}

function asideHtml(name: string, text: string): SafeHtml {
  return foldedHtml(name, firstLine(text, BEGINNING), plainHtml(text.trim()));
}

function reminderHtml({ text, first_seq }: ReminderBlock): SafeHtml {
  if (first_seq === undefined) return asideHtml("System reminder", text);
  // The earlier reminder may be on another page of the session.
  const place = first_seq === 0 ? "before" : `at #${first_seq}`;
  return safe`<p class="note">System reminder, the same as ${place}</p>`;
}

function noticeHtml(block: NoticeBlock, view: HtmlView): SafeHtml {
  const { form, ink, title, detail, words, content } = block;
  const notices = content.filter(({ type }) => type === "notice");
  const inside = joinHtml(
    content.filter(({ type }) => type !== "notice").map((one) => blockHtml(one, view)),
  );
  const below = joinHtml(notices.map((one) => blockHtml(one, view)));
  const name = ink === undefined || ink === "quiet"
    ? safe`${title}`
    : safe`<b class="${ink}">${title}</b>`;
  const why = detail === undefined ? NOTHING : safe`: ${detail}`;
  const rest = words.length === 0 ? NOTHING : safe` · ${wordsHtml(words)}`;
  if (ink === "quiet" && inside.markup !== "") return foldedHtml(title, detail ?? "", inside);
  const kind = form === "rule" ? "line" : ink === "quiet" ? "note" : "notice";
  const line = safe`<p class="${kind}">${name}${why}${rest}</p>`;
  return inside.markup === ""
    ? safe`${line}${below}`
    : safe`${line}${below}${foldedHtml("Details", "", inside)}`;
}

const LINE = 160;

function callHtml(block: CallBlock, view: HtmlView): SafeHtml {
  const { facts, blocks } = callArguments(block.input, { seq: block.seq });
  const { name, about, change } = callTitle(block, LINE);
  // The verb of the title hides the tool's own name.
  const is_named = block.input === undefined || name.toLowerCase() === block.name.toLowerCase();
  if (toolVerb(block.name) !== undefined && !is_named) {
    facts.unshift({ name: "tool", value: block.name });
  }
  const asked = block.is_change_below
    ? NOTHING
    : safe`${inputFacts(facts)}${joinHtml(blocks.map((one) => blockHtml(one, view)))}`;
  const line = lineHtml(name, about, block.outcome, change && changeCounts(change));
  return detailsHtml(
    `call k-${callKind(block.name)}`,
    line,
    safe`${asked}${outputHtml(block.content, view)}`,
  );
}

function commandHtml(block: CommandBlock, view: HtmlView): SafeHtml {
  const { command, purpose = "", outcome, content, seq } = block;
  const line = lineHtml("Run", firstLine(plainCommand(command), LINE) || "(no command)", outcome);
  if (block.is_brief) return detailsHtml("call k-run", line, NOTHING);
  const code = { ...codeBlock("Command", command, { seq }, FOLDS.command), language: "bash" };
  const note = purpose === "" ? NOTHING : safe`<p class="note">${purpose}</p>`;
  const gave = outputHtml(content, view);
  return detailsHtml("call k-run", line, safe`${note}${blockHtml(code, view)}${gave}`);
}

function outputHtml(content: readonly Block[], view: HtmlView): SafeHtml {
  const gave = joinHtml(content.map((one) => blockHtml(one, view)));
  return gave.markup === "" ? NOTHING : safe`<div class="out">${gave}</div>`;
}

function lineHtml(
  name: string,
  about: string,
  outcome: readonly Word[],
  counts: SafeHtml = NOTHING,
): SafeHtml {
  const short = about === "" ? NOTHING : safe`<code class="short">${about}</code> `;
  return safe`<span class="name">${name || "(no name)"}</span> ${short}${counts}<span class="end">${
    wordsHtml(outcome)
  }</span>`;
}

function inputFacts(facts: readonly Fact[]): SafeHtml {
  if (facts.length === 0) return NOTHING;
  const rows = facts.map(({ name, value }) =>
    safe`<dt>${sanitizeLine(name)}</dt><dd><code>${sanitizeLine(value)}</code></dd>`
  );
  return safe`<dl class="input">${joinHtml(rows)}</dl>`;
}

const PROMPT_TITLE = 90;

export function promptTitle({ content }: MessageBlock): string {
  for (const block of content) {
    const line = block.type === "prose" ? firstLine(block.text, PROMPT_TITLE) : "";
    if (line !== "") return line;
  }
  const attached = content.find((block) => block.type === "attachment");
  return attached === undefined
    ? "(no text)"
    : firstLine(attachmentNote(attached.part), PROMPT_TITLE);
}

function messageHtml(block: MessageBlock, view: HtmlView): SafeHtml {
  const { role, content } = block;
  const notices = content.filter(({ type }) => type === "notice");
  const said = content.filter(({ type }) => type !== "notice");
  const body = joinHtml(said.map((one) => blockHtml(one, view)));
  const below = joinHtml(notices.map((one) => blockHtml(one, view)));
  if (role === "assistant" && body.markup === "" && below.markup === "") return NOTHING;
  const [kind, name] = role === "user" ? ["prompt", "User"] : ["answer", "Assistant"];
  return safe`<div class="${kind}">${
    speakerHtml(name, block, view)
  }<div class="said" dir="auto">${body}</div>${
    role === "user" ? wholeHtml(said) : NOTHING
  }${below}</div>`;
}

/** Maximum lines of a prompt that is never folded. Lines over `LINE_LENGTH` count as several. */
const SHOWN_LINES = 16;
const LINE_LENGTH = 80;

/**
 * Renders the element that unfolds a long prompt. Empty for a short prompt. While the element is
 * closed, the page's style shows only the beginning of the prompt.
 */
function wholeHtml(said: readonly Block[]): SafeHtml {
  const lines = said.flatMap((one) => one.type === "prose" ? one.text.trim().split("\n") : [])
    .reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / LINE_LENGTH)), 0);
  return lines <= SHOWN_LINES
    ? NOTHING
    : safe`<details class="whole"><summary>All ${lines} lines</summary></details>`;
}

function speakerHtml(name: string, { model, time }: MessageBlock, view: HtmlView): SafeHtml {
  const known = [safe`<b>${name}</b>`];
  if (model !== undefined) known.push(safe`${sanitizeLine(model)}`);
  if (time !== undefined) known.push(timeHtml(time, view.format_time));
  return safe`<p class="speaker">${joinHtml(known, " · ")}</p>`;
}

/** Media types of images that are shown. SVG is excluded, because it can contain scripts. */
const RASTER = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function attachmentHtml(part: AttachmentPart): SafeHtml {
  const note = attachmentNote(part);
  const type = RASTER.find((known) => known === part.media_type);
  const { data = "" } = part;
  if (part.type !== "image" || type === undefined || !BASE64.test(data)) {
    return safe`<p class="note">${note}</p>`;
  }
  return safe`<figure><img src="data:${type};base64,${data}" alt="Attached image"><figcaption>${note}</figcaption></figure>`;
}

/** Returns a text such as `Image · image/png · 12.3 KB · shot.png`. */
function attachmentNote(part: AttachmentPart): string {
  const [kind, ...words] = attachmentWords(part);
  return [kind === "image" ? "Image" : "File", ...words].join(" · ");
}
