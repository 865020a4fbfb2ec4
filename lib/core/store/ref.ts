/**
 * References to sessions as people write them. Pure.
 *
 * @module
 */
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";

/** The part of a reference after the session's name. */
export interface RefPlace {
  /** The number of an event, such as 12 in `#12`. */
  seq?: number;
  /**
   * The id of a record or its first characters, such as `3f2a` in `@3f2a`. It names an event whose
   * number is not known.
   */
  record?: string;
  /** The id of a thread or its first characters, such as `3f2a` in `~3f2a`. */
  thread?: string;
}

export type Ref =
  & RefPlace
  & (
    | { kind: "path"; path: string }
    | { kind: "agent"; agent: string; prefix: string }
    | { kind: "team"; owner?: string; agent?: string; prefix: string }
    | { kind: "id"; prefix: string }
  );

/** Start of a reference to a team's session. Write a path that starts with it as `./team:…`. */
export const TEAM_REF = "team:";

/**
 * Returns a machine's name for the `<id>.<machine>` of a session that the machine continued.
 * Characters that a reference cannot have become `-`.
 */
export function machineWord(machine: string): string {
  return machine.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
}

/** Minimum number of characters of an id's prefix in a reference without an agent's name. */
export const SHORTEST_PREFIX = 4;

const PATH = /[\\/]|^\.\.?$|\.(?:jsonl|json|db|sqlite|md|zst|age)$/;
const RECORD = /^(.+)@([A-Za-z0-9][A-Za-z0-9._:-]*)$/;
const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const THREAD = /^(.+)~([A-Za-z0-9][A-Za-z0-9._:-]*)$/;
/** Matches a session's file or id. In a reference, `~` begins a thread only after such a text. */
const FILE_OR_ID = /^[^\\/~]+$|\.(?:jsonl|json|db|sqlite|md|zst|age)$/;

function invalid(ref: string, reason: string): SessionError {
  return new SessionError("invalid-ref", `Cannot use reference "${ref}": ${reason}`, { ref });
}

/**
 * Parses a reference: a path, `<agent>:<id prefix>`, the prefix of an id, or a shared session. A
 * suffix `~<thread>` names a thread of the session, `#<seq>` an event, `@<id>` a record. A shared
 * session is `team:[<owner>/][<agent>:]<id prefix>`.
 *
 * @param ref As written.
 * @param agents Names before a colon that mean an agent.
 * @throws {SessionError} `invalid-ref` that says what a reference may be.
 */
export function parseRef(ref: string, agents: readonly string[] = []): Ref {
  if (typeof ref !== "string") {
    throw invalid(String(ref), "the reference is not a string; give an id or a path");
  }
  const { session: name, ...place } = splitRef(ref);
  const is_team = name.startsWith(TEAM_REF);
  if (name === "") {
    throw invalid(
      ref,
      "the reference is empty; give an id, the first characters of an id, or a path",
    );
  }
  if (is_team) return { ...parseTeam(ref, name.slice(TEAM_REF.length), agents), ...place };
  if (PATH.test(name)) return { kind: "path", path: name, ...place };
  const { agent, prefix } = parseName(ref, name, agents);
  return agent === undefined
    ? { kind: "id", prefix, ...place }
    : { kind: "agent", agent, prefix, ...place };
}

export function splitRef(ref: string): RefPlace & { session: string } {
  const [, numbered, seq] = /^(.*)#(\d+)$/s.exec(ref) ?? [];
  if (numbered !== undefined) return { ...splitThread(numbered), seq: Number(seq) };
  const [, before = "", record = ""] = RECORD.exec(ref) ?? [];
  const named = splitThread(before);
  const is_name = named.thread !== undefined || isSession(before);
  return !is_name || PATH.test(record) ? splitThread(ref) : { ...named, record };
}

function splitThread(ref: string): RefPlace & { session: string } {
  const [, session = "", thread] = THREAD.exec(ref) ?? [];
  return thread !== undefined && isSession(session) ? { session, thread } : { session: ref };
}

function isSession(name: string): boolean {
  return name.startsWith(TEAM_REF) || FILE_OR_ID.test(name);
}

function parseName(
  ref: string,
  name: string,
  agents: readonly string[],
): { agent?: string; prefix: string } {
  const colon = name.indexOf(":");
  if (colon < 0) return { prefix: checkedPrefix(ref, name, SHORTEST_PREFIX) };
  const agent = name.slice(0, colon);
  if (!agents.includes(agent)) {
    const known = agents.length === 0 ? "none" : agents.join(", ");
    throw invalid(ref, `"${agent}" is not an agent; known agents: ${known}`);
  }
  return { agent, prefix: checkedPrefix(ref, name.slice(colon + 1), 1) };
}

/** Parses `[<owner>/]<id>`. An owner may contain slashes, so the id follows the last slash. */
function parseTeam(ref: string, text: string, agents: readonly string[]): Ref {
  const slash = text.lastIndexOf("/");
  const name = text.slice(slash + 1);
  if (name === "" || slash === 0) {
    throw invalid(ref, "give the session as team:ID or team:OWNER/ID");
  }
  const owner = slash < 0 ? undefined : text.slice(0, slash);
  return present({ kind: "team", owner, ...parseName(ref, name, agents) });
}

/**
 * Parses a reference that came from another program, which may name a session and never a file.
 *
 * @param ref As given. @param agents Names before a colon that mean an agent.
 * @throws {SessionError} `invalid-ref`, also for every path.
 */
export function parseSessionId(
  ref: string,
  agents: readonly string[] = [],
): Exclude<Ref, { kind: "path" }> {
  const parsed = parseRef(ref, agents);
  if (parsed.kind === "path") {
    throw invalid(ref, "give an id or agent:id; a path is not allowed here");
  }
  return parsed;
}

function checkedPrefix(ref: string, prefix: string, shortest: number): string {
  if (prefix.includes("#")) throw invalid(ref, "only an event number can follow #");
  if (!PREFIX.test(prefix)) {
    throw invalid(
      ref,
      "an id can contain letters, digits, dots, dashes and underscores; a path must contain a /",
    );
  }
  if (prefix.length < shortest) {
    const reason = `give at least ${shortest} characters of the id; a path must contain a /`;
    throw invalid(ref, reason);
  }
  return prefix;
}
