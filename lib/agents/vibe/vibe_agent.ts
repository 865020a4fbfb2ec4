/**
 * Reads the sessions of Mistral Vibe (mistralai/mistral-vibe; format read from its sources of version
 * 2, up to mid-2026). A session is a folder with a line a message, and metadata beside it.
 *
 * Where Vibe loses data, this reader keeps it:
 * - with a damaged line, or without metadata, Vibe does not load a session. Here all other lines are
 *   read, and the folder's name tells the id and the time;
 * - fields that Vibe keeps for its screen (structured results, mentioned files) are extensions.
 *
 * Not read: what Vibe 1 kept in one file a session, which Vibe 2 turns into folders at its start.
 */
import { basename } from "node:path";
import { formatReader } from "../../reading/format_reader.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import type { Agent } from "../../source/agent.ts";
import { ROLES, vibeFormat } from "./vibe_format.ts";
import { filesOf, MESSAGES, sessionAt } from "./session_folder.ts";

/** True for a file of Vibe's. Many programs write `{role, content}`, so the name must match too. */
function isVibe(path: string, head: Uint8Array): boolean {
  return basename(path) === MESSAGES &&
    (head.length === 0 || headRecords(head).some(({ value }) => ROLES.has(value.role)));
}

/** The reader of Mistral Vibe's sessions. */
export const vibeAgent: Agent = {
  name: "vibe",
  recognize: isVibe,
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // Its metadata lies in a file of its own.
  open: formatReader(vibeFormat, { files: (session) => ({ paths: filesOf(session) }) }),
};
