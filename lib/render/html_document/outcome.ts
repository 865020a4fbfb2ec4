/**
 * Names the outcome of a call in words.
 *
 * @module
 */
import { statusText } from "../status_text.ts";
import type { ItemStatus } from "../../projection/transcript/transcript_item.ts";
import { formatDuration } from "../duration.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";

/** A word of an outcome; what colour it has, it says by itself too. */
export interface OutcomeWord {
  text: string;
  ink?: "ok" | "fail" | "warn";
}

/** What tools and commands share. */
export interface Outcome {
  status: ItemStatus;
  exit_code?: number;
  duration_ns?: number;
  truncated?: boolean;
  orphan?: boolean;
}

const STATUS: Readonly<Record<ItemStatus, OutcomeWord>> = {
  ok: { text: "ok", ink: "ok" },
  error: { text: "failed", ink: "fail" },
  interrupted: { text: "interrupted", ink: "warn" },
  skipped: { text: "skipped", ink: "warn" },
  unsettled: { text: statusText("unsettled"), ink: "warn" },
  not_run: { text: statusText("not_run"), ink: "warn" },
};

/** The status as a word. What is no status is shown as it is. */
export function statusWord(status: ItemStatus): OutcomeWord {
  return Object.hasOwn(STATUS, status) ? STATUS[status] : { text: status };
}

/** All that is said of an outcome on one line. */
export function outcomeWords(outcome: Outcome): OutcomeWord[] {
  const words = [statusWord(outcome.status)];
  if (outcome.exit_code !== undefined) words.push({ text: `exit ${outcome.exit_code}` });
  if (outcome.duration_ns !== undefined) words.push({ text: formatDuration(outcome.duration_ns) });
  if (outcome.truncated) words.push({ text: "output truncated", ink: "warn" });
  if (outcome.orphan) words.push({ text: "settled without a start", ink: "warn" });
  return words;
}

/** Words as HTML, apart by dots. */
export function outcomeHtml(words: readonly OutcomeWord[]): SafeHtml {
  const shown = words.map(({ text, ink }) =>
    ink === undefined ? safe`${text}` : safe`<b class="${ink}">${text}</b>`
  );
  return safe`<span class="end">${joinHtml(shown, " · ")}</span>`;
}
