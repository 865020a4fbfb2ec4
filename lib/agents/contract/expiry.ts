/** The rule by which an agent deletes its old sessions, and the due date for one session. */
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { statSync } from "../../core/platform/files.ts";
import type { Summary } from "../../core/projection/summary_row.ts";

/** The rule by which an agent deletes old sessions. The agent deletes only when it starts. */
export interface Expiry {
  /** Number of days without a change after which a session is deleted. */
  after_days: number;
  /** The start of the `after_days`: the file's mtime, or the update time in the records. */
  measured_by: "mtime" | "updated_at";
  /** The name of the agent's setting for this rule; absent if the rule cannot be changed. */
  setting?: string;
  /** The file that sets the rule; absent if the agent's default applies. */
  path?: string;
}

const DAY_MS = 86_400_000;

export function expiryTime(
  { after_days, measured_by }: Expiry,
  { path, updated_at }: Pick<Summary, "path" | "updated_at">,
): Date | undefined {
  const changed = measured_by === "mtime" ? fileTime(path) : Date.parse(updated_at ?? "");
  const due = new Date((changed ?? NaN) + after_days * DAY_MS);
  // A setting of a billion days is how people say "never".
  return Number.isNaN(due.getTime()) ? undefined : due;
}

function fileTime(path: string): number | undefined {
  try {
    return statSync(path).mtime?.getTime();
  } catch {
    // The file was deleted after it was listed, or may not be read: its time is not known.
    return undefined;
  }
}

const COMMENTS = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

export function readSettings(path: string): Readonly<Record<string, unknown>> | undefined {
  const text = shortTextIn(path, SETTINGS_BYTES);
  const value = parsedJson(text?.replace(COMMENTS, (_, string) => string ?? ""));
  return isObject(value) ? value : undefined;
}
