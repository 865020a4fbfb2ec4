/**
 * Reads the sessions of Factory Droid.
 *
 * Its source is not public. The format is that of files that Droid 0.226 wrote. The conversation is
 * the one that Droid sent to a scripted model on resume. The files and the conversation are in
 * `transcript/droid` of inference-sh/agentprotocol, of September 2026.
 *
 * - `parentId` makes no branches: Droid sends all messages in the order of the file. Records of
 *   hooks are outside of the chain of parents, and are not sent.
 * - A compaction within a session keeps the messages after its `anchorMessage`. `/compress` creates
 *   a new session, which begins with the compaction and names its `parent`.
 * - The settings file beside a session has the session's token totals. A session that `/compress`
 *   created adds its tokens to the totals of its parent. The parent's totals are subtracted if its
 *   settings file still exists.
 *
 * Only a damaged line itself is lost. Without its first line, a session has no title and no
 * directory.
 */
import type { CallNames } from "../engine/events/block_messages.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { formatReader } from "../engine/format_reader.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import {
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import { lineRecords, subagentThreads } from "../engine/linear/line_threads.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import {
  type FormatReading,
  type FormatThread,
  restoredState,
  savedState,
  type SessionFormat,
} from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { dirname, join } from "node:path";
import { idInName, readDroidHead, subagentsOf } from "./locate.ts";
import { emitAnswer, emitUser, isPrompt, TAKEN } from "./message_events.ts";
import { settingsBeside } from "./settings_file.ts";

interface DroidState {
  calls: CallNames;
  /** The sequence number of each message's last event, by the message id that compactions name. */
  ends: Map<string, number>;
}

export const droidFormat: SessionFormat<DroidState> = {
  source: ({ path }) => lineSource(path),
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, { writer }): void {
    const { value } = record;
    const { id, type, timestamp } = value;
    const target = { writer, origin: { id: asName(id), time: timestamp, record } };
    if (type === "message") emitMessage(value, state, target);
    else if (type === "compaction_state") emitCompaction(value, state, target);
    else if (type === "todo_state") emitTodos(value, target);
    else if (type === "session_start") writer.keep(type, value, target.origin);
    else writer.keepUnknown(asName(type) ?? "record", value, target.origin);
  },
  end: (_state, { session, writer }) => {
    const { model, usage } = totalsOf(session);
    const answer = present({ content: "", message_id: "totals", model, usage });
    if (usage !== undefined) writer.emit("assistant_message", answer);
  },
  standsAlone: ({ value: { type, message } }) => type === "message" && isPrompt(asObject(message)),
  needsBefore: ({ value: { type } }) => type === "compaction_state",
  startState: () => startState(),
  saveState: ({ calls }) => savedState(calls),
  // Seqs are others in another read: a compaction then names nothing that it keeps.
  restoreState: (saved) => startState(restoredState(saved)),
};

function startState(calls: CallNames = new Map()): DroidState {
  return { calls, ends: new Map() };
}

function emitHead(
  { session, writer, report }: FormatReading,
  first: SourceRecord | undefined,
): DroidState {
  if (first === undefined) return startState();
  const { title, created_at = "", cwd = "", parent, caller } = readDroidHead(session.path);
  if (first.value.type !== "session_start") {
    const detail = "the first record is not of the type session_start";
    report?.({ code: "missing-header", ...first.position, detail });
  }
  const owner = caller ?? parent;
  const started = {
    ...{ session_id: session.id, created_at, cwd, title, app: { name: "Factory Droid" } },
    parent: owner === undefined
      ? undefined
      : present({ session_id: owner, reason: caller === undefined ? undefined : "subagent" }),
  };
  writer.emit("session_started", present(started), { time: created_at });
  return startState();
}

function emitMessage(value: Json, { calls, ends }: DroidState, target: EventTarget): void {
  const { writer, origin } = target;
  const message = asObject(value.message);
  if (message.role === "assistant") emitAnswer(message, calls, target);
  else if (message.role === "user") emitUser(message, calls, target);
  else return writer.keepUnknown("message", value, origin);
  const rest = unreadFields(message, TAKEN);
  writer.keep(asText(rest.hookEventName) ?? "message", rest, origin);
  if (origin.id !== undefined) ends.set(origin.id, writer.seq);
}

function emitTodos(value: Json, { writer, origin }: EventTarget): void {
  const text = asText(asObject(value.todos).todos) ?? "";
  if (text !== "") writer.emit("notice", { audience: "user", title: "todos", text }, origin);
  writer.keep("todo_state", value, origin);
}

/** Emits a compaction, with the sentences that Droid 0.226 puts around the summary. */
function emitCompaction(
  value: Json,
  { ends }: DroidState,
  { writer, origin }: EventTarget,
): void {
  const { summaryText, summaryTokens, anchorMessage, systemInfoText, ...rest } = value;
  const end = ends.get(asName(asObject(anchorMessage).id) ?? "");
  const summary =
    "A previous instance of Droid has summarized the conversation thus far as follows:\n\n" +
    `<summary>\n${asText(summaryText) ?? ""}\n</summary>\n\n` +
    "IMPORTANT: This summary was created by a previous instance of Droid. Files referenced in the " +
    "summary may not be available until you explicitly view them again.";
  const payload = {
    ...{ status: "", summary, tokens_after: asNumber(summaryTokens) },
    first_kept_seq: end === undefined ? undefined : writer.firstMessage(end + 1),
  };
  writer.emit("compaction_applied", present(payload), origin);
  const text = asName(systemInfoText);
  if (text !== undefined) {
    const content = [{ type: "text" as const, text, audience: "model" as const }];
    writer.emit("user_message", { content }, origin);
  }
  writer.keep("compaction_state", present({ ...rest, anchorMessage }), origin);
}

/** Returns model and tokens of the settings file. Input does not include cached tokens. */
function totalsOf({ path }: Pick<AgentSession, "path">): { model?: string; usage?: TokenUsage } {
  const { model, tokenUsage } = readJsonObject(settingsBeside(path));
  const tokens = asObject(tokenUsage);
  const usage: TokenUsage = present({
    input: asNumber(tokens.inputTokens),
    output: asNumber(tokens.outputTokens),
    cache_read: asNumber(tokens.cacheReadTokens),
    cache_write: asNumber(tokens.cacheCreationTokens),
    reasoning: asNumber(tokens.thinkingTokens) || undefined,
  });
  const is_spent = Object.values(usage).some((count) => count > 0);
  return present({ model: asName(model), usage: is_spent ? usage : undefined });
}

/** Yields the tokens of each thread, less those of the session that it continues. */
async function* readUsage(session: AgentSession): AsyncGenerator<ResponseUsage[]> {
  for (const one of [session, ...subagentsOf(session).keys()]) {
    const { path, id } = one;
    const thread = one === session ? undefined : id;
    const { created_at: time, parent = "" } = readDroidHead(path);
    const { model = "", usage = {} } = totalsOf({ path });
    const { usage: before = {} } = totalsOf({ path: join(dirname(path), `${parent}.jsonl`) });
    const counts = Object.entries(usage) as [keyof TokenUsage, number][];
    const spent = counts.map(([name, count]) => [name, Math.max(0, count - (before[name] ?? 0))]);
    if (spent.every(([, count]) => count === 0)) continue;
    yield [
      present({ key: `totals\n${id}`, time, model, thread, usage: Object.fromEntries(spent) }),
    ];
  }
}

async function threadsOf(session: AgentSession): Promise<FormatThread[]> {
  const { records } = await lineRecords(session);
  const parents = subagentsOf(session);
  const agents = await subagentThreads(
    [...parents.keys()],
    (one) => parents.get(one) ?? MAIN_THREAD,
  );
  return [{ id: MAIN_THREAD, kind: "main", records }, ...agents];
}

function isDroid(head: Uint8Array): boolean {
  return headRecords(head).some(({ value: { type, message, cwd, owner, version, ...rest } }) => {
    if (type === "session_start") {
      return typeof cwd === "string" && (typeof owner === "string" || typeof version === "number");
    }
    const { role, visibility, modelId } = asObject(message);
    return type === "message" && typeof rest.id === "string" && typeof role === "string" &&
      (visibility === "llm_only" || visibility === "user_only" || typeof modelId === "string");
  });
}

export const droidAgent: Agent = {
  name: "droid",
  recognize: (_path, head) => isDroid(head),
  sessionsIn: (path) => {
    const { cwd } = readDroidHead(path);
    return Promise.resolve([present({ agent: "droid" as const, id: idInName(path), path, cwd })]);
  },
  open: formatReader(droidFormat, {
    // The settings of a session that was compacted into another count its tokens there, too.
    usage: readUsage,
    files: (session) => ({
      paths: [session, ...subagentsOf(session).keys()].flatMap((
        { path },
      ) => [path, settingsBeside(path)]),
    }),
  }),
};
