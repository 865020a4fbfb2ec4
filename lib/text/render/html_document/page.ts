/** Renders the page around the blocks: head, header, table of contents, footer. */
import { firstLine } from "../text_width.ts";
import { markedTitle } from "../integrity_mark.ts";
import type { ToolDetail } from "../block/block.ts";
import type { DocumentHeader } from "../session_document.ts";
import { formatCost, formatTokens } from "../usage_text.ts";
import { formatDuration } from "../time_label.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { sanitizeLine } from "../sanitize.ts";
import { createFrame } from "./frame.ts";
import { type FactRow, factsHtml, pathHtml, timeHtml } from "./elements.ts";
import { PAGE_SCRIPT } from "./page_script.ts";
import { PAGE_STYLE } from "./page_style.ts";
import type { ContentsEntry } from "./placed_blocks.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";
import type { HtmlView } from "./view.ts";

const TITLE = 80;

/** A frame that allows no fonts, frames or network access, and only inlined images. */
const FRAME = createFrame({ style: PAGE_STYLE, script: PAGE_SCRIPT }, ["form-action 'none'"]);

export function pageStart(header: DocumentHeader, view: HtmlView): SafeHtml {
  return safe`${documentHead(header, sessionTitle(header.summary))}${skipHtml()}
${topHtml(header.summary, view)}
<main id="main">
`;
}

/** Includes the beginning of the body. */
export function documentHead({ generator }: DocumentHeader, title: string): SafeHtml {
  return safe`${FRAME.head({ title, generator })}<body id="top">\n`;
}

/** Returns the first sentence of a session's title on one line, without Markdown markup. */
export function sessionTitle({ title, altered }: Summary, width = TITLE): string {
  return markedTitle(firstLine(firstSentence(title), width) || "Untitled session", altered);
}

/** Maximum number of a title's characters to search for the end of its first sentence. */
const LOOKED_AT = 600;
const HEADING = /(?:^|\s)#{1,6}\s+/;
/** Minimum number of characters of a sentence. A shorter one may be an abbreviation or a number. */
const SHORT = 12;

function firstSentence(title: string): string {
  const text = withoutMarks(title.trimStart().slice(0, LOOKED_AT));
  const [first = "", second] = text.split(HEADING).map((part) => part.trim()).filter(Boolean);
  const whole = first.endsWith(":") && second !== undefined ? `${first} ${second}` : first;
  for (const { index, 0: { length } } of whole.matchAll(/[.!?](?=\s+\p{Lu})/gu)) {
    if (index >= SHORT) return whole.slice(0, index + length).replace(/\.$/, "");
  }
  return whole;
}

/** Removes Markdown markup of links, bold text, code and a leading heading. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, "$1").replaceAll(/\*\*|`+/g, "")
    .replace(/^#{1,6}\s+/, "");
}

/** Makes the first element that the Tab key reaches. The element skips the header. */
export function skipHtml(to = "main"): SafeHtml {
  return safe`<a class="skip" href="#${to}">Skip to the ${to === "main" ? "content" : "list"}</a>`;
}

export function topHtml(summary: Summary, view: HtmlView, threads: SafeHtml = NOTHING): SafeHtml {
  return safe`<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${sanitizeLine(summary.agent)}</p>
<h1 dir="auto">${sessionTitle(summary)}</h1>
${factsHtml(headerFacts(summary, view))}
${threads}</header>`;
}

export function headerFacts(summary: Summary, view: HtmlView): FactRow[] {
  const { title } = summary;
  const whole = firstLine(title, 2000);
  return [
    ["Title", whole === firstLine(firstSentence(title), TITLE) ? undefined : whole],
    ["Directory", summary.cwd === undefined ? undefined : pathHtml(summary.cwd)],
    ["Created", timeHtml(summary.created_at, view.format_time)],
    ["Updated", timeHtml(summary.updated_at, view.format_time)],
    ["Models", summary.models?.join(", ")],
    ["Tokens", tokensText(summary)],
    ["Cost", formatCost(summary)],
    ["Duration", durationText(summary)],
    ["Prompts", summary.turn_count?.toString()],
    ["Messages", summary.message_count?.toString()],
    ["Status", summary.status],
    ["Session", summary.ref],
  ];
}

const COUNTS = [
  ["input", "in"],
  ["output", "out"],
  ["cache_read", "from cache"],
  ["cache_write", "to cache"],
  ["reasoning", "reasoning"],
] as const;

function tokensText({ usage }: Summary): string {
  return COUNTS.flatMap(([name, word]) => {
    const count = usage?.[name];
    return count === undefined ? [] : [`${formatTokens(count)} ${word}`];
  }).join(" · ");
}

const NANOSECONDS_PER_MS = 1e6;

function durationText({ created_at = "", updated_at = "" }: Summary): string | undefined {
  const milliseconds = Date.parse(updated_at) - Date.parse(created_at);
  return milliseconds > 0 ? formatDuration(milliseconds * NANOSECONDS_PER_MS) : undefined;
}

/** Renders everything after the last block. The table of contents is known only then. */
export function pageEnd(
  header: DocumentHeader | undefined,
  entries: readonly ContentsEntry[],
  view: HtmlView,
): SafeHtml {
  return safe`</main>
${contentsHtml(turnsHere(entries))}
${documentFoot(header, view)}`;
}

export function documentFoot(header: DocumentHeader | undefined, view: HtmlView): SafeHtml {
  return safe`${header === undefined ? NOTHING : footerHtml(header, view)}
${FRAME.script}</body>
</html>
`;
}

export function contentsHtml(turns: readonly TurnLink[]): SafeHtml {
  const list = turns.length === 0
    ? safe`<p class="note">There is no prompt on this page.</p>`
    : turnsHtml(turns);
  return safe`<nav class="contents" id="contents" aria-labelledby="contents-title">
<h2 id="contents-title">Contents</h2>
${list}
<p class="back"><a href="#top">Back to the top</a></p>
</nav>`;
}

export function turnsHere(entries: readonly ContentsEntry[]): TurnLink[] {
  return entries.map(({ number, anchor, title }) => ({ number, title, href: `#${anchor}` }));
}

export interface TurnLink {
  number: number | string;
  href: string;
  title: string;
}

export function turnsHtml(turns: readonly TurnLink[]): SafeHtml {
  const items = turns.map(({ number, href, title }) =>
    safe`<li><a href="${href}"><span class="number">${number}</span><span dir="auto">${title}</span></a></li>\n`
  );
  return safe`<ol>\n${joinHtml(items)}</ol>`;
}

const LEFT_OUT: Record<ToolDetail, string> = {
  full: "",
  brief: " For tool calls, commands and file changes, only the outcome is shown.",
  none: " Tool calls, commands and file changes are left out.",
};

function footerHtml(header: DocumentHeader, view: HtmlView): SafeHtml {
  const redaction = header.redacted
    ? "Secrets that were found are replaced by placeholders. Some secrets may not have been found."
    : "Secrets were not redacted: this page may contain secrets.";
  return safe`<footer class="foot"><p>Exported ${
    timeHtml(header.exported_at, view.format_time)
  } by ${sanitizeLine(header.generator)}. ${redaction}${LEFT_OUT[view.tools]}</p></footer>`;
}
