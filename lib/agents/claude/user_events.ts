/**
 * What Claude Code writes as the user's: prompts, results of calls, and what it tells the model in
 * the user's name.
 */
import { partFor } from "../../event/audience.ts";
import type { AttachmentPart, CallStatus, Content, Output, TextPart } from "../../event/message.ts";
import type { EventOrigin } from "../event_writer.ts";
import { asObject, asText, present } from "../json_value.ts";
import { blocksOf, type Fields, plainText, toContent, toPart } from "./content.ts";
import { type Emission, emitExtension, originOf, type TalkRecord } from "./emission.ts";
import { parsePatch } from "./shown_patch.ts";
import { shownText } from "./shown_text.ts";

/** Tags in which Claude Code wraps what it says in the user's name. */
const WRAPPED =
  /^\s*<(local-command-|command-|bash-|system-reminder|user-prompt-submit-hook|task-notification)/;
const INTERRUPTED = /^\[Request interrupted by user/;

/** What the user wrote; undefined when the record says something else. */
export function promptText({ value }: TalkRecord["record"]): string | undefined {
  if (value.type !== "user" || value.isMeta === true || value.isCompactSummary === true) {
    return undefined;
  }
  const text = plainText(blocksOf(asObject(value.message).content).filter(isSeen));
  const own = text.trim() !== "" && !WRAPPED.test(text) && !INTERRUPTED.test(text);
  return own ? text : undefined;
}

function isSeen({ text }: Fields): boolean {
  return typeof text !== "string" || shownText(text) !== "";
}

/** Whether the record says that the user cut the answer off. */
export function isInterruption({ value }: TalkRecord["record"]): boolean {
  return value.type === "user" && INTERRUPTED.test(plainText(asObject(value.message).content));
}

/** Whether the record holds results of calls. */
export function holdsResults({ value }: TalkRecord["record"]): boolean {
  return blocksOf(asObject(value.message).content).some(({ type }) => type === "tool_result");
}

/** Adds the events of a record: results first, then what is said. */
export function emitUser(emission: Emission, item: TalkRecord): void {
  const isPrompt = promptText(item.record) !== undefined;
  if (isPrompt || emission.turn_id === undefined) emission.turn_id = item.node.id;
  const origin = originOf(emission, item);
  const parts: (TextPart | AttachmentPart)[] = [];
  let results = 0;
  for (const block of blocksOf(asObject(item.record.value.message).content)) {
    const part = toPart(block);
    if (part !== undefined) parts.push(part);
    else if (block.type === "tool_result") {
      results++;
      emitResult(emission, block, item.record.value.toolUseResult, origin);
    } else emitExtension(emission, `content_block/${block.type}`, block, origin);
  }
  if (parts.length > 0 || results === 0) {
    const hidden = item.record.value.isMeta === true;
    emission.writer.emit("user_message", { content: userContent(parts, hidden) }, origin);
  }
}

/** The parts that the model gets, and what a person saw of them; nobody where they are `hidden`. */
export function userContent(
  parts: readonly (TextPart | AttachmentPart)[],
  hidden: boolean,
): Content {
  return toContent(parts.flatMap((part) => partFor(part, hidden ? undefined : shownPart(part))));
}

function shownPart(part: TextPart | AttachmentPart): TextPart | AttachmentPart | undefined {
  if (part.type !== "text") return part;
  const text = shownText(part.text);
  if (text === part.text) return part;
  return text === "" ? undefined : { ...part, text };
}

const REJECTED = /^The user doesn't want to (proceed|take this action)/;

function statusOf({ is_error }: Fields, text: string, shown: Fields): CallStatus {
  if (shown.interrupted === true) return "interrupted";
  if (is_error !== true) return "ok";
  return REJECTED.test(text) ? "skipped" : "error";
}

/** Gives a result to its call, once. */
function emitResult(
  emission: Emission,
  block: Fields,
  toolUseResult: unknown,
  origin: EventOrigin,
): void {
  const { writer, calls } = emission;
  const call_id = asText(block.tool_use_id) ?? "";
  const call = calls.get(call_id);
  const text = plainText(block.content);
  if (call === undefined && emission.settled.has(call_id)) {
    emitExtension(emission, "repeated_result", block, origin);
    return;
  }
  calls.delete(call_id);
  emission.settled.add(call_id);
  const shown = asObject(toolUseResult);
  const status = statusOf(block, text, shown);
  const outcome = outcomeOf(block, text, status);
  writer.emit("tool_end", { call_id, name: call?.name ?? "", status, ...outcome }, origin);
  const lines = parsePatch(shown.structuredPatch);
  if (lines.length > 0) {
    const path = asText(shown.filePath) ?? call?.path;
    writer.emit("diff", present({ call_id, path, lines }), origin);
  }
}

/** A text, or parts where it holds images. */
function outcomeOf(
  { content }: Fields,
  text: string,
  status: CallStatus,
): { output: Output } | { error: string } {
  const parts = blocksOf(content).flatMap((block) => toPart(block) ?? []);
  if (parts.some(({ type }) => type !== "text")) return { output: parts };
  return status === "error" || status === "skipped" ? { error: text } : { output: text };
}
