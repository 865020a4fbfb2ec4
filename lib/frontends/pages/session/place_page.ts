/** Redirects to a turn of a session by its number or its time. */
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, redirectResponse, sessionLink } from "../site_frame.ts";
import type { OpenedSession } from "./opened_sessions.ts";

const TIME = /^(?:(\d{4}-\d\d-\d\d)[ T]?)?(\d\d?:\d\d)?$/;

/** True for a local day, time of day or both (`2025-01-31 9:30`), and for ISO 8601 in UTC. */
export function isTime(text: string): boolean {
  return text !== "" && TIME.test(text) || /^\d{4}-.*Z$/.test(text) && Date.parse(text) > 0;
}

export function placeLink(
  { ref, thread }: Pick<OpenedSession, "ref" | "thread">,
  place: { turn: string } | { time: string },
): string {
  return `place?${new URLSearchParams({ ref, ...thread, ...place })}`;
}

export async function placePage(site: SiteContext, query: URLSearchParams): Promise<PageResponse> {
  const opened = await site.sessions.open(query.get("ref") ?? "", query.get("thread") ?? undefined);
  const { ref, thread, items } = opened;
  await items.readAll();
  const { prompts } = items;
  const time = query.get("time") ?? "";
  const prompt = isTime(time)
    ? prompts[await turnAt(opened, time, site) - 1]
    : prompts[Math.min(Number(query.get("turn")) || 1, prompts.length) - 1];
  if (prompt === undefined) return redirectResponse(sessionLink(ref, thread));
  const { item, seq } = prompt;
  return redirectResponse(sessionLink(ref, { ...thread, from: String(item) }, `e${seq}`));
}

/** Returns the number of the last turn that began at or before a time, or 1 if there is none. */
async function turnAt(
  { items, summary }: OpenedSession,
  text: string,
  site: SiteContext,
): Promise<number> {
  const keys = items.prompts.map(({ time }) => keyOf(time, site));
  const [, day = "", clock = day === "" ? "" : "23:59"] = TIME.exec(text) ?? [];
  const wanted = clock.padStart(5, "0");
  // The time of a day that is not named is that of the last day that has it.
  const end = keyOf((await summary()).summary.updated_at, site);
  const days = [...new Set(keys.map((key) => key.slice(0, -wanted.length - 1)))];
  const last = days.findLast((one) => `${one} ${wanted}` <= end) ?? days[0];
  const key = clock === "" ? keyOf(text, site) : `${day || last} ${wanted}`;
  return Math.max(1, keys.findLastIndex((one) => one !== "" && one <= key) + 1);
}

function keyOf(iso: string | undefined, { minute_of }: SiteContext): string {
  const milliseconds = Date.parse(iso ?? "");
  return Number.isNaN(milliseconds) ? "" : minute_of(milliseconds);
}
