/** Renders the threads of a session, each below its parent thread. */
import { present } from "../../../core/event/present.ts";
import { MAIN_THREAD, type SessionThread } from "../../../core/projection/session_thread.ts";
import { countedTokens } from "../../../core/projection/token_usage.ts";
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import type { Spent } from "../../../library/counts/usage/usage_sums.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { timeHtml } from "../../../text/render/html_document/elements.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { sessionTitle } from "../../../text/render/html_document/page.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "../site_frame.ts";

const TITLE = 160;
/** Maximum depth of indentation. Deeper threads are not indented further. */
const MOST_DEPTH = 6;

export async function threadsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { ref, handle, summary } = await site.sessions.open(query.get("ref") ?? "");
  const { summary: row } = await summary();
  const title = `Threads of ${sessionTitle(row)}`;
  const { estimate } = await loadPrices();
  const threads = inTree(
    (await handle.threads()).map((one) =>
      one.id === MAIN_THREAD ? { ...present({ updated_at: row.updated_at }), ...one } : one
    ),
  );
  const facts = { ref, site, spent: await handle.spentByThreads(estimate) };
  const turns = await turnsOf(handle);
  const rows = threads.map((one) => rowHtml(one, { ...facts, turns: turns.get(one.thread.id) }));
  const body = safe`<h1 dir="auto">${title}</h1>
<div class="wide" tabindex="0" role="region" aria-label="Threads"><table class="sums">
<thead><tr><th class="name" scope="col">Thread</th><th scope="col">Kind</th><th scope="col">Turns</th><th scope="col">Tokens</th><th scope="col">Cost</th><th scope="col">Updated</th></tr></thead>
<tbody>
${joinHtml(rows, "\n")}
</tbody></table></div>
<p class="note"><a href="${sessionLink(ref)}">Back to the session</a></p>`;
  return sitePage({ title, place: "session", body }, site.version);
}

interface PlacedThread {
  thread: SessionThread;
  depth: number;
}

/** Puts each thread below its parent thread. A thread without a known parent stays on top. */
function inTree(threads: readonly SessionThread[]): PlacedThread[] {
  const ids = new Set(threads.map(({ id }) => id));
  const above = ({ id, parent }: SessionThread): string =>
    parent !== undefined && parent.thread !== id && ids.has(parent.thread) ? parent.thread : "";
  const below = Map.groupBy(threads, above);
  const placed = new Map<string, PlacedThread>();
  const place = (list: readonly SessionThread[], depth: number): void => {
    for (const thread of list) {
      if (placed.has(thread.id)) continue;
      placed.set(thread.id, { thread, depth });
      place(below.get(thread.id) ?? [], depth + 1);
    }
  };
  place(below.get("") ?? [], 0);
  // The recorded parents of threads may form a cycle.
  place(threads, 0);
  return [...placed.values()];
}

/** Counts the prompts of each thread. A prompt that threads share is counted once. */
async function turnsOf(handle: SessionHandle): Promise<Map<string, number>> {
  const turns = new Map<string, number>();
  for await (const { thread, events } of handle.allEvents({ needs: new Set(["user_message"]) })) {
    const prompts = events.filter((one) => one.form === "known" && one.kind === "user_message");
    turns.set(thread, (turns.get(thread) ?? 0) + prompts.length);
  }
  return turns;
}

interface RowFacts {
  ref: string;
  site: SiteContext;
  spent: ReadonlyMap<string, Spent>;
  turns: number | undefined;
}

function rowHtml(
  { thread: { id, kind, title = "", updated_at }, depth }: PlacedThread,
  { ref, site, spent, turns }: RowFacts,
): SafeHtml {
  const is_main = id === MAIN_THREAD;
  const name = firstLine(title, TITLE) || (is_main ? "Main thread" : sanitizeLine(id));
  const took = spent.get(id);
  const tokens = took === undefined ? 0 : countedTokens(took.usage);
  const href = sessionLink(ref, is_main ? {} : { thread: id });
  return safe`<tr data-row><td class="name depth${
    Math.min(depth, MOST_DEPTH)
  }"><a href="${href}" dir="auto">${name}</a></td><td>${kind}</td><td>${turns ?? 0}</td><td>${
    tokens === 0 ? "" : formatTokens(tokens)
  }</td><td>${took === undefined ? "" : costText(took)}</td><td>${
    updated_at === undefined ? NOTHING : timeHtml(updated_at, site.format_time)
  }</td></tr>`;
}
