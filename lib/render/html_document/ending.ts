/**
 * Lines that say where the session stands: compactions, failures, its end.
 *
 * @module
 */
import type {
  ClosedItem,
  CompactionItem,
  FailureItem,
} from "../../projection/transcript/transcript_item.ts";
import { formatTokens } from "../token_count.ts";
import { foldedHtml } from "./folded.ts";
import { plainHtml } from "./markdown.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";

/** HTML of a compaction: a line, and folded what took the place of what came before. */
export function compactionHtml(item: CompactionItem): SafeHtml {
  const status = item.status.trim() || "Conversation compacted";
  const trigger = item.trigger === undefined ? "" : ` · ${item.trigger}`;
  const line = safe`<p class="line">${status}${tokensText(item)}${trigger}</p>`;
  const summary = (item.summary ?? "").trim();
  if (summary === "") return line;
  return safe`${line}${foldedHtml("Summary that the model gets", "", plainHtml(summary))}`;
}

function tokensText({ tokens_before: before, tokens_after: after }: CompactionItem): string {
  if (before !== undefined && after !== undefined) {
    return ` · ${formatTokens(before)} → ${formatTokens(after)} tokens`;
  }
  if (before !== undefined) return ` · ${formatTokens(before)} tokens before`;
  return after === undefined ? "" : ` · ${formatTokens(after)} tokens after`;
}

/** HTML of a turn that ended without an answer. */
export function failureHtml(item: FailureItem): SafeHtml {
  const cancelled = item.reason === "cancelled";
  const message = item.message.trim();
  const said = message === "" ? NOTHING : safe`: ${message}`;
  return cancelled
    ? safe`<p class="notice"><b class="warn">Turn cancelled</b>${said}</p>`
    : safe`<p class="notice"><b class="fail">Turn failed</b>${said}</p>`;
}

/** HTML of the session's end. */
export function closedHtml(item: ClosedItem): SafeHtml {
  const code = item.exit_code === undefined ? "" : ` · exit ${item.exit_code}`;
  const line = item.status === "failed"
    ? safe`<p class="line"><b class="fail">Session failed</b>${code}</p>`
    : safe`<p class="line"><b class="ok">Session completed</b>${code}</p>`;
  const summary = (item.summary ?? "").trim();
  return summary === "" ? line : safe`${line}${plainHtml(summary)}`;
}
