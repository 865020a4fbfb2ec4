/** Renders the running sessions as cards, with the cost of today and the limits of plans. */
import { loadPrices } from "../../../library/counts/usage/load_prices.ts";
import { planWindows } from "../../../library/limits/plan/plan_windows.ts";
import { usageOf } from "../../../library/query/usage_of.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import type { RunningSession } from "../../../library/running/running_sessions.ts";
import { counted } from "../../../core/event/counted.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { UsageTotals } from "../../../core/projection/usage_totals.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { sessionTitle, withoutMarks } from "../../../text/render/html_document/page.ts";
import { planLines } from "../../../text/render/plan_text.ts";
import { doingText, stateText } from "../../../text/render/running_table.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import { agentHtml, agoHtml, shortPath } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import { sessionLink } from "../site_frame.ts";
import { shareBar } from "../stats/charts.ts";

/** Maximum number of cards. The list below them has all sessions. */
const MOST_CARDS = 12;
/** Number of cards that show the size of the context. */
const MEASURED = 3;
/** Maximum bytes of a session whose card shows the size of its context. */
const MOST_BYTES = 2_000_000;
/** Milliseconds for which the sums of today are reused. */
const KEPT_MS = 30_000;

export async function nowHtml(
  site: SiteContext,
  running: readonly RunningSession[],
  entries: readonly SessionEntry[],
  rows: ReadonlyMap<string, Summary>,
): Promise<SafeHtml> {
  if (running.length === 0) return NOTHING;
  const cards = await Promise.all(
    running.slice(0, MOST_CARDS).map(({ row, ...one }, at) =>
      cardHtml(site, { ...one, row: rows.get(row.ref) ?? row }, at < MEASURED)
    ),
  );
  const waiting = running.filter(({ attention }) => attention.state === "waits").length;
  const title = waiting === 0
    ? "Now"
    : `${counted(waiting, "session")} ${waiting === 1 ? "waits" : "wait"} for you`;
  const mark = waiting === 0 ? NOTHING : safe` data-waiting="${waiting}"`;
  return safe`<section class="now" id="now"${mark}><h2>${title}</h2><ul>${
    joinHtml(cards)
  }</ul><p class="note">${joinHtml(await todayOf(site, entries), " · ")}</p></section>
`;
}

async function cardHtml(
  site: SiteContext,
  session: RunningSession,
  is_measured: boolean,
): Promise<SafeHtml> {
  const { row, attention, cost, activity } = session;
  const { state } = attention;
  const context = is_measured && (row.bytes ?? 0) <= MOST_BYTES
    ? await contextHtml(site, row.ref)
    : NOTHING;
  const facts = [
    activity.since === undefined ? NOTHING : agoHtml(activity.since, site),
    context,
    // The list's row has prices, which the row of a running session lacks.
    safe`${costText(row.cost_usd === undefined ? cost : row).replace(/^\?$/, "")}`,
    row.cwd === undefined ? NOTHING : safe`<span>${shortPath(row.cwd)}</span>`,
  ].filter(({ markup }) => markup !== "");
  return safe`<li class="${state}"><p>${agentHtml(row.agent)} <b class="${
    state === "working" ? "running" : state
  }">${stateText(attention)}</b></p><a href="${
    sessionLink(row.ref, { end: "1" }, "end")
  }" dir="auto">${sessionTitle(row)}</a><p class="doing" dir="auto">${
    withoutMarks(doingText(session))
  }</p><p class="note">${joinHtml(facts, " · ")}</p></li>`;
}

async function contextHtml({ sessions }: SiteContext, ref: string): Promise<SafeHtml> {
  const context = await sessions.open(ref).then((opened) => opened.context()).catch(() =>
    undefined
  );
  const { recorded_tokens, tokens = 0, window_tokens } = context ?? {};
  const size = recorded_tokens ?? tokens;
  if (size === 0) return NOTHING;
  return window_tokens === undefined
    ? safe`<span>${formatTokens(size)} in context</span>`
    : safe`<span class="used">${shareBar(Math.min(size, window_tokens), window_tokens)}${
      formatTokens(size)
    } of ${formatTokens(window_tokens)}</span>`;
}

const TODAY = new WeakMap<object, { until: number; texts: Promise<SafeHtml[]> }>();

async function todayOf(site: SiteContext, entries: readonly SessionEntry[]): Promise<SafeHtml[]> {
  const known = TODAY.get(site.library);
  if (known !== undefined && known.until > performance.now()) return await known.texts;
  const texts = readToday(site, entries).catch(() => []);
  TODAY.set(site.library, { until: performance.now() + KEPT_MS, texts });
  return await texts;
}

async function readToday(
  { library, now, day_of }: SiteContext,
  entries: readonly SessionEntry[],
): Promise<SafeHtml[]> {
  const today = day_of(now().getTime());
  const { estimate } = await loadPrices({ root: library.place.root });
  const recent = entries.filter(({ updated }) => day_of(updated || 0) === today);
  const options = { estimate, kept: library.kept, dayOf: day_of, most_bytes: 4 * MOST_BYTES };
  const totals = new UsageTotals("agent", today);
  for (const used of await usageOf(recent, options)) totals.add(used);
  const cost = costText(totals.total());
  const windows = await planWindows(library, { now: now() });
  return [
    ...cost === "" ? [] : [safe`<a href="stats?since=7d">${cost} today</a>`],
    ...planLines(windows, now().getTime(), library).map(({ line }) => safe`${line}`),
  ];
}
