/** Renders the strip of turns above a session, and the sidebar (rail) with its sums. */
import type { Summary } from "../../../core/projection/summary_row.ts";
import { counted } from "../../../core/event/counted.ts";
import { factsHtml } from "../../../text/render/html_document/elements.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { relativePath } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { formatDuration } from "../../../text/render/time_label.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import { tagHtml } from "../session_labels.ts";
import { sessionLink } from "../site_frame.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import type { TurnMark } from "./vitals.ts";

/** Maximum number of marks of a strip. In longer sessions, neighbouring turns share a mark. */
const MOST_MARKS = 240;
const TITLE = 80;
const MOST_FILES = 12;
const NANOSECONDS_PER_MS = 1e6;
/** Height that the longest turn adds to `LEAST`, in percent of the strip's height. */
const HEIGHT = 84;
/** Minimum height of a mark, in percent of the strip's height. */
const LEAST = 16;

/** Renders a mark for each turn, for mouse users. Others have the table of contents instead. */
export async function stripHtml(opened: OpenedSession): Promise<SafeHtml> {
  const { turns } = await opened.vitals();
  if (turns.length < 2) return NOTHING;
  const step = Math.ceil(turns.length / MOST_MARKS);
  const marks = Array.from(
    { length: Math.ceil(turns.length / step) },
    (_, at) => turns.slice(at * step, (at + 1) * step),
  );
  const most = Math.max(1, tookOf(turns));
  const links = marks.map((some, at) => markHtml(opened, some, { number: at * step + 1, most }));
  return safe`<div class="strip" aria-hidden="true">${joinHtml(links)}</div>\n`;
}

function tookOf(turns: readonly TurnMark[]): number {
  return turns.reduce((longest, { took_ms }) => Math.max(longest, took_ms), 0);
}

function markHtml(
  { ref, thread }: OpenedSession,
  turns: readonly TurnMark[],
  { number, most }: { number: number; most: number },
): SafeHtml {
  const [first] = turns;
  if (first === undefined) return NOTHING;
  const sums = new Map<string, number>();
  for (const { calls } of turns) {
    for (const [kind, count] of Object.entries(calls)) {
      sums.set(kind, (sums.get(kind) ?? 0) + count);
    }
  }
  const [kind = "other"] = [...sums].sort(([, one], [, other]) => other - one)[0] ?? [];
  const failed = turns.reduce((sum, one) => sum + one.failed, 0);
  const took = tookOf(turns);
  const notch = turns.some(({ compactions }) => compactions > 0) ? " notch" : "";
  const title = [
    `Turn ${number}: ${firstLine(first.title, TITLE)}`,
    took === 0 ? "" : formatDuration(took * NANOSECONDS_PER_MS),
    ...[...sums].map(([name, count]) => `${count} ${name}`),
    failed === 0 ? "" : `${failed} failed`,
    notch === "" ? "" : "compacted",
  ].filter((text) => text !== "").join(" · ");
  const height = Math.round(LEAST + HEIGHT * Math.sqrt(took / most));
  const more = { ...thread, seq: String(first.seq) };
  return safe`<a tabindex="-1" class="k-${kind}${notch}" title="${title}" href="${
    sessionLink(ref, more, `e${first.seq}`)
  }"><svg viewBox="0 0 1 100" preserveAspectRatio="none"><rect width="1" y="${
    100 - height
  }" height="${height}"></rect>${
    failed === 0 ? NOTHING : safe`<rect class="bad" width="1" y="88" height="12"></rect>`
  }</svg></a>`;
}

export async function railHtml(opened: OpenedSession, summary: Summary): Promise<SafeHtml> {
  const { turns, files } = await opened.vitals();
  const context = await opened.context();
  const { usage, tags = [], note, active_ms = 0 } = summary;
  const size = context?.recorded_tokens ?? context?.tokens;
  const sumOf = (of: (turn: TurnMark) => number): number =>
    turns.reduce((sum, turn) => sum + of(turn), 0);
  const [failed, compactions] = [sumOf((one) => one.failed), sumOf((one) => one.compactions)];
  const tokens = ([["in", usage?.input], ["from cache", usage?.cache_read], [
    "out",
    usage?.output,
  ]] as const).flatMap(([word, count]) => count ? [`${formatTokens(count)} ${word}`] : []);
  const facts = factsHtml([
    ["Cost", costText(summary)],
    ["Tokens", tokens.join(" · ")],
    [
      "Context",
      size === undefined
        ? ""
        : `${formatTokens(size)}${
          context?.window_tokens === undefined ? "" : ` of ${formatTokens(context.window_tokens)}`
        }`,
    ],
    ["Active", active_ms === 0 ? "" : formatDuration(active_ms * NANOSECONDS_PER_MS)],
    ["Turns", turns.length === 0 ? "" : String(turns.length)],
    ["Compactions", compactions === 0 ? "" : String(compactions)],
    ["Failed", failed === 0 ? "" : safe`<b class="fail">${counted(failed, "call")}</b>`],
    ["Tags", joinHtml(tags.map(tagHtml), " ")],
    ["Note", note === undefined ? "" : safe`<span dir="auto">${note}</span>`],
  ]);
  return safe`<aside class="rail" id="rail" data-live="" aria-label="About the session">${facts}${
    filesHtml(opened, files, summary.cwd)
  }</aside>\n`;
}

function filesHtml(
  { ref }: OpenedSession,
  files: ReadonlyMap<string, readonly [number, number]>,
  cwd: string | undefined,
): SafeHtml {
  if (files.size === 0) return NOTHING;
  const most = [...files].sort(([, one], [, other]) => other[0] + other[1] - one[0] - one[1]);
  const lines = most.slice(0, MOST_FILES).map(([path, [added, removed]]) =>
    safe`<li><code>${
      sanitizeLine(relativePath(path, cwd))
    }</code> <span><b class="ok">+${added}</b> <b class="fail">−${removed}</b></span></li>`
  );
  return safe`<h2><a href="files?${new URLSearchParams({ ref }).toString()}">${
    counted(files.size, "changed file")
  }</a></h2><ul>${joinHtml(lines)}</ul>`;
}
