/** Notices: texts in messages of the user that no user typed. */
import { outputText } from "../../core/event/audience.ts";
import type { KnownEvent } from "../../core/event/envelope.ts";
import { bashResult } from "../../core/projection/call_result.ts";
import type { HandedMessage } from "../../agents/contract/session_writer.ts";

const TASK = "[A background task reported this. The user did not type it.]";
const SEALED =
  "[The earlier answers and tool calls are encrypted: only their provider can read them.";
const EARLIER = "[The earlier messages of this conversation are left out.";
const GOES_ON = "[This conversation continues the session ";
const SKILL = "[Instructions of an active skill. The user did not type them.]";
const EXPANDED = "[Full text of the previous command. The user did not type it.]";

export function sealedNotice(from: string): string {
  return `${SEALED} To read them, see session ${from}.]`;
}

export function earlierNotice(from: string): string {
  return `${EARLIER} To read them, see session ${from}.]`;
}

/** Returns the notice that opens a conversation whose first message is an answer. */
export function openingNotice(from: string): string {
  return `${GOES_ON}${from}.]`;
}

/** Matches Claude Code's (2.1) notice of a background task. A system reminder may precede it. */
const CLAUDE_TASK =
  /^(?:<system-reminder>\n\[SYSTEM NOTIFICATION - NOT USER INPUT\][^<]*)?(<task-notification>[^]*<\/task-notification>)/;

export function taskNotice(text: string): string | undefined {
  const told = CLAUDE_TASK.exec(text)?.[1];
  return told === undefined ? undefined : `${TASK}\n\n${told}`;
}

export function isNotice(message: HandedMessage): boolean {
  const first = message.role === "user" ? message.parts[0] : undefined;
  if (message.role === "user" && message.hidden === true) return true;
  if (first?.type !== "text") return false;
  const { text } = first;
  return [TASK, SEALED, EARLIER, GOES_ON, SKILL, EXPANDED].some((start) => text.startsWith(start));
}

/**
 * Matches the beginning of a skill's text. Claude Code (2.1) repeats skills after a compaction.
 * Codex has its own form (codex-rs/core/src/context/skill_instructions.rs).
 */
const SKILLS =
  /^\s*(?:<[\w-]*(?:skill|reminder)[^>]*>\s*)?(?:Base directory for this skill:|The following skills were invoked in this session)|^\s*<skill>/;

export function skillText(text: string): string | undefined {
  return SKILLS.test(text) ? `${SKILL}\n\n${text}` : undefined;
}

export function expandedText(text: string): string {
  return `${EXPANDED}\n\n${text}`;
}

/**
 * The first and last words, in lower case, of texts about the environment. They come from Codex
 * (codex-rs/core/src/context/contextual_user_message.rs) and Gemini CLI
 * (packages/core/src/utils/environmentContext.ts). The last pair is Claude Code's.
 */
const BLOCKS: readonly (readonly [first: string, last: string])[] = [
  ["# agents.md instructions", "</instructions>"],
  ["<user_instructions>", "</user_instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<session_context>", "</session_context>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
  ["<local-command-caveat>", "</local-command-caveat>"],
];

const LONGEST = 40;

export function isEnvironment(text: string): boolean {
  const trimmed = text.trim();
  const start = trimmed.slice(0, LONGEST).toLowerCase();
  const end = trimmed.slice(-LONGEST).toLowerCase();
  return BLOCKS.some(([first, last]) => start.startsWith(first) && end.endsWith(last));
}

export function ranText(command: string): string {
  return `I ran \`${command.toWellFormed()}\`:`;
}

/** Matches a user's command in Claude Code's form (2.1). Its output is a separate message. */
const CLAUDE_INPUT = /^<bash-input>([^]*)<\/bash-input>$/;

export function commandIn(text: string): string | undefined {
  return CLAUDE_INPUT.exec(text)?.[1];
}

/**
 * A command of the user in the form in which Codex records it. The model gets the command in a
 * hidden message. If that message is missing, only the user saw the command.
 */
export interface UntoldCommand {
  call_id: string;
  command: string;
  output: string;
}

export function untoldCommand(event: KnownEvent): UntoldCommand | undefined {
  if (event.kind !== "bash_start") return undefined;
  const { origin, audience, call_id, command = "" } = event.payload;
  if (origin !== "user" || audience !== "user") return undefined;
  return { call_id, command, output: "" };
}

export function settleCommand(untold: UntoldCommand, event: KnownEvent): void {
  if (event.kind !== "bash_end" || event.payload.call_id !== untold.call_id) return;
  untold.output = outputText(bashResult(event.payload).output);
}

export function untoldText({ command, output }: UntoldCommand): string {
  return `${ranText(command)}\n\n${output === "" ? "(no output)" : output}`;
}
