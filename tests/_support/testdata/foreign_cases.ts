/**
 * Logs with what this version does not know, or would not write: other programs, later versions,
 * hostile text.
 */
import { createHash } from "node:crypto";
import type { AttachmentPart } from "../../../lib/event/message.ts";
import { assistant, call, SESSION_ID, settled, started, user } from "./drafts.ts";
import { foreignLine, joined, linesOf, timeOf, turn } from "./event_line.ts";
import { type LogCase, logCase } from "./log_case.ts";

/** Lines 1 and 2, a foreign line 3, line 4. */
function around(foreign: Uint8Array | string): Uint8Array {
  const [first, second] = linesOf([started(), ...turn("t1", user("Is it balanced?"))]);
  const [last] = linesOf(turn("t1", assistant("It is.")), 4);
  return joined(first ?? "", second ?? "", foreign, last ?? "");
}

function envelope(kind: string, payload: unknown, v = 1): Record<string, unknown> {
  return { v, seq: 3, kind, time: timeOf(3), turn_id: "t1", payload };
}

function unknownCases(): LogCase[] {
  const note = { text: "ask Grace about the opening balance", colour: "yellow" };
  return [
    logCase(
      "unknown_kind",
      "a kind that this version does not know: kept, and passed over",
      4,
      around(foreignLine(envelope("note_pinned", note))),
      { found: ["unknown-kind"] },
    ),
    logCase(
      "unknown_fields",
      "fields that this version does not know, in the envelope and in the payload",
      4,
      around(
        foreignLine({
          ...envelope("assistant_message", { content: "I look.", mood: { calm: true } }),
          trace: "00-4bf92f3577b34da6",
        }),
      ),
    ),
    logCase(
      "invalid_payload",
      "a known kind whose payload does not fit: kept raw",
      4,
      around(foreignLine(envelope("assistant_message", { content: 42 }))),
      { found: ["invalid-payload"] },
    ),
    logCase(
      "newer_version",
      "an envelope of version 2: kept, and not interpreted",
      4,
      around(foreignLine(envelope("assistant_message", { blocks: [] }, 2))),
      { found: ["unsupported-version"] },
    ),
    logCase("rfc_plain", "the plain shape: seq, kind and payload alone", 4, plainLines()),
    logCase(
      "lone_surrogate",
      "half of an emoji, escaped, in a line without a checksum",
      4,
      around('{"seq":3,"kind":"assistant_message","payload":{"content":"Balanced \\ud83d!"}}\n'),
      { found: ["checksum-mismatch"] },
    ),
  ];
}

function plainLines(): Uint8Array {
  const head = { session_id: SESSION_ID, created_at: timeOf(1), cwd: "/home/ada/src/ledger" };
  return joined(
    JSON.stringify({ seq: 1, kind: "session_started", payload: head }) + "\n",
    '{"seq":2,"kind":"user_message","payload":{"content":"Is it balanced?"}}\n',
    '{ "kind" : "assistant_message", "payload" : { "content" : "It is." }, "seq" : 3 }\n',
    '{"seq":4,"kind":"session_closed","payload":{"status":"completed"}}\n',
  );
}

/** A square of one red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

function attachment(media_type: string, bytes: Uint8Array, data?: string): AttachmentPart {
  return {
    type: media_type.startsWith("image/") ? "image" : "file",
    media_type,
    ...(data === undefined ? { path: "/home/ada/november.csv" } : { data }),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
  };
}

function imageCase(): LogCase {
  const csv = new TextEncoder().encode("Buchungstag;Betrag\n03.11.26;-12,50\n");
  const drafts = [
    started(),
    ...turn(
      "t1",
      user([
        { type: "text", text: "The chart is red; the statement is attached." },
        attachment("image/png", Uint8Array.fromBase64(PIXEL), PIXEL),
        attachment("text/csv", csv),
      ]),
      assistant([{ type: "text", text: "12.50 EUR were booked twice." }]),
    ),
  ];
  return logCase("images", "an image inline and a file by path", 3, joined(...linesOf(drafts)));
}

/** Sequences that take over a terminal, its clipboard or the order of what is read. */
const HOSTILE = [
  "\u001b]52;c;cm0gLXJmIH4=\u0007",
  "\u001b]8;;https://example.invalid/\u001b\\click\u001b]8;;\u001b\\",
  "\u001b[2J\u001b[1;1H\u001b[31mred",
  "\u001bPq#0\u001b\\ \u001b_apc\u001b\\",
  "\u009b31m\u009d0;title\u009c\u0085",
  "over\rwrite\b\b\b\u007f\u0000end",
  "\u202egnp.exe\u202c \u2066isolated\u2069 \u200bzero width",
  "<script>alert(1)</script> [x](javascript:alert(1)) ```",
  "\u001b]0;unterminated",
].join("\n");

function hostileCase(): LogCase {
  const drafts = [
    started({ title: HOSTILE, cwd: "/home/ada/\u001b[31msrc", git: { branch: "\u202enaim" } }),
    ...turn(
      "t1",
      user(HOSTILE),
      assistant("", { message_id: "m1", model: "\u001b[7mmodel" }),
      call("\u001bc1", "read\u001b]0;x\u0007_file", { path: HOSTILE, "\u001b[1m": HOSTILE }, "m1"),
      settled("\u001bc1", "read\u001b]0;x\u0007_file", HOSTILE),
      settled("c2", "x", "", { status: "error", error: HOSTILE }),
      assistant(HOSTILE, { message_id: "m2" }),
    ),
  ];
  return logCase(
    "hostile_terminal",
    "control sequences, bidirectional overrides and markup in every field that is shown",
    drafts.length,
    joined(...linesOf(drafts)),
    { folded: ["orphan-settlement"] },
  );
}

/** Every log that another program, or an attacker, may have had a hand in. */
export function foreignCases(): LogCase[] {
  return [...unknownCases(), imageCase(), hostileCase()];
}
