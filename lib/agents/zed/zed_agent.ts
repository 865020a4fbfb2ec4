/**
 * Reads the threads of Zed's own agent (zed-industries/zed, crates/agent/src/db.rs at 0642ec7).
 * Documents have version 0.1.0, 0.2.0, 0.3.0 or none.
 *
 * Zed records no times of messages. It records the tokens of the whole thread. An older thread has
 * the tokens of each turn's last request. For a damaged document, Reprise shows the columns of its
 * row.
 */
import type { Message } from "../../core/event/message.ts";
import type { AssistantMessagePayload, TokenUsage } from "../../core/event/payload.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { gitInfo } from "../engine/git_info.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { isDatabaseWith } from "../engine/sqlite/sqlite_reader.ts";
import {
  storedSession,
  storedThreads,
  withoutSubagents,
} from "../engine/sqlite/stored_sessions.ts";
import type { Agent } from "../contract/agent.ts";
import { emitMessage } from "./message_events.ts";
import {
  holdsThreads,
  locatedThreads,
  type ThreadInfo,
  threadRecords,
  threadSource,
} from "./thread_rows.ts";

interface ThreadState {
  prompts: Message[];
  totals: AssistantMessagePayload;
  updated_at: unknown;
}

export const zedFormat: SessionFormat<ThreadState> = {
  source: threadSource,
  threads: (session) =>
    Promise.resolve().then(() =>
      storedThreads(session, locatedThreads(session.path), (one) => {
        const records = threadRecords(one);
        return { records: records.length - 1, own: () => [records] };
      })
    ),
  begin: (reading, first) => emitHead(reading, first?.value ?? {}),
  emit(record, { prompts }, { writer }): void {
    const { message } = record.value;
    if (message !== undefined) emitMessage(message, writer, { record }, prompts);
  },
  end({ totals, updated_at: time }, { writer }): void {
    writer.emit("assistant_message", totals, { time });
  },
  standsAlone: ({ value }) => asObject(value.message).User !== undefined,
  // A document is read from its beginning alone.
  startState: ({ session }) => stateOf(threadRecords(session)[0]?.value ?? {}),
  saveState: () => undefined,
};

const TAKEN: ReadonlySet<string> = new Set([
  ...["version", "title", "summary", "detailed_summary", "updated_at", "model", "subagent_context"],
  ...["cumulative_token_usage", "request_token_usage", "ui_scroll_position"],
]);

function emitHead({ session, writer }: FormatReading, head: Json): ThreadState {
  const fields = asObject(head.fields);
  const { title, parent_id, cwd, created_at, updated_at } = head.info as ThreadInfo;
  const { worktree_path, git_state } = asObject(
    asList(asObject(fields.initial_project_snapshot).worktree_snapshots)[0],
  );
  const { current_branch: branch, head_sha: commit, remote_url: remote } = asObject(git_state);
  const started = {
    session_id: session.id,
    created_at: isoTime(created_at) ?? isoTime(updated_at) ?? "",
    cwd: cwd ?? asName(worktree_path) ?? "",
    app: { name: "zed" },
    title,
    git: gitInfo({ branch, commit, remote }),
    parent: parent_id === undefined ? undefined : { session_id: parent_id, reason: "subagent" },
  };
  writer.emit("session_started", present(started), { time: created_at });
  const text = asName(fields.detailed_summary);
  if (text !== undefined) writer.emit("notice", { audience: "user", title: "summary", text });
  writer.keep("thread", unreadFields(fields, TAKEN));
  return stateOf(head);
}

function stateOf(head: Json): ThreadState {
  const fields = asObject(head.fields);
  const { model, provider } = asObject(fields.model);
  const usage = usageOf(fields);
  const totals = {
    ...{ content: "", message_id: "totals", model: asName(model), provider: asName(provider) },
    usage,
    usage_of: usage && "session" as const,
  };
  const updated_at = asObject(head.info).updated_at ?? fields.updated_at;
  return { prompts: [], totals: present(totals), updated_at };
}

/** Sums a thread's tokens. Zed's input tokens do not include cached tokens. */
function usageOf(fields: Json): TokenUsage | undefined {
  const sumOf = (counts: readonly unknown[]): TokenUsage | undefined => {
    const [input = 0, output = 0, cache_read = 0, cache_write = 0] = [
      ...["input_tokens", "output_tokens"],
      ...["cache_read_input_tokens", "cache_creation_input_tokens"],
    ].map((name) =>
      counts.reduce<number>((sum, one) => sum + (asNumber(asObject(one)[name]) ?? 0), 0)
    );
    const none = input + output + cache_read + cache_write === 0;
    return none ? undefined : { input, output, cache_read, cache_write };
  };
  return sumOf([fields.cumulative_token_usage]) ??
    sumOf(Object.values(fields.request_token_usage ?? {}));
}

export const zedAgent: Agent = {
  name: "zed",
  recognize: (path, head) => isDatabaseWith(path, head, holdsThreads),
  sessionsIn: (path) =>
    Promise.resolve().then(() =>
      withoutSubagents(locatedThreads(path)).map((one) => storedSession("zed", path, one))
    ),
  open: formatReader(zedFormat),
};
