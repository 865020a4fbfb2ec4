/** Finds the files that a session changed, with their states at an event of the session. */
import { present } from "../../../core/event/present.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { FileContent } from "../../../agents/contract/file_history.ts";
import type { FileChange } from "../../../library/touches/edit.ts";
import { afterFact, type FileFact, type FileState, fileStateAt } from "./file_states.ts";
import { type EventRange, type PlacedFact, placedFacts } from "./placed_facts.ts";
import { isRecordedAsLf, withEndsOf } from "./line_ends.ts";

interface SessionFilesOptions extends EventRange {
  /** Reads a file's present content; undefined if it must not be used. @default {never read} */
  presentIn?: ((directory: string, path: string) => FileContent | undefined) | undefined;
}

export interface SessionFile {
  /** The path: absolute if the session records its directory, else as the session names it. */
  path: string;
  /** Number of changes in the requested range of events. */
  changes: number;
  /** The file's state after the last event of the requested range. */
  state: FileState;
  /** The file's state before the first change in the requested range. */
  first: FileState;
  /** The recorded changes in the requested range of events. */
  made: readonly FileChange[];
  /**
   * Returns all contents that the session read or wrote. A restore may replace a file that has one
   * of these contents.
   */
  known(): readonly FileContent[];
}

export interface SessionFiles {
  cwd?: string;
  /** Number of the requested range's first event; absent if the range begins with the session. */
  from?: number;
  /** The number of the range's last event. */
  seq: number;
  /** The files, in the order of their paths. */
  files: SessionFile[];
}

/**
 * Finds the files that a session changed in a range of events, in all its threads. Changes of other
 * threads count up to the time of the range's last event.
 *
 * @throws {SessionError} `not-found` if the session has no such event. Also the errors of reading
 * the session.
 */
export async function sessionFiles(
  handle: SessionHandle,
  { presentIn, ...range }: SessionFilesOptions = {},
): Promise<SessionFiles> {
  const { cwd, from, seq, facts, begun, count } = await placedFacts(handle, range);
  const now = (path: string): FileContent | undefined =>
    cwd === undefined ? undefined : presentIn?.(cwd, path);
  const files = fileLines(facts, begun, count).flatMap((line) =>
    filesOf(line, from !== undefined, now)
  );
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  return present({ cwd, from, seq, files });
}

/** The facts about a file, including the facts under its former names. */
interface FileLine {
  /** The names that the file had, in order; the last name is its present name. */
  names: string[];
  /** Index in `names` of the file's name at the end of the range of events. */
  named: number;
  facts: FileFact[];
  /** Number of leading `facts` before the range of events. `count`: those up to the range's end. */
  begun: number;
  count: number;
}

/** Groups facts by file, across renames. Ignores a rename if the new name already has facts. */
function fileLines(facts: readonly PlacedFact[], begun: number, count: number): FileLine[] {
  const lines = new Map<string, FileLine>();
  const begin = (name: string): FileLine => ({
    ...{ names: [name], named: 0, facts: [], begun: 0, count: 0 },
  });
  for (const [index, { path, fact }] of facts.entries()) {
    if (fact.kind === "rename") {
      const line = lines.get(fact.from) ?? begin(fact.from);
      if (lines.has(path) || path === fact.from) continue;
      lines.delete(fact.from);
      lines.set(path, line);
      // The file's name before the range does not count.
      if (index < begun) line.names = [];
      line.names.push(path);
      if (index < count) line.named = line.names.length - 1;
      continue;
    }
    const line = lines.get(path) ?? begin(path);
    lines.set(path, line);
    line.facts.push(fact);
    if (index < begun) line.begun++;
    if (index < count) line.count++;
  }
  return [...lines.values()];
}

/** Returns the file under the name `names[named]`, and a missing file for each other name. */
function filesOf(
  { names, named, facts, begun, count }: FileLine,
  in_range: boolean,
  presentContent: (path: string) => FileContent | undefined,
): SessionFile[] {
  const made = facts.slice(begun, count)
    .flatMap((fact) => fact.kind === "change" ? [fact.change] : []);
  const change = facts.findIndex(({ kind }, at) => at >= begun && kind === "change");
  if (in_range && made.length === 0 && named === 0) return [];
  if (change < 0 && names.length === 1) return [];
  const now = presentContent(names.at(-1) ?? "");
  let states: readonly FileContent[] | undefined;
  const known = (): readonly FileContent[] => states ??= knownStates(facts);
  const state = withEnds(fileStateAt(facts, count, now), facts, known);
  const first = withEnds(fileStateAt(facts, Math.max(change, begun), now), facts, known);
  const gone: FileState = { grade: "proven", content: null };
  return names.map((path, index) => ({
    path,
    changes: index === named ? made.length : 0,
    state: index === named ? state : gone,
    first: index === 0 ? first : gone,
    made: index === named ? made : [],
    // A file in which the changes can be undone comes from the session, too.
    known: () => state.doubt === "present" && now !== undefined ? [...known(), now] : known(),
  }));
}

/** Converts a file's content to CRLF if its snapshot has CRLF but the agent recorded it with LF. */
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

function knownStates(facts: readonly FileFact[]): FileContent[] {
  const known = new Set<FileContent>();
  let state: FileState = { grade: "unknown" };
  for (const fact of facts) {
    state = afterFact(state, fact);
    if (state.content !== undefined) known.add(state.content);
  }
  return [...known];
}
