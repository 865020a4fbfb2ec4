/** Decides which files of a session can be put back into its project. Pure. */
import type { FileContent } from "../../../agents/contract/file_history.ts";
import { type FileDoubt, hasContent } from "./file_states.ts";
import { withEndsOf } from "./line_ends.ts";
import type { SessionFile } from "./session_files.ts";

/** A restore's step for one file. `likely`: the content's grade is `likely` and not `proven`. */
export type RestoreStep =
  | { kind: "same" }
  | { kind: "write" | "delete"; content: FileContent; likely: boolean }
  | { kind: "refused"; reason: string; likely?: boolean };

/** The explanation of each doubt. It follows a colon in a message. */
export const DOUBTS: Readonly<Record<FileDoubt, string>> = {
  "line-ends": "the session has only a diff of the change, and a diff does not show the " +
    "file's line endings",
  command: "a later command mentions the file and may have changed it",
  changed: "someone outside this session changed the file before the session read it again",
  undone: "the content was computed from a later version, by undoing the changes made since",
  present: "the content was computed from the current file, by undoing later changes",
};

/**
 * Decides how to restore a file. To protect the work of others, refuses a file whose present
 * content the session neither read nor wrote.
 *
 * @param now The file's present content in the project; null if there is no file.
 * @param allowed True to also restore a content that is only `likely` correct.
 */
export function restoreStep(
  { state, known }: SessionFile,
  now: FileContent,
  allowed: boolean,
): RestoreStep {
  const { content, grade, doubt } = state;
  if (content === undefined) {
    return { kind: "refused", reason: "the file's content at that time is unknown" };
  }
  if (hasContent(now, content)) return { kind: "same" };
  const likely = grade !== "proven";
  if (likely && !allowed) {
    const why = doubt === undefined ? "" : `: ${DOUBTS[doubt]}`;
    return {
      kind: "refused",
      reason: `the file's content at that time is only a best guess${why}`,
      likely,
    };
  }
  if (now !== null && !known().some((one) => hasContent(now, one))) {
    return { kind: "refused", reason: "someone outside this session has changed the file" };
  }
  const kind = content === null ? "delete" : "write";
  return { kind, content: withEndsOf(now, content, known), likely };
}
