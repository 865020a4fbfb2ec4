/**
 * Writes documents for goose's own `session import`, so its database is never written to. Version
 * 1.52.0 listed and resumed such sessions, with the new ids that it gave them.
 */
import { join } from "node:path";
import { handedDocument, handedOriginals } from "../../engine/handed/line.ts";
import { USUAL_WRITER } from "../../engine/handed/usual_writer.ts";
import { hexDigits, iso } from "../../engine/handed/written_ids.ts";
import { asList, asObject, type Json, parsedJson } from "../../engine/json.ts";
import { SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { AgentSession } from "../../contract/agent.ts";
import type { AgentPlace } from "../../contract/agent_environment.ts";
import type {
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../contract/session_writer.ts";

export const gooseWriter: SessionWriter = {
  ...USUAL_WRITER,
  // It has no tool that reads a file.
  tools: {
    bash: { name: "shell", input: ({ command }) => ({ command }) },
    write: { name: "write", input: ({ path, content }) => ({ path, content }) },
    edit: {
      name: "edit",
      input: ({ path, old_text: before, new_text: after, all }) =>
        all === true ? undefined : { path, before, after },
    },
  },
  proven: true,
  resume_latest: { argv: ["goose", "session", "--resume"], in_directory: true },
  newSessionId: () => `new-${hexDigits(12)}`,
  place: placeSession,
  write: writeDocument,
  handedOriginals: originalsOf,
};

function placeSession(place: AgentPlace, { id }: HandedStart, folder: string): SessionPlacement {
  const path = join(folder, `handed-over-${id}.json`);
  return {
    path,
    prepare: [["goose", "session", "import", path]],
    named_by: /^Session imported:\s+(\d{8}_\d+) /m,
    kept_in: join(place.folder, "sessions", "sessions.db"),
    remove: ["goose", "session", "remove", "--session-id", id],
  };
}

function writeDocument(
  { id, from, cwd, title, begun, now, messages }: HandedSession,
): AsyncIterable<string> {
  const head = {
    ...{ id, working_dir: cwd, session_type: "user", extension_data: {}, message_count: 0 },
    // Without a name of the user's, goose makes one of the next prompts.
    ...{ name: title ?? `Handed over from ${from}`, user_set_name: title !== undefined },
    ...{ created_at: iso(begun), updated_at: iso(now) },
  };
  return handedDocument(head, "conversation", messages, (message) => recordsOf(message, from));
}

function recordsOf(message: HandedMessage, from: string): Json[] {
  const created = Math.floor(message.time / 1000);
  const record = (role: string, content: Json[]): Json => {
    return { role, created, content, metadata: { userVisible: true, agentVisible: true } };
  };
  if (message.role === "user") return [record("user", message.parts.map(itemOf))];
  const { text, calls } = message;
  const said = text === "" ? [] : [{ type: "text", text }];
  const answer = record("assistant", [...said, ...calls.map((call) => requestOf(call, from))]);
  return calls.length === 0 ? [answer] : [answer, record("user", calls.map(responseOf))];
}

/** Returns a tool request. The original call is under `_meta`, which goose preserves. */
function requestOf(call: HandedCall, from: string): Json {
  const { id, name, input } = call;
  const toolCall = { status: "success", value: { name, arguments: input } };
  return { type: "toolRequest", id, toolCall, _meta: handedOriginals(from, [call]) };
}

function responseOf({ id, output, failed }: HandedCall): Json {
  const value = { content: output.map(itemOf), isError: failed };
  return { type: "toolResponse", id, toolResult: { status: "success", value } };
}

function itemOf(part: HandedPart): Json {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", data: part.data, mimeType: part.media_type };
}

const MESSAGES = "SELECT id, content_json FROM messages WHERE session_id = ? ORDER BY id";
const MESSAGE = "SELECT content_json FROM messages WHERE id = ?";

/** Returns a function that reads a call's original. Each use reads the call's message again. */
function originalsOf({ path, id }: AgentSession): (call_id: string) => unknown {
  const rows = new Map<unknown, number>();
  if (path.endsWith(".db")) {
    using reader = new SqliteReader(path);
    for (const row of reader.all(MESSAGES, id)) {
      for (const call_id of travelledIn(row.content_json).keys()) rows.set(call_id, Number(row.id));
    }
  }
  return (call_id) => {
    const row = rows.get(call_id);
    if (row === undefined) return undefined;
    using reader = new SqliteReader(path);
    return travelledIn(reader.get(MESSAGE, row)?.content_json).get(call_id);
  };
}

function travelledIn(cell: unknown): Map<unknown, unknown> {
  const items = asList(parsedJson(cell)).map(asObject);
  return new Map(items.flatMap(({ id, _meta }): [unknown, unknown][] => {
    const { reprise } = asObject(_meta);
    return reprise === undefined ? [] : [[id, reprise]];
  }));
}
