/**
 * Reads trajectories of the Agent Trajectory Interchange Format, ATIF 1.0 to 1.8: one JSON
 * document. Sources: the docs "Agent Trajectory Format" of the Harbor framework, and its RFC 0001.
 *
 * A step has at most a number as its id. ATIF has no compaction, so all steps are sent to the
 * model. A damaged document is not read at all.
 */
import { basename } from "node:path";
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromReference } from "../../core/event/attachment.ts";
import type { Part } from "../../core/event/message.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import { addCall, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { formatReader } from "../engine/format_reader.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import { parseJsonPrefix } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { documentSource } from "../engine/sources/document_source.ts";
import type { Agent } from "../contract/agent.ts";

const VERSION = /^ATIF-v1\.\d+$/;

function recordsOf(document: readonly SourceRecord[]): SourceRecord[] {
  return document.flatMap((record) => {
    const { steps, ...trajectory } = record.value;
    const items = asList(steps).map((step) => ({ step: asObject(step) }));
    return [{ trajectory }, ...items].map((value, part) => ({ ...record, value, part }));
  });
}

export const atifFormat: SessionFormat<null> = {
  source: ({ path }) => documentSource(path, recordsOf),
  begin: emitHead,
  emit(record, _state, { writer }): void {
    const { step, trajectory } = record.value;
    if (step !== undefined) {
      const { timestamp, step_id } = asObject(step);
      const id = `step-${step_id ?? record.part}`;
      emitStep(asObject(step), writer, present({ id, time: asName(timestamp), record }));
      return;
    }
    const { schema_version, agent, extra, notes, final_metrics } = asObject(trajectory);
    const data = present({ schema_version, agent, extra, notes, final_metrics });
    writer.keep("trajectory", data, { record });
  },
  standsAlone: ({ value }) => asObject(value.step).source === "user",
};

function emitHead({ session, writer }: FormatReading, first: SourceRecord | undefined): null {
  const { agent, extra } = asObject(first?.value.trajectory);
  const { name, version } = asObject(agent);
  const app = present({ name: asName(name) ?? "", version: asName(version) });
  const started = {
    session_id: session.id,
    created_at: "",
    cwd: session.cwd ?? "",
    app: app.name === "" ? undefined : app,
    title: asName(asObject(extra).title),
  };
  writer.emit("session_started", present(started), present({ record: first }));
  return null;
}

const decoder = new TextDecoder();

export const atifAgent: Agent = {
  name: "atif",
  recognize: (_path, head) => {
    const { schema_version } = asObject(parseJsonPrefix(decoder.decode(head)));
    return VERSION.test(String(schema_version));
  },
  sessionsIn: (path) => Promise.resolve([{ agent: "atif", id: basename(path, ".json"), path }]),
  open: formatReader(atifFormat),
};

const TAKEN: ReadonlySet<string> = new Set([
  ...["step_id", "timestamp", "source", "message", "model_name", "reasoning_content"],
  ...["tool_calls", "observation", "metrics"],
]);

function emitStep(step: Json, writer: EventWriter, origin: EventOrigin): void {
  const parts = partsOf(step.message);
  if (step.source === "user") emitPrompt(toContent(parts), writer, origin);
  else if (step.source === "system") emitSystem(step, parts, writer, origin);
  else emitAnswer(step, parts, writer, origin);
  const names = new Map(
    asList(step.tool_calls).map(asObject).map(({ tool_call_id, function_name }) =>
      [asText(tool_call_id) ?? "", asText(function_name) ?? ""] as const
    ),
  );
  for (const result of asList(asObject(step.observation).results).map(asObject)) {
    emitResult(result, names, writer, origin);
  }
  writer.keep("step", unreadFields(step, TAKEN), origin);
}

/** Returns a message's parts. Since ATIF 1.6, a message may be a list of texts and images. */
function partsOf(message: unknown): Part[] {
  if (typeof message === "string") return message === "" ? [] : [{ type: "text", text: message }];
  return asList(message).map(asObject).flatMap(({ type, text, source }): Part[] => {
    if (type === "text") return [{ type: "text", text: asText(text) ?? "" }];
    const { path, media_type } = asObject(source);
    return typeof path === "string"
      ? [attachmentFromReference(path, asText(media_type) ?? "image/png")]
      : [];
  });
}

function emitPrompt(
  content: ReturnType<typeof toContent>,
  writer: EventWriter,
  origin: EventOrigin,
): void {
  writer.emit("user_message", { content }, origin);
}

function emitSystem(step: Json, parts: Part[], writer: EventWriter, origin: EventOrigin): void {
  if (parts.length === 0) return;
  const { kind } = asObject(step.extra);
  if (kind === "compaction_applied") {
    const summary = asText(step.message) ?? "";
    writer.emit("compaction_applied", { status: "", summary, status_only: true }, origin);
  } else {
    const content = parts.map((part): Part => ({ ...part, audience: "model" }));
    writer.emit("user_message", { content, role: "system" }, origin);
  }
}

function emitAnswer(step: Json, parts: Part[], writer: EventWriter, origin: EventOrigin): void {
  const thought = asName(step.reasoning_content);
  const draft = startResponse(
    thought === undefined ? [] : [{ type: "reasoning", text: thought, provider_data: {} }],
  );
  for (const one of parts) draft.parts.push(one);
  for (const value of asList(step.tool_calls)) {
    const { tool_call_id, function_name, arguments: input } = asObject(value);
    const call_id = asText(tool_call_id) ?? "";
    addCall(draft, { call_id, name: asText(function_name) ?? "", input: input ?? {} });
  }
  const metrics = asObject(step.metrics);
  const usage = promptUsage({
    prompt: asNumber(metrics.prompt_tokens),
    output: asNumber(metrics.completion_tokens),
    cache_read: asNumber(metrics.cached_tokens),
  });
  const model = asName(step.model_name);
  const cost_usd = asNumber(metrics.cost_usd);
  const fields = present({ message_id: origin.id, model, usage, cost_usd });
  emitResponse(writer, draft, fields, origin);
}

function emitResult(
  { source_call_id, content, extra }: Json,
  names: ReadonlyMap<string, string>,
  writer: EventWriter,
  origin: EventOrigin,
): void {
  const call_id = asText(source_call_id);
  const parts = partsOf(content);
  const texts = parts.flatMap((part) => part.type === "text" ? part.text : []);
  const output = texts.join("\n");
  if (call_id === undefined || !names.has(call_id)) {
    writer.emit("notice", { audience: "user", title: "observation", text: output }, origin);
    return;
  }
  const told = asText(asObject(extra).status);
  const status = told === "error" || told === "interrupted" || told === "skipped" ? told : "ok";
  writer.emit("tool_end", { call_id, name: names.get(call_id) ?? "", status, output }, origin);
}
