/**
 * Reads the sessions of Grok Build (xai-org/grok-build; checked against sessions of 1.0.41 and the
 * sources of 1.0). Grok Build restores a session from its file `updates.jsonl`.
 *
 * The conversation is what Grok Build rebuilds from this file (`rebuild_chat_history`), with
 * thoughts. Grok Build sends prompts in `<user_query>` tags, with reminders around them.
 */
import { dirname, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { listFolder } from "../engine/files/folder.ts";
import { asName, asObject, asText, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import { readRecords } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type FormatReading, savedState, type SessionFormat } from "../engine/session_format.ts";
import { replayedSource } from "../engine/sources/replayed_source.ts";
import { lineName, rewoundRules, rewoundThreads } from "../engine/sources/rewound_lines.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { readSummary, sessionAt, subagentsOf } from "./locate.ts";
import { isPromptChunk, rewindRules, timeOf, updateIn } from "./rewind.ts";
import { closePrompt, closeResponse, emitUpdate, type UpdateState } from "./update_events.ts";

export const grokFormat: SessionFormat<UpdateState> = {
  source: ({ path }, thread) => replayedSource(path, rewoundRules(rewindRules, thread)),
  threads: (session) => rewoundThreads(session.path, rewindRules, subagentsOf(session)),
  begin: emitHead,
  emit(record, state, { writer, session }): void {
    const { value } = record;
    const id = lineName(rewindRules.idOf(record), record);
    const origin = { id, time: timeOf(value), record };
    emitUpdate({ state, writer, origin, folder: dirname(session.path) }, value);
  },
  end(state, { writer }): void {
    closePrompt({ state, writer });
    closeResponse({ state, writer });
  },
  standsAlone: ({ value, continues }) => continues !== true && isPromptChunk(updateIn(value)),
  startState: () => ({ calls: new Map() }),
  saveState: (state) =>
    state.prompt === undefined && state.response === undefined ? savedState(state) : undefined,
};

function emitHead(
  { session, writer }: FormatReading,
  first: SourceRecord | undefined,
): UpdateState {
  const summary = readSummary(session);
  const parent = asName(summary.parent_session_id);
  const model = asName(summary.current_model_id);
  const commit = asName(summary.head_commit);
  const created_at = isoTime(summary.created_at) ?? isoTime(first && timeOf(first.value)) ?? "";
  const started = present({
    session_id: session.id,
    created_at,
    cwd: session.cwd ?? "",
    app: { name: "grok" },
    title: asName(summary.generated_title) ?? asName(summary.session_summary),
    git: commit === undefined ? undefined : { commit },
    parent: parent === undefined ? undefined : { session_id: parent, reason: "fork" },
  });
  writer.emit("session_started", started, { time: created_at });
  return present({ calls: new Map(), model });
}

/** Yields responses' usage without subagents whose tokens the parent's turn already includes. */
async function* readUsage(session: AgentSession): AsyncGenerator<readonly ResponseUsage[]> {
  const counted = await countedSubagents(session);
  for await (const responses of formatReader(grokFormat)(session).usage()) {
    yield responses.filter(({ thread }) => thread === undefined || !counted.has(thread));
  }
}

/** Returns ids of subagents whose tokens are in the usage of the turn that started them. */
async function countedSubagents({ path }: AgentSession): Promise<Set<string>> {
  const asked = new Map<string, unknown>();
  const ended = new Set<string>();
  const counted = new Set<string>();
  for await (const records of readRecords(path)) {
    for (const { sessionUpdate, ...update } of records.map(({ value }) => updateIn(value))) {
      const child = asText(update.child_session_id) ?? "";
      if (sessionUpdate === "subagent_spawned") asked.set(child, update.parent_prompt_id);
      if (sessionUpdate === "subagent_finished") ended.add(child);
      if (sessionUpdate !== "turn_completed") continue;
      for (const id of ended) if (asked.get(id) === update.prompt_id) counted.add(id);
    }
  }
  return counted;
}

function isGrok(head: Uint8Array): boolean {
  return headRecords(head).some(({ value: { method, params } }) =>
    (method === "session/update" || method === "_x.ai/session/update") &&
    asText(asObject(asObject(params).update).sessionUpdate) !== undefined
  );
}

function filesOf({ path }: AgentSession): string[] {
  const folder = dirname(path);
  return [folder, join(folder, "compaction_checkpoints")].flatMap(listFolder)
    .filter(({ isFile, name }) => isFile && /\.jsonl?$/.test(name)).map((file) => file.path);
}

export const grokAgent: Agent = {
  name: "grok",
  recognize: (_path, head) => isGrok(head),
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  open: formatReader(grokFormat, {
    usage: readUsage,
    // Its metadata and its compactions lie in files of their own.
    files: (session) => ({
      paths: [session, ...subagentsOf(session).map((child) => child.session)].flatMap(filesOf),
    }),
  }),
};
