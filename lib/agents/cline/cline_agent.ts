/**
 * Reads the sessions of Cline. For Cline's program, the result was compared with its requests
 * (cline 3.0.65, @cline/core 0.0.86). Tasks of the VS Code extension are read as in its sources of
 * 3.30. Forks of the extension store such tasks too (`family.ts`).
 *
 * A conversation consists of the messages that Cline sends (`cline_source.ts`). This reader keeps
 * data that Cline loses:
 * - Cline treats a truncated file as empty. This reader reads it up to the cut.
 * - Text that only the screen showed becomes a notice or an extension.
 *
 * Not read: `hooks.jsonl`, checkpoints, and the extension's edits of old messages
 * (`context_history.json`). These edits replace files that were read twice.
 */
import { basename, dirname } from "node:path";
import { excerpt } from "../../core/projection/excerpt.ts";
import { listFolder } from "../engine/files/folder.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { foldedMessages } from "../engine/events/message_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { plainText } from "../engine/events/anthropic_blocks.ts";
import { formatReader } from "../engine/format_reader.ts";
import { present } from "../../core/event/present.ts";
import { asName, asNumber, asObject, asText, type Json, parsedObject } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, FormatThread, SessionFormat } from "../engine/session_format.ts";
import type { Agent } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { type ClineRecord, clineSource, readMessages } from "./cline_source.ts";
import {
  type ClineSession,
  HISTORIES,
  isCore,
  manifestOf,
  sessionAt,
  subagentsOf,
} from "./locate.ts";
import { emitMessage, type TalkState } from "./message_events.ts";

export const clineFormat: SessionFormat<State> = {
  source: clineSource,
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, { session, writer }): void {
    const { head = {}, message, unsent, kept, shown, request } = record.value as ClineRecord;
    const target = { writer, origin: { record } };
    const { system_prompt: text, ...facts } = head;
    if (typeof text === "string") {
      writer.emit("notice", { audience: "model", title: "system prompt", text }, target.origin);
    }
    writer.keep("session", facts, target.origin);
    if (message !== undefined) {
      const id = asName(message.id) ?? `message-${record.part}`;
      const origin = { ...target.origin, id, time: message.ts };
      if (unsent === true) writer.audience = "user";
      emitMessage(message, state, { ...target, origin });
      writer.audience = undefined;
    }
    if (kept !== undefined) emitKept(kept, session, target);
    if (shown !== undefined) emitShown(shown, target);
    if (request !== undefined) {
      emitRequest(request, state, target);
      writer.keep("request", request, target.origin);
    }
  },
  end: emitEnd,
  standsAlone: () => false,
  startState: ({ session }) => startState(session),
  saveState: () => undefined,
};

interface State extends TalkState {
  task: Json;
  has_requests: boolean;
}

function startState(session: ClineSession): State {
  const task = session.task ?? sessionAt(session.path).task ?? {};
  const model = asName(task.modelId);
  const has_tags = !isCore(session);
  return { has_tags, calls: new Map(), model, tagged: 0, task, has_requests: false };
}

/** Emits a compaction with the messages that are sent in place of all earlier ones. */
function emitKept(
  kept: readonly Json[],
  session: ClineSession,
  { writer, origin }: EventTarget,
): void {
  const messages = foldedMessages(session, (own) => {
    const state = startState(session);
    for (const message of kept) emitMessage(message, state, { writer: own, origin: {} });
  });
  const summary = kept.find(({ metadata, isSummary }) =>
    isSummary === true || asObject(metadata).kind === "compaction_summary"
  );
  const payload = { messages, summary: summary && plainText(summary.content) };
  writer.emit("compaction_applied", { status: "Compacted", ...present(payload) }, origin);
}

function emitShown(shown: Json, { writer, origin }: EventTarget): void {
  const text = asText(shown.text) ?? "";
  const kind = asName(shown.say) ?? asName(shown.ask) ?? "message";
  const at = { ...origin, time: shown.ts };
  const value = parsedObject(text);
  if (value !== undefined) return writer.keepUnknown(kind, { ...shown, text: value }, at);
  if (text === "" || /^\s*\[/.test(text)) return writer.keep(kind, shown, at);
  const level = /error|failed/.test(kind) ? "error" as const : undefined;
  const title = kind.replaceAll("_", " ");
  writer.emit("notice", present({ audience: "user" as const, title, text, level }), at);
}

/** Emits the tokens of a request to the model, as an answer without text. */
function emitRequest(request: Json, state: State, { writer, origin }: EventTarget): void {
  state.has_requests = true;
  const facts = {
    content: "",
    message_id: `request-${request.ts}`,
    model: asName(asObject(request.modelInfo).modelId) ?? state.model,
    usage: present({
      input: asNumber(request.tokensIn),
      output: asNumber(request.tokensOut),
      cache_read: asNumber(request.cacheReads),
      cache_write: asNumber(request.cacheWrites),
    }),
    cost_usd: asNumber(request.cost) ?? asNumber(request.totalCost),
  };
  writer.emit("assistant_message", present(facts), { ...origin, time: request.ts });
}

/**
 * Emits a task's total tokens from the list of tasks, if no request has tokens. Closes a task whose
 * last call marks it as completed.
 */
function emitEnd(state: State, { writer }: FormatReading): void {
  const { task, calls, has_requests } = state;
  if (!has_requests && task.ts !== undefined) {
    emitRequest(task, state, { writer, origin: {} });
  }
  const [last] = [...calls.values()].slice(-1);
  if (last?.name === "attempt_completion") {
    writer.emit("session_closed", { status: "completed" }, { time: task.ts });
  }
}

function emitHead(
  { session, writer }: FormatReading,
  first: SourceRecord | undefined,
): State {
  const state = startState(session);
  const { head, prompt = "", began } = asObject(first?.value) as ClineRecord;
  const core = isCore(session);
  const known = core ? manifestOf(session) : {};
  const { task } = state;
  state.model ??= asName(known.model);
  const { title } = asObject(known.metadata);
  const named = asName(title) ?? asName(task.title) ?? asName(task.task);
  const started = {
    session_id: session.id,
    created_at: isoTime(known.started_at) ?? isoTime(known.created_at) ?? timeInId(session.id) ??
      isoTime(began) ?? isoTime(task.ts) ?? "",
    cwd: asName(known.cwd) ?? asName(known.workspace_root) ?? session.cwd ??
      DIRECTORY.exec(prompt)?.[1] ?? "",
    app: present({ name: session.agent, version: asName(asObject(head?.origin).version) }),
    // A title that repeats the prompt tells nothing.
    title: named === undefined || prompt.includes(named.trim()) ? undefined : excerpt(named),
  };
  writer.emit("session_started", present(started));
  return state;
}

/** Matches the working directory in the first prompt of Cline's editor extension. */
const DIRECTORY = /^# Current (?:Workspace|Working) Directory \((.+?)\)/m;

/** Returns the time in an id, which begins with the milliseconds since 1970. */
function timeInId(id: string): string | undefined {
  return isoTime(Number(/^\d{13}(?!\d)/.exec(id)?.[0] ?? NaN));
}

async function threadsOf(session: ClineSession): Promise<FormatThread[]> {
  const main: FormatThread = { id: MAIN_THREAD, kind: "main", records: 0 };
  const started = await subagentsOf(session);
  const ids = new Set(started.map(({ id }) => id));
  return [
    main,
    ...started.map((child): FormatThread => {
      const parent = asName(child.task?.parentTaskId) ?? "";
      return {
        ...{ id: child.id, kind: "subagent", session: child },
        parent: { thread: ids.has(parent) ? parent : MAIN_THREAD },
        records: readMessages(child.path).messages.length,
        own: () => clineSource(child).read(),
      };
    }),
  ];
}

/** True for a file of a session, by its name and its start. Other files may start the same way. */
function isCline(path: string, head: Uint8Array): boolean {
  const name = basename(path);
  const start = new TextDecoder().decode(head.subarray(0, 256)).trimStart();
  if (isCore({ path })) return /^(?:\{|$)/.test(start);
  return HISTORIES.includes(name) && /^(?:\[|\{|$)/.test(start);
}

async function filesOf(session: ClineSession): Promise<string[]> {
  const sessions = [session, ...await subagentsOf(session)];
  const around = sessions.map(({ path }) => dirname(path)).flatMap(listFolder);
  const files = around.filter(({ isFile }) => isFile).map(({ path }) => path);
  return [...new Set([session.path, ...files])];
}

export const clineAgent: Agent = {
  name: "cline",
  recognize: isCline,
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  // What it started, and what the screen showed, has files of its own.
  open: formatReader(clineFormat, {
    files: async (session) => ({ paths: await filesOf(session) }),
  }),
};
