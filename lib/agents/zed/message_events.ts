/** Converts Zed's messages to events (crates/agent/src/thread.rs, `Message`). */
import { basename, extname } from "node:path";
import { toContent } from "../../core/event/audience.ts";
import { attachmentFromBase64 } from "../../core/event/attachment.ts";
import type { Message, OutputPart, Part } from "../../core/event/message.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { changedLines, unifiedDiffLines } from "../engine/events/unified_diff.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";

type Emit = (of: Json, writer: EventWriter, origin: EventOrigin, prompts: Message[]) => void;

/** The functions that emit messages, by kind of message. Compactions need earlier `prompts`. */
const KINDS: Readonly<Record<string, Emit>> = {
  User: emitPrompt,
  Agent: emitAnswer,
  Compaction: emitCompaction,
};

/** Emits a message of the form `{KIND: fields}`. */
export function emitMessage(
  message: unknown,
  writer: EventWriter,
  origin: EventOrigin,
  prompts: Message[],
): void {
  const [[kind, fields] = ["message", message]] = Object.entries(asObject(message));
  if (message === "Resume") {
    // Verbatim: Zed.
    const text = "Continue where you left off";
    writer.emit("user_message", { content: [{ type: "text", text, audience: "model" }] }, origin);
  } else if (Object.hasOwn(KINDS, kind)) KINDS[kind]?.(asObject(fields), writer, origin, prompts);
  else writer.keepUnknown(kind, message, origin);
}

function emitPrompt(
  { id, content }: Json,
  writer: EventWriter,
  origin: EventOrigin,
  prompts: Message[],
): void {
  const contexts: string[] = [];
  const parts = asList(content).flatMap((item): Part[] => {
    const { Mention } = asObject(item);
    if (Mention === undefined) return toParts(item);
    const { link, context } = readMention(asObject(Mention));
    contexts.push(context);
    return [{ type: "text", text: link }];
  });
  // A prompt without content marks a compaction that the user asked for.
  if (parts.length === 0) return;
  for (const [index, part] of parts.entries()) {
    if (part.type === "text" && parts[index - 1]?.type === "text") part.continues = true;
  }
  const prompt = toContent([...parts, ...mentioned(contexts)]);
  prompts.push({ role: "user", content: prompt });
  writer.emit("user_message", { content: prompt }, { ...origin, id: asName(id) });
}

const OPEN = "<context>\nThe following items were attached by the user. " +
  "They are up-to-date and don't need to be re-read.\n\n";

/**
 * Names of the tags around the contents of mentions, by the mention's kind. For any other kind, the
 * tag is the kind in lower case.
 */
const TAGS: ReadonlyMap<string, string> = new Map([
  ...[["File", "files"], ["Directory", "directories"], ["Symbol", "symbols"]] as const,
  ...[["Selection", "selections"], ["TerminalSelection", "selections"]] as const,
  ...[["Fetch", "fetched_urls"], ["Thread", "threads"], ["Rule", "rules"]] as const,
  ...[["GitDiff", "diffs"], ["MergeConflict", "merge_conflicts"], ["Skill", "skills"]] as const,
]);

/**
 * Reads a mention, `{uri: {File: {abs_path}}, content}`. Its link goes into the text, and its
 * content after the text (thread.rs, `UserMessage::to_request`; crates/acp_thread/src/mention.rs).
 */
function readMention({ uri, content }: Json): { link: string; context: string } {
  const [[kind, of] = [asText(uri) ?? "", {}]] = Object.entries(asObject(uri));
  const fields = asObject(of);
  const { start, end } = asObject(fields.line_range);
  // Zed counts lines from 0.
  const lines = typeof start !== "number" ? "" : `:${start + 1}-${Number(end) + 1}`;
  const path = asName(fields.abs_path) ?? asName(fields.path) ?? asName(fields.file_path);
  const name = asName(fields.name) ?? asName(fields.url) ?? (path ? basename(path) : kind);
  const address = path
    ? `file://${path}${lines}`
    : `zed:///agent/${kind}/${asText(fields.id) ?? ""}`;
  const text = asText(content) ?? "";
  const block = path ? `\`\`\`${extname(path).slice(1)} ${path}${lines}\n${text}\n\`\`\`` : text;
  const tag = TAGS.get(kind) ?? kind.toLowerCase();
  return {
    link: `[@${name}](${asName(fields.url) ?? address})`,
    context: `<${tag}>\n${block}\n</${tag}>\n`,
  };
}

function mentioned(contexts: readonly string[]): Part[] {
  if (contexts.length === 0) return [];
  return [{ type: "text", text: `${OPEN}${contexts.join("")}</context>`, audience: "model" }];
}

/** Converts a text or an image. Images are PNG (crates/language_model/src/request.rs). */
function toParts(item: unknown): (Part & OutputPart)[] {
  const { Text, Image, text = Text } = asObject(item);
  const source = asText(asObject(Image).source);
  if (source !== undefined) return [attachmentFromBase64(source, "image/png")];
  const said = asText(item) ?? asText(text);
  return said === undefined ? [] : [{ type: "text", text: said }];
}

function emitAnswer(message: Json, writer: EventWriter, origin: EventOrigin): void {
  const results = asObject(message.tool_results);
  const draft = startResponse();
  for (const item of asList(message.content).map(asObject)) {
    const { id, name, input, raw_input } = asObject(item.ToolUse);
    if (item.ToolUse === undefined) {
      for (const part of [...thoughtOf(item), ...toParts(item)]) draft.parts.push(part);
    } else {
      const call_id = asText(id) ?? "";
      // Zed does not send a call without a result.
      const audience = Object.hasOwn(results, call_id) ? undefined : "user" as const;
      const call = { call_id, name: asText(name) ?? "", input: input ?? raw_input, audience };
      addCall(draft, present(call));
    }
  }
  const { reasoning_details } = message;
  const provider_data = reasoning_details ? { reasoning_details } : undefined;
  if (draft.parts.length > 0) emitResponse(writer, draft, present({ provider_data }), origin);
  for (const [id, result] of Object.entries(results)) {
    emitResult(id, asObject(result), writer, origin);
  }
}

function thoughtOf({ Thinking, RedactedThinking: data }: Json): Part[] {
  if (data !== undefined) {
    return [{ type: "reasoning", text: "", provider_data: { type: "redacted_thinking", data } }];
  }
  const { text, signature } = asObject(Thinking);
  const provider_data = signature ? { signature } : undefined;
  return typeof text === "string" ? [present({ type: "reasoning", text, provider_data })] : [];
}

/** Emits a call's result, and the changed lines (edit_file_tool.rs, `EditFileToolOutput`). */
function emitResult(call_id: string, result: Json, writer: EventWriter, origin: EventOrigin): void {
  const { content, output: made, is_error } = result;
  const parts = (Array.isArray(content) ? content : [content]).flatMap(toParts);
  const [only, ...more] = parts;
  const output = only?.type === "text" && more.length === 0 ? only.text : parts;
  // Verbatim: Zed.
  const failed = output === "Tool canceled by user" ? "interrupted" : "error";
  const status = is_error === true ? failed : "ok";
  writer.emit(
    "tool_end",
    { call_id, name: asText(result.tool_name) ?? "", status, output },
    origin,
  );
  const { input_path, original_path, old_text, new_text, diff } = asObject(made);
  const path = asName(input_path) ?? asName(original_path);
  if (path !== undefined) {
    const lines = asName(diff) === undefined
      ? changedLines(asText(old_text) ?? "", asText(new_text) ?? "")
      : unifiedDiffLines(String(diff));
    writer.emit("diff", { call_id, path, lines }, origin);
  }
  if (made && made !== output) writer.keep("tool_output", { call_id, output: made }, origin);
}

const INTRO = "The previous conversation was compacted. Use this summary as context:\n\n";
/**
 * Maximum size of the prompts that stay before a summary (Zed,
 * `COMPACTION_RETAINED_USER_MESSAGES_BYTE_BUDGET`). Zed also sends the start of the first prompt
 * that exceeds this budget.
 */
const MOST_RETAINED = 80_000;

/**
 * Emits a compaction. With a summary, the earlier prompts stay before the summary. A compaction by
 * the provider is opaque and keeps no prompts.
 */
function emitCompaction(
  { Summary, ...opaque }: Json,
  writer: EventWriter,
  origin: EventOrigin,
  prompts: Message[],
): void {
  const summary = asText(Summary);
  while (JSON.stringify(prompts).length > MOST_RETAINED) prompts.shift();
  const messages: Message[] = summary === undefined
    ? []
    : [...prompts, { role: "user", content: INTRO + summary }];
  writer.emit("compaction_applied", present({ status: "", messages, summary }), origin);
  writer.keep("compaction", opaque, origin);
}
