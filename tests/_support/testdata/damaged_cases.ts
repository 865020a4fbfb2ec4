/**
 * Logs whose bytes were damaged: power cuts, writers that were stopped, disks that flip a bit.
 */
import { assistant, started, user } from "./drafts.ts";
import { joined, linesOf, torn, turn } from "./event_line.ts";
import { type LogCase, logCase } from "./log_case.ts";

/** Five whole lines, to be damaged. */
function wholeLines(): Uint8Array[] {
  return linesOf([
    started(),
    ...turn("t1", user("Is the ledger balanced?"), assistant("It is off by 0.10 EUR.")),
    ...turn("t2", user("Since when?"), assistant("Since the import of 3 November.")),
  ]);
}

/** The line of an event of {@linkcode wholeLines}, with its LF. */
function lineAt(seq: number): Uint8Array {
  return wholeLines()[seq - 1] ?? new Uint8Array(0);
}

function linesFrom(first: number): Uint8Array {
  return joined(...wholeLines().slice(first - 1));
}

function linesTo(last: number): Uint8Array {
  return joined(...wholeLines().slice(0, last));
}

function tornCases(): LogCase[] {
  const half = torn(lineAt(5), 120);
  return [
    logCase(
      "torn_tail",
      "the writer was stopped in the middle of its last event",
      4,
      joined(linesTo(4), half),
      { found: ["torn-tail"] },
    ),
    logCase(
      "torn_sealed",
      "a torn event that the next writer ended with a newline; the sequence goes on without a gap",
      5,
      joined(linesTo(4), half, "\n", lineAt(5)),
      { found: ["malformed-line"] },
    ),
    logCase(
      "glued",
      "a torn event with the next one glued to it: the second is salvaged",
      5,
      joined(linesTo(3), torn(lineAt(4), 122), linesFrom(4)),
      { found: ["glued-line"] },
    ),
    logCase(
      "glued_ambiguous",
      "torn where a value begins, so the next event could be that value: the line is lost",
      4,
      joined(linesTo(3), tornAfter(lineAt(4), '"payload":'), linesFrom(4)),
      { found: ["malformed-line", "seq-gap"] },
    ),
    logCase(
      "no_final_newline",
      "only the last newline is missing: the last line is an event, and nothing is wrong",
      5,
      linesTo(5).slice(0, -1),
    ),
  ];
}

/** The bytes of a line up to the end of `text`. */
function tornAfter(line: Uint8Array, text: string): Uint8Array {
  const json = new TextDecoder().decode(line);
  return torn(
    line,
    new TextEncoder().encode(json.slice(0, json.indexOf(text) + text.length)).length,
  );
}

function changedCases(): LogCase[] {
  const flipped = new TextDecoder().decode(lineAt(3)).replace("off by 0.10", "off by 9.10");
  return [
    logCase(
      "malformed_middle",
      "a line that is no event, between events",
      5,
      joined(linesTo(3), "this line is no event\n", linesFrom(4)),
      { found: ["malformed-line"] },
    ),
    logCase(
      "nul_run",
      "a power cut left NUL bytes before an event: its neighbours are kept, the event is salvaged",
      5,
      joined(linesTo(3), new Uint8Array(64), linesFrom(4)),
      { found: ["nul-run"] },
    ),
    logCase(
      "checksum_mismatch",
      "one byte of a message was changed: the event is shown, and marked",
      5,
      joined(linesTo(2), flipped, linesFrom(4)),
      { found: ["checksum-mismatch"] },
    ),
    logCase(
      "invalid_utf8",
      "a line without a checksum that holds bytes which are no UTF-8",
      3,
      joined(linesTo(2), latinLine()),
      { found: ["invalid-utf8", "checksum-mismatch"] },
    ),
    logCase(
      "missing_checksum",
      "a line without a checksum in a log whose lines have one: the event is shown, and marked",
      5,
      joined(linesTo(2), withoutChecksum(lineAt(3)), linesFrom(4)),
      { found: ["checksum-mismatch"] },
    ),
    logCase(
      "damaged_checksum",
      "one bit of the first line's checksum was changed: nothing tells whether the rest was",
      5,
      joined(new TextDecoder().decode(lineAt(1)).replace(',"crc":"', ',"crb":"'), linesFrom(2)),
      { found: ["checksum-mismatch"] },
    ),
    logCase(
      "too_deep",
      "a line that nests 600 arrays: passed over",
      4,
      joined(linesTo(2), deepLine(600), joined(lineAt(4), lineAt(5))),
      { found: ["too-deep", "seq-gap"] },
    ),
  ];
}

/** A line as an editor or another program writes it. */
function withoutChecksum(line: Uint8Array): string {
  return new TextDecoder().decode(line).replace(/,"crc":"[0-9a-f]{8}"\}\n$/, "}\n");
}

/** The message `Größe: ` and two bytes of Latin-1. */
function latinLine(): Uint8Array {
  const before = '{"seq":3,"kind":"assistant_message","payload":{"content":"Gr';
  return joined(before, new Uint8Array([0xf6, 0xdf]), 'e: 12 kB"}}\n');
}

function deepLine(levels: number): string {
  const nested = "[".repeat(levels) + "]".repeat(levels);
  return `{"seq":3,"kind":"tool_start","payload":{"call_id":"c1","name":"x","input":${nested}}}\n`;
}

function orderCases(): LogCase[] {
  const lines = wholeLines();
  return [
    logCase("seq_gap", "the event 3 is missing", 4, joined(linesTo(2), linesFrom(4)), {
      found: ["seq-gap"],
    }),
    logCase(
      "seq_repeat",
      "two events have the number 3, as when two programs wrote without the lock",
      6,
      joined(linesTo(3), ...linesOf(turn("t1", assistant("It is balanced.")), 3), linesFrom(4)),
      { found: ["seq-repeat"] },
    ),
    logCase("crlf", "lines that end in CR LF, as an editor may leave them", 5, withCr(lines)),
    logCase(
      "bom",
      "a byte order mark before the first line and before the third",
      5,
      joined("\ufeff", linesTo(2), "\ufeff", linesFrom(3)),
    ),
    logCase(
      "blank_lines",
      "empty lines and lines of white space: neither events nor damage",
      5,
      joined("\n", linesTo(2), " \t\n\r\n", linesFrom(3), "\n"),
    ),
  ];
}

function withCr(lines: readonly Uint8Array[]): Uint8Array {
  return joined(...lines.flatMap((line) => [line.slice(0, -1), "\r\n"]));
}

/** Every log with damaged bytes or a broken order. */
export function damagedCases(): LogCase[] {
  return [...tornCases(), ...changedCases(), ...orderCases()];
}
