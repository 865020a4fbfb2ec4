/**
 * Locates Aider's histories. Aider writes a history into the root of the git repository. Elsewhere
 * it writes to the working directory, or to the path in a setting. No file lists all histories.
 *
 * The settings are `--chat-history-file` and `AIDER_CHAT_HISTORY_FILE` (aider 0.86, aider/args.py).
 * Aider reads `.aider.conf.yml` and `.env` in the home, the repository's root and the working
 * directory.
 */
import { basename, dirname, isAbsolute, join } from "node:path";
import { isThere } from "../../core/file/presence.ts";
import { SETTINGS_BYTES, shortTextIn } from "../../core/file/short_file.ts";
import { realPathSync, statSync } from "../../core/platform/files.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { readLines } from "../engine/records/jsonl_records.ts";
import type { SourceRange } from "../engine/sources/block_source.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { expandHome } from "../../core/workspace/data_root.ts";
import { pathDigest } from "../../core/workspace/namespace.ts";

export async function* locateAider(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  const seen = new Set<string>();
  for (const path of histories(place)) {
    const real = realFile(path);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    yield* await sessionsOf(path);
  }
}

function histories({ folder: root, home, variable }: AgentPlace): string[] {
  const cwd = variable("PWD");
  const here = cwd === undefined ? [] : [cwd, ...gitRoot(cwd)];
  const set = [variable("AIDER_CHAT_HISTORY_FILE"), ...[...here, home].flatMap(settingsIn)];
  const named = set.flatMap((name) => {
    const path = expandHome(name ?? "", home);
    if (path === "") return [];
    return isAbsolute(path) ? [path] : cwd === undefined ? [] : [join(cwd, path)];
  });
  return [...named, ...[...here, root].map((folder) => join(folder, HISTORY_NAME))];
}

function gitRoot(cwd: string): string[] {
  for (let folder = cwd;; folder = dirname(folder)) {
    if (isThere(join(folder, ".git"))) return [folder];
    if (dirname(folder) === folder) return [];
  }
}

const CONFIGURED = /^chat-history-file:[ \t]*(.+?)[ \t]*(?:#.*)?$/m;
const EXPORTED = /^[ \t]*(?:export[ \t]+)?AIDER_CHAT_HISTORY_FILE[ \t]*=[ \t]*(.+?)[ \t]*$/m;

function settingsIn(folder: string): string[] {
  const found = [
    CONFIGURED.exec(textIn(join(folder, ".aider.conf.yml"))),
    EXPORTED.exec(textIn(join(folder, ".env"))),
  ];
  return found.flatMap((match) => match?.[1]?.replace(/^(["'])(.*)\1$/, "$2") ?? []);
}

function textIn(path: string): string {
  return shortTextIn(path, SETTINGS_BYTES) ?? "";
}

function realFile(path: string): string | undefined {
  try {
    return statSync(path).isFile ? realPathSync(path) : undefined;
  } catch {
    // NotFound, or not allowed: no sessions there.
    return undefined;
  }
}

// Aider's history: one Markdown file for all sessions of a repository, with a heading where each
// begins.
//
// aider 0.86 (Aider-AI/aider @5dc9490), aider/io.py `InputOutput.__init__`, `append_chat_history`.

/** Default name of a history file (aider/args.py). */
const HISTORY_NAME = ".aider.chat.history.md";

// Verbatim: aider.
const HEADING = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*$/;
const HEADING_BYTES = new TextEncoder().encode("# aider chat started at ");
const LONGEST_HEADING = 80;

/** The part of a file that is a session. `size` and `modified_at` describe the whole file. */
export interface HistoryRange extends SourceRange {
  /** Start time in ISO 8601. Absent if the session begins before the first heading. */
  started_at?: string | undefined;
  /** Modification time of the file when it was scanned. A changed file is scanned again. */
  modified_at?: string | undefined;
}

/** A session with its range in the file, so that the file is not scanned again. */
interface AiderSession extends AgentSession {
  range: HistoryRange;
}

interface Start {
  offset: number;
  line: number;
  /** Start as in `2026-10-09T10:00:00`, in the unrecorded time zone of the writing machine. */
  time?: string;
}

function headingTime(bytes: Uint8Array): string | undefined {
  if (bytes.length > LONGEST_HEADING) return undefined;
  for (let at = 0; at < HEADING_BYTES.length; at++) {
    if (bytes[at] !== HEADING_BYTES[at]) return undefined;
  }
  const match = HEADING.exec(new TextDecoder().decode(bytes));
  return match === null ? undefined : `${match[1]}T${match[2]}`;
}

export function isHistory(path: string, head: Uint8Array): boolean {
  if (basename(path) === HISTORY_NAME) return true;
  const lines = new TextDecoder().decode(head).split("\n");
  return lines.some((line) => HEADING.test(line));
}

/** Finds where sessions begin. Text before the first heading is a session if there is any. */
async function findStarts(path: string): Promise<Start[]> {
  const starts: Start[] = [];
  for await (const lines of readLines(path)) {
    for (const { bytes, offset, line } of lines) {
      const time = headingTime(bytes);
      if (time !== undefined) starts.push({ offset, line, time });
      else if (starts.length === 0 && hasText(bytes)) starts.push({ offset: 0, line: 1 });
    }
  }
  return starts;
}

function hasText(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte > 0x20);
}

/**
 * Returns the sessions in a history, oldest first. An id is made of the start time and the file's
 * path, because nothing in the file names a session.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function sessionsOf(path: string): Promise<AiderSession[]> {
  const { size, modified_at } = readEdges(path, { head_bytes: 0, tail_bytes: 0 });
  const digest = pathDigest(realPathSync(path));
  const starts = await findStarts(path);
  const seen = new Map<string, number>();
  return starts.map(({ offset: from, line, time }, index) => {
    const stamp = `${time?.replace(/[-:]/g, "") ?? "before-first"}-${digest}`;
    const repeat = (seen.get(stamp) ?? 0) + 1;
    seen.set(stamp, repeat);
    const to = starts[index + 1]?.offset ?? size;
    const range = { from, to, line, started_at: isoTime(time), size, modified_at };
    const id = repeat === 1 ? stamp : `${stamp}-${repeat}`;
    return { agent: "aider", id, path, ...cwdOf(path), range };
  });
}

/**
 * Returns the folder of a history, in which its sessions ran. Empty for a file with another name,
 * because a setting can place that file anywhere.
 */
function cwdOf(path: string): { cwd?: string } {
  return basename(path) === HISTORY_NAME ? { cwd: dirname(path) } : {};
}

/** Returns the session's range in the file as it is now. Undefined if the session is gone. */
export async function rangeOf(session: AgentSession): Promise<HistoryRange | undefined> {
  const { range } = session as Partial<AiderSession>;
  const { size, modified_at } = readEdges(session.path, { head_bytes: 0, tail_bytes: 0 });
  if (range?.size === size && range.modified_at === modified_at) return range;
  return (await sessionsOf(session.path)).find(({ id }) => id === session.id)?.range;
}
