/**
 * Writes sessions for OpenCode and Kilo CLI as documents for their `import` command. No database is
 * written here. OpenCode 1.18 and Kilo CLI 7.7.9 were seen to resume such sessions.
 */
import { join } from "node:path";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { asName, asObject, type Json, present } from "../../engine/json.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { SessionPlacement, SessionWriter, ToolForms } from "../../contract/session_writer.ts";
import { openSession } from "../store/open_session.ts";
import type { StoredMessage, StoredPart } from "../stored_session.ts";
import { sessionId, writeImportFile } from "./import_file.ts";
import { type ImportingClient, KILO, OPENCODE } from "./importing_client.ts";

const TOOLS: ToolForms = {
  bash: {
    name: "bash",
    input: ({ command, description }) => present({ command, description }),
  },
  read: {
    name: "read",
    input: ({ path, offset, limit }) => present({ filePath: path, offset, limit }),
  },
  write: { name: "write", input: ({ path, content }) => ({ filePath: path, content }) },
  edit: {
    name: "edit",
    input: ({ path, old_text, new_text, all }) =>
      present({ filePath: path, oldString: old_text, newString: new_text, replaceAll: all }),
  },
};

export const opencodeWriter: SessionWriter = writerFor(OPENCODE);

export const kiloWriter: SessionWriter = writerFor(KILO);

function writerFor(client: ImportingClient): SessionWriter {
  const { program } = client;
  return {
    ...USUAL_WRITER,
    tools: TOOLS,
    proven: true,
    hides: true,
    newSessionId: sessionId,
    place(place, { id }, folder): SessionPlacement {
      // Not `opencode.json`: a file of that name is taken for settings.
      const path = join(folder, `handed-over-${id}.json`);
      return {
        path,
        prepare: [[program, "import", path]],
        kept_in: join(place.folder, `${program}.db`),
        remove: [program, "session", "delete", id],
      };
    },
    write: (session, place) => writeImportFile(session, place, client),
    handedOriginals,
  };
}

// Finds the original calls of a session that was handed over. An original is under the key
// `reprise` in the metadata of a tool part. A long original is read again when it is needed.

/**
 * Maximum characters of an original call, as JSON, that is kept in memory. For a longer call, only
 * the index of its message is kept.
 */
const MOST_HELD = 4096;

type Travelled = { reprise: unknown } | { index: number };

/**
 * Returns a function that takes a converted call's id and returns the source session's call.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
function handedOriginals(session: AgentSession): (call_id: string) => unknown {
  const found = new Map<string, Travelled>();
  {
    using records = openSession(session);
    for (let index = 0; index < records.count; index++) {
      const message = records.load(index);
      for (const [id, own] of originalsOf(message)) {
        const is_short = JSON.stringify(own).length <= MOST_HELD;
        found.set(id, is_short ? { reprise: own } : { index });
      }
      // The handed-over messages come before all messages that OpenCode added.
      if (message?.parts.some(isOwnCall)) break;
    }
  }
  return (call_id) => {
    const known = found.get(call_id);
    if (known === undefined || "reprise" in known) return known?.reprise;
    using records = openSession(session);
    return originalsOf(records.load(known.index)).get(call_id);
  };
}

function isOwnCall({ data }: StoredPart): boolean {
  return data.type === "tool" && travelledWith(data) === undefined;
}

function travelledWith({ state }: Json): unknown {
  return asObject(asObject(state).metadata).reprise;
}

function originalsOf(message: StoredMessage | undefined): Map<string, unknown> {
  const calls = new Map<string, unknown>();
  for (const { id, data } of message?.parts ?? []) {
    const own = travelledWith(data);
    if (data.type === "tool" && own !== undefined) calls.set(asName(data.callID) ?? id, own);
  }
  return calls;
}
