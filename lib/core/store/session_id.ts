/**
 * A session's id, and the name of its folder: `<timestamp>-<session id>`.
 */
import { SessionError } from "../event/session_error.ts";

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const ID = new RegExp(`^${UUID}$`);
const FOLDER = new RegExp(
  `^(\\d{4}|[+-]?\\d{6})(\\d{2})(\\d{2})T(\\d{2})(\\d{2})(\\d{2})(\\d{3})Z-(${UUID})$`,
);

export interface FolderName {
  /** ISO 8601: time of creation. */
  created_at: string;
  /** UUID v4 in lower case. */
  session_id: string;
}

/**
 * Returns the name of a session's folder.
 *
 * @throws {SessionError} `invalid-argument` if the id is not a UUID in lower case: readers would not
 * find the folder.
 */
export function folderName(created: Date, session_id: string): string {
  if (!ID.test(session_id)) {
    const why = `newId() returned an id that is not a UUID in lower case: "${session_id}"`;
    throw new SessionError("invalid-argument", `Cannot name session: ${why}`, {});
  }
  return `${created.toISOString().replace(/(?<!^)[-:.]/g, "")}-${session_id}`;
}

/** Parses the name of a session's folder; undefined for any other name. */
export function parseFolderName(name: string): FolderName | undefined {
  const match = FOLDER.exec(name);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, milliseconds, session_id] = match;
  return {
    created_at: `${fullYear(year)}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`,
    session_id: session_id ?? "",
  };
}

const UUID_LENGTH = 36;

/** Returns a session folder's id, or undefined. 3 times as fast as {@linkcode parseFolderName}. */
export function sessionIdIn(name: string): string | undefined {
  return FOLDER.test(name) ? name.slice(-UUID_LENGTH) : undefined;
}

/**
 * Returns a year with its sign. In a folder's name, a year of six digits without a sign is
 * negative.
 */
function fullYear(year = ""): string {
  return /^\d{6}$/.test(year) ? `-${year}` : year;
}
