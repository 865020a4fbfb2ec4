/** Tells which recorded changes wrote the lines that a commit added. Pure. */
import { commonLines, traceLines, TRIVIAL } from "./traced_lines.ts";
import { linesOf } from "../../library/touches/file_lines.ts";
import { FileReplay } from "./file_replay.ts";
import type { RecordedEdit } from "../../library/touches/edit.ts";

/** The writer of a line, according to sessions. */
export interface Attribution {
  /**
   * `proven`: replaying the recorded change on the old file gives this line, and no other session
   * wrote the line. `likely`: a session wrote an equal or similar line, but without proof. The
   * field `doubt` has the reason. `unknown`: no session is known to have written the line.
   */
  grade: "proven" | "likely" | "unknown";
  /** The change that wrote the line; absent if the writer is unknown. */
  edit?: RecordedEdit;
  /**
   * The reason why the writer is only likely. Absent for other grades. `order`: replaying the
   * change puts the line elsewhere. `white-space`: the recorded line differs in white space.
   * `several`: another session also wrote the line. `elsewhere`: the line was written in another
   * directory. `equal-lines`: the session may have written an equal line instead.
   */
  doubt?: "order" | "white-space" | "several" | "elsewhere" | "equal-lines";
}

export type Grade = Attribution["grade"];

export const UNKNOWN: Attribution = { grade: "unknown" };

interface VersionPair {
  before: readonly string[];
  after: readonly string[];
  /** Changes of this file in this work tree, in the order of their times. */
  edits: readonly RecordedEdit[];
  /** Changes of a file of this name in another directory. They never prove who wrote a line. */
  elsewhere: readonly RecordedEdit[];
  /** Seconds since 1970. `after` may have changes made from `from` until any time in `until`. */
  from: number;
  until: readonly number[];
  /** Latest time of a change that can be a likely writer. @default {the latest of `until`} */
  latest?: number;
  /** True for the index of a line whose likely writer is needed. @default {all} */
  isWanted?: (index: number) => boolean;
}

/** Returns the writer of each line of a version. Only the writers of added lines are meaningful. */
export function attributeLines(pair: VersionPair): Attribution[] {
  const found: Attribution[] = pair.after.map(() => UNKNOWN);
  for (const until of pair.until) {
    const proofs = provenLines(pair, until);
    for (const [index, attribution] of proofs.entries()) {
      if (found[index]?.grade !== "proven") found[index] = attribution;
    }
  }
  const {
    isWanted = () => true,
    latest = pair.until.reduce((last, time) => Math.max(last, time), -Infinity),
  } = pair;
  // If all lines are proven, no likely writers are needed.
  const until = (edits: readonly RecordedEdit[]): () => LatestWriters => {
    let writers: LatestWriters | undefined;
    return () => writers ??= latestWriters(edits.filter(({ time }) => seconds(time) <= latest));
  };
  const [writers, others] = [until(pair.edits), until(pair.elsewhere)];
  return found.map((one, index) => {
    if (one.grade !== "unknown" || !isWanted(index)) return one;
    const text = pair.after[index] ?? "";
    if (TRIVIAL.test(text)) return UNKNOWN;
    const guessed = guess(text, writers());
    if (guessed.grade !== "unknown") return guessed;
    const far = guess(text, others());
    return far.grade === "unknown" ? far : { ...far, doubt: "elsewhere" };
  });
}

/** Converts milliseconds to whole seconds, as git keeps times. */
function seconds(time: number): number {
  return Math.floor(time / 1000);
}

function provenLines({ before, after, edits, from }: VersionPair, until: number): Attribution[] {
  const between = edits.filter(({ time }) => seconds(time) >= from && seconds(time) <= until);
  if (between.length === 0) return after.map(() => UNKNOWN);
  const replay = new FileReplay(before);
  for (const edit of between) replay.apply(edit);
  const { lines } = replay;
  const replayed = traceLines(lines.map(({ text }) => text), after);
  const added = traceLines(before, after);
  const contested = contestedEdits(between, [before, after]);
  return after.map((_, index) => {
    const place = replayed.places[index];
    const { by: edit, unsure = true } = (place === undefined ? undefined : lines[place]) ?? {};
    const is_sure = !unsure && !replayed.unsure.has(index) && !added.unsure.has(index) &&
      added.places[index] === undefined;
    if (edit === undefined || !is_sure) return UNKNOWN;
    return contested.has(edit)
      ? { grade: "likely", edit, doubt: "several" }
      : { grade: "proven", edit };
  });
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}

/** The latest change that wrote a line: by the line's text, and by its text without white space. */
interface LatestWriters {
  exact: ReadonlyMap<string, RecordedEdit>;
  spaced: ReadonlyMap<string, RecordedEdit>;
}

function latestWriters(edits: readonly RecordedEdit[]): LatestWriters {
  const [exact, spaced] = [new Map<string, RecordedEdit>(), new Map<string, RecordedEdit>()];
  for (const edit of edits) {
    for (const line of writtenLines(edit)) {
      exact.set(line, edit);
      spaced.set(withoutSpace(line), edit);
    }
  }
  return { exact, spaced };
}

function guess(text: string, { exact, spaced }: LatestWriters): Attribution {
  const same = exact.get(text);
  if (same !== undefined) return { grade: "likely", edit: same, doubt: "order" };
  const near = spaced.get(withoutSpace(text));
  return near === undefined ? UNKNOWN : { grade: "likely", edit: near, doubt: "white-space" };
}

function writtenLines({ change }: RecordedEdit): string[] {
  switch (change.kind) {
    case "blocks":
      return change.blocks.flatMap(({ added }) => [...added]);
    case "replacements":
      return change.replacements.flatMap(({ old_text, new_text }) => {
        const known = new Set(linesOf(old_text));
        return linesOf(new_text).filter((line) => !known.has(line));
      });
    case "write":
      return change.blocks?.flatMap(({ added }) => [...added]) ?? linesOf(change.content);
  }
}

/**
 * Returns changes that share lines with a change of another session. One of the two changes was
 * undone, or never reached the file. Changes are compared by their unique lines.
 */
export function contestedEdits(
  edits: readonly RecordedEdit[],
  versions: readonly (readonly string[])[],
): Set<RecordedEdit> {
  const isCommon = commonLines(versions);
  const contested = new Set<RecordedEdit>();
  const writers = new Map<string, RecordedEdit[]>();
  for (const edit of edits) {
    const texts = writtenLines(edit);
    const telling = texts.filter((text) => !isCommon(text));
    // A change without a unique line is compared by all its lines.
    for (const text of telling.length > 0 ? new Set(telling) : [texts.join("\n")]) {
      const others = writers.get(text) ?? [];
      writers.set(text, [...others, edit]);
      const rivals = others.filter((one) => isOther(one, edit));
      for (const one of rivals.length > 0 ? [edit, ...rivals] : []) contested.add(one);
    }
  }
  return contested;
}

function isOther({ session: one }: RecordedEdit, { session: other }: RecordedEdit): boolean {
  return one.agent !== other.agent || one.id !== other.id;
}
