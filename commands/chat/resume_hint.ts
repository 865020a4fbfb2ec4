/** Tells at the end of a chat how to resume it. */
import type { ChatStatus } from "../../lib/chat/chat_options.ts";

/** The session and the command that continues it, each on a line; undefined if none is saved. */
export function resumeHint({ session_id, on_disk }: ChatStatus): string | undefined {
  if (session_id === undefined || !on_disk) return undefined;
  return `Session ${session_id}\nContinue with: reprise chat --resume ${session_id.slice(0, 8)}`;
}
