/** Finds the recorded changes of a file in all sessions, under all its names. */
import { basename } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../library.ts";
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { readMarks } from "../../core/store/marks.ts";
import { type Relink, relinkedDirectory } from "../../core/store/relinks.ts";
import { pathRules } from "../../core/workspace/path_rules.ts";
import { sessionFilePath } from "../../core/workspace/session_directory.ts";
import { namesBelow } from "../../core/workspace/system_path.ts";
import type { RecordedEdit } from "./edit.ts";
import { changesOf, type ChangesOptions, readEdits } from "./session_changes.ts";

/** The choice of agents whose sessions are searched for changes of files. */
export interface FindEditsOptions extends Omit<ChangesOptions, "kept"> {
  /** The agents whose sessions are read. @default {all} */
  agents?: readonly AgentName[] | undefined;
}

/** A change of a file, with the name that the file had at that time. */
export interface NamedEdit {
  name: string;
  /** The top of the file's work tree; absent outside the repository's work trees. */
  top?: string;
  edit: RecordedEdit;
}

export interface FoundEdits {
  here: NamedEdit[];
  /** The changes in other directories, which may be clones of the repository. */
  elsewhere: NamedEdit[];
  sessions: readonly AgentSession[];
}

/** Maximum number of file names to search sessions for. With more, every session is read. */
const MOST_SEARCHED = 100;

export async function findEdits(
  library: Library,
  file: NamedFile,
  options: FindEditsOptions = {},
): Promise<FoundEdits> {
  const { onError = () => {}, agents, signal } = options;
  const sessions = await library.sessions(present({ onError, agents }));
  const found: FoundEdits = { here: [], elsewhere: [], sessions };
  const by_base = Map.groupBy(file.names, (name) => basename(name));
  const wanted = { names: by_base.size > MOST_SEARCHED ? [] : [...by_base.keys()] };
  const { relinks = [] } = readMarks(library.root, onError);
  const place = { ...file, by_base, relinks };
  const entries = sessions.map((session) => ({ session }));
  const all = changesOf(entries, wanted, { ...options, kept: library.kept });
  for await (const { entry: { session }, touches, edits } of all) {
    if (!touches.some((one) => placeOfEdit({ ...one, time: one.last }, place))) continue;
    try {
      takeEdits(edits ?? await readEdits(session), place, found);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
  }
  signal?.throwIfAborted();
  for (const list of [found.here, found.elsewhere]) list.sort((a, b) => a.edit.time - b.edit.time);
  return found;
}

function takeEdits(edits: readonly RecordedEdit[], file: IndexedFile, found: FoundEdits): void {
  for (const edit of edits) {
    const place = placeOfEdit(edit, file);
    if (place?.kind === "here") found.here.push({ name: place.name, top: place.top, edit });
    else if (place !== undefined) found.elsewhere.push({ name: place.name, edit });
  }
}

/** A file with all its past and present names, and its repository's work trees. */
export interface NamedFile {
  /** Paths relative to the top of a work tree, with `/` as separator. */
  names: ReadonlySet<string>;
  tops: readonly string[];
}

/** Adds `by_base`: the paths in `names` by their last part, to find one of thousands quickly. */
interface IndexedFile extends NamedFile {
  by_base: ReadonlyMap<string, readonly string[]>;
  /** Directories that moved: a file edited in the old directory is a file of the new directory. */
  relinks: readonly Relink[];
}

/** The file's path below `top`, or the same path in a directory outside all work trees. */
type EditPlace =
  | { kind: "here"; name: string; top: string }
  | { kind: "elsewhere"; name: string }
  | undefined;

/** Minimum number of path parts that identify a file without its work tree. */
const TELLING_PARTS = 3;

/** Returns an edit's place. Returns undefined if the edited file is none of `names`. */
function placeOfEdit(
  { path, cwd, time }: Pick<RecordedEdit, "path" | "cwd"> & { time: number | undefined },
  { names, by_base, tops, relinks }: IndexedFile,
): EditPlace {
  const written = sessionFilePath(path, cwd);
  const since = time === undefined || Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const absolute = relinks.length === 0 ? written : relinkedDirectory(written, since, relinks);
  const rules = pathRules();
  const plain = absolute.replaceAll("\\", "/");
  for (const top of tops) {
    const name = namesBelow(top, absolute, rules)?.join("/");
    if (!name) continue;
    return names.has(name) ? { kind: "here", name, top } : undefined;
  }
  for (const name of by_base.get(plain.slice(plain.lastIndexOf("/") + 1)) ?? []) {
    const telling = name.split("/").length >= TELLING_PARTS;
    const known = tops.some((top) => plain.endsWith(`/${basename(top)}/${name}`));
    if (known || (telling && plain.endsWith(`/${name}`))) return { kind: "elsewhere", name };
  }
  return undefined;
}
