/**
 * Finds the elements of an OpenCode export, `{"info": {…}, "messages": [{…}, …]}`, in the bytes of
 * its file. A reader can then hold one element at a time. A damaged element does not hide others.
 *
 * A newline ends a string, because JSON strings contain none. OpenCode indents an export by two
 * spaces a level (1.18.34, src/cli/cmd/export.ts). So a line `    {` begins a message, whatever
 * came before.
 */
import { openToRead } from "../byte_source.ts";
import { toSessionError } from "../io_error.ts";

/** An object in the file: the value of a top-level key, or an item of such a value. */
export interface JsonElement {
  key: string;
  /** Byte offset of the element. A cut-off element ends at the next message or the file's end. */
  start: number;
  end: number;
  closed: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const SPACE = 0x20;
const CHUNK_BYTES = 256 * 1024;
const MESSAGE_INDENT = 4;

interface Scan {
  elements: JsonElement[];
  open: JsonElement | undefined;
  /** The nesting depth in the current element. `outer` is the nesting depth outside of elements. */
  depth: number;
  outer: number;
  in_string: boolean;
  escaped: boolean;
  /** Up to 64 bytes of the current string outside of elements. `key` has the last whole string. */
  text: number[];
  key: string;
  /** Number of spaces at the line's start so far. -1 once the line has a byte that is no space. */
  indent: number;
  /** True if the file is indented: a newline is among its first 8 bytes. */
  pretty: boolean;
  offset: number;
}

export function findElements(path: string): { elements: JsonElement[]; size: number } {
  const scan: Scan = {
    elements: [],
    open: undefined,
    depth: 0,
    outer: 0,
    in_string: false,
    escaped: false,
    text: [],
    key: "",
    indent: 0,
    pretty: false,
    offset: 0,
  };
  try {
    using file = openToRead(path);
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const length = file.readSync(buffer);
      if (length === null) break;
      for (let at = 0; at < length; at++) take(scan, buffer[at] as number);
    }
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
  close(scan, scan.offset, false);
  return { elements: scan.elements, size: scan.offset };
}

function take(scan: Scan, byte: number): void {
  const at = scan.offset++;
  if (byte === LF) {
    scan.in_string = false;
    scan.escaped = false;
    scan.indent = 0;
    if (at < 8) scan.pretty = true;
    return;
  }
  const indent = scan.indent;
  scan.indent = byte === SPACE && indent >= 0 ? indent + 1 : -1;
  if (scan.in_string) return takeText(scan, byte);
  if (byte === QUOTE) {
    scan.in_string = true;
    scan.text = [];
  } else if (byte === 0x7b || byte === 0x5b) opened(scan, byte, at, indent);
  else if (byte === 0x7d || byte === 0x5d) closed(scan, at);
}

function takeText(scan: Scan, byte: number): void {
  if (scan.escaped) scan.escaped = false;
  else if (byte === BACKSLASH) scan.escaped = true;
  else if (byte === QUOTE) {
    scan.in_string = false;
    if (scan.open === undefined) scan.key = String.fromCharCode(...scan.text);
  } else if (scan.open === undefined && scan.text.length < 64) scan.text.push(byte);
}

function opened(scan: Scan, byte: number, at: number, indent: number): void {
  if (scan.pretty && byte === 0x7b && indent === MESSAGE_INDENT) {
    close(scan, at, false);
    scan.outer = 2;
    scan.key = "messages";
  }
  if (scan.open !== undefined) scan.depth++;
  else if (byte === 0x7b && scan.outer > 0) {
    scan.open = { key: scan.key, start: at, end: at, closed: false };
    scan.depth = 1;
  } else scan.outer++;
}

function closed(scan: Scan, at: number): void {
  if (scan.open === undefined) scan.outer = Math.max(0, scan.outer - 1);
  else if (--scan.depth === 0) close(scan, at + 1, true);
}

function close(scan: Scan, end: number, whole: boolean): void {
  if (scan.open === undefined) return;
  scan.elements.push({ ...scan.open, end, closed: whole });
  scan.open = undefined;
  scan.depth = 0;
}
