/** The logs in a storage: their summaries, titles and references. */
import { REPRISE } from "../event/agent_name.ts";
import { checkArgument, text } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";
import { summary, type SummaryState } from "../projection/summary.ts";
import type { Summary } from "../projection/summary_row.ts";
import { type MarkSet, marksIn, withMarks } from "./marks.ts";
import { ambiguous, assertNotTaken, idPrefix, namedBy } from "./session_folder.ts";
import { type Awaitable, type SessionStorage, type StoredLog, then } from "./storage.ts";
import { foldSummary } from "./storage_fork.ts";
import { readStored, storagePath } from "./storage_log.ts";

/** Id of the log of titles and flags set while sessions were open. No session has this id. */
export const MARKS = ".marks";

export class StorageLogs {
  readonly #storage: SessionStorage;
  readonly #name: string;
  readonly #whole_ids: boolean;

  /**
   * @param name Name of the storage, with which the logs' paths begin.
   * @param whole_ids True if a reference must be a whole id, even for a UUID.
   */
  constructor(storage: SessionStorage, name: string, whole_ids = false) {
    this.#storage = storage;
    this.#name = name;
    this.#whole_ids = whole_ids;
  }

  async rows(): Promise<Summary[]> {
    const marks = await this.marks();
    const rows: Summary[] = [];
    for (const log of await this.logs()) rows.push(await this.row(log, marks));
    return rows;
  }

  logs(): Awaitable<readonly StoredLog[]> {
    return then(this.#storage.list(), (logs) => logs.filter(({ id }) => id !== MARKS));
  }

  async marks(): Promise<ReadonlyMap<string, MarkSet>> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const bytes of this.#storage.read(MARKS)) {
      text += decoder.decode(bytes, { stream: true });
    }
    return marksIn(text);
  }

  async row(
    { id, bytes, locked }: StoredLog,
    marks?: ReadonlyMap<string, MarkSet>,
  ): Promise<Summary> {
    const { closed, findings: _, ...row } = summary().result(await this.fold(id));
    const read: Summary = {
      ...row,
      ref: id,
      agent: REPRISE,
      session_id: id,
      path: storagePath(this.#name, id),
      bytes,
      status: locked ? "running" : closed ?? "interrupted",
    };
    return withMarks(read, marks ?? await this.marks());
  }

  async fold(id: string): Promise<SummaryState> {
    return await foldSummary(readStored(this.#storage, id));
  }

  find(ref: string): Awaitable<StoredLog> {
    checkArgument("use reference", "ref", text, ref, "invalid-ref");
    const prefix = idPrefix(ref);
    return then(this.logs(), (logs) => {
      const found = namedBy(
        prefix,
        logs.map((log) => ({ ...log, session_id: log.id })),
        this.#whole_ids,
      );
      const [log] = found;
      if (log === undefined) {
        const message = `Cannot find session "${ref}"; store.list() has all sessions`;
        throw new SessionError("not-found", message, { ref });
      }
      if (found.length > 1) throw ambiguous(ref, found.map(({ id }) => id));
      return log;
    });
  }

  assertFree(id: string): Awaitable<void> {
    return then(
      this.logs(),
      (logs) => assertNotTaken(id, logs.map((log) => ({ session_id: log.id }))),
    );
  }
}
