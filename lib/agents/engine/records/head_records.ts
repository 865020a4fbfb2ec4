/** Reads the first records at a file's start, to recognize the agent that wrote the file. */
import { splitChunk, splitRest, startSplit } from "../../../core/log/line_splitter.ts";
import { asObject, parsedJson } from "../json.ts";
import { recordsIn } from "./file_edges.ts";
import type { SourceRecord } from "./source_record.ts";

/** Default number of lines to read. A single line might be damaged and hide the file's kind. */
const LINES = 8;
/** The most lines that any agent needs to recognize a file. */
const MOST_LINES = 400;

/** A cache of records by head, as every agent in turn looks at the same bytes. */
const known = new WeakMap<Uint8Array, SourceRecord[]>();
const decoder = new TextDecoder();

/** Returns the records in the first lines of `head`. Parses a cut line as far as possible. */
export function headRecords(head: Uint8Array, lines = LINES): SourceRecord[] {
  const records = known.get(head) ?? recordsOf(head);
  known.set(head, records);
  return records.filter(({ position }) => position.line <= lines);
}

function recordsOf(head: Uint8Array): SourceRecord[] {
  const split = startSplit();
  const records = recordsIn(splitChunk(split, head).slice(0, MOST_LINES));
  const rest = splitRest(split);
  if (rest === undefined) return records;
  const whole = recordsIn([rest]);
  const { bytes, ...position } = rest;
  const cut = { value: { ...asObject(parseJsonPrefix(decoder.decode(bytes))) }, position };
  return [...records, ...(whole.length > 0 ? whole : [cut])];
}

// Parses the start of a JSON document. Its first bytes tell the kind of file, whatever the order of
// its keys.

/** A position at which a cut JSON text can be completed by closing brackets. */
interface Cut {
  at: number;
  closers: string;
  /** True if the text ends inside of a string. */
  open: boolean;
}

/**
 * Parses the start of a JSON text as far as possible, including a string that is cut off. Undefined
 * if the text does not begin as JSON.
 */
export function parseJsonPrefix(text: string): unknown {
  const whole = parsedJson(text);
  if (whole !== undefined) return whole;
  const { at, closers, open } = lastCut(text);
  if (at === 0) return undefined;
  // An escape that is cut, or a name, cannot be closed.
  return (open ? parsedJson(`${text}"${closers}`) : undefined) ??
    parsedJson(text.slice(0, at) + closers);
}

function lastCut(text: string): Cut {
  let closers = "";
  let cut: Cut = { at: 0, closers, open: false };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = closingQuote(text, at + 1);
      if (at < 0) return { ...cut, closers, open: true };
      continue;
    }
    if (char === "{") closers = `}${closers}`;
    else if (char === "[") closers = `]${closers}`;
    else if (char === "}" || char === "]") closers = closers.slice(1);
    else if (char !== ",") continue;
    // Before a comma, and behind a bracket, all that was begun is whole.
    cut = { at: char === "," ? at : at + 1, closers, open: false };
  }
  return cut;
}

/** Returns the offset of a string's closing quote, or -1 if the text ends first. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = at;
    while (text[slashes - 1] === "\\") slashes--;
    if ((at - slashes) % 2 === 0) return at;
  }
  return -1;
}
