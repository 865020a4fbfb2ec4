/**
 * Keeps sessions of the Claude Agent SDK in a store: its option `sessionStore`.
 *
 * Claude Code's entries are stored unchanged, each in an event of kind `extension`. Prompts and
 * answers are stored again as texts for the user alone. Lists, search and `show` present these
 * texts, and no other model is sent half of a conversation.
 *
 * @module
 */
import { resolve } from "node:path";
import type { LogEvent, NewEvent, Session, Store } from "../../../mod.ts";
import { inOrder } from "./in_order.ts";

/** `seen` has `subpath` and `uuid` of each stored entry, joined by a newline. */
type Mirror = { session: Session; seen: Set<string> };

/** A `SessionStore` of the Claude Agent SDK. Made by {@linkcode claudeSessionStore}. */
export interface ClaudeSessionStore extends AsyncDisposable {
  /** Appends entries that the session lacks. Resolves when they are synced. */
  append(key: ClaudeSessionKey, entries: ClaudeEntry[]): Promise<void>;
  /** Returns all entries in order; null if the transcript was never written or was deleted. */
  load(key: ClaudeSessionKey): Promise<ClaudeEntry[] | null>;
  /** Returns the sessions of a project; `mtime` is in milliseconds since 1970. */
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>;
  /** Returns the names of a session's other transcripts, such as the transcripts of subagents. */
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
  /** Moves a session to the trash. With `subpath`, records that this one transcript was deleted. */
  delete(key: ClaudeSessionKey): Promise<void>;
  /** Closes all open sessions as completed. */
  finish(): Promise<void>;
}

/**
 * Keeps sessions of the Claude Agent SDK in a store. One session of the SDK is one session of the
 * store, with its subagents. The session is held from its first append until `finish` or disposal.
 *
 * @param store The store of `openStore`.
 * @returns The value of the SDK's option `sessionStore`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { claudeSessionStore } from "@reprise/reprise/adapters";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openStore({ root });
 * {
 *   const sessionStore = claudeSessionStore(store);
 *   // for await (const message of query({ prompt, options: { sessionStore } })) ...
 *   const key = { projectKey: "p", sessionId: crypto.randomUUID() };
 *   const entry = { type: "user", uuid: "u1", message: { role: "user", content: "Hello" } };
 *   await sessionStore.append(key, [entry]);
 *   assert.deepEqual(await sessionStore.load(key), [entry]);
 *   await sessionStore.finish();
 * }
 * assert.equal((await store.last())?.title, "Hello");
 * await rm(root, { recursive: true });
 * ```
 */
export function claudeSessionStore(store: Store): ClaudeSessionStore {
  const mirrors = new Map<string, Mirror>();
  /**
   * The key in each session's first entry, by the session's reference. Undefined for forks and for
   * sessions of other programs.
   */
  const firsts = new Map<string, ClaudeSessionKey | undefined>();

  /** Returns the SDK's sessions without forks, because forks hold another session's entries. */
  async function sessions(): Promise<(ClaudeSessionKey & { ref: string; mtime: number })[]> {
    const own = [];
    for (const { ref, parent, updated_at = "" } of await store.list({ archived: "any" })) {
      if (!firsts.has(ref)) firsts.set(ref, parent ? undefined : await firstKey(store.events(ref)));
      const key = firsts.get(ref);
      if (key !== undefined) own.push({ ...key, ref, mtime: Date.parse(updated_at) || 0 });
    }
    return own;
  }

  async function find(key: ClaudeSessionKey): Promise<{ ref?: string; transcripts: Transcripts }> {
    const ref = (await sessions()).find((one) => nameOf(one) === nameOf(key))?.ref;
    if (ref === undefined) return { transcripts: new Map() };
    return { ref, transcripts: await transcriptsOf(store.events(ref)) };
  }

  async function open(key: ClaudeSessionKey, cwd: string): Promise<Mirror> {
    const open = mirrors.get(nameOf(key));
    if (open !== undefined) return open;
    const { ref, transcripts } = await find(key);
    const head = { cwd, app: { name: AGENT } };
    const session = ref === undefined ? store.create(head) : await store.resume(ref);
    const mirror = { session, seen: new Set<string>() };
    mirrors.set(nameOf(key), mirror);
    for (const [subpath, entries] of transcripts) unseen(mirror, subpath, entries);
    return mirror;
  }

  async function end(how: "finish" | "release", names = [...mirrors.keys()]): Promise<void> {
    for (const name of names) {
      await mirrors.get(name)?.session[how]();
      mirrors.delete(name);
    }
  }

  return inOrder<ClaudeSessionStore>({
    async append(key, entries): Promise<void> {
      const cwd = entries.map(({ cwd }) => cwd).find((cwd) => typeof cwd === "string");
      const mirror = await open(key, cwd ?? resolve("."));
      const fresh = unseen(mirror, key.subpath, entries);
      try {
        const events = fresh.flatMap((entry) => [keeping(key, entry), ...shown(key, entry)]);
        await mirror.session.appendAll(events);
        await mirror.session.sync();
      } catch (error) {
        // After a failure, only the log tells the written entries.
        await end("release", [nameOf(key)]);
        throw error;
      }
    },
    load: async (key) => (await find(key)).transcripts.get(key.subpath ?? "") ?? null,
    async listSessions(project): Promise<{ sessionId: string; mtime: number }[]> {
      const own = (await sessions()).filter(({ projectKey }) => projectKey === project);
      return own.map(({ sessionId, mtime }) => ({ sessionId, mtime }));
    },
    listSubkeys: async (key) => [...(await find(key)).transcripts.keys()].filter(Boolean),
    async delete(key): Promise<void> {
      const { ref } = await find(key);
      if (ref === undefined) return;
      if (key.subpath !== undefined) await (await open(key, "")).session.append(keeping(key));
      await end("release", [nameOf(key)]);
      if (key.subpath === undefined) await store.remove(ref);
    },
    finish: () => end("finish"),
    [Symbol.asyncDispose]: () => end("release"),
  });
}

function nameOf({ projectKey, sessionId }: ClaudeSessionKey): string {
  return `${projectKey}\n${sessionId}`;
}

/** Returns the entries that are new, and marks them as seen. */
function unseen({ seen }: Mirror, subpath = "", entries: readonly ClaudeEntry[]): ClaudeEntry[] {
  return entries.filter(({ uuid }) => {
    const { size } = seen;
    return uuid === undefined || seen.add(`${subpath}\n${uuid}`).size > size;
  });
}

/** The key of a transcript, as the SDK gives it. */
export interface ClaudeSessionKey {
  /** Claude Code's name of the project's directory. */
  projectKey: string;
  /** Claude Code's id of the session. */
  sessionId: string;
  /**
   * Name of a transcript beside the main transcript, such as a subagent's; absent for the main
   * transcript.
   */
  subpath?: string;
}

/** One entry of a transcript. Reprise reads `type`, `uuid` and the texts of messages. */
export interface ClaudeEntry {
  /** The type in Claude Code's words, such as `user` or `assistant`. */
  type: string;
  /** The entry's id. An entry with an id is stored once even if it is appended again. */
  uuid?: string;
  /** ISO 8601: time of the entry. */
  timestamp?: string;
  /** Any other JSON value. */
  [field: string]: unknown;
}

/**
 * The data of an `extension` event. Without an entry, the event deletes the transcript.
 * `entry_json` is for entries with lone surrogates, which a log cannot hold.
 */
type Kept = ClaudeSessionKey & { entry?: ClaudeEntry; entry_json?: string };

type Log = AsyncIterable<readonly LogEvent[]>;

/** Entries by `subpath`; `""` is the main transcript. */
type Transcripts = Map<string, ClaudeEntry[]>;

const AGENT = "claude-agent-sdk";

function keeping(key: ClaudeSessionKey, entry?: ClaudeEntry): NewEvent {
  const entry_json = JSON.stringify(entry) ?? "";
  const odd = /\\ud[89a-f]/.test(entry_json);
  const data: Kept = { ...key, ...(entry === undefined ? {} : odd ? { entry_json } : { entry }) };
  return { kind: "extension", payload: { agent: AGENT, type: entry?.type ?? "deleted", data } };
}

/** Returns the entry's text as an event for the user alone. Claude gets the entry itself. */
function shown({ subpath }: ClaudeSessionKey, { type, ...entry }: ClaudeEntry): NewEvent[] {
  if (subpath !== undefined || entry.isMeta === true || entry.isSidechain === true) return [];
  const { content } = (entry.message ?? {}) as { content?: unknown };
  const blocks = Array.isArray(content) ? content as { text?: unknown }[] : [{ text: content }];
  const text = blocks.map((block) => block?.text).filter((text) => typeof text === "string");
  if (text.join("") === "" || (type !== "user" && type !== "assistant")) return [];
  const payload = { content: [{ type: "text", text: text.join("\n\n"), audience: "user" }] };
  return [{ kind: `${type}_message`, payload } as NewEvent];
}

/** Yields the adapter's data of each event except `session_started`, or undefined without data. */
async function* keptIn(log: Log): AsyncGenerator<Kept | undefined> {
  for await (const events of log) {
    for (const event of events) {
      if (event.kind === "session_started") continue;
      const own = event.form === "known" && event.kind === "extension" && event.payload;
      yield own && own.agent === AGENT ? own.data as Kept : undefined;
    }
  }
}

/**
 * Returns the key in the first event after `session_started`. Undefined if that event has no key.
 */
async function firstKey(log: Log): Promise<ClaudeSessionKey | undefined> {
  for await (const kept of keptIn(log)) return kept;
  return undefined;
}

async function transcriptsOf(log: Log): Promise<Transcripts> {
  const transcripts: Transcripts = new Map();
  for await (const kept of keptIn(log)) {
    if (kept === undefined) continue;
    const { subpath = "", entry_json, entry = entry_json && JSON.parse(entry_json) } = kept;
    if (!entry) transcripts.delete(subpath);
    else transcripts.set(subpath, transcripts.get(subpath) ?? []).get(subpath)?.push(entry);
  }
  return transcripts;
}
