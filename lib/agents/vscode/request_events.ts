/**
 * Converts a request of a VS Code chat to events (`ISerializableChatRequestData`, chatModel.ts of
 * 2026). The items of a response are in the order in which the user saw them.
 */
import { textFor, untypedParts } from "../../core/event/audience.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import {
  addPiece,
  declareCall,
  emitOpen,
  openResponse,
  settleCall,
  type StreamedTalk,
} from "../engine/events/streamed_talk.ts";
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
import { itemsOf } from "./chat_source.ts";
import { type Round, roundsOf, unaskedEdits } from "./rounds.ts";
import { markdown, type RoundCall, roundCalls, type ShownCall, toCall } from "./tool_calls.ts";

interface Emission extends EventTarget {
  readonly talk: StreamedTalk;
  readonly said_by: { model?: string; provider?: string };
  readonly made: Map<string, RoundCall>;
  readonly rounds: readonly Round[];
  /** Calls in the metadata that no item of the response shows, by call id. */
  readonly hidden: Map<string, RoundCall>;
  /** Calls whose results are emitted when all calls of their round are declared. */
  waiting: ShownCall[];
  round: number | undefined;
  /** True after an edit, until the next text. VS Code puts each edit into an empty code block. */
  fenced: boolean;
}

export function emitRequest(
  value: Json,
  provider: string | undefined,
  { writer, origin }: EventTarget,
): void {
  const result = asObject(value.result);
  const metadata = asObject(result.metadata);
  const items = itemsOf(value);
  const made = roundCalls(metadata);
  const shown = new Set(items.map(({ toolCallId }) => toolCallId));
  const emission: Emission = {
    writer,
    origin,
    talk: { calls: new Map() },
    said_by: present({ model: modelOf(value, metadata), provider }),
    made,
    hidden: new Map([...made].filter(([id]) => !shown.has(id))),
    rounds: roundsOf(items, metadata),
    waiting: [],
    round: undefined,
    fenced: false,
  };
  emitPrompt(emission, value, metadata);
  for (const item of items) emitItem(emission, item);
  settle(emission);
  for (const [id, made] of emission.hidden) {
    if (made.round !== emission.round) settle(emission);
    if (emission.hidden.delete(id)) addShown(emission, {}, made);
  }
  settle(emission);
  const left = emission.rounds.flatMap(({ unshown }) => unshown);
  if (left.length > 0) putFirst(emission, left);
  emitEnd(emission, value, metadata);
  emitRest(emission, value, metadata);
}

/** Returns the model that answered. For the automatic choice, the metadata has the chosen model. */
function modelOf(value: Json, { resolvedModel }: Json): string | undefined {
  const chosen = itemsOf(value).find(({ kind }) => kind === "autoModeResolution");
  return asName(resolvedModel) ?? asName(asObject(chosen?.resolved).id) ??
    asName(value.modelId)?.replace(/^copilot\//, "");
}

/** Emits the prompt. The model gets the sent text with attachments, if the request recorded it. */
function emitPrompt({ writer, origin }: Emission, value: Json, metadata: Json): void {
  const shown = promptOf(value);
  const sent = asList(metadata.renderedUserMessage).map((part) => asText(asObject(part).text) ?? "")
    .join("");
  const content = value.isSystemInitiated === true
    ? untypedParts(asName(value.systemInitiatedLabel) ?? "system", shown, sent || shown)
    : sent === ""
    ? shown
    : textFor(shown, sent);
  writer.emit("user_message", { content }, origin);
}

export function promptOf({ message }: Json): string {
  return asText(message) ?? asText(asObject(message).text) ?? "";
}

function emitItem(emission: Emission, item: Json): void {
  const { writer, origin, made, waiting, round } = emission;
  switch (item.kind) {
    case undefined:
    case "markdownContent":
    case "markdownVuln":
      return addText(emission, "text", markdown(item.value ?? item.content));
    case "thinking": {
      const text = asText(item.value) ?? asList(item.value).map(markdown).join("");
      return addText(emission, "reasoning", text);
    }
    case "inlineReference":
      return addText(emission, "text", `\`${referenceName(item)}\``);
    case "toolInvocationSerialized":
    case "toolInvocation": {
      const call = made.get(asText(item.toolCallId) ?? "");
      if (waiting.length > 0 && call?.round !== round) settle(emission);
      return addShown(emission, item, call);
    }
    case "textEditGroup": {
      const edits = unaskedEdits(item, made.values());
      if (edits === undefined) return;
      emitOpen(emission.talk, writer);
      writer.emit("diff", edits, origin);
      return;
    }
    case "warning":
    case "progressMessage": {
      const text = markdown(item.content);
      emitOpen(emission.talk, writer);
      writer.emit("notice", { audience: "user", title: item.kind, text }, origin);
      return;
    }
    case "codeblockUri":
      if (item.isEdit === true) openFence(emission);
      return;
    case "autoModeResolution": {
      // Older versions have the name in `resolvedModelName`, newer ones in `resolved`.
      const text = asName(asObject(item.resolved).name) ?? asName(item.resolvedModelName);
      if (text === undefined) return writer.keep(item.kind, item, origin);
      writer.emit("notice", { audience: "user", title: "model", text }, origin);
      return;
    }
    default:
      return writer.keepUnknown(asText(item.kind) ?? "", item, origin);
  }
}

/** Begins an edit: removes the opening fence of the code block around the edit. */
function openFence(emission: Emission): void {
  const last = emission.talk.response?.draft.parts.at(-1);
  if (last?.type === "text") last.text = last.text.replace(/\n?```\w*\n$/, "\n");
  emission.fenced = true;
}

function addText(emission: Emission, type: "text" | "reasoning", said: string): void {
  const text = emission.fenced ? said.replace(/^\n?```\n/, "\n") : said;
  emission.fenced = false;
  if (text === "" || (text !== said && text.trim() === "")) return;
  settle(emission);
  addPiece(respond(emission), type, text);
}

function respond({ talk, origin, said_by }: Emission): ReturnType<typeof openResponse> {
  const response = openResponse(talk, origin);
  response.fields = { ...response.fields, ...said_by };
  return response;
}

function putFirst(
  emission: Emission,
  parts: readonly ReturnType<typeof openResponse>["draft"]["parts"][number][],
): void {
  const { draft } = respond(emission);
  for (const part of [...parts, ...draft.parts.splice(0)]) draft.parts.push(part);
}

function addShown(emission: Emission, item: Json, made: RoundCall | undefined): void {
  const { talk, waiting, writer, origin } = emission;
  const call = toCall(item, made);
  writer.keep("toolInvocation", unreadFields(item, TAKEN_CALL), origin);
  declareCall(talk, respond(emission).draft, call.call, call.shell);
  waiting.push(call);
  emission.round = made?.round;
}

/**
 * Emits the open response and the results of its calls, if any results are waiting. Then emits the
 * conversation summary that belongs to this round of calls.
 */
function settle(emission: Emission): void {
  const { talk, writer, origin, waiting, round, rounds, hidden } = emission;
  if (waiting.length === 0) return;
  for (const [id, made] of hidden) {
    if (made.round === round && hidden.delete(id)) addShown(emission, {}, made);
  }
  const { unshown = [], summary } = rounds[round ?? -1] ?? {};
  putFirst(emission, unshown.splice(0));
  emitOpen(talk, writer);
  for (const { end } of waiting) if (end !== undefined) settleCall(talk, writer, end, origin);
  emission.waiting = [];
  if (summary === undefined) return;
  const text = `<conversation-summary>\n${summary}\n</conversation-summary>`;
  writer.emit("compaction_applied", { status: "Conversation summarized.", summary: text }, origin);
}

function referenceName({ name, inlineReference }: Json): string {
  const { uri, name: symbol } = asObject(inlineReference);
  const { path } = asObject(uri ?? inlineReference);
  return asName(name) ?? asName(symbol) ?? asText(path)?.split("/").at(-1) ?? "";
}

function emitEnd(emission: Emission, value: Json, metadata: Json): void {
  const { writer, talk, said_by: { model } } = emission;
  const { value: state, completedAt } = asObject(value.modelState);
  const origin = { ...emission.origin, time: completedAt ?? emission.origin.time };
  if (talk.response?.told === false) talk.response = { ...talk.response, origin };
  emitOpen(talk, writer);
  const totals = asList(value.modelTotals).map(asObject);
  // Beside the totals, a request records the prompt size of the turn's last model request only.
  const last = {
    model,
    inputTokens: asNumber(value.promptTokens) ?? asNumber(metadata.promptTokens),
    outputTokens: asNumber(value.completionTokens) ?? asNumber(metadata.outputTokens),
  };
  for (const row of totals.length > 0 ? totals : [last] as Json[]) {
    const usage = promptUsage({
      prompt: asNumber(row.inputTokens),
      output: asNumber(row.outputTokens),
      cache_read: asNumber(row.cachedTokens),
    });
    if (Object.values(usage ?? {}).every((count) => count === undefined || count === 0)) continue;
    const name = asName(row.model) ?? model;
    const message_id = `${origin.id} ${name}`;
    const last_prompt_tokens = totals.length > 0 ? last.inputTokens : undefined;
    const usage_of = totals.length > 0 && !last_prompt_tokens ? "turn" as const : undefined;
    const fields = { content: "", message_id, model: name, usage, last_prompt_tokens, usage_of };
    writer.emit("assistant_message", present(fields), origin);
  }
  const { errorDetails } = asObject(value.result);
  const message = asText(asObject(errorDetails).message) ?? "";
  if (state === 2 || value.isCanceled === true) {
    writer.emit("turn_failed", { reason: "cancelled", message }, origin);
  } else if (errorDetails !== undefined || state === 3) {
    writer.emit("turn_failed", { reason: "error", message }, origin);
  }
}

const TAKEN: ReadonlySet<string> = new Set([
  ...["requestId", "timestamp", "message", "response", "result", "modelId", "modelState"],
  ...["isCanceled", "promptTokens", "completionTokens", "modelTotals"],
]);
const TAKEN_CALL: ReadonlySet<string> = new Set([
  ...["toolSpecificData", "resultDetails", "invocationMessage", "pastTenseMessage"],
]);
const TAKEN_METADATA: ReadonlySet<string> = new Set([
  ...["toolCallRounds", "toolCallResults", "renderedUserMessage", "summaries", "resolvedModel"],
  ...["promptTokens", "outputTokens"],
]);

function emitRest({ writer, origin }: Emission, value: Json, metadata: Json): void {
  const rest = { ...value, metadata: unreadFields(metadata, TAKEN_METADATA) };
  writer.keep("request", unreadFields(rest, TAKEN), origin);
}
