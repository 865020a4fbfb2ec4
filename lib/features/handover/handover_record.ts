/**
 * Records hand-overs, so that they can be undone and are not made twice. `handovers.jsonl` in the
 * data root is append-only.
 */
import { join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { fields, isObject, list, optional, text } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { present } from "../../core/event/present.ts";
import { isFileThere } from "../../core/file/presence.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { mkdirSync } from "../../core/platform/files.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import { appendLine } from "../../core/log/own_file.ts";
import { fileState } from "../../core/store/import/source_state.ts";
import type { AppendedLine } from "./appended_line.ts";
import type { MadeFile } from "./place_session.ts";

/**
 * The state of a session at its hand-over. A later difference shows that the session was changed.
 */
export interface HandedSource {
  /** The session's reference, such as `claude:3f2a…`. */
  ref: string;
  /** Id of the thread that was handed over, absent for the main thread. */
  thread?: string;
  /** Size of the session's file in bytes, absent for a session in a database. */
  bytes?: number;
  /** The time of the session's last change, in ISO 8601. */
  changed_at?: string;
  /** The hand-over's options that are not defaults, absent if all are defaults. */
  options?: {
    tools?: "mapped" | "native" | "text";
    reasoning?: "drop" | "keep";
    last?: number;
    redact?: boolean;
  };
}

type ContentOptions = NonNullable<HandedSource["options"]>;

export interface HandoverRecord {
  agent: AgentName;
  /** The new session's id in the agent that got the session. */
  id: string;
  /** The session's main file, absent if the session was imported into a database. */
  file?: MadeFile;
  beside: MadeFile[];
  /** Folders that were made for the files. Each one comes after the folder that contains it. */
  folders?: string[];
  /** The line that was added to an index of the agent. */
  appended?: AppendedLine;
  /** SHA-256 of the session's events, absent if no database holds the session. */
  events_sha256?: string;
  /** The agent's own command that removes the session, absent if the writer names none. */
  remove?: readonly string[];
  cwd: string;
  /** The time of the hand-over, in ISO 8601. */
  time: string;
  source: HandedSource;
}

interface Undone {
  undone: string;
  time: string;
}

const FILE = "handovers.jsonl";

export function handoversPath(root: string): string {
  return join(root, FILE);
}

export function recordHandover(root: string, record: HandoverRecord): void {
  append(root, record);
}

export function recordUndone(
  root: string,
  { agent, id }: Pick<HandoverRecord, "agent" | "id">,
  time: string,
): void {
  append(root, { undone: `${agent}:${id}`, time } satisfies Undone);
}

function append(root: string, line: HandoverRecord | Undone): void {
  const path = handoversPath(root);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    appendLine(path, line);
  } catch (error) {
    throw toSessionError(error, "record hand-over", path);
  }
}

/**
 * Reads the hand-overs that were not undone, the oldest first. Skips lines that are no hand-overs.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `io`
 */
export function readHandovers(root: string): HandoverRecord[] {
  const path = handoversPath(root);
  const records = new Map<string, HandoverRecord>();
  for (const line of linesOf(path)) {
    const value = parsedJson(line);
    if (!isObject(value)) continue;
    if (typeof value.undone === "string") records.delete(value.undone);
    else if (isRecord(value)) records.set(`${value.agent}:${value.id}`, value);
  }
  return [...records.values()];
}

/**
 * Returns a function that is true for a session that was handed over and has not grown since. The
 * function gets the session's name, as `claude:ID`, and the current size of its file in bytes.
 */
export function continuedBranches(root: string): (ref: string, bytes: number) => boolean {
  const sizes = new Map(
    readHandovers(root).flatMap(({ source: { ref, thread, bytes = 0 } }) =>
      thread === undefined ? [[ref, bytes]] : []
    ),
  );
  return (ref, bytes) => bytes <= (sizes.get(ref) ?? -1);
}

/** Returns the folders and secondary files of all hand-overs, including undone hand-overs. */
export function madeForSessions(root: string): { folders: Set<string>; beside: MadeFile[] } {
  const records = linesOf(handoversPath(root)).map(parsedJson).filter(isRecord);
  return {
    folders: new Set(records.flatMap(({ folders = [] }) => folders)),
    beside: records.flatMap(({ beside }) => beside),
  };
}

function linesOf(path: string): string[] {
  try {
    const text = readShortText(path, RECORDS_BYTES, { follow: false, what: "hand-overs" });
    return text.split("\n").filter((line) => line !== "");
  } catch (error) {
    if (isNotFound(error)) return [];
    throw toSessionError(error, "read hand-overs", path);
  }
}

const MADE = fields({ path: text, sha256: text });
const RECORD = fields({
  ...{ agent: text, id: text, cwd: text, time: text, source: fields({ ref: text }) },
  ...{ file: optional(MADE), beside: list(MADE) },
  ...{ remove: optional(list(text)), folders: optional(list(text)) },
});

function isRecord(value: unknown): value is HandoverRecord {
  return RECORD(value) === undefined;
}

/**
 * Returns the current state of a session. A database also holds other sessions, so the time of the
 * session's last change is used instead of a size.
 */
export async function handedSource(
  handle: SessionHandle,
  chosen: ContentOptions = {},
): Promise<HandedSource> {
  const { agent, id, thread, path } = handle;
  const own = present({ ref: `${agent}:${id}`, thread });
  const options = optionsApart(chosen);
  if ((await handle.files()).length > 0) {
    const { bytes, modified_at: changed_at } = fileState(path);
    return present({ ...own, bytes, changed_at, options });
  }
  const { updated_at: changed_at } = await handle.summary();
  return present({ ...own, changed_at, options });
}

function optionsApart(
  { tools = "mapped", reasoning = "drop", last, redact = false }: ContentOptions,
): ContentOptions | undefined {
  const apart = present({
    tools: tools === "mapped" ? undefined : tools,
    reasoning: reasoning === "drop" ? undefined : reasoning,
    last,
    redact: redact || undefined,
  });
  return Object.keys(apart).length === 0 ? undefined : apart;
}

/**
 * Returns the last hand-over of the unchanged session to an agent with the same options. Ignores
 * hand-overs whose file no longer exists.
 */
export async function earlierHandover(
  root: string,
  agent: AgentName,
  handle: SessionHandle,
  chosen?: ContentOptions,
): Promise<HandoverRecord | undefined> {
  const same = JSON.stringify(await handedSource(handle, chosen));
  return readHandovers(root).findLast((record) =>
    record.agent === agent && JSON.stringify(record.source) === same &&
    (record.file === undefined || isFileThere(record.file.path))
  );
}

const QUIET_MS = 60_000;

export async function isBeingWritten(handle: SessionHandle, now: number): Promise<boolean> {
  const { status } = await handle.summary();
  if (status !== undefined && handle.log !== undefined) return status === "running";
  return now - Date.parse(fileState(handle.path).modified_at) < QUIET_MS;
}
