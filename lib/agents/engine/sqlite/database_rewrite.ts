/**
 * Replaces cells of another agent's database in one transaction, while no other program has the
 * database open. Afterwards the file is rebuilt, so that no free page keeps old content.
 */
import { DatabaseSync } from "node:sqlite";
import { SessionError } from "../../../core/event/session_error.ts";
import { cellCondition, type CellContent, type CellPlace } from "./database_cells.ts";
import { isBusy, refuseActive, refuseMissing } from "./database_change.ts";
import { quoted } from "./plain_tables.ts";
import { sqliteError } from "./sqlite_source.ts";

export interface CellChange extends CellPlace {
  content: CellContent;
  next: CellContent;
}

/** A database that only this process has open. Closing it without a commit undoes all changes. */
export class DatabaseRewrite implements Disposable {
  readonly #path: string;
  readonly #title: string;
  readonly #database: DatabaseSync;
  #has_log = false;

  /**
   * Opens the database, and locks out all other programs.
   *
   * @param title The title of the agent that owns the database.
   * @throws {SessionError} `locked` if a program has the database open, `unsupported-source` if a
   * change would run code, `not-found`, `permission`, `io`
   */
  constructor(path: string, title: string) {
    this.#path = path;
    this.#title = title;
    refuseMissing(path);
    this.#database = this.#ask(() =>
      new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: 0 })
    );
    try {
      this.#ask(() => this.#lock());
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  #lock(): void {
    const database = this.#database;
    // Set before the first access, because a log's index would otherwise be shared.
    database.exec(
      "PRAGMA locking_mode = exclusive; PRAGMA trusted_schema = off; PRAGMA secure_delete = on",
    );
    refuseActive(database, this.#path, "scrub session");
    // Old frames of the log are moved into the database, where `VACUUM` removes them.
    const mode = database.prepare("PRAGMA journal_mode").get()?.journal_mode;
    this.#has_log = mode === "wal";
    if (this.#has_log) database.exec("PRAGMA journal_mode = delete");
    database.exec("BEGIN EXCLUSIVE");
  }

  /** Replaces cells. Returns false if a cell has changed, and the caller must then not commit. */
  replace(changes: readonly CellChange[]): boolean {
    return this.#ask(() =>
      changes.every((change) => {
        const { where, values } = cellCondition(change, change.content);
        const { table, column, next } = change;
        const sql = `UPDATE ${quoted(table)} SET ${quoted(column)} = ? WHERE ${where}`;
        return Number(this.#database.prepare(sql).run(next, ...values).changes) > 0;
      })
    );
  }

  commit(): void {
    this.#ask(() => this.#database.exec("COMMIT; VACUUM"));
  }

  [Symbol.dispose](): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      if (this.#has_log) this.#database.exec("PRAGMA journal_mode = wal");
    } finally {
      this.#database.close();
    }
  }

  #ask<Answer>(question: () => Answer): Answer {
    try {
      return question();
    } catch (error) {
      if (!isBusy(error)) throw sqliteError(error, this.#path);
      const message = "Cannot change session: a program has its database open; " +
        `quit ${this.#title} first: ${this.#path}`;
      throw new SessionError("locked", message, { path: this.#path }, error);
    }
  }
}
