/**
 * Reads the sessions of Autohand (autohandai/code-cli; format read from version 0.8.2).
 *
 * Where Autohand loses data or fails, this reader reads on:
 * - a line that is no JSON (torn, garbage): Autohand cannot load the session and silently begins a
 *   new one. Here the line is reported and all others are read;
 * - `metadata.json` missing or damaged: Autohand throws, for the whole list; here the id tells when
 *   the session began, and the index its directory;
 * - an index that was reset: its sessions are found by their folders;
 * - `{function: {name, arguments}}` calls of imported sessions: Autohand sends them without their
 *   arguments; here they keep them.
 *
 * Lines marked `_meta.stream` are pieces of an output whose whole line follows. Autohand sends
 * both, two results of one call, which providers refuse. Here the pieces are left out of the
 * conversation, unless the whole line never came. A result without its call is left out as well.
 */
import { basename } from "node:path";
import type { Agent } from "../../source/agent.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { autohandFormat } from "./autohand_format.ts";
import { ROLES } from "./message_events.ts";
import { CONVERSATION, METADATA, sessionOf } from "./session_folder.ts";

/** Many programs write `{role, content}` lines: the file's name must say the rest. */
function isAutohand(path: string, head: Uint8Array): boolean {
  const name = basename(path);
  if (name === METADATA) return isMetadata(head);
  if (name !== CONVERSATION) return false;
  const records = headRecords(head);
  return records.length === 0 ||
    records.some(({ value }) => ROLES.has(value.role) && typeof value.content === "string");
}

/** The head of a large file is no whole JSON, so only its fields' names are looked for. */
function isMetadata(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head);
  return /^\s*\{/.test(text) && text.includes('"sessionId"') && text.includes('"projectPath"');
}

/** The reader of Autohand's sessions. */
export const autohandAgent: Agent = {
  name: "autohand",
  recognize: isAutohand,
  sessionsIn: async (path) => await Promise.resolve([sessionOf(path)]),
  open: formatReader(autohandFormat),
};
