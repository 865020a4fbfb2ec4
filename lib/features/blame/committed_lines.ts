/** Finds the writers of committed lines. */
import { attributeLines, type Attribution, contestedEdits, UNKNOWN } from "./attribute_lines.ts";
import { commonLines, standsBetween } from "./traced_lines.ts";
import { linesOf } from "../../library/touches/file_lines.ts";
import { FileReplay, type WrittenLine } from "./file_replay.ts";
import type { FoundEdits, NamedEdit } from "../../library/touches/find_edits.ts";
import type { BlamedCommit, BlamedLine, FileCommit, Repository } from "./git/repository.ts";
import type { RecordedEdit } from "../../library/touches/edit.ts";
import { nextTurn } from "../../core/log/next_turn.ts";

interface CommittedFile {
  repository: Repository;
  blamed: readonly BlamedLine[];
  texts: readonly string[];
  /** Indexes of the requested lines in the committed version, from 0. */
  wanted: ReadonlySet<number | undefined>;
  edits: FoundEdits;
  /** The commits that changed the file, newest first. */
  history: readonly FileCommit[];
}

const COMMITS_AT_ONCE = 16;

/** Returns the attributions of the committed lines, by the index of the line from 0. */
export async function attributeCommitted(file: CommittedFile): Promise<Map<number, Attribution>> {
  const { repository, blamed, texts, wanted, edits, history } = file;
  const found = new Map<number, Attribution>();
  if (edits.here.length + edits.elsewhere.length === 0) return found;
  const replayed = await replayedLines({ repository, history, texts, edits: edits.here });
  const open: number[] = [];
  for (const place of blamed.keys()) {
    const line = replayed.get(place);
    if (!wanted.has(place)) continue;
    if (line !== undefined && line.sha === blamed[place]?.commit.sha) {
      found.set(place, line.attribution);
    } else open.push(place);
  }
  const places = Map.groupBy(open, (place) => blamed[place]?.commit);
  const commits = [...places.keys()].filter((commit) => commit !== undefined);
  for (let begin = 0; begin < commits.length; begin += COMMITS_AT_ONCE) {
    const some = commits.slice(begin, begin + COMMITS_AT_ONCE);
    const versions = await repository.versions(some.flatMap(versionsOf));
    for (const commit of some) {
      const { after, writers } = attributeCommit(commit, versions, edits, history);
      const isCommon = commonLines([texts, after]);
      for (const place of places.get(commit) ?? []) {
        const in_commit = (blamed[place]?.line_in_commit ?? 0) - 1;
        const writer = writers[in_commit] ?? UNKNOWN;
        const is_it = standsBetween([texts, after], [place, in_commit], isCommon);
        found.set(place, is_it ? writer : doubted(writer));
      }
    }
  }
  return found;
}

/** Lowers `proven` to `likely`, because git may have confused this line with an equal one. */
function doubted(writer: Attribution): Attribution {
  return writer.grade === "proven" ? { ...writer, grade: "likely", doubt: "equal-lines" } : writer;
}

/** Returns the git names (`COMMIT:PATH`) of the file in a commit and in the previous version. */
function versionsOf({ sha, path, previous }: BlamedCommit): string[] {
  const before = previous === undefined ? [] : [`${previous.sha}:${previous.path}`];
  return [`${sha}:${path}`, ...before];
}

function attributeCommit(
  commit: BlamedCommit,
  versions: ReadonlyMap<string, string>,
  edits: FoundEdits,
  history: readonly FileCommit[],
): { after: readonly string[]; writers: Attribution[] } {
  const { sha, path, previous, author_time, committer_time } = commit;
  const [after = [], before = []] = versionsOf(commit)
    .map((name) => linesOf(versions.get(name) ?? ""));
  const known = new Set(previous === undefined ? [path] : [path, previous.path]);
  const place = history.findIndex((one) => one.sha === sha);
  const writers = attributeLines({
    ...{ before, after },
    edits: editsOf(edits.here, known),
    elsewhere: editsOf(edits.elsewhere, known),
    ...place < 0
      ? { from: Infinity, until: [author_time, committer_time] }
      : windowOf(history.toReversed(), history.length - 1 - place),
  });
  return { after, writers };
}

/** The times when a version was first committed and last rewritten, in seconds since 1970. */
export interface VersionTimes {
  author_time: number;
  committer_time: number;
}

/**
 * Returns the time range in which the changes of a version were made. A rebase may reorder versions
 * and gives them new commit times. A change made after the first commit of the next version is not
 * in the version at `index`.
 *
 * @param versions The versions of the file, the oldest first.
 * @param index Index of the version in `versions`.
 */
export function windowOf(
  versions: readonly VersionTimes[],
  index: number,
): { from: number; until: number[]; latest: number } {
  const { author_time = 0, committer_time = 0 } = versions[index] ?? {};
  const before = versions.slice(0, index).findLast((one) => one.author_time <= author_time);
  const is_late = versions.slice(index + 1).some((one) => one.author_time < committer_time);
  const until = is_late ? [author_time] : [...new Set([author_time, committer_time])];
  const latest = Math.max(author_time, committer_time);
  return { from: before?.author_time ?? 0, until, latest };
}

export function editsOf(edits: readonly NamedEdit[], names: ReadonlySet<string>): RecordedEdit[] {
  return edits.filter(({ name }) => names.has(name)).map(({ edit }) => edit);
}

interface ReplayedFile {
  repository: Repository;
  /** Commits that changed the file, newest first. */
  history: readonly FileCommit[];
  /** Changes of the file, in order of time. */
  edits: readonly NamedEdit[];
  /** The lines of the newest version. */
  texts: readonly string[];
}

interface ReplayedLine {
  sha: string;
  attribution: Attribution;
}

const VERSIONS_AT_ONCE = 16;
/** Maximum product of versions and lines of a file whose history is replayed. */
const MOST_LINES = 5_000_000;

/**
 * Returns the proven writers of the newest version's lines, by the index of the line from 0. Empty
 * if the history has merges or is very long.
 */
async function replayedLines(
  { repository, history, edits, texts }: ReplayedFile,
): Promise<Map<number, ReplayedLine>> {
  const found = new Map<number, ReplayedLine>();
  const versions = history.toReversed();
  const [first] = versions;
  if (first === undefined || versions.length * texts.length > MOST_LINES) return found;
  if (!await repository.isLinear(first.sha)) return found;
  const replay = new HistoryReplay(edits);
  for (let begin = 0; begin < versions.length; begin += VERSIONS_AT_ONCE) {
    const some = versions.slice(begin, begin + VERSIONS_AT_ONCE);
    const bodies = await repository.versions(some.flatMap(({ blob }) => blob || []));
    for (const [index, { blob, name }] of some.entries()) {
      const lines = linesOf(bodies.get(blob) ?? "");
      replay.take({ lines, name, until: timeOf(versions, begin + index) });
    }
    await nextTurn();
  }
  for (const [index, { text, by, unsure, version = -1 }] of replay.lines.entries()) {
    const sha = versions[version]?.sha;
    if (by === undefined || unsure || sha === undefined || text !== texts[index]) continue;
    const attribution: Attribution = replay.contested.has(by)
      ? { grade: "likely", edit: by, doubt: "several" }
      : { grade: "proven", edit: by };
    found.set(index, { sha, attribution });
  }
  return found;
}

/**
 * Returns the latest time at which changes can have entered a commit. That is usually the commit
 * time. It is the author time if the next commit was authored before the commit time.
 */
function timeOf(versions: readonly FileCommit[], index: number): number {
  const { author_time = 0, committer_time = 0 } = versions[index] ?? {};
  const next = versions[index + 1]?.author_time ?? Infinity;
  return committer_time <= next ? Math.max(author_time, committer_time) : author_time;
}

interface FileVersion {
  lines: readonly string[];
  /** Path of the file in this version, below the top of the work tree. */
  name: string;
  /** The latest time at which changes may have entered this version, in seconds since 1970. */
  until: number;
}

class HistoryReplay {
  readonly #replay = new FileReplay([]);
  readonly #contested = new Set<RecordedEdit>();
  #left: readonly NamedEdit[];
  #version = 0;
  #last: Pick<FileVersion, "name" | "lines"> | undefined;

  /** @param edits Changes of the file, in the order of their times. */
  constructor(edits: readonly NamedEdit[]) {
    this.#left = edits;
  }

  get lines(): readonly WrittenLine[] {
    return this.#replay.lines;
  }

  get contested(): ReadonlySet<RecordedEdit> {
    return this.#contested;
  }

  /** Replays the next version. Versions must come in order, the oldest first. */
  take({ lines, name, until }: FileVersion): void {
    const names = new Set([name, this.#last?.name]);
    const due = this.#left.filter(({ edit }) => Math.floor(edit.time / 1000) <= until);
    const edits = due.filter((one) => names.has(one.name)).map(({ edit }) => edit);
    const missed = new Set(edits.filter((edit) => !this.#replay.apply(edit)));
    for (const edit of contestedEdits(edits, [this.#last?.lines ?? [], lines])) {
      this.#contested.add(edit);
    }
    this.#replay.settle(lines, this.#version++);
    // Git stores whole seconds, so edits of the last second may belong to the next version.
    this.#left = this.#left.filter(({ edit }) => {
      const second = Math.floor(edit.time / 1000);
      return second > until || (second === until && missed.has(edit));
    });
    this.#last = { name, lines };
  }
}
