/** Finds the writers of the lines that commits, or the index, add to files. */
import { present } from "../../core/event/present.ts";
import { nextTurn } from "../../core/log/next_turn.ts";
import { projectDirectories } from "../../core/workspace/project.ts";
import type { RecordedEdit } from "../../library/touches/edit.ts";
import { linesOf } from "../../library/touches/file_lines.ts";
import {
  findEdits,
  type FindEditsOptions,
  type FoundEdits,
  type NamedEdit,
} from "../../library/touches/find_edits.ts";
import type { Library } from "../../library/library.ts";
import { attributeLines, type Attribution, UNKNOWN } from "./attribute_lines.ts";
import { type VersionTimes, windowOf } from "./committed_lines.ts";
import { changeTimes, type CommitFile, type CommitFiles } from "./git/commit_changes.ts";
import type { Repository } from "./git/repository.ts";
import { alignLines, commonLines, TRIVIAL } from "./traced_lines.ts";

export interface AddedLines {
  /** The commit's hash; absent for the index. */
  sha?: string;
  file: CommitFile;
  /** The lines and their writers; empty for a file that no session changed. */
  lines: (Attribution & { text: string })[];
}

const BLOBS_AT_ONCE = 128;

/** Finds the recorded changes of all files to which commits, or the index, add lines. */
export async function editsOfChanges(
  library: Library,
  { top }: Repository,
  changes: readonly CommitFiles[],
  options: FindEditsOptions,
): Promise<FoundEdits> {
  const names = new Set<string>();
  for (const { files, deleted } of changes) {
    const written = files.filter(({ added = 0 }) => added > 0);
    for (const { name, name_before } of written) names.add(name).add(name_before);
    if (written.length > 0) { for (const name of deleted) names.add(name); }
  }
  if (names.size === 0) return { here: [], elsewhere: [], sessions: [] };
  const tops = [...new Set([top, ...projectDirectories(top)])];
  return await findEdits(library, { names, tops }, options);
}

/** A file of a commit, with the changes that may have written its lines. */
interface Version extends Pick<CommitFiles, "commit"> {
  file: CommitFile;
  history: VersionTimes[];
  index: number;
  here: RecordedEdit[];
  elsewhere: RecordedEdit[];
}

/**
 * Yields the lines that each commit adds to each text file, with their writers. Only changes
 * between the previous commit and this commit count as writers, even for lines that were first
 * committed elsewhere.
 *
 * @param changes The commits with their files, the oldest first.
 * @param now The current time, in milliseconds since 1970.
 */
export async function* addedLines(
  repository: Repository,
  changes: readonly CommitFiles[],
  edits: FoundEdits,
  now: number,
): AsyncGenerator<AddedLines> {
  const versions = await versionsOf(repository, changes, edits, now);
  let contents = new Map<string, string[]>();
  for (const [index, { commit, file, ...version }] of versions.entries()) {
    if (index % (BLOBS_AT_ONCE / 2) === 0) {
      const some = versions.slice(index, index + BLOBS_AT_ONCE / 2).filter(isChanged);
      const texts = await repository.versions(
        some.flatMap(({ file: { blob, blob_before = [] } }) => [blob].concat(blob_before)),
      );
      contents = new Map([...texts].map(([blob, text]) => [blob, linesOf(text)]));
      await nextTurn();
    }
    const [before, after] = [file.blob_before, file.blob].map((blob) =>
      contents.get(blob ?? "") ?? []
    ) as [string[], string[]];
    yield present({ sha: commit?.sha, file, lines: linesAdded(before, after, version) });
  }
}

function isChanged({ here, elsewhere }: Version): boolean {
  return here.length + elsewhere.length > 0;
}

function linesAdded(
  before: readonly string[],
  after: readonly string[],
  { history, index, here, elsewhere }: Omit<Version, "file" | "commit">,
): AddedLines["lines"] {
  if (here.length + elsewhere.length === 0) return [];
  const window = windowOf(history, index);
  const places = alignLines(before, after);
  const isWanted = (line: number): boolean => places[line] === undefined;
  const edits = { edits: here, elsewhere };
  const writers = attributeLines({ before, after, ...edits, ...window, isWanted });
  const isCommon = commonLines([before, after]);
  const lines: AddedLines["lines"] = [];
  for (let begin = 0; begin < after.length; begin++) {
    if (places[begin] !== undefined) continue;
    const run: AddedLines["lines"] = [];
    for (; begin < after.length && places[begin] === undefined; begin++) {
      run.push({ text: after[begin] ?? "", ...writers[begin] ?? UNKNOWN });
    }
    for (const [index, line] of run.entries()) {
      lines.push(isCommon(line.text) ? beside(run, index) : line);
    }
  }
  return lines;
}

/**
 * Returns the attribution of a line whose text occurs several times. The lines around it decide,
 * because the session may have written another one of the equal lines.
 */
function beside(run: AddedLines["lines"], index: number): AddedLines["lines"][number] {
  const line = run[index] as AddedLines["lines"][number];
  const near = [run.slice(0, index).toReversed(), run.slice(index + 1)]
    .map((side) => side.find(({ text }) => !TRIVIAL.test(text)));
  const [one = near[1], other = one] = near;
  const isBy = (edit: RecordedEdit | undefined, at = one): boolean =>
    edit !== undefined && at?.edit?.session === edit.session;
  const { edit } = line;
  if (line.grade === "proven") {
    const is_held = [one, other].every((at) => at?.grade === "proven" && at.edit === edit);
    return is_held ? line : { ...line, grade: "likely", doubt: "equal-lines" };
  }
  if (line.grade === "likely") {
    const is_alone = one === undefined || isBy(edit) || isBy(edit, other);
    return is_alone ? line : { text: line.text, ...UNKNOWN };
  }
  if (!TRIVIAL.test(line.text) || !isBy(one?.edit, other)) return line;
  return present({ text: line.text, grade: "likely", doubt: "equal-lines", edit: one?.edit });
}

/** Returns each text file with lines that `changes` added, plus the file's history and edits. */
async function versionsOf(
  repository: Repository,
  changes: readonly CommitFiles[],
  edits: FoundEdits,
  now: number,
): Promise<Version[]> {
  const own = new EditsByName(
    edits.here.filter(({ top }) =>
      // Changes in another work tree come into this index only by a commit.
      changes.some(({ commit }) => commit !== undefined) || top === repository.top
    ),
  );
  const others = new EditsByName(edits.elsewhere);
  const { histories, later } = await historiesAround(repository, changes, own.names());
  const versions: Version[] = [];
  for (const { commit, files, deleted } of changes) {
    for (const file of files) {
      const { name, name_before, added, blob_before } = file;
      const history = histories.get(name_before) ?? [];
      const seconds = Math.floor(now / 1000);
      history.push(commit ?? { author_time: seconds, committer_time: seconds });
      histories.set(name, history);
      if (added === undefined || added === 0) continue;
      const names = [name, name_before];
      const here = own.of(names);
      // A file that changed much beside its name counts as new.
      const moved = blob_before === undefined ? own.of(deleted) : [];
      const elsewhere = [...moved, ...others.of(names)];
      const index = history.length - 1;
      versions.push(present({ commit, file, history, index, here, elsewhere }));
    }
  }
  for (const [name, times] of later) {
    for (const time of times) histories.get(name)?.push(time);
  }
  return versions;
}

/** Returns files' change times. `histories` has times before the commits, `later` times after. */
async function historiesAround(
  repository: Repository,
  changes: readonly CommitFiles[],
  names: readonly string[],
): Promise<Record<"histories" | "later", Map<string, VersionTimes[]>>> {
  const commits = changes.flatMap(({ commit }) => commit ?? []);
  const shas = new Set(commits.map(({ sha }) => sha));
  const parents = new Set(commits.flatMap(({ parent }) => parent ?? []));
  const head = await repository.ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  const heads = head === undefined ? [] : [head.trim()];
  const bases = commits.length === 0 ? heads : [...parents].filter((one) => !shas.has(one));
  const tips = [...shas].filter((one) => !parents.has(one)).map((one) => `^${one}`);
  const versions = async (ends: readonly string[]): Promise<Map<string, VersionTimes[]>> => {
    const times = await changeTimes(repository, ends, names);
    const both = (time: number): VersionTimes => ({ author_time: time, committer_time: time });
    return new Map([...times].map(([name, own]) => [name, own.map(both)]));
  };
  return {
    histories: await versions(bases),
    later: tips.length === 0 ? new Map() : await versions([...heads, ...tips]),
  };
}

/** Changes of files, grouped by the name that each file had when it was changed. */
class EditsByName {
  readonly #edits: Map<string, NamedEdit[]>;

  constructor(edits: readonly NamedEdit[] = []) {
    this.#edits = Map.groupBy(edits, ({ name }) => name);
  }

  names(): string[] {
    return [...this.#edits.keys()];
  }

  /** Returns the changes of the named files, the oldest first. */
  of(names: readonly string[]): RecordedEdit[] {
    const found = [...new Set(names)].flatMap((one) => this.#edits.get(one) ?? []);
    return found.map(({ edit }) => edit).sort((one, other) => one.time - other.time);
  }
}
