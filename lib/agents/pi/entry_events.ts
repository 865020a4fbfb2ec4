/**
 * Converts the entries of pi's sessions to events.
 *
 * Entries for which Reprise has no kind become `extension` events. Some entries are shown but never
 * sent: commands that were run with `!!`, labels, and changes of the model. The system prompt is
 * sent but never shown.
 *
 * Some entries are sent in the user's name, though the user did not write them. Each becomes a
 * `user_message` of its turn. Examples are a command that was run with `!`, an extension's message,
 * and the summary of another branch.
 */
import { asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { toContent, untypedContent } from "../../core/event/audience.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import type { TreeRecord, TreeSink } from "../engine/tree/tree_format.ts";
import { assistantEvents, type PiCall, usageOf } from "./assistant_events.ts";
import { parseShownDiff, takeContent, textOf } from "./content.ts";
import { firstKept } from "./entry_index.ts";

export interface EntryEmission {
  readonly writer: TreeSink;
  /** The id of the prompt that is being answered. */
  turn_id: string | undefined;
  /** True if reading began amid a turn. The turn's id is then unknown until the next prompt. */
  amid_turn?: boolean;
  readonly calls: Map<string, PiCall>;
  /** True if the branch has the session's latest title. Otherwise, titles emit no events. */
  readonly own_titles: boolean;
}

export function startEmission(writer: TreeSink, own_titles = true): EntryEmission {
  return { writer, turn_id: undefined, calls: new Map(), own_titles };
}

/** Emits an entry as one event or more. */
export function emitEntry(
  emission: EntryEmission,
  node: { readonly id: string; readonly type: string },
  record: TreeRecord,
): void {
  const { value } = record;
  const time = value.timestamp ?? asObject(value.message).timestamp;
  if (isPrompt(value) || (emission.turn_id === undefined && !emission.amid_turn)) {
    emission.turn_id = node.id;
  }
  const origin: EventOrigin = { id: node.id, time, record, turn_id: emission.turn_id };
  const before = emission.writer.seq;
  const emit = ENTRIES[node.type];
  if (emit !== undefined) emit(emission, value, origin);
  if (emission.writer.seq === before) emitExtension(emission, node.type, value, origin);
}

function isPrompt({ type, message }: Json): boolean {
  return type === "message" && asObject(message).role === "user";
}

type Emit = (emission: EntryEmission, fields: Json, origin: EventOrigin) => void;

const ENTRIES: Readonly<Record<string, Emit>> = {
  __proto__: null as never,
  message: emitMessage,
  custom_message: emitCustom,
  branch_summary: emitBranchSummary,
  compaction: emitCompaction,
  context_edit: emitEdit,
  session_info: emitTitle,
  reset: emitReset,
  reset_boundary: emitReset,
  usage: emitOwnUsage,
  model_usage: emitOwnUsage,
};

const MESSAGES: Readonly<Record<string, Emit>> = {
  __proto__: null as never,
  user: emitSaid,
  custom: emitCustom,
  hookMessage: emitCustom,
  assistant: ({ writer, calls }, message, origin) =>
    assistantEvents(writer, calls, message, origin),
  toolResult: emitToolResult,
  bashExecution: emitBash,
  branchSummary: emitBranchSummary,
  compactionSummary: ({ writer }, { summary }, origin) => {
    if (typeof summary === "string") {
      writer.emit("user_message", { content: compactionText(summary) }, origin);
    }
  },
};

function emitMessage(emission: EntryEmission, { message }: Json, origin: EventOrigin): void {
  const fields = asObject(message);
  MESSAGES[asText(fields.role) ?? ""]?.(emission, fields, origin);
}

function emitExtension(
  { writer }: EntryEmission,
  type: string,
  data: unknown,
  origin: EventOrigin,
): void {
  const role = type === "message" ? asName(asObject(asObject(data).message).role) : undefined;
  const name = role === undefined ? type : `${type}/${role}`;
  writer.emit("extension", { agent: "pi", type: name, data }, origin);
}

function emitSaid(emission: EntryEmission, { content }: Json, origin: EventOrigin): void {
  const { parts, unknown } = takeContent(content);
  emission.writer.emit("user_message", { content: toContent(parts) }, origin);
  for (const block of unknown) emitExtension(emission, "content_block", block, origin);
}

/** Emits an extension's message as a user message, because pi sends it as one. */
function emitCustom(emission: EntryEmission, fields: Json, origin: EventOrigin): void {
  const name = asName(fields.customType) ?? "extension";
  const { parts, unknown } = takeContent(fields.content);
  const content = untypedContent(parts, name);
  emission.writer.emit("user_message", { content }, origin);
  for (const block of unknown) emitExtension(emission, "content_block", block, origin);
}

// Verbatim: pi.
const BRANCH_INTRO =
  "The following is a summary of a branch that this conversation came back from:";
const COMPACTION_INTRO =
  "The conversation history before this point was compacted into the following summary:";
/** The words that pi adds around summaries and around commands of the user. */
export const ADDED_WORDS = `${BRANCH_INTRO} ${COMPACTION_INTRO} Ran (no output) ` +
  "(command cancelled) Command exited with code [Output truncated. Full output: ]";

function emitBranchSummary(emission: EntryEmission, fields: Json, origin: EventOrigin): void {
  const { summary, usage } = fields;
  if (typeof summary !== "string" || summary === "") return;
  if (usage !== undefined) emitUsage(emission, usage, origin);
  const content = `${BRANCH_INTRO}\n\n<summary>\n${summary}</summary>`;
  emission.writer.emit("user_message", { content }, origin);
}

export function compactionText(summary: string): string {
  return `${COMPACTION_INTRO}\n\n<summary>\n${summary}\n</summary>`;
}

/** Emits a compaction. No entry is kept if the first kept entry is not on the branch. */
function emitCompaction(emission: EntryEmission, fields: Json, origin: EventOrigin): void {
  const { writer } = emission;
  const { summary, tokensBefore, usage, systemMessage } = fields;
  const kept = firstKept(fields);
  const first_kept_seq = kept === undefined || kept === origin.id
    ? undefined
    : writer.messageFrom(kept);
  if (usage !== undefined) emitUsage(emission, usage, origin);
  writer.emit(
    "compaction_applied",
    present({
      status: "Context compacted.",
      summary: compactionText(asText(summary) ?? ""),
      first_kept_seq,
      tokens_before: asNumber(tokensBefore),
    }),
    origin,
  );
  if (systemMessage !== undefined) {
    emitExtension(emission, "compaction/systemMessage", systemMessage, origin);
  }
}

/** Emits a restart of the conversation. Omits the last turns, which OpenClaw sends again. */
function emitReset({ writer }: EntryEmission, _fields: Json, origin: EventOrigin): void {
  writer.emit("compaction_applied", { status: "Conversation cleared.", messages: [] }, origin);
}

/** Emits the text that the model gets instead of the edited entry, as a notice. */
function emitEdit(emission: EntryEmission, fields: Json, origin: EventOrigin): void {
  const text = textOf(takeContent(asObject(fields.replacement).content).parts);
  if (text !== "") {
    const notice = { audience: "model", title: "context edit", text } as const;
    emission.writer.emit("notice", notice, origin);
  }
  emitExtension(emission, "context_edit", fields, origin);
}

function emitOwnUsage(
  emission: EntryEmission,
  { usage, ...fields }: Json,
  origin: EventOrigin,
): void {
  emitUsage(emission, usage, origin, fields);
}

function emitTitle(
  { writer, own_titles }: EntryEmission,
  { name }: Json,
  origin: EventOrigin,
): void {
  if (own_titles) writer.emit("session_renamed", { title: (asText(name) ?? "").trim() }, origin);
}

/** Emits the usage of a model call outside the dialogue, such as the call for a summary. */
function emitUsage(
  { writer }: EntryEmission,
  usage: unknown,
  origin: EventOrigin,
  { model, provider }: Json = {},
): void {
  writer.emit(
    "assistant_message",
    present({
      content: "",
      message_id: `${origin.id}/usage`,
      model: asText(model),
      provider: asText(provider),
      ...usageOf(usage),
    }),
    origin,
  );
}

function emitToolResult(emission: EntryEmission, message: Json, origin: EventOrigin): void {
  const { writer, calls } = emission;
  const { toolCallId, toolName, content, isError, details, usage } = message;
  const call_id = asText(toolCallId) ?? "";
  const call = calls.get(call_id);
  calls.delete(call_id);
  const { parts } = takeContent(content);
  const status = isError === true ? "error" : "ok";
  const plain = parts.every(({ type }) => type === "text");
  const text = textOf(parts);
  const outcome = !plain
    ? { output: parts }
    : isError === true
    ? { error: text }
    : { output: text };
  if (call?.command !== undefined) {
    writer.emit("bash_end", { call_id, command: call.command, status, ...outcome }, origin);
  } else {
    writer.emit("tool_end", { call_id, name: asText(toolName) ?? "", status, ...outcome }, origin);
  }
  const { diff } = asObject(details);
  if (typeof diff === "string" && diff !== "" && !writer.unlabelled) {
    writer.emit(
      "diff",
      present({ call_id, path: call?.path, lines: parseShownDiff(diff) }),
      origin,
    );
  }
  if (usage !== undefined) emitUsage(emission, usage, origin);
}

/**
 * Emits a command that the user ran with `!`, as the user message that pi sends. Commands with `!!`
 * are never sent.
 */
function emitBash({ writer }: EntryEmission, message: Json, origin: EventOrigin): void {
  const { command, excludeFromContext } = message;
  if (typeof command !== "string") return;
  if (excludeFromContext === true) return showBash(writer, command, message, origin);
  writer.emit("user_message", { content: bashText(command, message) }, origin);
}

function showBash(
  writer: TreeSink,
  command: string,
  { output, exitCode, cancelled }: Json,
  origin: EventOrigin,
): void {
  const call_id = origin.id ?? "user_shell";
  const exit_code = asNumber(exitCode);
  const status = cancelled === true ? "interrupted" : exit_code ? "error" : "ok";
  writer.emit("bash_start", { call_id, command, origin: "user", audience: "user" }, origin);
  const end = { call_id, command, output: asName(output), exit_code, status } as const;
  writer.emit("bash_end", present(end), origin);
}

// Verbatim: pi.
export function bashText(command: string, message: Json): string {
  const { output, exitCode, cancelled, truncated, fullOutputPath } = message;
  const said = asName(output);
  const lines = [
    `Ran \`${command}\``,
    said === undefined ? "(no output)" : `\`\`\`\n${said}\n\`\`\``,
  ];
  const code = asNumber(exitCode) ?? 0;
  if (cancelled === true) lines.push("", "(command cancelled)");
  else if (code !== 0) lines.push("", `Command exited with code ${code}`);
  const path = asName(fullOutputPath);
  if (truncated === true && path !== undefined) {
    lines.push("", `[Output truncated. Full output: ${path}]`);
  }
  return lines.join("\n");
}
