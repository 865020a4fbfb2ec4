/**
 * Renders the page around the items: head, header, table of contents, footer.
 *
 * @module
 */
import { firstLine } from "../first_line.ts";
import { markedTitle } from "../integrity_mark.ts";
import type { DocumentHeader, ToolDetail } from "../session_document.ts";
import { sanitizeLine } from "../sanitize.ts";
import { formatTokens } from "../token_count.ts";
import { timeHtml } from "./moment.ts";
import { PAGE_STYLE, PAGE_STYLE_SOURCE } from "./page_style.ts";
import { pathHtml } from "./path.ts";
import { joinHtml, NOTHING, safe, type SafeHtml, trustedHtml } from "./safe_html.ts";
import { type Fact, factsHtml } from "./session.ts";
import type { HtmlView } from "./view.ts";

const TITLE = 200;

/** No script, no font, no frame, no image but those in the page itself. */
const POLICY = [
  "default-src 'none'",
  `style-src ${PAGE_STYLE_SOURCE}`,
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A turn, as the table of contents names it. */
export interface ContentsEntry {
  anchor: string;
  title: string;
}

/** All that comes before the first item. */
export function pageStart(header: DocumentHeader, view: HtmlView): SafeHtml {
  const { title: given, altered } = header.summary;
  const title = markedTitle(firstLine(given, TITLE) || "Untitled session", altered);
  return safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedHtml(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${sanitizeLine(header.generator)}">
<title>${title}</title>
<style>${trustedHtml(PAGE_STYLE)}</style>
</head>
<body id="top">
<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${sanitizeLine(header.summary.agent)}</p>
<h1 dir="auto">${title}</h1>
${factsHtml(headerFacts(header, view))}
</header>
<main>
`;
}

function headerFacts({ summary }: DocumentHeader, view: HtmlView): Fact[] {
  return [
    ["Directory", summary.cwd === undefined ? undefined : pathHtml(summary.cwd)],
    ["Created", timeHtml(summary.created_at, view.format_time)],
    ["Updated", timeHtml(summary.updated_at, view.format_time)],
    ["Models", summary.models?.join(", ")],
    ["Tokens", tokensText(summary)],
    ["Cost", summary.cost_usd === undefined ? undefined : `$${summary.cost_usd.toFixed(2)}`],
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

function tokensText({ usage }: DocumentHeader["summary"]): string {
  return COUNTS.flatMap(([name, word]) => {
    const count = usage?.[name];
    return count === undefined ? [] : [`${formatTokens(count)} ${word}`];
  }).join(" · ");
}

/** All that comes after the last item: what the contents are is only known by now. */
export function pageEnd(
  header: DocumentHeader | undefined,
  entries: readonly ContentsEntry[],
  view: HtmlView,
): SafeHtml {
  return safe`</main>
<nav class="contents" id="contents" aria-labelledby="contents-title">
<h2 id="contents-title">Contents</h2>
${contentsHtml(entries)}
<p class="back"><a href="#top">Back to the top</a></p>
</nav>
${header === undefined ? NOTHING : footerHtml(header, view)}
</body>
</html>
`;
}

function contentsHtml(entries: readonly ContentsEntry[]): SafeHtml {
  if (entries.length === 0) return safe`<p class="note">There is no prompt in this session.</p>`;
  const items = entries.map(({ anchor, title }) =>
    safe`<li><a href="#${anchor}"><span dir="auto">${title}</span></a></li>\n`
  );
  return safe`<ol>\n${joinHtml(items)}</ol>`;
}

const LEFT_OUT: Record<ToolDetail, string> = {
  full: "",
  brief: " Tool calls, commands and changes are shown by their outcome only.",
  none: " Tool calls, commands and changes are left out.",
};

function footerHtml(header: DocumentHeader, view: HtmlView): SafeHtml {
  const redaction = header.redacted
    ? "Secrets that were found in it are replaced by placeholders; no search finds every secret."
    : "Nothing in it was redacted: it may hold secrets.";
  return safe`<footer class="foot"><p>Exported ${
    timeHtml(header.exported_at, view.format_time)
  } by ${sanitizeLine(header.generator)}. ${redaction}${LEFT_OUT[view.tools]}</p></footer>`;
}
