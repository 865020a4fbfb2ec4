/** Lists sessions to an editor in pages, and opens the sessions that the editor names. */
import { AGENT_NAMES, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { findImports, importKey } from "../../core/store/import/find_imports.ts";
import { wasContinued } from "../../core/store/import/was_continued.ts";
import { parseSessionId } from "../../core/store/ref.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { CursorQuery } from "../../text/render/page/cursor.ts";
import { placeInRows, rowCursor } from "../../text/render/page/places.ts";

/**
 * Opens a session by its full id: the store's id, or `<agent>:<id>`. An editor cannot open files,
 * or sessions by the first characters of an id.
 *
 * @throws {SessionError} `invalid-ref` if `id` is malformed; `not-found`; else as `Library.open`
 */
export async function findById(library: Library, id: string): Promise<SessionHandle> {
  const { kind, seq, thread } = parseSessionId(id, AGENT_NAMES);
  if (kind === "team" || seq !== undefined || thread !== undefined) throw notFound(id);
  const session = await library.open(id);
  if (sessionRef(session.session) !== id) throw notFound(id);
  return session;
}

/**
 * Returns the newest import of another agent's session, if the import itself was continued.
 * Undefined without such an import, or if the session already belongs to the store.
 */
export async function continuationOf(
  library: Library,
  { agent, id, writable }: SessionHandle,
): Promise<SessionHandle | undefined> {
  if (agent === REPRISE || writable) return undefined;
  const imports = findImports(library.root).get(importKey({ agent, id })) ?? [];
  const continued = imports.findLast(({ imported_from, path }) =>
    imported_from.branch === undefined && wasContinued(path)
  );
  return continued === undefined ? undefined : await library.open(continued.session_id);
}

function notFound(id: string): SessionError {
  return new SessionError("not-found", `Cannot find session "${id}"; list the sessions again`, {
    ref: id,
  });
}

export const PAGE_ROWS = 100;

interface ListPage {
  rows: readonly Summary[];
  next?: string;
}

/**
 * Returns the page that a cursor names, or the first page.
 *
 * @param rows All rows of the list, the newest update first. Rows of the same time are in the order
 * of their references.
 * @param cwd The directory whose sessions are listed; undefined for all directories.
 * @throws {SyntaxError} If the text is not a cursor, or if the cursor belongs to another list.
 */
export function listPage(
  rows: readonly Summary[],
  cwd: string | undefined,
  cursor: string | undefined,
): ListPage {
  const of: CursorQuery = { command: "session_list", query: { cwd } };
  const first = cursor === undefined ? 0 : placeInRows(of, cursor, rows).row;
  const page = rows.slice(first, first + PAGE_ROWS);
  return first + page.length >= rows.length
    ? { rows: page }
    : { rows: page, next: rowCursor(of, page.at(-1)) };
}
