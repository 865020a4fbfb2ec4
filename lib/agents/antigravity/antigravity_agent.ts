/**
 * Reads the sessions of Antigravity (Google's `agy` 1.1, and its desktop and editor of 2026). Its
 * sources are not public. The format is that of its transcripts, and of SpecStory's description of
 * them (getspecstory, antigravitycli/ANTIGRAVITY-FORMAT.md, and its transcript_parser.go).
 *
 * A session is a folder with a transcript of one step a line. Antigravity itself continues from
 * `conversations/<id>.db`, whose rows are protobuf without a public schema. This reader does not
 * read the database, so the conversation is only what the transcript has.
 *
 * A step `CHECKPOINT` has a summary that Antigravity makes early, even after the first prompt. The
 * step does not show what the model still gets, so nothing is left out.
 */
import { basename } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  type Json,
  parsedJson,
  present,
  unreadFields,
} from "../engine/json.ts";
import { subagentThreads } from "../engine/linear/line_threads.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import {
  type FormatReading,
  type FormatThread,
  savedState,
  type SessionFormat,
} from "../engine/session_format.ts";
import { lineSource } from "../engine/sources/line_source.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { filesOf, sessionAt, subagentsOf } from "./locate.ts";
import {
  emitAnswer,
  emitContext,
  emitPrompt,
  emitResult,
  isAwaited,
  type Step,
  type StepState,
  textOf,
} from "./step_events.ts";
import { antigravityPrompt } from "./antigravity_history.ts";
import { withHistory } from "../engine/prompt_history.ts";

interface State extends StepState {
  /** Results that precede their calls. The results of parallel calls are written as they arrive. */
  early: SourceRecord[];
}

export const antigravityFormat: SessionFormat<State> = {
  source: ({ path }) => lineSource(path),
  threads: threadsOf,
  begin: emitHead,
  emit(record, state, reading): string | void {
    const step = stepOf(record, reading);
    const isResult = isResultType(step.value);
    if (isResult && step.value.tool_calls === undefined && !isAwaited(state, step.type)) {
      state.early.push(record);
      return;
    }
    takeEarly(state, reading, (one) => indexOf(one) < indexOf(record));
    const side = isResult ? emitMade(step, state) : emitOther(step, state);
    takeEarly(state, reading, ({ value }) => isAwaited(state, typeOf(value)));
    keepRest(step);
    return side;
  },
  end: (state, reading) => takeEarly(state, reading, () => true),
  standsAlone: ({ value }) => typeOf(value) === "USER_INPUT",
  startState,
  saveState: (state) => state.early.length > 0 ? undefined : savedState(state),
};

function startState(): State {
  return { model: undefined, open: [], early: [] };
}

/** Types of steps that are not results of tool calls. A step of any other type is a result. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  ...["USER_INPUT", "PLANNER_RESPONSE", "CHECKPOINT", "ERROR_MESSAGE", "SYSTEM_MESSAGE"],
  ...["CONVERSATION_HISTORY", "KNOWLEDGE_ARTIFACTS", "EPHEMERAL_MESSAGE"],
]);

function typeOf({ type, source, role }: Json): string {
  const from = (asName(source) ?? asName(role) ?? "").toUpperCase();
  const other = from === "SYSTEM" ? "SYSTEM_MESSAGE" : "PLANNER_RESPONSE";
  return asName(type) ?? (from.startsWith("USER") ? "USER_INPUT" : other);
}

/** True for a result. Most tools have a type of their own, so each unknown type is a result. */
function isResultType(value: Json): boolean {
  return !OTHER_TYPES.has(typeOf(value)) && asName(value.source)?.toUpperCase() !== "SYSTEM";
}

function emitMade(step: Step, state: State): void {
  if (asList(step.value.tool_calls).length > 0) emitAnswer(step, "", state);
  emitResult(step, state);
}

/** Emits a step that is not a result. Returns the step's type if the step has no content. */
function emitOther(step: Step, state: State): string | void {
  const { type, value, writer, origin } = step;
  const text = textOf(value.content);
  if (type === "USER_INPUT") state.open = [];
  if (type === "PLANNER_RESPONSE") return emitAnswer(step, text, state);
  if (text === "") return type;
  if (type === "ERROR_MESSAGE") {
    writer.emit("turn_failed", { reason: "error", message: text }, origin);
  } else if (type === "CHECKPOINT") {
    const checkpoint = { status: "Checkpoint", summary: text, status_only: true as const };
    writer.emit("compaction_applied", checkpoint, origin);
  } else if (type === "USER_INPUT" && asName(value.source)?.toUpperCase() !== "SYSTEM") {
    emitPrompt(step, state);
  } else emitContext(step);
}

function takeEarly(
  state: State,
  reading: FormatReading,
  isDue: (record: SourceRecord) => boolean,
): void {
  for (const record of [...state.early]) {
    if (!isDue(record)) continue;
    state.early.splice(state.early.indexOf(record), 1);
    const step = stepOf(record, reading);
    emitResult(step, state);
    keepRest(step);
  }
}

function indexOf({ value, position }: SourceRecord): number {
  return asNumber(value.step_index) ?? position.offset;
}

function stepOf(record: SourceRecord, { session, writer }: FormatReading): Step {
  const { created_at: time, step_index } = record.value;
  const id = String(asNumber(step_index) ?? `at-${record.position.offset}`);
  const is_short = basename(session.path) === "transcript.jsonl";
  const value = is_short ? decoded(record.value) : record.value;
  return { value, type: typeOf(value), writer, origin: { id, time, record } };
}

/**
 * Parses the arguments of calls. The short transcript has each argument as JSON text. Truncated
 * arguments stay texts.
 */
function decoded({ tool_calls, ...step }: Json): Json {
  if (tool_calls === undefined) return step;
  const calls = asList(tool_calls).map(asObject).map(({ args, ...call }) => {
    const entries = Object.entries(asObject(args)).map(([name, arg]) => [name, parsed(arg)]);
    return { ...call, args: Object.fromEntries(entries) };
  });
  return { ...step, tool_calls: calls };
}

function parsed(value: unknown): unknown {
  const json = parsedJson(value);
  return json === undefined ? value : json;
}

/** The fields of a step that become part of events, or decide how events are made. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["step_index", "source", "type", "status", "created_at"],
  ...["content", "thinking", "tool_calls", "truncated_fields"],
]);

function keepRest({ type, value, writer, origin }: Step): void {
  writer.keep(type, unreadFields(value, TAKEN), origin);
}

/** Matches the title in the text of a checkpoint. */
const TITLE = /^# USER Objective:\n(.+)$/m;

function emitHead(reading: FormatReading, first: SourceRecord | undefined): State {
  const { session, writer } = reading;
  const steps = readHeadRecords(session.path).map((record) => stepOf(record, reading));
  const args = steps.flatMap(({ value }) => asList(value.tool_calls))
    .map((call) => asObject(asObject(call).args));
  const started = {
    session_id: session.id,
    created_at: isoTime(first?.value.created_at) ?? "",
    cwd: session.cwd ?? args.map(({ Cwd }) => asName(Cwd)).find((cwd) => cwd !== undefined) ?? "",
    app: { name: "antigravity" },
    title: steps.map(({ value }) => TITLE.exec(textOf(value.content))?.[1]?.trim())
      .find((title) => title !== undefined),
  };
  writer.emit("session_started", present(started));
  return startState();
}

async function threadsOf(session: AgentSession): Promise<FormatThread[]> {
  const main: FormatThread = { id: MAIN_THREAD, kind: "main", records: 0 };
  const started = subagentsOf(session);
  const parentOf = ({ id }: AgentSession): string => started.get(id)?.parent ?? MAIN_THREAD;
  const sessions = [...started.values()].map((one) => one.session);
  return [main, ...await subagentThreads(sessions, parentOf)];
}

/** True if steps have the fields of an Antigravity transcript. Other programs lack some of them. */
function isAntigravity(_path: string, head: Uint8Array): boolean {
  return headRecords(head).some(({ value: { step_index, type, source, status } }) =>
    typeof step_index === "number" &&
    [type, source, status].every((field) => typeof field === "string")
  );
}

export const antigravityAgent: Agent = withHistory(
  {
    name: "antigravity",
    recognize: isAntigravity,
    sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
    // Outputs of commands in the background, and messages between agents, have files of their own.
    open: formatReader(antigravityFormat, { files: (session) => ({ paths: filesOf(session) }) }),
  },
  antigravityPrompt,
);
