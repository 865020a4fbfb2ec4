/**
 * Marks are titles, flags, tags, notes and moved directories of sessions. They are stored outside
 * the logs, because a log may be locked by its writer or belong to another agent. `marks.jsonl`
 * lies in the data root and is append-only. The latest mark wins.
 */
import { join } from "node:path";
import { fields, flag, list, optional, parsedAs, text } from "../event/guard.ts";
import { present } from "../event/present.ts";
import type { SessionError } from "../event/session_error.ts";
import { readShortText, RECORDS_BYTES } from "../file/short_file.ts";
import { toSessionError } from "../log/io_error.ts";
import { appendLine } from "../log/own_file.ts";
import { mkdirSync, readDirSync } from "../platform/files.ts";
import { isNotADirectory, isNotFound } from "../platform/system_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import { type Relink, relinkedDirectory, toRelink, withRelink } from "./relinks.ts";

/** One line of `marks.jsonl`. It has only the fields that the mark changes. */
export interface Mark {
  /** A session by its id or `<agent>:<id>`, or a directory as `cwd:<path>`. */
  ref: string;
  title?: string;
  archived?: boolean;
  /** All tags of the session. An empty list removes the tags. */
  tags?: readonly string[];
  pinned?: boolean;
  /** A note about the session. An empty text removes the note. */
  note?: string;
  /** Absolute path of the new directory of the session, or of all sessions in directory `ref`. */
  relinked?: string;
  /** ISO 8601: time of the mark. */
  time: string;
  /** The device that made the mark, if the mark was pulled from a team's store. */
  device?: string;
}

interface Marked<Value> {
  value: Value;
  time: string;
  /** The device that made the mark; absent for this device. */
  device?: string;
}

export interface MarkSet {
  title?: Marked<string>;
  archived?: Marked<boolean>;
  tags?: Marked<readonly string[]>;
  pinned?: Marked<boolean>;
  note?: Marked<string>;
  relinked?: Marked<string>;
}

/** All marks of sessions, by reference. */
export interface Marks extends ReadonlyMap<string, MarkSet> {
  /** Moves of whole directories. */
  readonly relinks?: readonly Relink[];
}

const MARKS_FILE = "marks.jsonl";

export function marksPath(root: string): string {
  return join(root, MARKS_FILE);
}

/**
 * Reads all marks. Invalid lines are skipped.
 *
 * @param onError Receives the error if the marks cannot be read. The result is then empty, so that
 * sessions stay visible.
 * @throws {SessionError} `unsafe-store`, `permission`, `io`, without `onError`.
 */
export function readMarks(root: string, onError?: (error: SessionError) => void): Marks {
  if (!mayHaveMarks(root)) return new Map();
  let text: string;
  try {
    text = readShortText(marksPath(root), RECORDS_BYTES, { follow: false, what: "marks" });
  } catch (error) {
    if (isNotFound(error)) return new Map();
    const told = toSessionError(error, "read marks", marksPath(root));
    // Where the store itself is a file, there is no session to hide.
    if (onError === undefined || isNotADirectory(error)) throw told;
    onError(told);
    return new Map();
  }
  return marksIn(text);
}

export function marksIn(text: string): Marks {
  const marks = new Map<string, MarkSet>();
  let relinks: Relink[] = [];
  for (const line of text.split("\n")) {
    const mark = parsedAs<Mark>(line, MARK);
    if (mark === undefined) continue;
    const relink = toRelink(mark);
    if (relink !== undefined) relinks = withRelink(relinks, relink);
    else marks.set(mark.ref, { ...marks.get(mark.ref), ...toMarkSet(mark) });
  }
  return relinks.length === 0 ? marks : Object.assign(marks, { relinks });
}

/** True if the folder lists a file of marks. This is faster than an error about a missing file. */
function mayHaveMarks(root: string): boolean {
  try {
    for (const { name } of readDirSync(root)) if (name === MARKS_FILE) return true;
    return false;
  } catch {
    // Reading the file reports the error.
    return true;
  }
}

export function toMarkSet({ time, device, ref: _, ...mark }: Mark): MarkSet {
  const made = present({ time, device });
  const marked = <Value>(value: Value | undefined): Marked<Value> | undefined =>
    value === undefined ? undefined : { value, ...made };
  return present({
    title: marked(mark.title),
    archived: marked(mark.archived),
    tags: marked(mark.tags),
    pinned: marked(mark.pinned),
    note: marked(mark.note),
    relinked: marked(mark.relinked),
  });
}

export function markLine(mark: Mark): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(mark)}\n`);
}

const MARK = fields({
  ...{ ref: text, time: text, title: optional(text), note: optional(text) },
  ...{ relinked: optional(text), archived: optional(flag), pinned: optional(flag) },
  tags: optional(list(text)),
});

/**
 * Appends a mark in one write, on a line of its own. It is given a later time than the mark that it
 * replaces, even if a clock was ahead.
 */
export function appendMark(root: string, mark: Mark): void {
  const path = marksPath(root);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    appendLine(path, mark.device === undefined ? laterMark(root, mark) : mark);
  } catch (error) {
    throw toSessionError(error, "write mark", path);
  }
}

/** Appends `mark` at time `now`, unless the session's latest mark of the same field is earlier. */
export function outdateMark(root: string, mark: Omit<Mark, "time">, now: Date): void {
  const known = knownMark(root, mark);
  if (known === undefined || Date.parse(known.time) < now.getTime()) return;
  appendMark(root, { ...mark, time: now.toISOString() });
}

const FIELDS = ["title", "archived", "tags", "pinned", "note"] as const;

function knownMark(root: string, mark: Omit<Mark, "time">): { time: string } | undefined {
  const field = FIELDS.find((name) => mark[name] !== undefined);
  return field === undefined ? undefined : readMarks(root, () => {}).get(mark.ref)?.[field];
}

function laterMark(root: string, mark: Mark): Mark {
  const known = knownMark(root, mark);
  if (known === undefined || mark.relinked !== undefined) return mark;
  const [time, before] = [Date.parse(mark.time), Date.parse(known.time)];
  return time > before || Number.isNaN(before)
    ? mark
    : { ...mark, time: new Date(before + 1).toISOString() };
}

/** True if a mark is not earlier than the log's value. A value without a time counts as earlier. */
function isLater({ time }: { time: string }, said = ""): boolean {
  const at = Date.parse(said);
  return Number.isNaN(at) || Date.parse(time) >= at;
}

/** Applies marks to a summary. If the log and a mark set the same field, the later one wins. */
export function withMarks(summary: Summary, marks: Marks): Summary {
  const { renamed_at, archived_at } = summary;
  const { title, archived, tags, pinned, note, relinked } = marks.get(summary.ref) ?? {};
  const cwd = directoryNow(summary, relinked, marks.relinks);
  const marked: Summary = {
    ...summary,
    ...present({
      cwd,
      tags: tags?.value.length === 0 ? undefined : tags?.value,
      pinned: pinned?.value ? true as const : undefined,
      note: note?.value || undefined,
    }),
  };
  if (title !== undefined && isLater(title, renamed_at)) {
    marked.title = title.value || unmarkedTitle(summary, renamed_at);
  }
  if (archived !== undefined && isLater(archived, archived_at)) marked.archived = archived.value;
  return marked;
}

/**
 * Returns a session's title after a mark with an empty title: the log's first title. If an event
 * renamed the session, that title is unknown, and the first user message is returned.
 */
function unmarkedTitle(
  { title, first_user_message = "" }: Summary,
  renamed_at: string | undefined,
): string {
  return renamed_at === undefined ? title : first_user_message;
}

function directoryNow(
  { cwd, created_at }: Summary,
  relinked: Marked<string> | undefined,
  relinks: readonly Relink[] | undefined,
): string | undefined {
  const begun = relinked?.value ?? cwd;
  if (begun === undefined || relinks === undefined) return begun;
  return relinkedDirectory(begun, relinked?.time ?? created_at, relinks);
}
