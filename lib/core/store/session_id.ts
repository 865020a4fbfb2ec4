/**
 * A session's id, and the name of its folder: `<timestamp>-<session id>`. An id is a UUID, or a name
 * that is safe in a path on every system.
 */
import { SessionError } from "../event/session_error.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NAME = "[A-Za-z0-9](?:[A-Za-z0-9_-]|\\.(?![.]))*[A-Za-z0-9_-]";
const ID = new RegExp(`^${NAME}$`);
const FOLDER = new RegExp(
  `^(\\d{4}|[+-]?\\d{6})(\\d{2})(\\d{2})T(\\d{2})(\\d{2})(\\d{2})(\\d{3})Z-(${NAME})$`,
);
/** Names that Windows keeps for devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Matches file extensions. An id with one of these would look like a file or a draft. */
const FILE = /\.(?:jsonl|json|db|sqlite|md|zst|age|tmp|gone)$/i;
/** Minimum and maximum length of an id: a reference's shortest prefix, and a limit for paths. */
const [SHORTEST, LONGEST] = [4, 64];

/** Returns why a value is not a session's id; undefined if it is valid. */
export function sessionId(value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a string";
  if (value.length < SHORTEST) return `is shorter than ${SHORTEST} characters`;
  if (value.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (!ID.test(value)) {
    return "is not safe as a file name; use letters, digits, -, _ and single dots between them";
  }
  if (UUID.test(value.toLowerCase()) && !UUID.test(value)) {
    return "is a UUID with upper-case letters; use lower case";
  }
  if (DEVICE.test(value)) return "is a name that Windows reserves; give another one";
  return FILE.test(value) ? "has a file extension; leave out the extension" : undefined;
}

/** True for a UUID, which only one session has. Two sessions may share an id of another form. */
export function isUnique(id: string): boolean {
  return UUID.test(id);
}

export interface FolderName {
  created_at: string;
  session_id: string;
}

/**
 * Returns the name of a session's folder.
 *
 * @throws {SessionError} `invalid-argument` if readers would not find the folder by the id.
 */
export function folderName(created: Date, session_id: string): string {
  const reason = sessionId(session_id);
  if (reason !== undefined) {
    const why = `the id "${session_id}" ${reason}`;
    throw new SessionError("invalid-argument", `Cannot name session: ${why}`, {});
  }
  return `${created.toISOString().replace(/(?<!^)[-:.]/g, "")}-${session_id}`;
}

export function parseFolderName(name: string): FolderName | undefined {
  const match = FOLDER.exec(name);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, milliseconds, session_id = ""] = match;
  if (sessionId(session_id) !== undefined) return undefined;
  return {
    created_at: `${fullYear(year)}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`,
    session_id,
  };
}

/** Returns a session folder's id, or undefined. 3 times as fast as {@linkcode parseFolderName}. */
export function sessionIdIn(name: string): string | undefined {
  if (!FOLDER.test(name)) return undefined;
  const id = name.slice(name.indexOf("Z-") + 2);
  return UUID.test(id) || sessionId(id) === undefined ? id : undefined;
}

/**
 * Returns a year with its sign. In a folder's name, a year of six digits without a sign is
 * negative.
 */
function fullYear(year = ""): string {
  return /^\d{6}$/.test(year) ? `-${year}` : year;
}
