/** Checks rows that another machine sent, and adapts the rows to this machine. Pure. */
import { SessionError } from "../../../core/event/session_error.ts";
import { asList, asName, asObject, type Json, parsedJson } from "../../engine/json.ts";
import type { SentRows } from "../../contract/session_rows.ts";
import { OWNED_TABLES } from "./read_rows.ts";

export type Cell = string | number;

export interface SentRow {
  table: string;
  row: Record<string, Cell>;
}

interface SentIds {
  session: Set<string>;
  message: Set<string>;
}

const ID = /^\w[\w-]{3,127}$/;
/** Maximum cells of a row. OpenCode's widest row has 29. */
const MOST_CELLS = 200;

/**
 * Parses rows. The first row must be the row of the session itself.
 *
 * @throws {SessionError} `damaged` for rows of another session, or for no rows
 */
export function parseSentRows({ id, text, moved }: SentRows): SentRow[] {
  const ids: SentIds = { session: new Set(), message: new Set() };
  const rows: SentRow[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [table, row] = asList(parsedJson(line));
    const sent: Json = asObject(row);
    if (!isOwn(table, sent, ids, id)) {
      const message = "Cannot take the sent session: it has a row that is not of this session";
      throw new SessionError("damaged", message);
    }
    rows.push({ table: String(table), row: adapted(String(table), sent as SentRow["row"], moved) });
  }
  if (rows.length > 0) return rows;
  throw new SessionError("damaged", "Cannot take the sent session: it has no rows");
}

/** True for a row of the session or of a subagent, if its parent's row came first. Fills `ids`. */
function isOwn(table: unknown, row: Json, ids: SentIds, main: string): boolean {
  const { id, parent_id, session_id, message_id } = row;
  const are_cells = Object.entries(row).every(([name, cell]) =>
    /^\w+$/.test(name) && (typeof cell === "string" || Number.isFinite(cell))
  );
  if (!are_cells || Object.keys(row).length > MOST_CELLS) return false;
  if (table === "session") {
    const known = ids.session.size === 0 ? id === main : ids.session.has(String(parent_id));
    ids.session.add(String(id));
    return known && typeof id === "string" && ID.test(id);
  }
  if (!OWNED_TABLES.some((name) => name === table)) return false;
  if (table === "message") ids.message.add(String(id));
  return ids.session.has(String(session_id)) &&
    (table !== "part" || ids.message.has(String(message_id)));
}

/**
 * Removes the sender's project, workspace, share URL and snapshots from a row. OpenCode passes a
 * snapshot's hash to git, so a sender could inject a flag (1.18.33, src/snapshot/index.ts).
 */
function adapted(table: string, row: SentRow["row"], moved: SentRows["moved"]): SentRow["row"] {
  switch (table) {
    case "session": {
      const { project_id: _, workspace_id: __, share_url: ___, ...own } = row;
      const { permission, directory, revert } = own;
      // No sender allows anything here.
      const denied = asList(parsedJson(permission))
        .filter((rule) => asObject(rule).action === "deny");
      const { snapshot: ____, ...hidden } = asObject(parsedJson(revert));
      return {
        ...own,
        ...(directory === undefined ? {} : { directory: moved(String(directory)) }),
        ...(permission === undefined ? {} : { permission: JSON.stringify(denied) }),
        ...(revert === undefined ? {} : { revert: JSON.stringify(hidden) }),
      };
    }
    case "message":
      return withData(row, ({ path, ...data }) => {
        const { cwd, root } = asObject(path);
        if (asName(cwd) === undefined || asName(root) === undefined) return undefined;
        return { ...data, path: { cwd: moved(String(cwd)), root: moved(String(root)) } };
      });
    case "part":
      return withData(row, ({ snapshot, ...data }) => {
        // An undo would delete these files, as it does not find them in a snapshot.
        if (data.type === "patch") return { ...data, files: [] };
        if (snapshot === undefined) return undefined;
        return data.type === "snapshot" ? { ...data, snapshot: "" } : data;
      });
    default:
      return row;
  }
}

function withData(row: SentRow["row"], change: (data: Json) => Json | undefined): SentRow["row"] {
  const data = change(asObject(parsedJson(row.data)));
  return data === undefined ? row : { ...row, data: JSON.stringify(data) };
}
