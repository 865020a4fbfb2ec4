/** The contract of what edits the text of an agent's settings. */
import { SessionError } from "../../../core/event/session_error.ts";

/** Keys of an entry, outermost first. A server has the key of all servers, then its own. */
export type EntryPath = readonly [outer: string, ...inner: string[]];

/**
 * Edits settings of one format as text. Other entries stay byte for byte. Each function throws
 * a {@linkcode SessionError} `unsupported-source` where it does not understand the text.
 */
export interface SettingsText {
  has(text: string, path: EntryPath): boolean;
  add(text: string, path: EntryPath, entry: Readonly<Record<string, unknown>>): string;
  remove(text: string, path: EntryPath): string;
}

/** Makes the error of settings that are left alone. */
export function notUnderstood(why: string): SessionError {
  return new SessionError("unsupported-source", `Cannot edit settings: ${why}`);
}

export function lineEnding(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
