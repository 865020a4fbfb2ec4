/** The contract of an editor for the text of an agent's settings. */
import { SessionError } from "../../../core/event/session_error.ts";

/** Keys that lead to an entry, outermost first, such as `mcpServers` and the name of a server. */
export type EntryPath = readonly [outer: string, ...inner: string[]];

/**
 * Edits settings of one format as text. All other entries stay the same, byte for byte. Each
 * function throws a {@linkcode SessionError} `unsupported-source` if it does not understand the
 * text.
 */
export interface SettingsText {
  has(text: string, path: EntryPath): boolean;
  add(text: string, path: EntryPath, entry: Readonly<Record<string, unknown>>): string;
  remove(text: string, path: EntryPath): string;
}

export function notUnderstood(why: string): SessionError {
  return new SessionError("unsupported-source", `Cannot edit settings: ${why}`);
}

export function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
