/**
 * What a chat says when it ends.
 */
import type { ChatStatus } from "../../lib/chat/chat_options.ts";

/** The session and the command that goes on with it, each on a line; undefined where none is kept. */
export function resumeHint({ session_id, on_disk }: ChatStatus): string | undefined {
  if (session_id === undefined || !on_disk) return undefined;
  return `Session ${session_id}\nGo on with: reprise chat --resume ${session_id.slice(0, 8)}`;
}
