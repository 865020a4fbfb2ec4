/** Replays a recorded change on the text of a file, or undoes it. Pure. */
import { comparedLine } from "../../../library/touches/file_lines.ts";
import type { EditedBlock, FileChange, Replacement } from "../../../library/touches/edit.ts";

interface ChangedText {
  text: string;
  /** True if the change shows how its lines end. A diff does not show it for the last line. */
  has_ends: boolean;
}

/** Applies a change to a text; undefined if a part fits nowhere or in several places. */
export function applyChange(text: string, change: FileChange): ChangedText | undefined {
  switch (change.kind) {
    case "write":
      return { text: change.content, has_ends: true };
    case "replacements":
      return replaceTexts(text, change.replacements);
    case "blocks": {
      const { blocks, replacements } = change;
      const byLines = replaceBlocks(text, blocks);
      if (replacements === undefined) return byLines;
      const byTexts = replaceTexts(text, replacements);
      if (byTexts === undefined || byLines?.text === byTexts.text) return byTexts ?? byLines;
      // Some diffs show tabs as spaces (Claude Code up to 2.1). None shows the last newline.
      const loose = byLines ?? replaceBlocks(text, blocks, withoutSpace);
      const agree = withoutSpace(loose?.text ?? "") === withoutSpace(byTexts.text);
      return agree && loose !== undefined ? byTexts : byLines;
    }
  }
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** Undoes a change in a text; undefined if the text before the change is not certain. */
export function revertChange(text: string, change: FileChange): string | undefined {
  const before = change.kind === "write"
    ? undefined
    : change.kind === "blocks"
    ? revertBlocks(text, change.blocks)
    : revertTexts(text, change.replacements);
  if (before === undefined) return undefined;
  return applyChange(before, change)?.text === text ? before : undefined;
}

export function withoutEnd(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}

function replaceTexts(
  text: string,
  replacements: readonly Replacement[],
): ChangedText | undefined {
  let now: string | undefined = text;
  for (const one of replacements) now = now === undefined ? now : replaceText(now, one);
  return now === undefined ? undefined : { text: now, has_ends: true };
}

/** Replaces the only occurrence of a text, or all. In a file with only CRLF, new lines get CRLF. */
function replaceText(text: string, { old_text, new_text, all }: Replacement): string | undefined {
  if (old_text === "") return undefined;
  const [old, now] = hasOnlyCrlf(text)
    ? [toCrlf(old_text), toCrlf(new_text)] as const
    : [old_text, new_text] as const;
  const first = text.indexOf(old);
  if (first < 0) return undefined;
  if (all) return text.replaceAll(old, () => now);
  if (text.indexOf(old, first + 1) >= 0) return undefined;
  return text.slice(0, first) + now + text.slice(first + old.length);
}

function revertTexts(text: string, replacements: readonly Replacement[]): string | undefined {
  let now: string | undefined = text;
  for (const { old_text, new_text } of replacements.toReversed()) {
    if (now === undefined) return undefined;
    // If the text occurs several times, some places may have had the new text before.
    now = replaceText(now, { old_text: new_text, new_text: old_text, all: false });
  }
  return now;
}

export function hasOnlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}

/** Replaces each block's lines. @param form Normalizes a line for comparison. */
function replaceBlocks(
  text: string,
  blocks: readonly EditedBlock[],
  form: (line: string) => string = comparedLine,
): ChangedText | undefined {
  let lines = splitLines(text);
  let has_ends = !text.includes("\r\n") || hasOnlyCrlf(text);
  for (const block of blocks) {
    const next = replaceBlock(lines, block, form);
    if (next === undefined) return undefined;
    lines = next.lines;
    has_ends &&= !next.at_end;
  }
  return { text: lines.join(""), has_ends };
}

function revertBlocks(text: string, blocks: readonly EditedBlock[]): string | undefined {
  let lines = splitLines(text);
  for (const block of blocks.toReversed()) {
    const { removed, added } = block;
    const next = replaceBlock(lines, { ...block, removed: added, added: removed });
    if (next === undefined) return undefined;
    lines = next.lines;
  }
  return lines.join("");
}

/** Splits a text into lines that keep their ends. */
function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** Replaces a block's lines. `at_end` is true if they were the last lines of the file. */
function replaceBlock(
  lines: readonly string[],
  { before, removed, added, after, line }: EditedBlock,
  form: (line: string) => string = comparedLine,
): { lines: string[]; at_end: boolean } | undefined {
  const whole = [...before, ...removed, ...after];
  if (whole.length === 0 && lines.length > 0) return undefined;
  const recorded = line === undefined ? undefined : line - 1 - before.length;
  const start = placeOf(lines, whole, { recorded, form });
  if (start === undefined) return undefined;
  const at = start + before.length;
  const end = lines.some((one) => one.endsWith("\r\n")) ? "\r\n" : "\n";
  const between = added.map((text) => text + end);
  const made = [...lines.slice(0, at), ...between, ...lines.slice(at + removed.length)];
  const previous = made[at - 1];
  if (added.length > 0 && previous !== undefined && !previous.endsWith("\n")) {
    made[at - 1] = previous + end;
  }
  return { lines: made, at_end: at + removed.length === lines.length };
}

/** Returns the index of `wanted` in `lines`: the recorded index if it fits, else the only match. */
function placeOf(
  lines: readonly string[],
  wanted: readonly string[],
  { recorded, form }: { recorded: number | undefined; form: (line: string) => string },
): number | undefined {
  const standsAt = (at: number): boolean =>
    at >= 0 && at + wanted.length <= lines.length &&
    wanted.every((text, index) => form(withoutNewline(lines[at + index] ?? "")) === form(text));
  if (recorded !== undefined && standsAt(recorded)) return recorded;
  let found: number | undefined;
  for (let at = 0; at + wanted.length <= lines.length; at++) {
    if (!standsAt(at)) continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}

function withoutNewline(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}
