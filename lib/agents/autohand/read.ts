/**
 * A session of Autohand as our events.
 *
 * autohandai/code-cli 0.8.2, src/session/SessionManager.ts, types.ts. No file carries a version.
 */
import { basename } from "node:path";
import { textFor } from "../../event/audience.ts";
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  present,
} from "../../reading/records/json_value.ts";
import { addCall, emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import { UNSETTLED_OUTPUT } from "../../projection/conversation/paired_messages.ts";
import { count } from "../../source/source_account.ts";
import { recordedEvents } from "../../reading/events/recorded_events.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { type ConversationLine, ConversationLines, isSaid } from "./conversation_line.ts";
import { type JsonFile, METADATA, readMetadata, readState, timeInId } from "./session_folder.ts";

/**
 * sessionTitle.ts `getSessionDisplayName`: the user's name for it, then the summary; of an automatic
 * run what it was to do, for its first line says so behind a mark.
 */
function titleIn({ title, summary, automodePrompt }: JsonFile): string | undefined {
  return [title, summary, automodePrompt].map((text) => asName(asText(text)?.trim()))
    .find((text) => text !== undefined);
}

/** Makes the events of a session. */
export class AutohandEvents {
  readonly writer: EventWriter;
  readonly #session: AgentSession;
  readonly #metadata: JsonFile;
  readonly #lines = new ConversationLines();

  constructor(session: AgentSession, metadata: JsonFile, options: AgentReadOptions = {}) {
    this.writer = new EventWriter(session, options.needs);
    this.#session = session;
    this.#metadata = metadata;
  }

  /** Adds what stands beside the log. */
  start(): void {
    const { id, path, cwd } = this.#session;
    const { branch, importedFrom, createdAt, projectPath, ...names } = this.#metadata;
    const { type: reason, sourceSessionId } = asObject(branch);
    const { source, originalId } = asObject(importedFrom);
    const created_at = isoTime(createdAt) ?? timeInId(id) ?? readEdges(path).modified_at ?? "";
    const parent = asName(sourceSessionId);
    const agent = asName(source);
    this.writer.emit(
      "session_started",
      present({
        session_id: id,
        created_at,
        cwd: asName(projectPath) ?? cwd ?? "",
        app: { name: "autohand" },
        unanswered_call: UNSETTLED_OUTPUT,
        title: titleIn(names),
        parent: parent === undefined
          ? undefined
          : present({ session_id: parent, reason: asName(reason) }),
        imported_from: agent === undefined ? undefined : { agent, id: asText(originalId) ?? "" },
      }),
      { time: created_at },
    );
    const state = readState(this.#session);
    if (Object.keys(state).length > 0) this.#takeState(state);
  }

  #takeState(state: JsonFile): void {
    this.writer.emit(
      "workspace_snapshot",
      present({
        root: asText(state.workspaceRoot) ?? "",
        git_status: asText(state.gitStatus),
        files: asList(state.workspaceFiles).filter((file) => typeof file === "string"),
        context_used: asNumber(state.contextUsed),
        context_limit: asNumber(state.contextLimit),
      }),
    );
  }

  /** Adds the events of a line. */
  take(record: SourceRecord): void {
    const { value } = record;
    const origin: EventOrigin = { time: value.timestamp, record };
    const lines = this.#lines.take(value);
    for (const line of lines) this.#takeLine(line, value, origin);
    // Of automode, say. The marks of streamed pieces and of what is kept whole stand there already.
    const about = asObject(value._meta);
    const isKept = lines.some((line) => !isSaid(line));
    if (Object.keys(about).length > 0 && !isKept) this.#extend("_meta", about, origin);
  }

  #takeLine(line: ConversationLine, value: JsonFile, origin: EventOrigin): void {
    if (line.type === "note" && isSaid(line)) this.#note(line.text, origin);
    else if (line.type === "user") this.writer.emit("user_message", { content: line.text }, origin);
    else if (line.type === "assistant") this.#answer(line, origin);
    else if (line.type === "result") this.#settle(line, origin);
    else if (line.type === "chunk") this.#extend("stream", value, origin);
    else this.#extend(asName(value.role) ?? "message", value, origin);
  }

  /** A note of Autohand's own to its model. */
  #note(text: string, origin: EventOrigin): void {
    const part = { type: "text", text, audience: "model" } as const;
    this.writer.emit("user_message", { content: [part], role: "system" }, origin);
  }

  /** Of an answer in JSON, a person sees the thought and the response; it is sent as it was. */
  #answer(line: ConversationLine & { type: "assistant" }, origin: EventOrigin): void {
    const message_id = `m${this.writer.seq + 1}`;
    const { shown, text, calls } = line;
    const draft = startResponse();
    if (shown?.thought !== undefined) {
      draft.parts.push({ type: "reasoning", text: shown.thought, audience: "user" });
    }
    const said = shown === undefined ? text : textFor(shown.response, text);
    if (typeof said !== "string") draft.parts.push(...said);
    else if (said !== "") draft.parts.push({ type: "text", text: said });
    for (const call of calls) addCall(draft, call);
    emitResponse(
      this.writer,
      draft,
      present({ message_id, model: asName(this.#metadata.model) }),
      origin,
    );
  }

  #settle(line: ConversationLine & { type: "result" }, origin: EventOrigin): void {
    const { call_id, name, text: output, status } = line;
    this.writer.emit("tool_end", { call_id, name, status, output }, origin);
  }

  #extend(type: string, data: unknown, origin: EventOrigin): void {
    this.writer.emit("extension", { agent: "autohand", type, data }, origin);
  }

  /** Ends the log: calls that were cut off, then what the metadata tells of the whole session. */
  end(): void {
    for (const line of this.#lines.end()) this.#takeLine(line, {}, {});
    this.#close();
  }

  #close(): void {
    const { usage, model, status, closedAt, exitCode, summary, lastActiveAt } = this.#metadata;
    if (Object.keys(this.#metadata).length === 0) return;
    // A fork takes its source's total along, so that its own share is not known.
    if (this.#metadata.branch === undefined) this.#takeUsage(asObject(usage), asName(model));
    this.#extend("metadata", this.#metadata, { time: lastActiveAt });
    // A crashed session stays "active": no code ever sets "crashed" but a failed command run.
    if (status !== "completed" && status !== "crashed") return;
    const closed = { exit_code: asNumber(exitCode), summary: asName(summary) };
    this.writer.emit(
      "session_closed",
      present({ ...closed, status: status === "completed" ? "completed" : "failed" }),
      { time: closedAt },
    );
  }

  /** Autohand keeps the tokens of the session alone, not of each answer. */
  #takeUsage(usage: JsonFile, model: string | undefined): void {
    const tokens = present({
      input: asNumber(usage.promptTokens),
      output: asNumber(usage.completionTokens),
    });
    if (Object.keys(tokens).length === 0) return;
    const answer = present({ content: "", message_id: "usage", model, usage: tokens });
    this.writer.emit("assistant_message", answer, { time: usage.updatedAt });
  }
}

/** Reads a session. See the contract of an agent. */
export async function* readAutohand(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { report } = options;
  const metadata = readMetadata(session);
  const known = Object.keys(metadata).length > 0;
  if (!known) {
    const detail = "metadata.json is missing or damaged";
    report?.({ code: "missing-header", offset: 0, length: 0, line: 0, detail });
  }
  const events = new AutohandEvents(session, metadata, options);
  events.start();
  if (basename(session.path) === METADATA) {
    countMetadata(session, known, options);
    events.end();
    yield events.writer.take();
  } else {
    yield* recordedEvents(session, events, options);
  }
}

/** A session without messages: all that there is of it is the metadata. */
function countMetadata(
  { path }: AgentSession,
  known: boolean,
  { account, report }: AgentReadOptions,
): void {
  const { size } = readEdges(path, { head_bytes: 0, tail_bytes: 0 });
  count(account, known ? "events" : "damage", size);
  if (known) return;
  const detail = "metadata.json is no JSON object";
  report?.({ code: "malformed-line", offset: 0, length: size, line: 1, detail });
}
