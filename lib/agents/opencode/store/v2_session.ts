/**
 * Reads a session of OpenCode 2. Each message is a row in `session_message`, ordered by `seq`. The
 * column `data` is the message's JSON without id and type. The schema is `Session.Message.*`, which
 * the bundle of 1.18.34 contains too.
 */
import { present } from "../../../core/event/present.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../../engine/json.ts";
import type { RecordSink } from "../../engine/records/source_record.ts";
import type { SqliteReader } from "../../engine/sqlite/sqlite_reader.ts";
import type { OpenCodeSession, SessionInfo, StoredMessage, StoredPart } from "../stored_session.ts";
import { indexIn, parseRow } from "./database_session.ts";

const MESSAGES = "SELECT id, type FROM session_message WHERE session_id = ? ORDER BY ";
const COLUMNS = ["id", "type", "data", "time_created"];
const COUNT = "SELECT count(*) AS rows FROM session_message WHERE session_id = ?";

export function countV2Messages(reader: SqliteReader, id: string): number {
  if (!reader.has("session_message", "id", "session_id", "type", "data")) return 0;
  const rows = reader.get(COUNT, id)?.rows;
  return typeof rows === "number" ? rows : 0;
}

/** Opens a session. Disposing the session closes `reader` too. */
export function openV2Session(reader: SqliteReader, info: SessionInfo): OpenCodeSession {
  // Forks of its first drafts have no `seq`.
  const order = reader.has("session_message", "seq") ? "seq, id" : "rowid";
  const rows = countV2Messages(reader, info.id) === 0 ? [] : reader.all(MESSAGES + order, info.id);
  const ids = rows.map(({ id }) => String(id));
  const columns = reader.select("session_message", COLUMNS);
  const one_message = `SELECT rowid AS at, ${columns} FROM session_message WHERE id = ?`;
  return {
    unit: "rows",
    info,
    count: ids.length,
    load(index, sink: RecordSink = {}): StoredMessage | undefined {
      const id = ids[index];
      const row = id === undefined
        ? undefined
        : reader.salvage(sink, `message ${id}`, () => reader.get(one_message, id));
      const data = row === undefined ? undefined : parseRow("session_message", row, sink);
      if (id === undefined || data === undefined) return undefined;
      // A fork copies rows with their times (2.0, packages/core/src/session/projector.ts).
      const time = data.time ?? { created: row?.time_created };
      return toStoredMessage(id, asText(row?.type) ?? "", { ...data, time });
    },
    indexOf: (id) => indexIn(ids, id),
    countRest: (sink) => reader.countOtherRows(sink, info.id, ["session_message"]),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}

/** Converts a message to the shape of OpenCode 1. The role of an unknown type is its name. */
function toStoredMessage(id: string, type: string, data: Json): StoredMessage {
  const message = (info: Json, parts: Json[]): StoredMessage => ({
    id,
    info: { time: data.time, ...info },
    parts: parts.map((part, index) => toPart(id, index, part)),
    weight: 1,
  });
  switch (type) {
    case "user":
      return message({ role: "user" }, [
        { type: "text", text: data.text },
        ...asList(data.files).map(asObject).map(toFile),
        ...asList(data.agents).map((agent) => ({ ...asObject(agent), type: "agent" })),
      ]);
    case "synthetic":
      return message({ role: "user" }, [{ type: "text", text: data.text, synthetic: true }]);
    case "shell":
      return message({ role: "assistant", shell: true }, [shellPart(data)]);
    case "assistant":
      return message(answerInfo(data), asList(data.content).map(asObject).map(toContent));
    case "compaction":
      return message({ role: "compaction", reason: data.reason }, [
        { type: "text", text: asText(data.summary) ?? "" },
        { type: "text", text: asText(data.recent) ?? "" },
      ]);
    default:
      return message({ ...data, role: type }, []);
  }
}

function toPart(message_id: string, index: number, data: Json): StoredPart {
  return { id: asName(data.id) ?? `${message_id}/${index}`, data, weight: 0 };
}

/** Converts `Prompt.FileAttachment` to a file part of OpenCode 1. */
function toFile({ uri, mime, name }: Json): Json {
  return present({ type: "file", url: asText(uri), mime: asText(mime), filename: asText(name) });
}

/** Converts `Session.Message.Shell`, a command that the user ran, to a tool part of OpenCode 1. */
function shellPart({ callID, command, output, time }: Json): Json {
  const { created, completed } = asObject(time);
  const state = {
    status: completed === undefined ? "running" : "completed",
    input: { command },
    output,
    time: present({ start: asNumber(created), end: asNumber(completed) }),
  };
  return { type: "tool", tool: "bash", callID, state };
}

/** Returns an answer's info. Its error is `kept_error`: OpenCode 2 sends failed answers too. */
function answerInfo({ model, cost, tokens, finish, error }: Json): Json {
  const { id, providerID } = asObject(model);
  return {
    role: "assistant",
    ...present({
      modelID: asName(id),
      providerID: asName(providerID),
      cost: asNumber(cost),
      tokens,
      finish: asName(finish),
      kept_error: error ?? undefined,
    }),
  };
}

function toContent(data: Json): Json {
  if (data.type === "reasoning") return { ...data, metadata: data.providerMetadata };
  return data.type === "tool" ? toolPart(data) : data;
}

/**
 * Converts `Session.Message.Assistant.Tool` to a tool part of OpenCode 1. The result of a tool is a
 * list of texts and files, or the JSON value `structured`.
 */
function toolPart({ id, name, state, time }: Json): Json {
  const { status, input, content, structured, error, attachments } = asObject(state);
  const items = asList(content).map(asObject);
  const texts = items.flatMap(({ type, text }) => type === "text" ? asText(text) ?? [] : []);
  const files = [
    ...items.filter(({ type }) => type === "file"),
    ...asList(attachments).map(asObject),
  ];
  const { created, ran, completed } = asObject(time);
  return {
    type: "tool",
    callID: id,
    tool: name,
    state: present({
      status,
      input: typeof input === "string" ? { raw: input } : input,
      output: items.length === 0 ? JSON.stringify(structured ?? {}) : texts.join("\n"),
      error: asText(asObject(error).message),
      attachments: files.length === 0 ? undefined : files.map(toFile),
      time: present({ start: asNumber(ran) ?? asNumber(created), end: asNumber(completed) }),
    }),
  };
}
