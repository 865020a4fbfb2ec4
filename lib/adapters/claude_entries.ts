/**
 * Entries of the Claude Agent SDK as events, and back.
 *
 * @module
 */
import type { LogEvent, NewEvent } from "../../mod.ts";

/** Names a transcript, as the SDK does. */
export interface ClaudeSessionKey {
  /** Claude Code's name of the project's directory. */
  projectKey: string;
  /** Claude Code's id of the session. */
  sessionId: string;
  /** A transcript beside the main one, of a subagent say. */
  subpath?: string;
}

/** One entry of a transcript. Only `type` and `uuid` are looked at, and the texts of messages. */
export interface ClaudeEntry {
  /** Says what it is, in Claude Code's word. */
  type: string;
  /** Names the entry: one that is appended again is not kept twice. */
  uuid?: string;
  /** ISO 8601. */
  timestamp?: string;
  /** Anything else that is JSON. */
  [field: string]: unknown;
}

/**
 * What an event of kind `extension` holds here. Without an entry, the transcript was deleted. As JSON
 * text stands an entry of which a log would change a string: half of a surrogate pair.
 */
type Kept = ClaudeSessionKey & { entry?: ClaudeEntry; entry_json?: string };

/** A log as the store reads it. */
type Log = ReadableStream<readonly LogEvent[]>;

/** Entries by `subpath`, those of the main transcript as `""`. */
export type Transcripts = Map<string, ClaudeEntry[]>;

/** Name of the SDK in events and in the head of a session. */
export const AGENT = "claude-agent-sdk";

/** Returns the event that keeps an entry; without one, the event that says of a transcript that it was deleted. */
export function keeping(key: ClaudeSessionKey, entry?: ClaudeEntry): NewEvent {
  const entry_json = JSON.stringify(entry) ?? "";
  const odd = /\\ud[89a-f]/.test(entry_json);
  const data: Kept = { ...key, ...(entry === undefined ? {} : odd ? { entry_json } : { entry }) };
  return { kind: "extension", payload: { agent: AGENT, type: entry?.type ?? "deleted", data } };
}

/** Returns the text of a message for the user alone, because Claude gets the entry. */
export function shown({ subpath }: ClaudeSessionKey, { type, ...entry }: ClaudeEntry): NewEvent[] {
  if (subpath !== undefined || entry.isMeta === true || entry.isSidechain === true) return [];
  const { content } = (entry.message ?? {}) as { content?: unknown };
  const blocks = Array.isArray(content) ? content as { text?: unknown }[] : [{ text: content }];
  const text = blocks.map((block) => block?.text).filter((text) => typeof text === "string");
  if (text.join("") === "" || (type !== "user" && type !== "assistant")) return [];
  const payload = { content: [{ type: "text", text: text.join("\n\n"), audience: "user" }] };
  return [{ kind: `${type}_message`, payload } as NewEvent];
}

/** Gives what each event behind the head keeps: undefined for one of another program. */
async function* keptIn(log: Log): AsyncGenerator<Kept | undefined> {
  for await (const events of log) {
    for (const event of events) {
      if (event.kind === "session_started") continue;
      const own = event.form === "known" && event.kind === "extension" && event.payload;
      yield own && own.agent === AGENT ? own.data as Kept : undefined;
    }
  }
}

/** Returns the key of the first event behind the head, if it keeps an entry. */
export async function firstKey(log: Log): Promise<ClaudeSessionKey | undefined> {
  for await (const kept of keptIn(log)) return kept;
  return undefined;
}

/** Returns the entries that a log keeps. */
export async function transcriptsOf(log: Log): Promise<Transcripts> {
  const transcripts: Transcripts = new Map();
  for await (const kept of keptIn(log)) {
    if (kept === undefined) continue;
    const { subpath = "", entry_json, entry = entry_json && JSON.parse(entry_json) } = kept;
    if (!entry) transcripts.delete(subpath);
    else transcripts.set(subpath, transcripts.get(subpath) ?? []).get(subpath)?.push(entry);
  }
  return transcripts;
}
