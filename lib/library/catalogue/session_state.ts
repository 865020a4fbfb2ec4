/**
 * The state of a session's files. While the state is the same, all facts that were read from the
 * files are current.
 */
import { statFile } from "../../core/file/regular_file.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";

/** The state of a session's files at one moment. */
export interface SessionState {
  /** Bytes of the session's first file. -1 if that is missing. */
  size: number;
  /** Time of the last change of the contents, in milliseconds. */
  mtime: number;
  /**
   * Time of the file's last status change in milliseconds. Unlike `mtime`, it is never set back.
   */
  ctime: number;
  /** Inode of the session's first file. 0 if the system has no inodes. */
  ino: number;
  /** Digest of the states of all files but the first, and of the fields from the agent's index. */
  others: number;
}

/** The state of a session's files when they were last looked at. */
export interface SeenState extends SessionState {
  /** Time of the latest change among the session's files, in milliseconds. */
  changed: number;
}

export function isSameState(one: SessionState, other: SessionState): boolean {
  return one.size === other.size && one.mtime === other.mtime && one.ctime === other.ctime &&
    one.ino === other.ino && one.others === other.others;
}

/**
 * Returns the state of a session's files. Opens none of them.
 *
 * @param session The session from its agent's locator. Fields such as its title are part of the
 * state, because agents keep these outside the session's files.
 * @param files The session's own file, then all other files from which the session is read.
 * @param seen A cache of states just looked up, because many sessions may share a database.
 */
export function lookAtSession(
  session: AgentSession,
  files: readonly string[] = [],
  seen?: Map<string, SeenState>,
): SeenState {
  if (session.printed !== undefined) return lookAtPrinted(session, files, seen);
  const [first = session.path] = files;
  const state = seen === undefined ? lookAtFile(first) : { ...lookAt(first, seen) };
  let rest = locatedText(session);
  for (let index = 1; index < files.length; index++) {
    const path = files[index] ?? "";
    const { size, mtime, ctime, ino, changed } = lookAt(path, seen);
    rest += `${path}\0${size} ${mtime} ${ctime} ${ino}\n`;
    if (changed > state.changed) state.changed = changed;
  }
  if (rest !== "") state.others = digest(rest);
  return state;
}

/**
 * Returns the state of a session that a reader program listed. Ignores ctime, because reading
 * changes the ctime of a database's WAL. A state that the program printed replaces the states of
 * the files that it named.
 */
function lookAtPrinted(
  session: AgentSession,
  [first = session.path, ...others]: readonly string[],
  seen: Map<string, SeenState> | undefined,
): SeenState {
  const { files = [], state: told } = session.printed ?? {};
  const { size, mtime, ino } = lookAt(first, seen);
  const state = told === undefined
    ? { size, mtime, ctime: 0, ino, others: 0, changed: mtime }
    : { size: Math.min(size, 0), mtime: 0, ctime: 0, ino: 0, others: 0, changed: 0 };
  let rest = locatedText(session);
  for (const path of others) {
    if (told !== undefined && files.includes(path)) continue;
    const one = lookAt(path, seen);
    rest += `${path}\0${one.size} ${one.mtime} ${one.ino}\n`;
    state.changed = Math.max(state.changed, one.mtime);
  }
  return { ...state, others: digest(rest) };
}

/**
 * Returns the state of a followed session. Ignores the state that a reader program printed, because
 * that state is not updated after the sessions were listed.
 */
export function lookAtFollowed(session: AgentSession, files: readonly string[]): SeenState {
  const { printed } = session;
  if (printed?.state === undefined) return lookAtSession(session, files);
  const { state: _, ...named } = printed;
  return lookAtSession({ ...session, printed: named }, files);
}

function lookAt(path: string, seen: Map<string, SeenState> | undefined): SeenState {
  if (seen === undefined) return lookAtFile(path);
  const known = seen.get(path);
  if (known !== undefined) return known;
  const state = lookAtFile(path);
  seen.set(path, state);
  return state;
}

/** Returns the state of one file. The size is -1 if the file is missing or cannot be seen. */
export function lookAtFile(path: string): SeenState {
  try {
    const info = statFile(path);
    const mtime = info.mtime?.getTime() ?? 0;
    const ctime = info.ctime?.getTime() ?? 0;
    return {
      size: info.size,
      mtime,
      ctime,
      ino: info.ino ?? 0,
      others: 0,
      changed: ctime || mtime,
    };
  } catch {
    // The file is missing or cannot be seen.
    return { size: -1, mtime: 0, ctime: 0, ino: 0, others: 0, changed: 0 };
  }
}

function locatedText(session: AgentSession): string {
  let text = "";
  // Makes no array of the fields, because most of 100,000 sessions have no other field.
  for (const field in session) {
    if (field === "agent" || field === "id" || field === "path") continue;
    const value = session[field as keyof AgentSession];
    if (value !== undefined) text += `${field}=${JSON.stringify(value)}\n`;
  }
  return text;
}

/** Writes two 32-bit hashes of a text into `hashes` at `at`, computed as in cyrb53. */
export function hashInto(hashes: Uint32Array, at: number, text: string): void {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  hashes[at] = one;
  hashes[at + 1] = other;
}

const HASHES = new Uint32Array(2);

/** Hashes a text to a number of 53 bits. */
export function digest(text: string): number {
  hashInto(HASHES, 0, text);
  const [one, other] = HASHES as unknown as [number, number];
  return 4294967296 * (2097151 & other) + one;
}
