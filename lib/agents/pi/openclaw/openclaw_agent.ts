/**
 * Reads sessions of OpenClaw: pi's files, and since mid-2026 a database for each of its agents.
 *
 * In a database, the active branch is the main thread. All other entries form one other thread. A
 * reset removes all earlier entries, although OpenClaw may send its last turns again. Compressed
 * entries are read, too.
 */
import { formatReader } from "../../engine/format_reader.ts";
import { asName } from "../../engine/json.ts";
import type { SourceRecord } from "../../engine/records/source_record.ts";
import type { FormatThread, SessionFormat } from "../../engine/session_format.ts";
import { rowSource } from "../../engine/sources/row_source.ts";
import { isSqliteFile } from "../../engine/sqlite/sqlite_file.ts";
import { isDatabaseWith } from "../../engine/sqlite/sqlite_reader.ts";
import { storedSession } from "../../engine/sqlite/stored_sessions.ts";
import type { Agent, AgentSession } from "../../contract/agent.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { type EntryEmission, startEmission } from "../entry_events.ts";
import { toStarted } from "../header.ts";
import { piAgent } from "../pi_agent.ts";
import { entriesFormat, type SavedEmission } from "../pi_lines.ts";
import { hasSessions, listedSessions, openRows, otherBranch } from "./transcript_rows.ts";

const databaseFormat: SessionFormat<EntryEmission, SavedEmission> = entriesFormat({
  source: (session, thread) => rowSource(() => openRows(session, thread !== MAIN_THREAD)),
  threads: (session) => Promise.resolve(threadsOf(session)),
  begin({ session, writer }, first): EntryEmission {
    const header = first?.value.type === "session" ? first : undefined;
    const started = toStarted(session, header);
    writer.emit("session_started", started, {
      id: asName(header?.value.id),
      time: started.created_at,
      record: header,
    });
    const title = listedSessions(session.path).find(({ id }) => id === session.id)?.title;
    if (title !== undefined) writer.emit("session_renamed", { title });
    return startEmission(writer);
  },
});

function threadsOf(session: AgentSession): FormatThread[] {
  const main: FormatThread = { id: MAIN_THREAD, kind: "main", records: countOf(session) };
  const other = otherBranch(session);
  if (other === undefined) return [main];
  const { id, count: records } = other;
  const parent = { thread: MAIN_THREAD };
  return [main, { id, kind: "branch", records, parent, own: () => otherRecords(session) }];
}

function countOf(session: AgentSession): number {
  using rows = openRows(session);
  return rows.count;
}

function otherRecords(session: AgentSession): AsyncIterable<readonly SourceRecord[]> {
  return rowSource(() => openRows(session, true)).read();
}

const openFile = piAgent.open;
const openDatabase = formatReader(databaseFormat);

export const openclawAgent: Agent = {
  name: "openclaw",
  recognize: (path, head) =>
    isDatabaseWith(path, head, hasSessions) || piAgent.recognize(path, head),
  async sessionsIn(path): Promise<AgentSession[]> {
    if (isSqliteFile(path)) {
      return listedSessions(path).map((one) => storedSession("openclaw", path, one));
    }
    return (await piAgent.sessionsIn(path)).map((one) => ({ ...one, agent: "openclaw" }));
  },
  open: (session) => isSqliteFile(session.path) ? openDatabase(session) : openFile(session),
};
