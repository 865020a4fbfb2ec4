/**
 * Reads the editor's conversations from `globalStorage/state.vscdb`. Its table `cursorDiskKV` has a
 * row `composerData:<id>` for each conversation, and a row `bubbleId:<id>:<message>` for each
 * message. The database may have gigabytes, so rows are found by ranges of keys, and read one at a
 * time. Cursor's sources are not public. The format is that of versions 0.40 to 3.24, as other
 * readers describe it.
 */
import { dirname, join } from "node:path";
import { pathInUrl } from "../engine/files/file_url.ts";
import { folders, readJsonObject } from "../engine/files/folder.ts";
import { present } from "../../core/event/present.ts";
import { asList, asName, asObject, asText, type Json, parsedObject } from "../engine/json.ts";
import type { SessionRow } from "../engine/sources/row_source.ts";
import { editorState } from "../engine/sqlite/editor_state.ts";
import { parseJson } from "../engine/sqlite/json_cell.ts";
import type { ListedMessages } from "../engine/sqlite/listed_rows.ts";
import { withCutRows } from "../engine/sqlite/opened_rows.ts";
import { readDocument, SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import type { StoredSession } from "../engine/sqlite/stored_sessions.ts";
import type { Head } from "./message_events.ts";

export function holdsConversations(reader: SqliteReader): boolean {
  return reader.has("cursorDiskKV", "key", "value");
}

const FACTS = [
  ...["fullConversationHeadersOnly[0].bubbleId", "conversation[0].bubbleId"],
  ...["workspaceIdentifier.uri.fsPath", "isArchived"],
  ...["subagentInfo.parentComposerId", "subagentComposerIds", "subComposerIds"],
].map((path) => `'$.${path}'`).join(", ");

/** Query for each conversation's facts. It runs inside SQLite, so that no document is loaded. */
const LIST = `SELECT substr(key, 14, 1000) AS id, json_extract(document, ${FACTS}) AS facts FROM (
  SELECT key, CASE WHEN octet_length(value) > MOST_BYTES THEN NULL
    WHEN json_valid(CAST(value AS TEXT)) THEN CAST(value AS TEXT) END AS document
  FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL)
  ORDER BY json_extract(document, '$.lastUpdatedAt')`;

/** Lists the conversations with messages. Each new tab stores a conversation, so many are empty. */
export function storedConversations(path: string): StoredSession[] {
  using reader = new SqliteReader(path);
  if (!holdsConversations(reader)) return [];
  const parents = new Map<string, string>();
  const found: StoredSession[] = [];
  for (const row of reader.each(LIST)) {
    const id = String(row.id);
    const parsed = parseJson(row.facts);
    // One that is damaged is listed: reading it says so.
    const facts = "value" in parsed ? asList(parsed.value) : [true];
    const [header, inline, cwd, archived, parent, ...subagents] = facts;
    for (const one of subagents.flatMap(asList)) parents.set(String(one), id);
    if (!header && !inline) continue;
    const is_archived = archived ? true : undefined;
    const directory = asName(cwd) ?? firstDirectory(reader, id, header);
    const given = { id, cwd: directory, parent_id: asName(parent), archived: is_archived };
    found.push(present(given));
  }
  const complete = found.every(({ cwd }) => cwd !== undefined);
  const directories = new Map(complete ? [] : listedDirectories(dirname(dirname(path))));
  return withCutRows(reader, found).map((one: StoredSession) => {
    const { cwd = directories.get(one.id), parent_id = parents.get(one.id) } = one;
    return present({ ...one, cwd, parent_id });
  });
}

/** Returns the directory in the first message's row, for conversations without a workspace. */
function firstDirectory(reader: SqliteReader, id: string, bubble: unknown): string | undefined {
  const key = `bubbleId:${id}:${bubble}`;
  return asName(readDocument(reader, {}, key, CELL, key)?.workspaceProjectDir);
}

/** Yields conversations' directories from workspace lists, which Cursor wrote before 3.12. */
function* listedDirectories(user_folder: string): Generator<[id: string, path: string]> {
  for (const folder of folders(join(user_folder, "workspaceStorage"))) {
    const path = pathInUrl(readJsonObject(join(folder, "workspace.json")).folder, folder);
    if (path === undefined) continue;
    const listed = editorState(join(folder, "state.vscdb"), "composer.composerData");
    for (const one of asList(listed?.allComposers)) yield [String(asObject(one).composerId), path];
  }
}

const CELL = "SELECT value FROM cursorDiskKV WHERE key = ?";

const FIELDS = [
  ...["fullConversationHeadersOnly", "conversation", "capabilities", "name", "createdAt"],
  ...["lastUpdatedAt", "modelConfig", "unifiedMode", "workspaceIdentifier"],
].map((name) => `'${name}', json_extract(value, '$.${name}')`).join(", ");

/** Selects the needed fields inside SQLite, as the other fields can be megabytes. */
const OWN_ROW = `SELECT CASE WHEN json_valid(value) THEN json_object(${FIELDS}) ELSE value END ` +
  "FROM (SELECT CASE WHEN octet_length(value) <= MOST_BYTES THEN CAST(value AS TEXT) END AS value " +
  "FROM cursorDiskKV WHERE key = ?)";

export function conversationMessages(reader: SqliteReader, id: string): ListedMessages {
  const own = `composerData:${id}`;
  const fields = readDocument(reader, {}, own, OWN_ROW, own) ?? {};
  const prefix = `bubbleId:${id}:`;
  const keyOf = (bubble: unknown): string => `${prefix}${asObject(bubble).bubbleId}`;
  // Before version 3 the messages lie in the conversation, and their calls apart from them.
  const inline = new Map(asList(fields.conversation).map((one) => [keyOf(one), asObject(one)]));
  const headers = asList(fields.fullConversationHeadersOnly).map(asObject);
  const listed = headers.map(keyOf);
  const simulated = new Set(
    headers.filter(({ grouping }) => asObject(grouping).isSimulatedMsg === true).map(keyOf),
  );
  const sql = "SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY rowid";
  const all = reader.all(sql, prefix, `bubbleId:${id};`).map(({ key }) => String(key));
  const there = new Set([...all, ...inline.keys()]);
  return {
    head: (sink) => readDocument(reader, sink, own, OWN_ROW, own) && headOf(fields),
    listed: (listed.length > 0 ? listed : [...inline.keys()]).filter((key) => there.has(key)),
    all,
    read(key, sink): Omit<SessionRow, "size"> | undefined {
      const given = inline.get(key);
      if (given !== undefined) {
        const toolFormerData = given.toolFormerData ?? callOf(fields, given.bubbleId);
        return { value: { bubble: present({ ...given, toolFormerData }) }, weight: 0 };
      }
      const read = readDocument(reader, sink, `row ${key}`, CELL, key);
      const bubble = read && simulated.has(key) ? { ...read, isSimulatedMsg: true } : read;
      return bubble && { value: present({ bubble, edited: editedTexts(reader, bubble) }) };
    },
  };
}

function callOf({ capabilities }: Json, bubble_id: unknown): unknown {
  const calls = asList(capabilities).map((one) => {
    const { bubbleDataMap: map } = asObject(asObject(one).data);
    return typeof map === "string" ? parsedObject(map) : asObject(map);
  });
  return calls.find((map) => map !== undefined && String(bubble_id) in map)?.[String(bubble_id)];
}

/**
 * Reads a file's texts before and after an edit. Since 2026, each text is in a separate row.
 * Undefined if the text after the edit is not stored.
 */
function editedTexts(reader: SqliteReader, { toolFormerData }: Json): string[] | undefined {
  const result = asText(asObject(toolFormerData).result) ?? "";
  const ids = result.includes("ContentId") ? parsedObject(result) ?? {} : {};
  const [before = "", after] = [ids.beforeContentId, ids.afterContentId].map((key) =>
    asText(reader.salvage({}, "", () => reader.get(CELL, String(key)))?.value)
  );
  return after === undefined ? undefined : [before, after];
}

function headOf(fields: Json): Head {
  const model = asName(asObject(fields.modelConfig).modelName);
  return {
    title: asName(fields.name),
    created_at: fields.createdAt,
    updated_at: fields.lastUpdatedAt,
    cwd: asName(asObject(asObject(fields.workspaceIdentifier).uri).fsPath),
    model: model === "default" ? undefined : model,
    mode: asName(fields.unifiedMode),
  };
}
