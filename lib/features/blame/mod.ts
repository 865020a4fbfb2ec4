/**
 * Tells which session, prompt and agent wrote a line: joins `git blame` with the changes that sessions
 * recorded.
 *
 * @module
 */
export {
  type BlamedSession,
  blameFile,
  type BlameOptions,
  type FileBlame,
  type LineBlame,
} from "./blame_file.ts";
export {
  type FileTouches,
  findTouches,
  type TouchingEntry,
} from "../../library/touches/find_touches.ts";
export type { ChangesOptions } from "../../library/touches/session_changes.ts";
export type { FindEditsOptions } from "../../library/touches/find_edits.ts";
export type { BlamedCommit } from "./git/repository.ts";
export type { Attribution } from "./attribute_lines.ts";
export type {
  EditedBlock,
  EditPrompt,
  FileChange,
  RecordedEdit,
  Replacement,
} from "../../library/touches/edit.ts";
