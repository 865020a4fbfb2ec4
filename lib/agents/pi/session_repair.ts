/**
 * Describes repairs of pi's sessions. The effect of each kind of damage was seen by resuming with
 * pi 0.73.1 and 0.87.1. The texts name both versions where they differ.
 */
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import type { LineRepair, LostHeader, RecordFacts } from "../contract/session_repair.ts";
import { idInName, timeInName } from "./locate.ts";

/** The version in a new header. Its entries have ids and parents (pi 0.30 and later). */
const VERSION = 3;

export const piRepair: LineRepair = {
  kind: "lines",
  program: "pi",
  reading: {
    fused: false,
    glued: false,
    after_nuls: false,
    ends: { "no-header": "wipes", "parent-cycle": "hangs" },
  },
  today: {
    "byte-order-mark":
      "pi 0.73 reads the session, pi 0.87 does not find it, and pi 1.5 refuses to open it",
    "torn-end": "pi skips this record, because its line is incomplete. pi 0.73 also appends the " +
      "next turn to this line. Then the model gets only that turn, and none before it",
    "torn-record": "pi ignores this line and all earlier lines of the session file",
    "fused-records": "pi ignores this line and all earlier lines of the session file",
    "nul-run":
      "pi ignores this line of the session file, because it contains NUL bytes. If a record " +
      "follows these bytes on the same line, pi also ignores all earlier lines",
    "bad-utf8": "pi sends the character U+FFFD (�) to the model in place of the invalid bytes",
    "no-record": "pi skips this line of the session file, or stops with an error",
    "no-newline": "pi 0.73 writes the next turn onto this line, and then cannot read the line. " +
      "pi 0.87 starts a new line for the next turn",
    "no-header":
      "version 0.73 of pi overwrites this file and so loses the session; version 0.87 does not find it",
    "lost-parent": "pi does not send the earlier records to the model",
    "parent-cycle": "pi 0.73 hangs or runs out of memory; pi 0.87 stops with an error",
    "repeated-id": "pi sends only the last record with this id to the model",
    "stray-result":
      "pi sends this tool result to the provider, and the provider rejects the request",
    "unanswered-call": "pi sends `No result provided` as the result of the tool call",
    "repeated-file": "pi sends each record to the model only once, although the file repeats it",
    "long-line": "pi sends all of this very long line of the session file to the model",
    "long-output": "pi sends the whole tool output to the model",
  },
  links: { id: "id", parent: "parentId", wins: "last", bridged: false },
  strays: true,
  isRecord: ({ type, id, timestamp }) =>
    typeof type === "string" && (typeof id === "string" || typeof timestamp === "string"),
  isHeader: ({ type }) => type === "session",
  header: lostHeader,
  facts: factsOf,
  isOutput: (path, seen) =>
    path === "message.content[].text" && seen.get("message.role") === "toolResult",
};

function lostHeader({ path, directory, time, now }: LostHeader):
  | Record<string, unknown>
  | undefined {
  if (directory === undefined) return undefined;
  const timestamp = timeInName(path) ?? isoTime(time) ?? now;
  return { type: "session", version: VERSION, id: idInName(path), timestamp, cwd: directory };
}

function factsOf({ type, message }: Json): RecordFacts {
  if (type !== "message") return {};
  const { role, content, toolCallId } = asObject(message);
  if (role === "toolResult") {
    const id = asName(toolCallId);
    return id === undefined ? {} : { result_of: id };
  }
  const parts = asList(content).map(asObject);
  const calls = parts.flatMap((part) => part.type === "toolCall" ? asName(part.id) ?? [] : []);
  const speaks = typeof content === "string" ||
    parts.some(({ text }) => asText(text) !== undefined);
  return { calls, speaks };
}
