/** Reads values from the `state.vscdb` of an editor of VS Code's family. */
import { SessionError } from "../../../core/event/session_error.ts";
import { asText, type Json, parsedObject } from "../json.ts";
import { SqliteReader } from "./sqlite_reader.ts";

const ITEM = "SELECT value FROM ItemTable WHERE key = ?";

export function editorState(path: string, key: string): Json | undefined {
  try {
    using reader = new SqliteReader(path);
    if (!reader.has("ItemTable", "key", "value")) return undefined;
    return parsedObject(asText(reader.get(ITEM, key)?.value) ?? "");
  } catch (error) {
    // Not there, locked or damaged: it tells nothing.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
