/**
 * Finds the sessions of a session's subagents on disk. They lie in the same folder and are not
 * older than their parent. Each log's head is read at most once, because it never changes.
 */
import { basename, dirname, sep } from "node:path";
import { SessionError } from "../event/session_error.ts";
import type { LogSummary } from "../projection/summary.ts";
import { timeInTurn } from "../platform/loop_turn.ts";
import { keptNames } from "./kept_names.ts";
import { logRow, type SummaryCache } from "./list_sessions.ts";
import { folderNames, LOG_FILE, type SessionFolder } from "./session_folder.ts";
import { parseFolderName } from "./session_id.ts";
import { isSubagent, withSums } from "./subagents.ts";

export class SubagentIndex {
  /** Parent's id by a log's path. `undefined` for a session that is no subagent's. */
  readonly #parents = new Map<string, string | undefined>();
  readonly #rows: SummaryCache;

  constructor(rows: SummaryCache) {
    this.#rows = rows;
  }

  /** Returns the summaries of a session's subagents. Each includes its own subagents' cost. */
  async below({ directory, session_id }: SessionFolder): Promise<LogSummary[]> {
    const paths = await this.#children(directory);
    return paths.size === 0 ? [] : this.#totals(session_id, paths, [session_id]);
  }

  /** Returns the folders of a session's subagents, of their own subagents, and so on. */
  async foldersBelow({ directory, session_id }: SessionFolder): Promise<SessionFolder[]> {
    const paths = await this.#children(directory);
    const found = new Map<string, SessionFolder>();
    for (const ids = [session_id]; ids.length > 0;) {
      for (const path of paths.get(ids.pop() ?? "") ?? []) {
        const parsed = parseFolderName(basename(dirname(path)));
        if (parsed === undefined || parsed.session_id === session_id || found.has(path)) continue;
        found.set(path, { directory: dirname(path), path, ...parsed });
        ids.push(parsed.session_id);
      }
    }
    return [...found.values()];
  }

  #totals(
    id: string,
    paths: ReadonlyMap<string, readonly string[]>,
    above: readonly string[],
  ): LogSummary[] {
    const rows = (paths.get(id) ?? []).flatMap((path) => this.#row(path) ?? []);
    // A damaged head may name a session below its own.
    return rows.filter(({ session_id }) => !above.includes(session_id)).map((row) =>
      withSums(row, this.#totals(row.session_id, paths, [...above, row.session_id]))
    );
  }

  /** Returns logs' paths by parent's id. Skips sessions begun before the one in `directory`. */
  async #children(directory: string): Promise<Map<string, string[]>> {
    const folder = dirname(directory);
    const oldest = parseFolderName(basename(directory))?.created_at ?? "";
    const found = new Map<string, string[]>();
    for (const name of keptNames(folder, folderNames)) {
      const { created_at } = parseFolderName(name) ?? {};
      if (created_at === undefined || created_at < oldest) continue;
      const path = `${folder}${sep}${name}${sep}${LOG_FILE}`;
      if (!this.#parents.has(path)) {
        await timeInTurn();
        const row = this.#row(path);
        if (row === undefined) continue;
        this.#parents.set(path, isSubagent(row) ? row.parent?.session_id : undefined);
      }
      const parent = this.#parents.get(path);
      if (parent !== undefined) found.set(parent, [...found.get(parent) ?? [], path]);
    }
    return found;
  }

  #row(path: string): LogSummary | undefined {
    try {
      return logRow(path, this.#rows);
    } catch (error) {
      if (error instanceof SessionError) return undefined;
      throw error;
    }
  }
}
