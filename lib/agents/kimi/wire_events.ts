/**
 * Converts Kimi Code's records to events (2.1, packages/agent-core-v2, docs/wire-manifest.d.ts,
 * contextMemory/contextOps.ts, loopEventFold.ts and toolResultRender.ts).
 */
import { textFor, toContent } from "../../core/event/audience.ts";
import type { Content } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import { type DraftCall, textCall } from "../engine/events/response_draft.ts";
import {
  declareCall,
  emitOpen,
  openResponse,
  settleCall,
  type StreamedTalk,
} from "../engine/events/streamed_talk.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { outputOf, toPart } from "./content.ts";
import { isPrompt } from "./undo.ts";

export interface WireState extends StreamedTalk {
  model?: string | undefined;
  /** A `turn.prompt` record whose message has not come yet. */
  asked?: Json | undefined;
  /** The prompts since the last compaction. `seqs` has the seq of every message since then. */
  prompts: Content[];
  seqs: number[];
}

export function startState(): WireState {
  return { calls: new Map(), prompts: [], seqs: [] };
}

export interface WireEmission extends EventTarget {
  state: WireState;
}

export function emitRecord(emission: WireEmission, value: Json): void {
  const { state, writer, origin } = emission;
  const type = asText(value.type) ?? "record";
  switch (type) {
    case "turn.prompt":
      state.asked = value;
      return;
    case "context.append_message":
      closeStep(emission);
      return emitMessage(emission, asObject(value.message));
    case "context.append_loop_event":
      return emitLoopEvent(emission, asObject(value.event));
    case "usage.record":
      return noteUsage(emission, value);
    case "config.update":
    case "profile.bind":
    case "llm.request":
      return noteSettings(emission, type, value);
    case "context.apply_compaction":
      return emitCompaction(emission, value);
    case "context.clear":
      closeStep(emission);
      Object.assign(state, { prompts: [], seqs: [] });
      writer.emit("compaction_applied", { status: "Context cleared.", messages: [] }, origin);
      return;
    case "turn.ended":
      return emitTurnEnd(emission, value);
    default:
      // Descriptions of tools are not conversation, and a subagent has a log of its own.
      if (/^(?:llm|subagent)\./.test(type)) writer.keep(type, value, origin);
      else writer.keepUnknown(type, value, origin);
  }
}

function noteSettings({ state, writer, origin }: WireEmission, type: string, value: Json): void {
  // The alias stands in the settings, the model in each request.
  state.model = asName(value.model) ?? asName(value.modelAlias) ?? state.model;
  const { systemPrompt: text, ...settings } = value;
  if (typeof text === "string") {
    writer.emit("notice", { audience: "model", title: "system prompt", text }, origin);
  }
  writer.keep(type, settings, origin);
}

function emitTurnEnd(emission: WireEmission, value: Json): void {
  const { writer, origin } = emission;
  if (value.reason === "completed") return writer.keep("turn.ended", value, origin);
  closeStep(emission);
  const message = asText(asObject(value.error).message) ?? "";
  const reason = value.reason === "cancelled" ? "cancelled" : "error";
  writer.emit("turn_failed", { reason, message }, origin);
}

export function closeStep({ state, writer }: Pick<WireEmission, "state" | "writer">): void {
  emitStep({ state, writer });
  state.response = undefined;
}

function emitStep({ state, writer }: Pick<WireEmission, "state" | "writer">): void {
  const { response, model } = state;
  if (response?.told === false) response.fields = present({ ...response.fields, model });
  const seq = emitOpen(state, writer);
  if (seq !== undefined) state.seqs.push(seq);
}

/** Emits a prompt that has no message record, for example because the turn never began. */
export function emitAsked({ state, writer, origin }: WireEmission): void {
  const { asked } = state;
  state.asked = undefined;
  if (asked === undefined) return;
  const message = { role: "user", content: asked.input, origin: asked.origin };
  emitMessage({ state, writer, origin: { ...origin, time: asked.time } }, message);
}

function emitMessage(emission: WireEmission, message: Json): void {
  const { state, writer, origin } = emission;
  const parts = asList(message.content).flatMap(toPart);
  if (message.role === "tool") {
    return emitResult(emission, message.toolCallId, { ...message, output: message.content });
  }
  if (message.role === "assistant") {
    emitAsked(emission);
    const { draft } = openResponse(state, origin);
    for (const one of parts) draft.parts.push(one);
    for (const call of asList(message.toolCalls).map(asObject)) {
      declare(state, origin, textCall(call));
    }
    return emitStep(emission);
  }
  const text = parts.map((part) => part.type === "text" ? part.text : "").join("");
  if (isPrompt(message)) {
    state.asked = undefined;
    state.prompts.push(toContent(parts));
  }
  const shown = isShown(message) ? text.replace(CONTEXT, "") : "";
  const content = shown === text ? toContent(parts) : textFor(shown, text);
  const role = message.role === "system" ? "system" as const : undefined;
  state.seqs.push(writer.emit("user_message", present({ content, role }), origin));
}

/** Matches the git context that precedes a subagent's task. */
const CONTEXT = /^<git-context>[^]*?<\/git-context>\s*/;

/** True for a message or a shell command of the user, and for the task of a subagent. */
function isShown(message: Json): boolean {
  const { kind, name } = asObject(message.origin);
  return isPrompt(message) || kind === "shell_command" || name === "subagent";
}

function emitLoopEvent(emission: WireEmission, event: Json): void {
  const { state, writer, origin } = emission;
  switch (event.type) {
    case "step.begin":
      closeStep(emission);
      emitAsked(emission);
      openResponse(state, origin, asText(event.uuid));
      return;
    case "content.part":
      for (const part of toPart(event.part)) {
        openResponse(state, origin, asText(event.stepUuid)).draft.parts.push(part);
      }
      return;
    case "tool.call": {
      const { toolCallId, name = event.toolName, args: input = event.input ?? {} } = event;
      const call = { call_id: asText(toolCallId) ?? "", name: asText(name) ?? "", input };
      return declare(state, origin, call);
    }
    case "tool.result":
      emitStep(emission);
      return emitResult(emission, event.toolCallId, asObject(event.result ?? event));
    // Its usage stands in a `usage.record` too, which is what Kimi Code counts.
    case "step.end":
      return closeStep(emission);
    default:
      writer.keepUnknown(asText(event.type) ?? "event", event, origin);
  }
}

function declare(state: WireState, origin: EventOrigin, call: DraftCall): void {
  const { draft } = openResponse(state, origin);
  const { command: line, description } = asObject(call.input);
  const command = call.name === "Bash" ? asText(line) : undefined;
  const shell = command === undefined ? undefined : { command, summary: asName(description) };
  declareCall(state, draft, call, shell);
}

function emitResult({ state, writer, origin }: WireEmission, call_id: unknown, result: Json): void {
  const duration = asNumber(result.durationMs);
  state.seqs.push(writer.seq + 1);
  settleCall(state, writer, {
    call_id: asText(call_id) ?? "",
    status: result.isError === true ? "error" : "ok",
    output: outputOf(result),
    duration_ns: duration === undefined ? undefined : Math.round(duration * 1e6),
  }, origin);
}

function toUsage(value: unknown): TokenUsage | undefined {
  const { inputOther, output, inputCacheRead, inputCacheCreation } = asObject(value);
  if (asNumber(output) === undefined) return undefined;
  return present({
    input: asNumber(inputOther),
    output: asNumber(output),
    cache_read: asNumber(inputCacheRead),
    cache_write: asNumber(inputCacheCreation),
  });
}

/** Adds the tokens of a request to the open response, or emits the tokens of a compaction. */
function noteUsage({ state, writer, origin }: WireEmission, value: Json): void {
  const usage = toUsage(value.usage);
  if (usage === undefined) return;
  state.model ??= asName(value.model);
  const { model, response } = state;
  if (response?.told === false) response.fields.usage = usage;
  else {
    const fields = { content: "", message_id: origin.id, model, usage };
    writer.emit("assistant_message", present(fields), origin);
  }
}

const CONTINUE = "<system-reminder>\nContext compaction is complete — continue the work that was " +
  "in progress when it began.\n</system-reminder>";

/**
 * Emits a compaction. The prompts stay, before the summary. In logs of earlier versions, the last
 * messages stay instead, after the summary.
 */
function emitCompaction(emission: WireEmission, value: Json): void {
  const { state, writer, origin } = emission;
  closeStep(emission);
  const parts = asList(asObject(value.summary).content).map(asObject);
  const summary = asName(value.contextSummary) ?? asText(value.summary) ??
    parts.map(({ text }) => asText(text) ?? "").join("");
  const keeps_tail = value.legacyTail === true ||
    (value.legacyTail === undefined && value.keptUserMessageCount === undefined);
  const kept = state.seqs.slice(asNumber(value.compactedCount) ?? asNumber(value.count) ?? 0);
  const [first] = keeps_tail ? kept : [];
  const messages = keeps_tail
    ? undefined
    : [...state.prompts, summary, CONTINUE].map((content) => ({ role: "user" as const, content }));
  const seq = writer.emit(
    "compaction_applied",
    present({
      status: "Context compacted.",
      summary,
      messages,
      first_kept_seq: first === undefined ? undefined : writer.firstMessage(first),
      tokens_before: asNumber(value.tokensBefore),
      tokens_after: asNumber(value.tokensAfter),
    }),
    origin,
  );
  state.seqs = [...(messages ?? [summary]).map(() => seq), ...(keeps_tail ? kept : [])];
}
