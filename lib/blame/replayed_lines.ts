/** The writers of a file's lines where its commits follow one another. */
import { nextTurn } from "../log/next_turn.ts";
import { contestedEdits } from "./contested_edits.ts";
import { FileReplay, linesOf, type WrittenLine } from "./file_replay.ts";
import type { NamedEdit } from "./find_edits.ts";
import type { FileCommit, Repository } from "./git/repository.ts";
import type { Attribution } from "./grade.ts";
import type { RecordedEdit } from "./recorded_edit.ts";

/** What is replayed. */
export interface ReplayedFile {
  repository: Repository;
  /** Commits that changed the file, newest first. */
  history: readonly FileCommit[];
  /** Its changes in the order of their times. */
  edits: readonly NamedEdit[];
  /** The lines of the newest version. */
  texts: readonly string[];
}

/** The commit with which a line came, and its writer. */
export interface ReplayedLine {
  sha: string;
  attribution: Attribution;
}

/** Versions that are held at once. */
const VERSIONS_AT_ONCE = 16;
/** Lines of all versions that are followed at most. */
const MOST_LINES = 5_000_000;

/**
 * Returns the writers of the lines of the newest version by their places, from 0: those that a change
 * surely wrote. Nothing where the history has merges, or is very long.
 */
export async function replayedLines(
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
 * Until when changes may have come into a commit: until it was made anew, if that was before the next
 * one was begun.
 */
function timeOf(versions: readonly FileCommit[], index: number): number {
  const { author_time = 0, committer_time = 0 } = versions[index] ?? {};
  const next = versions[index + 1]?.author_time ?? Infinity;
  return committer_time <= next ? Math.max(author_time, committer_time) : author_time;
}

/** A version of a file. */
interface FileVersion {
  lines: readonly string[];
  /** Its path below the top of the work tree. */
  name: string;
  /** Seconds since 1970: changes until then may have come into it. */
  until: number;
}

/** The lines of a file while its history is made again. */
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

  /** The lines of the last version. */
  get lines(): readonly WrittenLine[] {
    return this.#replay.lines;
  }

  /** Changes of which another session wrote a part too. */
  get contested(): ReadonlySet<RecordedEdit> {
    return this.#contested;
  }

  /** Takes the next version, the oldest first. */
  take({ lines, name, until }: FileVersion): void {
    const names = new Set([name, this.#last?.name]);
    const due = this.#left.filter(({ edit }) => Math.floor(edit.time / 1000) <= until);
    const edits = due.filter((one) => names.has(one.name)).map(({ edit }) => edit);
    const missed = new Set(edits.filter((edit) => !this.#replay.apply(edit)));
    for (const edit of contestedEdits(edits, [this.#last?.lines ?? [], lines])) {
      this.#contested.add(edit);
    }
    this.#replay.settle(lines, this.#version++);
    // Git keeps whole seconds: what was done in the last one may belong to the next version.
    this.#left = this.#left.filter(({ edit }) => {
      const second = Math.floor(edit.time / 1000);
      return second > until || (second === until && missed.has(edit));
    });
    this.#last = { name, lines };
  }
}
