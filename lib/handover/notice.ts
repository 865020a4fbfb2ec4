/** Texts that stand in the user's place, and that no user typed. */
import type { HandedMessage } from "../source/session_writer.ts";

const TASK = "[A background task reported this. Nobody typed it.]";
const SEALED =
  "[The answers and calls before this are encrypted: only their provider can read them.";
const EARLIER = "[Earlier messages of this conversation are not part of it any more.";
const GOES_ON = "[This conversation goes on from the session ";

/** Says that what came before can be read by its provider alone. */
export function sealedNotice(from: string): string {
  return `${SEALED} They stand in the session ${from}.]`;
}

/** Says that only the last turns are there. */
export function earlierNotice(from: string): string {
  return `${EARLIER} They stand in the session ${from}.]`;
}

/** Stands before a conversation that begins with an answer. */
export function openingNotice(from: string): string {
  return `${GOES_ON}${from}.]`;
}

/** Claude Code's form (2.1), with its note and without. */
const CLAUDE_TASK =
  /^(?:<system-reminder>\n\[SYSTEM NOTIFICATION - NOT USER INPUT\][^<]*)?(<task-notification>[^]*<\/task-notification>)/;

/** Returns the notice of a background task that a text tells; undefined for others. */
export function taskNotice(text: string): string | undefined {
  const told = CLAUDE_TASK.exec(text)?.[1];
  return told === undefined ? undefined : `${TASK}\n\n${told}`;
}

/** True for a message that is a notice, and no prompt. */
export function isNotice(message: HandedMessage): boolean {
  const first = message.role === "user" ? message.parts[0] : undefined;
  if (first?.type !== "text") return false;
  const { text } = first;
  return [TASK, SEALED, EARLIER, GOES_ON].some((start) => text.startsWith(start));
}
