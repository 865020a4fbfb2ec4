/** The tools that find sessions: `list_sessions` and `search_sessions`. */
import { present } from "../../core/event/present.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import { sortedEntries } from "../../library/query/sorted_entries.ts";
import { runningAmong } from "../../library/running/running_among.ts";
import { leftOutUndated } from "../../text/render/undated.ts";
import type { CursorQuery } from "../../text/render/page/cursor.ts";
import { Page } from "../../text/render/page/page.ts";
import {
  hitCursor,
  hitsBehind,
  parseHitCursor,
  placeInRows,
  rowCursor,
} from "../../text/render/page/places.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { shortIds } from "../../text/render/short_id.ts";
import { type HitRow, hitRows } from "../../library/search/hit_rows.ts";
import type { SearchHit } from "../../library/search/search_task.ts";
import { needsCounts, ORDER_VALUES } from "../../core/store/session_order.ts";
import { wordsIn } from "../../core/store/session_words.ts";
import {
  NEEDS_INDEX,
  SEARCH_TIERS,
  searchTiers,
  type TieredResult,
  tierText,
} from "../../library/search/tiers.ts";
import { type History, mayBeOpen, type Request, sessionFacts } from "./history.ts";
import { withoutOwnCalls } from "./own_calls.ts";
import { wholeWords } from "./quotation.ts";
import { answerPage, ArgumentError, PAGE_ROOM, type ToolArguments } from "./tool_definitions.ts";

const ROWS = 20;

/** Lists sessions, one a line. The default order is the newest update first. */
export async function listSessions(
  history: History,
  { cursor, ...asked }: ToolArguments,
  request: Request,
): Promise<string> {
  const query: CursorQuery = { command: "list_sessions", query: asked };
  const { cwd, file, since, until, gone, sort } = asked;
  const exact = needsCounts(sort);
  const { entries: found, undated } = await history.sessions.find(cwd, {
    since: since === undefined ? undefined : history.parseSince(since),
    until: until === undefined ? undefined : history.parseUntil(until),
    ...{ ...wordsIn(asked), gone, exact, rows: true },
  }, file);
  request.signal.throwIfAborted();
  if (exact) await history.library.fillCosts(found);
  const entries = sort === undefined ? found : await sortedEntries(found, ORDER_VALUES[sort]);
  const rows = await rowsOf(entries);
  const names = shortIds(rows);
  const start = cursor === undefined ? 0 : placeInRows(query, cursor, rows).row;
  const page = new Page(PAGE_ROOM);
  const waiting = await runningAmong(history.library, rows.slice(start, start + ROWS), true);
  const left_out = undatedLine(undated);
  if (start === 0) page.add(start, left_out);
  let end = start;
  while (end < Math.min(rows.length, start + ROWS)) {
    const row = rows[end];
    if (row === undefined) break;
    const facts = sessionFacts(history, request, row, waiting.get(row.ref));
    if (!page.add(end, `${names[end]}  ${facts}\n`)) break;
    end++;
  }
  if (rows.length === 0) {
    return `${left_out}${history.sessions.nothing(cwd, "No session fits.")}`;
  }
  if (end === start) return "No more sessions.";
  const last = rows[end - 1];
  return answerPage(page, end < rows.length && last ? rowCursor(query, last) : undefined);
}

function undatedLine(count: number): string {
  return count === 0 ? "" : `${leftOutUndated(count)}\n`;
}

const HITS = 10;
/** Number of additional hits to ask for. One shows whether more hits follow. */
const ONE_MORE = 1;
/** Number of additional hits for calls, because some may be calls of Reprise's own tools. */
const SPARE_CALLS = 5;

export async function searchSessions(
  history: History,
  args: ToolArguments,
  request: Request,
): Promise<string> {
  const { cursor, cwd, file, limit = HITS, query = "", role, since, gone } = args;
  const words = wordsIn(args);
  const of: CursorQuery = {
    command: "search_sessions",
    query: { cwd, file, query, role, since, gone, ...words },
  };
  const place = cursor === undefined ? undefined : parseHitCursor(of, cursor);
  const now = place?.now ?? history.now().getTime();
  const served = await history.sessions.find(cwd, { ...words, archived: "any", gone }, file);
  const entries = served.entries.filter(({ session }) => !request.callers.has(session.id));
  const undated = entries.filter(({ updated }) => since !== undefined && Number.isNaN(updated));
  const asked = present({
    ...{ query, now },
    roles: role === undefined ? undefined : [role],
    since: since === undefined ? undefined : history.parseSince(since).getTime(),
  });
  const spare = role === undefined || role === "tool" ? SPARE_CALLS : ONE_MORE;
  let tiers = SEARCH_TIERS;
  for (let wanted = limit + spare;; wanted *= 4) {
    const found = await hitsBehind(place, wanted, (limit) => {
      request.signal.throwIfAborted();
      return searchTiers(entries, { ...asked, tiers, limit }, {
        cache: history.library.cache,
        kept: history.library.kept,
        marks: history.library.marks,
        signal: request.signal,
      });
    });
    const is_first = tiers === SEARCH_TIERS;
    if (found === undefined && !is_first) throw new ArgumentError(GONE);
    const { result, start = 0 } = found ?? {};
    const hits = result?.hits ?? [];
    const behind = hits.slice(start);
    const rows = await hitRows(entries, new Set(behind.map(({ ref }) => ref)));
    const ours = await withoutOwnCalls(history, behind, {
      ...{ entries, most: limit + ONE_MORE },
      isOpen: (ref) => {
        const row = rows.get(ref)?.summary;
        return row !== undefined && mayBeOpen(history, row);
      },
    });
    if (ours.length <= limit && behind.length >= wanted) continue;
    // Calls of ours may be all that have these words in one message.
    const may_be_calls = found === undefined || place === undefined && ours.length === 0;
    if (may_be_calls && is_first && result?.tier !== "wording") tiers = SEARCH_TIERS.slice(1);
    else {
      return hitPage(history, request, {
        ...{ of, cwd, now, result, hits, ours, limit, rows },
        left_out: undatedLine(place === undefined ? undated.length : 0),
      });
    }
  }
}

const GONE =
  "Cannot continue: the previous page's last hit no longer exists; search again without cursor";

interface Found {
  of: CursorQuery;
  cwd: string | undefined;
  now: number;
  hits: readonly SearchHit[];
  /** The hits after the cursor's position, without hits in calls of Reprise's own tools. */
  ours: readonly SearchHit[];
  limit: number;
  rows: ReadonlyMap<string, HitRow>;
  result: TieredResult | undefined;
  /** A line about sessions left out for lack of a date. Empty if there are none. */
  left_out: string;
}

function hitPage(
  history: History,
  request: Request,
  { of, cwd, now, result, hits, ours, limit, rows, left_out }: Found,
): string {
  const page = new Page(PAGE_ROOM);
  page.add(0, left_out);
  const about = result && ours.length > 0 ? tierText(result) : "";
  if (about !== "") page.add(0, `${about}\n`);
  const told = new Set<string>();
  let shown = 0;
  for (const hit of ours.slice(0, limit)) {
    // What is known of a session stands at its first hit of the page.
    const facts = told.has(hit.ref) ? "" : hitFacts(history, request, hit, rows);
    if (!page.add(shown, hitText(history, hit, facts, rows))) break;
    told.add(hit.ref);
    shown++;
  }
  if (ours.length === 0) {
    const none = result?.needs_index
      ? `No session has these words. ${NEEDS_INDEX}`
      : "No session has these words.";
    return `${left_out}${history.sessions.nothing(cwd, none)}`;
  }
  const last = ours[shown - 1];
  if (last === undefined || shown === ours.length) return answerPage(page, undefined);
  const count = hits.indexOf(last) + 1;
  return answerPage(page, hitCursor(of, { now, count }, last));
}

function hitFacts(
  history: History,
  request: Request,
  { ref }: SearchHit,
  rows: Found["rows"],
): string {
  const row = rows.get(ref);
  return row === undefined ? "" : `  ${sessionFacts(history, request, row.summary)}`;
}

function hitText(
  history: History,
  { ref, thread, seq, role, snippet }: SearchHit,
  facts: string,
  rows: Found["rows"],
): string {
  const name = rows.get(ref)?.name ?? ref;
  const place = `${name}${thread === undefined ? "" : `~${sanitizeLine(thread)}`}#${seq}`;
  const text = history.redacts ? wholeWords(snippet) : snippet;
  return `${place}  ${role}${facts}\n  ${history.quote.line(text)}\n`;
}
