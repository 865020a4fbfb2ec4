/** The records of a goose session in whatever it lies. */
import type { AgentSession } from "../../source/agent.ts";
import type { RecordSource, RecordStretch } from "../../reading/sources/record_source.ts";
import { rowSource } from "../../reading/sources/row_source.ts";
import { isSqliteFile } from "../../reading/sqlite/sqlite_file.ts";
import { openRows } from "./database_rows.ts";
import { markAnswers, withAnswers } from "./exchanges.ts";
import { legacySource } from "./legacy_session.ts";

/** Makes the source of a session's entries. */
export function gooseSource(session: AgentSession): RecordSource {
  if (!isDatabase(session.path)) return legacySource(session.path);
  const rows = rowSource(() => openRows(session));
  return {
    // A list's row is the same without the answers.
    ...rows,
    read: (options, from) => withAnswers(rows.read(options, from)),
    async last(bytes, options): Promise<RecordStretch> {
      const end = await rows.last(bytes, options);
      markAnswers(end.records);
      return end;
    },
  };
}

/** True for a database, by its first bytes, and by its name where these are gone. */
export function isDatabase(path: string): boolean {
  return isSqliteFile(path) || path.endsWith(".db");
}
