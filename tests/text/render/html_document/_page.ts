/**
 * Pages to look at: whole documents of items, and what may stand in them.
 */
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";
import { htmlDocument, type HtmlOptions } from "../../../../lib/text/render/html_document.ts";
import { PAGE_SCRIPT } from "../../../../lib/text/render/html_document/page_script.ts";
import type { DocumentHeader } from "../../../../lib/text/render/session_document.ts";
import { itemsInto } from "../_document_items.ts";

const SUMMARY: Summary = {
  ref: "3f2a9c1e",
  agent: "reprise",
  session_id: "3f2a9c1e-1111-4222-8333-123456789abc",
  path: "/home/ana/.local/state/log",
  cwd: "/home/ana/login",
  title: "Fix the flaky login test",
  created_at: "2026-11-21T20:21:53.123Z",
  updated_at: "2026-11-21T21:02:11.000Z",
  models: ["claude-opus-5", "gpt-6-mini"],
  usage: { input: 12_345, output: 3_456, cache_read: 987_654 },
  cost_usd: 1.234,
  turn_count: 2,
  message_count: 12,
  status: "completed",
  archived: false,
};

/** A header with every field. */
export const HEADER: DocumentHeader = {
  summary: SUMMARY,
  exported_at: "2026-11-22T01:00:00.000Z",
  generator: "reprise 0.1.0",
  redacted: true,
};

/** A whole page. */
export function pageOf(
  items: Iterable<TranscriptItem>,
  header: DocumentHeader = HEADER,
  options: HtmlOptions = { tools: "full" },
): string {
  const page = htmlDocument(options);
  const parts = [page.begin(header)];
  const take = itemsInto(page, options.tools);
  for (const item of items) parts.push(take(item));
  return parts.join("") + page.end();
}

const ELEMENTS = (
  "a b blockquote body br caption code dd del details div dl dt em figcaption figure footer h1 h2 " +
  "h3 h4 h5 h6 head header hr html img ins li main meta nav ol p pre s section span strong " +
  "summary table tbody td th thead time title tr ul wbr"
).split(" ").join("|");

const NAME = "[\\w#.-]+";
const ATTRIBUTES = [
  `(?:class|dir|id|lang|role|scope|aria-label|aria-labelledby|alt|name|charset|content|datetime)="[^"<>]*"`,
  `(?:colspan|start|tabindex)="\\d+"`,
  `http-equiv="Content-Security-Policy"`,
  `href="(?:(?:(?:\\d+|index|search)\\.html)?(?:#${NAME})?|(?:https?|HTTPS)://[^"<>\\s]*|mailto:[^"<>\\s]*)"`,
  `rel="(?:noreferrer noopener|prev|next)"`,
  `src="data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}"`,
  "open",
].join("|");

const TAG = new RegExp(`<(?:/(?:${ELEMENTS})|(?:${ELEMENTS})(?: (?:${ATTRIBUTES}))*)>`, "g");

/** What is left of a page without its own tags: text, in which no tag can begin. */
export function withoutTags(page: string): string {
  return page.replace("<!DOCTYPE html>", "").replace(/<style>[^<]*<\/style>/, "")
    .replace(`<script>${PAGE_SCRIPT}</script>`, "").replace(TAG, "");
}
