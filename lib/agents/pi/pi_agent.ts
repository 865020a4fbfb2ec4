/**
 * pi (badlogic/pi-mono, then earendil-works/pi): one file per session, with a tree of entries.
 *
 * The rules are those of version 1.5.2. The live branch ends at the entry that was written last. A
 * compaction replaces earlier entries by its summary and the entries that it keeps. Edits of the
 * context change what the model gets. Reprise keeps data that pi loses:
 *
 * - pi refuses a file whose header is lost or has a byte order mark. Reprise reads it.
 * - pi drops both entries of a glued line, and everything before a damaged line. Reprise salvages
 *   the whole entry. The damaged entry still leads to its parent.
 * - pi does not end on a cycle. Reprise ends the branch there, and reports the cycle.
 *
 * The conversation differs from pi's messages in one point. It lacks pi's system prompt, because
 * every agent has its own.
 *
 * @module
 */
import { asName, asObject, type Json } from "../engine/json.ts";
import { present } from "../../core/event/present.ts";
import { verbatimIn } from "../engine/files/session_files.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import { indexLines } from "../engine/tree/index_file.ts";
import { treeReader } from "../engine/tree/tree_reader.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { ADDED_WORDS } from "./entry_events.ts";
import { idInName } from "./locate.ts";
import { piFormat } from "./pi_format.ts";
import { openReading, readMessages } from "./pi_lines.ts";
import { summarizeSession } from "./summarize.ts";

const LINES = 20;

const ENTRY_TYPES = new Set([
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "session_info",
  "context_edit",
  "usage",
]);

/** Matches the time in pi's records. The agent fen writes the same records with other times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function isPiSession(head: Uint8Array): boolean {
  const marks = headRecords(head, LINES).map(({ value }) => markOf(value));
  return marks.includes("header") || (marks.includes("entry") && !marks.includes("other"));
}

function markOf(value: Json): "header" | "entry" | "other" | undefined {
  const type = asName(value.type);
  const id = asName(value.id);
  if (type === "session_start") return "other";
  if (type === undefined || !TIME.test(asName(value.timestamp) ?? "")) return undefined;
  if (type === "session") return id === undefined ? undefined : "header";
  if (!ENTRY_TYPES.has(type)) return undefined;
  if (id !== undefined && value.parentId !== undefined) return "entry";
  if (asName(asObject(value.message).role) === undefined) return undefined;
  return id === undefined ? "entry" : "other";
}

export const piAgent: Agent = {
  name: "pi",
  recognize: (_path, head) => isPiSession(head),
  sessionsIn,
  open: treeReader(piFormat, {
    // A list reads 32 KiB of a file, and skips prompts that extensions wrote.
    summarize: summarizeSession,
    // Most sessions are one chain of entries, which is read from any resume point, without a tree.
    openReading,
    has_lasting_places: true,
    // Such a chain is converted directly to messages, without events.
    messages: readMessages,
    files: ({ path }) => verbatimIn([path], ADDED_WORDS) ?? { paths: [path] },
  }),
};

function sessionsIn(path: string): Promise<AgentSession[]> {
  const { header } = indexLines(piFormat, readEdges(path, { tail_bytes: 0 }).head).head;
  const id = asName(header?.value.id) ?? idInName(path);
  const cwd = asName(header?.value.cwd);
  return Promise.resolve([present({ agent: "pi", id, path, cwd })]);
}
