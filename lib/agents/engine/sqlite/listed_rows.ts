/** Reads the messages of a session in a database. The session lists its messages by key. */
import type { RecordSink } from "../records/source_record.ts";
import type { SessionRow, SessionRows } from "../sources/row_source.ts";
import { count, countSide } from "../../contract/source_account.ts";
import type { SqliteReader } from "./sqlite_reader.ts";

/** Thread id of messages that the session no longer lists: they were withdrawn or summarized. */
export const LEFT_THREAD = "left";

export interface ListedMessages {
  head(sink: RecordSink): unknown;
  listed: readonly string[];
  /** Keys of all stored messages, in the order in which they were written. */
  all: readonly string[];
  read(key: string, sink: RecordSink): Omit<SessionRow, "size"> | undefined;
  others?: number;
}

/**
 * Returns the rows of a thread: the session's own row as `{head}`, then its messages. If the
 * session lists no messages, all stored messages follow in the order of writing.
 */
export function listedRows(
  reader: SqliteReader,
  { head, listed, all, read, others = 0 }: ListedMessages,
  thread: string,
): SessionRows {
  const main = new Set(listed.length > 0 ? listed : all);
  const left = all.filter((key) => !main.has(key));
  const keys = thread === LEFT_THREAD ? left : [...main];
  return {
    count: keys.length + 1,
    at(number, sink): SessionRow | undefined {
      const key = keys[number - 1];
      if (key === undefined) {
        const value = head(sink);
        return { value: { head: value ?? {} }, weight: value === undefined ? 0 : 1, size: 0 };
      }
      const row = read(key, sink);
      return row && { ...row, size: JSON.stringify(row.value).length };
    },
    countRest({ account }): void {
      count(account, "dead", left.length);
      if (others > 0) countSide(account, "other rows", others);
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}
