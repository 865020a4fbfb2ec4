/** Text that would take over a terminal, in every field of every kind of event. */
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event } from "../../lib/core/event/envelope.ts";
import type { EventKind } from "../../lib/core/event/payload.ts";
import { EVENT_KINDS } from "../../lib/core/event/policy.ts";
import { FULL_PAYLOADS } from "../_support/every_kind.ts";
import { type Bytes, concat } from "../_support/log_bytes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";

export const HOSTILE = [
  "\x1b[2J\x1b[H",
  "\x1b[31mred\x1b[0m",
  "\x1b[?1049h\x1b[6n",
  "\x1b]0;title\x07",
  "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
  "\x1b]52;c;ZXZpbA==\x07",
  "\x1b]1337;File=:AAAA\x07",
  "\x1b]0;unterminated",
  "\x1bPq#0;2;0;0;0\x1b\\",
  "\x1b_Gf=24;AAAA\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\",
  "\x1bc\x1b(0lqk\x1b",
  "\x9b31m\x9d0;title\x9c\x90q\x9c",
  "\x9f\x9e\x98\x85",
  "50%\r100%",
  "password\b\b\b\b\x07\x0b\x0c\x0e\x0f\x7f",
  "a\0b",
  "\u202egnp.exe\u202a\u202b\u202c\u202d",
  "\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
  "line\u2028separator\u2029\ufeffbom\u200b",
  "```\x1b[31m\n\x1b]0;x\n```\n| \x1b[1m | \x9b |\n|---|---|\n| \u202e | \x07 |",
  "[\x1b]8;;x\x07](http://a\x1b[0m) `\x1b[31m` <b title='\x9b'>",
  "first\n\x1b[1A\x1b[2Kspoofed\nlast",
];

/** A name for files with each character that a terminal obeys and a file system takes. */
export const HOSTILE_NAME = [...new Set(HOSTILE.join(""))]
  .filter((character) => !/[\0/\x20-\x7e]/.test(character)).join("");

/** Fields that only hold words of the format; anything else would make the payload invalid. */
const CLOSED = new Set([
  "type",
  "role",
  "status",
  "kind",
  "trigger",
  "level",
  "origin",
  "reason",
  "audience",
  "usage_of",
]);

function replaceTexts(value: unknown, hostile: string, name = ""): unknown {
  if (typeof value === "string") return CLOSED.has(name) ? value : hostile;
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, hostile, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceTexts(entry, hostile, key)]),
  );
}

function hostileEvent(kind: EventKind, hostile: string, seq: number): Event {
  const payload = replaceTexts(FULL_PAYLOADS[kind], hostile) as Record<string, unknown>;
  if (kind === "compaction_applied") Object.assign(payload, { status: hostile, first_kept_seq: 1 });
  if (kind === "conversation_replaced") payload.reason = hostile;
  if (kind === "session_started") payload.title = undefined;
  // From further back, what came before would not be shown.
  if (kind === "conversation_branched") payload.from_seq = seq - 1;
  return {
    seq,
    kind,
    time: "2026-11-21T20:21:53.123Z",
    turn_id: hostile,
    payload,
  } as unknown as Event;
}

/** Lines that no writer of ours makes. */
function foreignLines(hostile: string, seq: number): string[] {
  return [
    JSON.stringify({ seq, kind: hostile, time: hostile, payload: hostile }),
    JSON.stringify({
      seq: seq + 1,
      kind: "user_message",
      turn_id: hostile,
      payload: { [hostile]: 1 },
    }),
    JSON.stringify({ v: 99, seq: seq + 2, kind: "user_message", payload: { content: hostile } }),
    `{"seq": ${hostile}`,
  ];
}

/** Each kind of event gets all texts in one, and every so many of the texts by itself. */
const EVERY = ALL_TORTURE ? 1 : 6;

/** Returns a log with every hostile text in every field. */
export function hostileLog(): Bytes {
  const lines: (Uint8Array | string)[] = [];
  let seq = 0;
  for (const [index, hostile] of [...HOSTILE, HOSTILE.join(" ")].entries()) {
    // The session ends open: what closes it would hide the rest.
    for (const [at, kind] of EVENT_KINDS.entries()) {
      const by_itself = index > 0 && index < HOSTILE.length;
      if (by_itself && (index + at) % EVERY !== 0) continue;
      lines.push(encodeEvent(hostileEvent(kind, hostile, ++seq)));
    }
    lines.push(...foreignLines(hostile, seq + 1).map((line) => line + "\n"));
    seq += 3;
  }
  return concat(...lines);
}
