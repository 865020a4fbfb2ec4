/** The tool `list_sessions`. */
import { rowsOf } from "../library/candidate.ts";
import { shortIds } from "../render/short_id.ts";
import type { CursorQuery } from "../render/page/cursor.ts";
import { Page } from "../render/page/page.ts";
import { placeInRows, rowCursor } from "../render/page/places.ts";
import { answerPage, PAGE_ROOM, type ToolArguments } from "./tool_definitions.ts";
import { type History, type Request, sessionFacts } from "./history.ts";

const ROWS = 20;

/** Lists sessions, the newest update first, one a line. */
export async function listSessions(
  history: History,
  { cursor, cwd, since, title }: ToolArguments,
  request: Request,
): Promise<string> {
  const query: CursorQuery = { command: "list_sessions", query: { cwd, since, title } };
  const entries = await history.sessions.find(cwd, {
    since: since === undefined ? undefined : history.parseSince(since),
    title,
    rows: true,
  });
  request.signal.throwIfAborted();
  const rows = await rowsOf(entries);
  const names = shortIds(rows);
  const start = cursor === undefined ? 0 : placeInRows(query, cursor, rows).row;
  const page = new Page(PAGE_ROOM);
  let end = start;
  while (end < Math.min(rows.length, start + ROWS)) {
    const row = rows[end];
    if (row === undefined) break;
    if (!page.add(end, `${names[end]}  ${sessionFacts(history, request, row)}\n`)) break;
    end++;
  }
  if (rows.length === 0) return "No session fits.";
  if (end === start) return "No more sessions.";
  const last = rows[end - 1];
  return answerPage(page, end < rows.length && last ? rowCursor(query, last) : undefined);
}
