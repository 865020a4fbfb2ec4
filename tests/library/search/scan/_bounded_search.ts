/**
 * Searches the sessions of a store with an expression that would need years: `_bounded_search.ts
 * ROOT`. Prints what it found. Deno 2.7.11 ends no thread while an expression is at work, so it goes
 * on until this process ends.
 */
import { searchSessions } from "../../../../lib/library/search/search.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";

const request = { query: "(?:a+)+$|ledger", regex: true, now: Date.UTC(2026, 11, 1), limit: 9 };

const sessions = ownSessions(Deno.args[0] ?? "");
const whole = await searchSessions(sessions, { ...request, query: "ledger" });
// Until the thread has loaded: a busy machine needs longer.
let late = whole;
for (let regex_ms = 500; late.searched_in_time !== 1 && regex_ms < 60_000; regex_ms *= 2) {
  late = await searchSessions(sessions, request, { regex_ms, workers: 1 });
}
const time = "2026-11-21T00:00:00.000Z";
const note = { value: `${"a".repeat(60)}!`, time };
const marks = new Map(sessions.map(({ id }) => [id, { note }]));
const marked = await searchSessions(sessions, request, { regex_ms: 200, workers: 1, marks });
const controller = new AbortController();
const stopped = searchSessions(sessions, request, { signal: controller.signal });
controller.abort(new Error("enough"));
const [{ reason }] = await Promise.allSettled([stopped]) as [PromiseRejectedResult];
const told = {
  whole: [whole.total, whole.searched_in_time ?? "all"],
  hits: late.hits.map(({ session_id }) => session_id),
  late: [late.searched_in_time, late.estimated, late.possible === Infinity],
  marked: marked.searched_in_time,
  stopped: `${reason}`,
};
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(told)));
Deno.exit();
