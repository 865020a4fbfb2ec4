/** Converts messages of Cursor's editor, called bubbles, to `CursorMessage`. */
import type { CallStatus } from "../../core/event/message.ts";
import type { DiffLine } from "../../core/event/payload.ts";
import { changedLines, unifiedDiffLines } from "../engine/events/unified_diff.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  parsedObject,
  present,
  unreadFields,
} from "../engine/json.ts";
import type { CursorMessage } from "./message_events.ts";

const TAKEN: ReadonlySet<string> = new Set([
  ...["_v", "type", "bubbleId", "text", "richText", "thinking", "allThinkingBlocks", "images"],
  ...["toolFormerData", "capabilityType", "modelInfo", "tokenCount", "createdAt", "timestamp"],
  ...["timingInfo", "conversationSummary", "errorDetails", "edited", "isSimulatedMsg"],
  "simulatedMsgReason",
]);

export function bubbleMessage(bubble: Json, edited?: readonly string[]): CursorMessage {
  const { inputTokens, outputTokens } = asObject(bubble.tokenCount);
  const [input, output] = [asNumber(inputTokens), asNumber(outputTokens)];
  const { message, error } = asObject(bubble.errorDetails);
  const call = asObject(bubble.toolFormerData);
  return {
    role: bubble.type === 1 ? "user" : "assistant",
    untyped: bubble.isSimulatedMsg === true ? simulationOf(bubble) : undefined,
    id: asName(bubble.bubbleId),
    time: bubble.createdAt ?? bubble.timestamp ?? asObject(bubble.timingInfo).clientStartTime,
    model: asName(asObject(bubble.modelInfo).modelName) ?? asName(bubble.modelType),
    usage: input || output ? present({ input, output }) : undefined,
    items: [
      ...thoughtsOf(bubble),
      { type: "text", text: bubble.text },
      ...imagesOf(bubble),
      ...itemsOf(call),
    ],
    change: changeOf(call, edited),
    summary: summaryOf(bubble.conversationSummary),
    failure: asName(message) ?? asName(error),
    rest: unreadFields(bubble, TAKEN),
  };
}

/**
 * Names the reason for an automatic prompt, such as an ended task (agent.v1, `is_simulated_msg`).
 */
function simulationOf({ simulatedMsgReason: reason }: Json): string {
  return asName(reason)?.replaceAll("_", " ").toLowerCase() ?? "simulated message";
}

/** Returns the fields of an object. Most versions store the object as JSON text. */
function fieldsOf(value: unknown): Json {
  return typeof value === "string" ? parsedObject(value) ?? {} : asObject(value);
}

function summaryOf(value: unknown): CursorMessage["summary"] {
  const fields = fieldsOf(value);
  const text = asName(fields.summary);
  const kept = asName(fields.clientShouldStartSendingFromInclusiveBubbleId);
  return text === undefined ? undefined : { text, kept };
}

function thoughtsOf({ thinking, allThinkingBlocks }: Json): Json[] {
  const { text = thinking, signature } = asObject(thinking);
  if (asName(text) !== undefined) return [{ type: "reasoning", text, signature }];
  return asList(allThinkingBlocks).map(asObject)
    .map((block) => ({ type: "reasoning", text: block.thinking, signature: block.signature }));
}

function imagesOf({ images }: Json): Json[] {
  return asList(images).map((image) => ({ type: "image", ...asObject(image) }));
}

const STATUS: ReadonlyMap<unknown, CallStatus> = new Map([
  ...[["completed", "ok"], ["error", "error"], ["cancelled", "interrupted"]] as const,
]);

function itemsOf({ name, toolCallId, rawArgs, params, result, error, ...call }: Json): Json[] {
  if (name === undefined) return [];
  const args = [rawArgs, params].find((one) => one && one !== "{}") ?? {};
  const items: Json[] = [{ type: "tool-call", toolCallId, toolName: name, args }];
  const rejected = call.userDecision === "rejected" ? "skipped" : undefined;
  const status = rejected ?? STATUS.get(call.status) ?? (result ? "ok" : undefined);
  if (status === undefined) return items;
  const { output, contents } = fieldsOf(result);
  const given = typeof result === "object" ? JSON.stringify(result ?? undefined) : asText(result);
  const text = asName(output) ?? asName(contents) ?? given;
  const both = [text, asText(error)].filter((one) => one !== undefined && one !== "").join("\n");
  return [...items, { type: "tool-result", toolCallId, toolName: name, result: both, status }];
}

/** Returns a file's change, from the texts before and after or a recorded diff (`edit_file`). */
function changeOf(
  { rawArgs, params, result }: Json,
  edited?: readonly string[],
): CursorMessage["change"] {
  const asked: Json = { ...fieldsOf(rawArgs), ...fieldsOf(params) };
  const path = asName(asked.relativeWorkspacePath) ?? asName(asked.target_file) ??
    asName(asked.path);
  if (path === undefined) return undefined;
  const [before, after] = edited ?? [];
  const { diff } = fieldsOf(result);
  const lines: DiffLine[] = after === undefined
    ? asList(asObject(diff).chunks).map(asObject).flatMap((chunk) => {
      const { oldStart = 1, oldLines = 0, newStart = 1, newLines = 0 } = chunk;
      const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
      return unifiedDiffLines(`${head}\n${asText(chunk.diffString) ?? ""}`);
    })
    : changedLines(before ?? "", after);
  return lines.length === 0 ? undefined : { path, lines };
}
