/** Tells a file's content at a moment of a session, from its changes and known contents. Pure. */
import type { FileContent } from "../../../agents/contract/file_history.ts";
import type { Grade } from "../attribute_lines.ts";
import type { FileChange } from "../../../library/touches/edit.ts";
import { applyChange, revertChange, toCrlf, withoutEnd } from "./replay_change.ts";

/** A fact of a session about a file: a change, a content, or a command that names the file. */
export type FileFact =
  | { kind: "change"; change: FileChange }
  | { kind: "command" }
  | { kind: "known"; content: FileContent };

/**
 * The reason why a content is only likely. `line-ends`: a diff does not show how lines end.
 * `command`: a command that names the file ran later. `changed`: somebody else changed the file
 * before the session saw it again. `undone`: computed from a later content, by undoing changes.
 * `present`: computed from the file's current content, by undoing changes.
 */
export type FileDoubt = "line-ends" | "command" | "changed" | "undone" | "present";

export interface FileState {
  grade: Grade;
  content?: FileContent;
  doubt?: FileDoubt;
}

const UNKNOWN: FileState = { grade: "unknown" };

/**
 * Returns the state of a file at a moment of a session.
 *
 * @param facts All facts about the file, in their order.
 * @param count Number of facts that come before the moment.
 * @param present The content that the file has now, if that content may be used.
 */
export function fileStateAt(
  facts: readonly FileFact[],
  count: number,
  present?: FileContent,
): FileState {
  let state = UNKNOWN;
  const known = facts.findLastIndex(({ kind }, index) => index < count && kind === "known");
  for (const fact of facts.slice(Math.max(known, 0), count)) state = afterFact(state, fact);
  const later = facts.slice(count);
  if (state.content === undefined) {
    return later.length > 0 ? stateBefore(later, present) : stateNow(facts, present);
  }
  return checked(state, later, present);
}

export function afterFact(state: FileState, fact: FileFact): FileState {
  if (fact.kind === "known") return { grade: "proven", content: fact.content };
  if (fact.kind === "command") {
    return state.grade === "proven" ? { ...state, grade: "likely", doubt: "command" } : state;
  }
  const { change } = fact;
  const whole = wholeFile(change);
  if (whole !== undefined) {
    return whole === null
      ? { grade: "proven", content: null }
      : { grade: "likely", content: whole, doubt: "line-ends" };
  }
  if (change.kind === "write") return { grade: "proven", content: change.content };
  const { content } = state;
  if (typeof content !== "string") return UNKNOWN;
  const changed = applyChange(content, change);
  // A part of the change fits nowhere. The file never existed with only the other parts.
  if (changed === undefined) return UNKNOWN;
  const { text, has_ends } = changed;
  if (has_ends || state.doubt !== undefined) return { ...state, content: text };
  return { grade: "likely", content: text, doubt: "line-ends" };
}

/** Returns a file's content if a diff shows all of it; null if deleted; else undefined. */
function wholeFile(change: FileChange): string | null | undefined {
  const [block] = change.kind === "blocks" ? change.blocks : [];
  if (block?.whole !== true) return undefined;
  return block.removed.length > 0 ? null : wholeText(block.added);
}

function wholeText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the state, its grade raised or lowered by the file's next known content. */
function checked(
  state: FileState,
  later: readonly FileFact[],
  present: FileContent | undefined,
): FileState {
  let replayed = state;
  for (const fact of later) {
    if (fact.kind === "known") return agreed(state, replayed, fact.content);
    if (fact.kind === "command") continue;
    // A written file shows nothing about the content that it replaced.
    if (fact.change.kind === "write" || wholeFile(fact.change) !== undefined) return state;
    replayed = afterFact(replayed, fact);
    if (replayed.content === undefined) return state;
  }
  // The file may have changed since: its present content confirms, but refutes nothing.
  const is_confirmed = isSameContent(replayed.content, present);
  return is_confirmed && isOpen(state)
    ? { grade: "proven", content: state.content ?? null }
    : state;
}

/** True if a state is only likely, but a matching content seen later proves it. */
function isOpen({ doubt }: FileState): boolean {
  return doubt === "line-ends" || doubt === "command";
}

function agreed(state: FileState, replayed: FileState, known: FileContent): FileState {
  const { content = null } = state;
  const replay = replayed.content ?? null;
  if (isSameContent(known, replay) || hasContent(replay, known)) {
    return isOpen(state) ? { grade: "proven", content } : state;
  }
  // The session recorded LF, and now sees the line ends of the file itself.
  if (hasContent(known, replay) && typeof content === "string") {
    return { ...isOpen(state) ? { grade: "proven" } : state, content: toCrlf(content) };
  }
  if (state.doubt === "line-ends" && isSameText(replayed.content, known)) return state;
  const is_certain = state.doubt === undefined || state.doubt === "command";
  return is_certain ? { grade: "likely", content, doubt: "changed" } : state;
}

/** Computes the file's state before `facts`. Undoes all changes up to the first known content. */
function stateBefore(facts: readonly FileFact[], present: FileContent | undefined): FileState {
  const at = facts.findIndex(({ kind }) => kind === "known");
  const known = facts[at];
  let text: FileContent | undefined = known?.kind === "known" ? known.content : present;
  let doubt: FileDoubt | undefined = at < 0 ? "present" : undefined;
  for (const fact of facts.slice(0, at < 0 ? facts.length : at).toReversed()) {
    if (fact.kind === "command") doubt = "command";
    if (fact.kind !== "change") continue;
    const [block] = fact.change.kind === "blocks" ? fact.change.blocks : [];
    if (block?.whole === true && block.removed.length > 0) {
      // A deletion shows the whole file.
      [text, doubt] = [wholeText(block.removed), "line-ends"];
      continue;
    }
    // No fact shows the line ends of a file that was emptied.
    if (text === "" && doubt !== "command") doubt = "line-ends";
    doubt ??= "undone";
    text = before(text, fact.change);
    if (text === undefined) return UNKNOWN;
  }
  if (text === undefined) return UNKNOWN;
  // The session did nothing in between.
  if (doubt === undefined) return { grade: "proven", content: text };
  return { grade: "likely", content: text, doubt };
}

/** Returns the present content, if the changes after the last known content can be undone. */
function stateNow(facts: readonly FileFact[], present: FileContent | undefined): FileState {
  const last = facts.findLastIndex(({ kind }) => kind === "known");
  const changes = facts.slice(last + 1);
  if (present === undefined || stateBefore(changes, present).grade === "unknown") return UNKNOWN;
  return { grade: "likely", content: present, doubt: "present" };
}

function before(content: FileContent | undefined, change: FileChange): FileContent | undefined {
  const whole = wholeFile(change);
  if (typeof whole === "string") return isSameText(content, whole) ? null : undefined;
  return typeof content === "string" ? revertChange(content, change) : undefined;
}

export function isSameContent(
  one: FileContent | undefined,
  other: FileContent | undefined,
): boolean {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** True if two texts differ at most in their line ends and the final newline. */
export function isSameText(one: FileContent | undefined, other: FileContent | undefined): boolean {
  return typeof one === "string" && typeof other === "string" &&
    withoutEnd(one) === withoutEnd(other);
}

/** True if a file has this content, perhaps with CRLF where the session recorded LF. */
export function hasContent(file: FileContent, content: FileContent): boolean {
  return isSameContent(file, content) ||
    (typeof file === "string" && typeof content === "string" && file === toCrlf(content));
}
