/** Finds the files that a session changed, as of an event. */
import { present } from "../../event/present.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import type { FileContent } from "../../source/file_history.ts";
import type { FileChange } from "../recorded_edit.ts";
import { afterFact, type FileFact, type FileState, fileStateAt } from "./file_states.ts";
import { type PlacedFact, placedFacts } from "./placed_facts.ts";
import { isRecordedAsLf, withEndsOf } from "./line_ends.ts";

/** Options to find a session's files. */
interface SessionFilesOptions {
  /** The last event that counts. @default {the last of the session} */
  seq?: number | undefined;
  /** Reads the content that a file has now; undefined where it must not be used. @default {none is} */
  presentIn?: ((directory: string, path: string) => FileContent | undefined) | undefined;
}

/** A file that a session changed. */
export interface SessionFile {
  /** Absolute where the session tells its directory; else as the session names it. */
  path: string;
  /** Number of changes up to the event. */
  changes: number;
  /** The file at the event. */
  state: FileState;
  /** The file before the session's first change. */
  first: FileState;
  /** The recorded changes up to the event. */
  made: readonly FileChange[];
  /** Returns the contents that the session knew or made. A file with one is the session's. */
  known(): readonly FileContent[];
}

/** The files of a session, and the directory that their paths are relative to. */
export interface SessionFiles {
  /** The session's directory; absent where it is not recorded. */
  cwd?: string;
  /** The event that they are as of. */
  seq: number;
  /** The files, in the order of their paths. */
  files: SessionFile[];
}

/**
 * Finds the files that a session changed, in all its threads. Changes of other threads count up to the
 * time of the event.
 *
 * @throws {SessionError} `not-found` where the session has no such event; as reading it.
 */
export async function sessionFiles(
  handle: SessionHandle,
  { seq, presentIn }: SessionFilesOptions = {},
): Promise<SessionFiles> {
  const { cwd, seq: at, facts, count } = await placedFacts(handle, seq);
  const now = (path: string): FileContent | undefined =>
    cwd === undefined ? undefined : presentIn?.(cwd, path);
  const files = fileLines(facts, count).flatMap((line) => filesOf(line, now));
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  return present({ cwd, seq: at, files });
}

/** The facts of a file through its renames. */
interface FileLine {
  /** Its names; the last one is the present one. */
  names: string[];
  /** The place of its name at the event. */
  named: number;
  facts: FileFact[];
  /** Number of facts up to the event. */
  count: number;
}

/** Groups facts by file. A rename over a file that the session knew begins another file. */
function fileLines(facts: readonly PlacedFact[], count: number): FileLine[] {
  const lines = new Map<string, FileLine>();
  for (const [index, { path, fact }] of facts.entries()) {
    if (fact.kind === "rename") {
      const line = lines.get(fact.from) ?? { names: [fact.from], named: 0, facts: [], count: 0 };
      if (lines.has(path) || path === fact.from) continue;
      lines.delete(fact.from);
      lines.set(path, line);
      line.names.push(path);
      if (index < count) line.named = line.names.length - 1;
      continue;
    }
    const line = lines.get(path) ?? { names: [path], named: 0, facts: [], count: 0 };
    lines.set(path, line);
    line.facts.push(fact);
    if (index < count) line.count++;
  }
  return [...lines.values()];
}

/** Returns a file under its present name, and that it is not there under its former ones. */
function filesOf(
  { names, named, facts, count }: FileLine,
  presentContent: (path: string) => FileContent | undefined,
): SessionFile[] {
  const made = facts.slice(0, count).flatMap((fact) => fact.kind === "change" ? [fact.change] : []);
  const change = facts.findIndex(({ kind }) => kind === "change");
  if (change < 0 && names.length === 1) return [];
  const now = presentContent(names.at(-1) ?? "");
  let states: readonly FileContent[] | undefined;
  const known = (): readonly FileContent[] => states ??= knownStates(facts);
  const state = withEnds(fileStateAt(facts, count, now), facts, known);
  const first = withEnds(fileStateAt(facts, Math.max(change, 0), now), facts, known);
  const gone: FileState = { grade: "proven", content: null };
  return names.map((path, index) => ({
    path,
    changes: index === named ? made.length : 0,
    state: index === named ? state : gone,
    first: index === 0 ? first : gone,
    made: index === named ? made : [],
    // A file whose changes can be taken back is the session's, too.
    known: () => state.doubt === "present" && now !== undefined ? [...known(), now] : known(),
  }));
}

/** Gives a text the CRLF that a snapshot shows, where the agent records LF in its calls. */
function withEnds(
  state: FileState,
  facts: readonly FileFact[],
  known: () => readonly FileContent[],
): FileState {
  const { content } = state;
  if (content === undefined) return state;
  const snapshot = facts.find((fact) =>
    fact.kind === "known" && isRecordedAsLf(fact.content, known)
  );
  const ends = snapshot?.kind === "known" ? snapshot.content : null;
  return { ...state, content: withEndsOf(ends, content, known) };
}

/** Returns the contents that the whole session knew, or that its changes give. */
function knownStates(facts: readonly FileFact[]): FileContent[] {
  const known = new Set<FileContent>();
  let state: FileState = { grade: "unknown" };
  for (const fact of facts) {
    state = afterFact(state, fact);
    if (state.content !== undefined) known.add(state.content);
  }
  return [...known];
}
