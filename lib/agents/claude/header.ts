/** Writes the start of a Claude Code session: its time, directory, title and parent. */
import type { SessionStartedPayload } from "../../core/event/payload.ts";
import type { EventSink } from "../engine/events/event_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { asName, asObject, type Json, present } from "../engine/json.ts";
import { recordId } from "../engine/tree/record_index.ts";
import { isOnWay, rowOfStep, type Steps } from "../engine/tree/steps.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import { blocksOf } from "../engine/events/anthropic_blocks.ts";
import type { DialogueRecord } from "./emission.ts";
import { type ClaudeIndex, isSpoken } from "./index/claude_record.ts";
import type { SideFacts } from "./side_facts.ts";
import { factsBeside, isOwnTitleLast } from "./title_file.ts";
import { CONTINUED, INTERRUPTED, isTyped, isWrapped } from "./user_events.ts";

/**
 * The output that Claude Code sends on resume for a tool call without a result. Source: the
 * executable of version 2.1.330.
 */
// Verbatim: Claude Code.
export const UNANSWERED =
  "[Tool call interrupted: the session ended before this call's result was " +
  "recorded, so its outcome is unknown. Check whether it took effect before relying on it or " +
  "running it again.]";

export function toStarted(
  session: AgentSession,
  side: SideFacts,
  first: Iterable<Pick<DialogueRecord, "record">>,
): SessionStartedPayload {
  const find = (field: string): string | undefined => {
    for (const { record } of first) {
      const text = asName(record.value[field]);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  const version = find("version");
  const branch = find("gitBranch");
  const [start] = first;
  const forked = asName(asObject(start?.record.value.forkedFrom).sessionId);
  return present({
    session_id: session.id,
    created_at: isoTime(find("timestamp")) ?? "",
    cwd: side.cwd ?? find("cwd") ?? session.cwd ?? "",
    unanswered_call: UNANSWERED,
    app: present({ name: session.agent === "claude" ? "Claude Code" : session.agent, version }),
    git: branch === undefined ? undefined : { branch },
    parent: forked === undefined ? undefined : { session_id: forked, reason: "fork" },
  });
}

export function emitStarted(
  writer: EventSink,
  session: AgentSession,
  side: SideFacts,
  started: SessionStartedPayload,
  fallback: () => string | undefined,
  { position }: Partial<TreeRecord> = {},
): void {
  const beside = factsBeside(session);
  const own = side.custom_title && isOwnTitleLast(session, side) ? side.custom_title : undefined;
  const given = own ?? beside.title ?? givenTitle(side);
  const title = given === undefined ? fallback() : undefined;
  if (title !== undefined) started.title = title;
  const record = position === undefined ? undefined : { position };
  writer.emit("session_started", started, { time: started.created_at, record });
  if (given !== undefined) writer.emit("session_renamed", { title: given });
  if (beside.archived) writer.emit("session_archived", { archived: true });
}

function givenTitle(side: SideFacts): string | undefined {
  return side.custom_title || side.ai_title || undefined;
}

export function fallbackTitle(
  index: ClaudeIndex,
  steps: Steps,
  first: Iterable<Pick<DialogueRecord, "record">>,
): string | undefined {
  const leaf = lastSpoken(index, steps);
  const summary = leaf < 0 ? undefined : index.head.side.summaries?.get(recordId(index, leaf));
  if (summary !== undefined) return summary;
  const last = titleBeside(index.head.side);
  if (last !== undefined) return last;
  for (const { record } of first) {
    const title = promptTitle(record);
    if (title !== undefined) return title;
  }
  return undefined;
}

function titleBeside(side: SideFacts): string | undefined {
  return titleOfText(side.last_prompt ?? "");
}

function lastSpoken(index: ClaudeIndex, steps: Steps): number {
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at] as number;
    const row = rowOfStep(step);
    if (isOnWay(step) && isSpoken(index, row)) return row;
  }
  return -1;
}

/** Number of first records that are searched for the directory and the title. */
export const FIRST_STEPS = 24;

/**
 * Returns the first steps in the order of the file. In the conversation's order, attachments
 * precede their prompt.
 */
export function firstInFile(steps: Steps): Steps {
  return steps.slice(0, FIRST_STEPS).sort((one, other) => rowOfStep(one) - rowOfStep(other));
}

// Derives a title from a prompt. It drops what an editor, a hook or Claude Code itself put before
// the person's words.

/** Notes of an editor, of hooks or of the client around a prompt. The user did not write them. */
const NOTE =
  /<(ide_[a-z_]+|system-reminder|local-command-caveat|user-prompt-submit-hook|new-diagnostics|teammate-message)\b[^>]*>[^]*?<\/\1>/y;
const COMMAND = /<command-name>\s*([^<]*?)\s*<\/command-name>/;
const ARGUMENTS = /<command-args>([^]*?)<\/command-args>/;
/** Slash commands that Claude Code runs without the model. Thus they give no title. */
const OWN_COMMANDS = new Set(
  ("add-dir agents bashes bug clear compact config context continue copy cost doctor exit export " +
    "extra-usage fast feedback help hooks ide install-github-app keybindings login logout mcp memory " +
    "model output-style permissions plan plugin privacy-settings quit release-notes remote-control " +
    "rename resume rewind sandbox settings skills stats status statusline tasks terminal-setup theme " +
    "todos upgrade usage vim voice").split(" "),
);

export function promptTitle({ value }: { value: Json }): string | undefined {
  if (value.type !== "user" || !isTyped(value)) return undefined;
  for (const { type, text } of blocksOf(asObject(value.message).content)) {
    const title = type === "text" && typeof text === "string" ? titleOfText(text) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** Returns the user's request in a text, on one line. Undefined if the text has none. */
function titleOfText(text: string): string | undefined {
  const asked = withoutNotes(text);
  const command = COMMAND.exec(asked);
  const words = command === null ? asked : commandTitle(command[1] ?? "", asked);
  const line = words.replace(/\s+/g, " ").trim();
  const said = line !== "" && !isWrapped(line) && !INTERRUPTED.test(line) && !CONTINUED.test(line);
  return said ? line : undefined;
}

function withoutNotes(text: string): string {
  let start = text.length - text.trimStart().length;
  for (NOTE.lastIndex = start; NOTE.test(text); NOTE.lastIndex = start) {
    start = NOTE.lastIndex;
    while (start < text.length && /\s/.test(text[start] as string)) start++;
  }
  return text.slice(start);
}

function commandTitle(name: string, text: string): string {
  const given = ARGUMENTS.exec(text)?.[1]?.trim() ?? "";
  return given === "" || OWN_COMMANDS.has(name.replace(/^\//, "")) ? "" : `${name} ${given}`;
}
