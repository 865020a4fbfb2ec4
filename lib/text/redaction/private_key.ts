/**
 * Finds private keys in their armour, across lines, quotes, diffs and escapes.
 *
 * A block that is cut off at either end extends over the adjacent lines that look like key data.
 */
import type { SecretSpan } from "./secret_span.ts";

/** The text that the BEGIN and END lines of all private keys have in common. */
export const KEY_ANCHOR = "PRIVATE KEY";
/** The header of the secret lines in PuTTY's files. */
export const PUTTY_ANCHOR = "Private-Lines: ";

const ARMOUR = /-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const LONGEST_BLOCK = 65_536;
/** Matches text before a key's line: line breaks, quotes, line numbers or diff signs. */
const BREAK = "(?:[ \\t>|+\\-#*:\\d\\u2192\"',]|\\\\{1,8}[nrt]|\\r?\\n){0,40}";
const BODY_LINE = new RegExp(
  `${BREAK}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\\n\\\\]{0,100}|([A-Za-z0-9+/=]{1,4096}))`,
  "y",
);
/**
 * Minimum characters of a full line of a key. Key files break base64 at about 64 characters, and
 * words are shorter than 40.
 */
const FULL_LINE = 40;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/;
const LINE_BREAK = /\r?\n|(?:\\{1,8}r)?\\{1,8}n/;
const WHOLE_BODY_LINE = /^[ \t>|+\-#*:\d\u2192"',]{0,40}[A-Za-z0-9+/=]{16,4096}[ \t"',]{0,8}$/;

/** Includes every part of a block that is cut off. */
export function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let begin: RegExpExecArray | undefined;
  let done = 0;
  function push(start: number, end: number): void {
    done = end;
    if (!KEY_MATERIAL.test(text.slice(start, end).replaceAll(ARMOUR, ""))) return;
    spans.push({ kind: "private-key", start, end, certain: true });
  }
  for (const armour of text.matchAll(ARMOUR)) {
    const { 0: line, 1: side, index } = armour;
    if (side === "END" && begin !== undefined && index - begin.index <= LONGEST_BLOCK) {
      push(begin.index, index + line.length);
    } else {
      if (begin !== undefined) push(begin.index, bodyEnd(text, begin));
      if (side === "END") push(bodyStart(text, index, done), index + line.length);
    }
    begin = side === "BEGIN" ? armour : undefined;
  }
  if (begin !== undefined) push(begin.index, bodyEnd(text, begin));
  return spans;
}

function bodyEnd(text: string, { 0: line, index }: RegExpExecArray): number {
  let end = index + line.length;
  const most = index + LONGEST_BLOCK;
  for (let full = true; full && end < most;) {
    BODY_LINE.lastIndex = end;
    const found = BODY_LINE.exec(text);
    if (found === null) break;
    const [whole, body] = found;
    const first = end === index + line.length;
    full = body === undefined || body.length >= FULL_LINE;
    // The last line is short, like a word that only follows the armour.
    if (first && !full) break;
    end += whole.length;
  }
  return end;
}

function bodyStart(text: string, end: number, least: number): number {
  const window = text.slice(Math.max(least, end - LONGEST_BLOCK), end);
  const lines = window.split(LINE_BREAK);
  let start = end;
  // Breaks differ in length, so lines are located one by one, backwards.
  let offset = window.length;
  for (const line of lines.toReversed()) {
    offset = window.lastIndexOf(line, offset - line.length);
    const blank = /^[ \t>|+\-#*:\d\u2192"',]{0,40}$/.test(line);
    if (!blank && !WHOLE_BODY_LINE.test(line)) break;
    if (!blank) start = end - window.length + offset;
  }
  return start;
}

const PUTTY_BREAK = "(?:\\\\{1,8}r)?(?:\\\\{1,8}n|\\r?\\n)[ \\t>|+\\-#:\\d\\u2192]{0,16}";
const PUTTY_LINES = new RegExp(
  `Private-Lines: \\d{1,3}((?:${PUTTY_BREAK}[A-Za-z0-9+/=]{1,64}(?![\\w-])){1,200})(?:${PUTTY_BREAK}Private-(?:MAC|Hash): ([0-9a-f]{40,64}))?`,
  "y",
);

/** Finds the secret lines of a PuTTY key file. `at` is the offset of `Private-Lines:`. */
export function puttyKey(text: string, at: number): SecretSpan[] {
  PUTTY_LINES.lastIndex = at;
  const found = PUTTY_LINES.exec(text);
  if (found === null) return [];
  const start = at + found[0].indexOf(found[1] ?? "");
  return [{ kind: "private-key", start, end: at + found[0].length, certain: true }];
}
