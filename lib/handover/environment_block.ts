/**
 * Recognizes what an agent said in the user's name. In events, readers mark it. The messages that a
 * compaction puts in the place of others tell no more who saw them.
 */
import { contentText, type Message } from "../event/message.ts";

/**
 * First and last words, in lower case: of Codex (codex-rs/core/src/context/
 * contextual_user_message.rs), and of Gemini CLI (packages/core/src/utils/environmentContext.ts).
 */
const BLOCKS: readonly (readonly [first: string, last: string])[] = [
  ["# agents.md instructions", "</instructions>"],
  ["<user_instructions>", "</user_instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<session_context>", "</session_context>"],
  ["<skill>", "</skill>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
];

const LONGEST = 40;

/** Whether a message is an agent's own account of its surroundings. */
export function isEnvironmentBlock({ role, content }: Message): boolean {
  if (role !== "user") return false;
  const text = contentText(content).trim();
  const start = text.slice(0, LONGEST).toLowerCase();
  const end = text.slice(-LONGEST).toLowerCase();
  return BLOCKS.some(([first, last]) => start.startsWith(first) && end.endsWith(last));
}
