/**
 * A session in the JSON files of OpenCode before 1.2: `storage/session/<project>/<session>.json`,
 * `storage/message/<session>/<message>.json`, `storage/part/<message>/<part>.json`. Older files are
 * in `storage/session/{info,message,part}` below `project/<folder>/` (1.18.34,
 * src/storage/storage.ts, its migrations). File names are the ids, because an id in a file can be
 * stale (src/storage/json-migration.ts). Each file counts as one row.
 */
import { asList, asName, asNumber, asObject, type Json, present } from "../../engine/json.ts";
import { basename, dirname, join } from "node:path";
import { isFileThere } from "../../../core/file/presence.ts";
import { readShortText, RECORDS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { listFolder } from "../../engine/files/folder.ts";
import type { RecordSink } from "../../engine/records/source_record.ts";
import { parseCell } from "../../engine/sqlite/json_cell.ts";
import { count, countSide } from "../../contract/source_account.ts";
import type { OpenCodeSession, SessionInfo, StoredMessage, StoredPart } from "../stored_session.ts";
import { indexIn } from "./database_session.ts";
import { toSessionInfo } from "./session_row.ts";

interface StorageFolders {
  messages: string[];
  parts(message_id: string): string;
  side: [string, string][];
}

interface MessageFile {
  id: string;
  path: string;
  created: number;
  user: boolean;
}

export function openStorageSession(path: string): OpenCodeSession {
  const name = basename(path, ".json");
  const fields = readJson(path, {});
  const folders = foldersOf(path, [...new Set([name, asName(fields?.id) ?? name])]);
  const files = messageFiles(folders.messages);
  const ids = files.map(({ id }) => id);
  const info = toInfo(name, fields, files);
  return {
    unit: "rows",
    info,
    count: files.length,
    load: (index, sink = {}) => loadMessage(files[index], folders, sink),
    indexOf: (id) => indexIn(ids, id),
    countRest(sink): void {
      if (fields === undefined) readJson(path, sink);
      for (const [type, file] of folders.side) {
        if (isFileThere(file)) countSide(sink.account, type, 1);
      }
    },
    [Symbol.dispose](): void {},
  };
}

/** Returns the session's info. Messages supply the directory or the time if the file lacks them. */
function toInfo(
  name: string,
  fields: Json | undefined,
  files: readonly MessageFile[],
): SessionInfo {
  const info = toSessionInfo(name, fields ?? {}, fields === undefined ? 0 : 1);
  if (info.directory !== undefined && info.created !== undefined) return info;
  const created = info.created ?? (files.length > 0 ? files[0]?.created : undefined);
  return { ...info, ...present({ directory: info.directory ?? directoryOf(files), created }) };
}

/** Returns the first directory of an answer. The oldest layout has the directory only there. */
function directoryOf(files: readonly MessageFile[]): string | undefined {
  for (const { path, user } of files) {
    if (user) continue;
    const fields = readJson(path, {}) ?? {};
    const { cwd } = asObject((isEmbedded(fields) ? fromEmbedded("", fields).info : fields).path);
    const directory = asName(cwd);
    if (directory !== undefined) return directory;
  }
  return undefined;
}

function foldersOf(path: string, ids: readonly string[]): StorageFolders {
  const folder = dirname(path);
  if (basename(folder) === "info") {
    const base = dirname(folder);
    const [id = ""] = ids;
    return {
      messages: ids.map((name) => join(base, "message", name)),
      parts: (message_id) => join(base, "part", id, message_id),
      side: [],
    };
  }
  const storage = dirname(dirname(folder));
  const side = ["todo", "session_diff", "session_share"] as const;
  return {
    messages: ids.map((name) => join(storage, "message", name)),
    parts: (message_id) => join(storage, "part", message_id),
    side: side.flatMap((type) =>
      ids.map((id) => [type, join(storage, type, `${id}.json`)] as [string, string])
    ),
  };
}

/** Returns messages by time, then by id. OpenCode's database has the same order. */
function messageFiles(folders: readonly string[]): MessageFile[] {
  const files = folders.flatMap((folder) =>
    jsonFiles(folder).map(({ id, path }): MessageFile => {
      const fields = readJson(path, {}) ?? {};
      const info = isEmbedded(fields) ? fromEmbedded(id, fields).info : fields;
      const created = asNumber(asObject(info.time).created) ?? 0;
      return { id, path, created, user: info.role === "user" };
    })
  );
  return files.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

function jsonFiles(folder: string): { id: string; path: string }[] {
  return listFolder(folder).filter(({ name, isFile }) => isFile && name.endsWith(".json"))
    .map(({ name, path }) => ({ id: basename(name, ".json"), path }));
}

function loadMessage(
  file: MessageFile | undefined,
  folders: StorageFolders,
  sink: RecordSink,
): StoredMessage | undefined {
  if (file === undefined) return undefined;
  const fields = readJson(file.path, sink);
  const weight = fields === undefined ? 0 : 1;
  const embedded = fields !== undefined && isEmbedded(fields)
    ? fromEmbedded(file.id, fields)
    : undefined;
  const info = embedded?.info ?? fields ?? {};
  const names = new Set([file.id, asName(fields?.id) ?? file.id]);
  const parts = [...names].flatMap((id) => loadParts(folders.parts(id), sink));
  return { id: file.id, info, parts: [...embedded?.parts ?? [], ...parts], weight };
}

function loadParts(folder: string, sink: RecordSink): StoredPart[] {
  return jsonFiles(folder).flatMap(({ id, path }) => {
    const data = readJson(path, sink);
    return data === undefined ? [] : [{ id, data, weight: 1 }];
  });
}

/** Returns the object in a file. If there is none, reports it and returns undefined. */
function readJson(path: string, sink: RecordSink): Json | undefined {
  let text: string;
  try {
    text = readShortText(path, RECORDS_BYTES);
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
  const parsed = parseCell(text);
  if ("value" in parsed) return parsed.value;
  const { code, detail } = parsed;
  sink.report?.({ code, offset: 0, length: 1, line: 1, detail: `file ${path} ${detail}` });
  count(sink.account, "damage", 1);
  return undefined;
}

// Reads a message of the first versions (before 0.3, mid-2025) in the shape of a later one. It
// holds its parts, and keeps all else in `metadata`.
//
// From what OpenCode's own conversion took (`MessageV2.fromV1` of 0.4, session/message-v2.ts); no
// file of that time was at hand.

function isEmbedded(fields: Json): boolean {
  return Array.isArray(fields.parts) && typeof fields.metadata === "object";
}

function fromEmbedded(id: string, fields: Json): StoredMessage {
  const metadata = asObject(fields.metadata);
  const { modelID, providerID, cost, tokens, path, summary } = asObject(metadata.assistant);
  const info = present({
    role: fields.role,
    time: metadata.time,
    error: metadata.error ?? undefined,
    modelID,
    providerID,
    cost,
    tokens,
    path,
    summary,
  });
  const parts = asList(fields.parts).map(asObject).map((part, index) => {
    const data = part.type === "tool-invocation" ? toTool(part, metadata) : toOther(part);
    return { id: `${id}/${index}`, data, weight: 0 };
  });
  return { id, info, parts, weight: 1 };
}

function toTool({ toolInvocation }: Json, { tool }: Json): Json {
  const { state, toolCallId, toolName, args, result } = asObject(toolInvocation);
  const { time, title, ...metadata } = asObject(asObject(tool)[String(toolCallId)]);
  const failed = metadata.error === true;
  return {
    type: "tool",
    callID: toolCallId,
    tool: toolName,
    state: present({
      status: state !== "result" ? "running" : failed ? "error" : "completed",
      input: args ?? {},
      output: failed ? undefined : result,
      error: failed ? result : undefined,
      title,
      metadata,
      time,
    }),
  };
}

function toOther(part: Json): Json {
  if (part.type !== "file") return part;
  return { ...part, mime: asName(part.mime) ?? part.mediaType };
}
