/**
 * Repairs of Qwen Code's sessions. What the client does was seen on Qwen Code 0.24.4, resumed with
 * each kind of damage.
 */
import { asList, asName, asObject, asText, type Json } from "../../reading/json_value.ts";
import type { LineRepair, RecordFacts } from "../../source/session_repair.ts";
import { isChatRecord } from "./chat_record.ts";

/** The repairs of damaged sessions of Qwen Code. */
export const qwenRepair: LineRepair = {
  kind: "lines",
  program: "qwen",
  reading: { fused: true, glued: true, after_nuls: true, ends: {} },
  today: {
    "byte-order-mark": "ignores the byte order mark and reads the session",
    "torn-end":
      "skips this record and writes the next turn on the same line; the next resume then loses " +
      "the whole conversation",
    "torn-record": "ignores this record and all earlier records",
    "fused-records": "reads both records",
    "nul-run": "reads the record after the NUL bytes",
    "bad-utf8": "sends U+FFFD instead of the invalid bytes",
    "no-record": "skips the line",
    "no-newline": "writes the next turn on the same line and reads both records",
    "lost-parent": "does not send the records before this one",
    "parent-cycle": "does not send the records before this one",
    "stray-result": "sends this result to the provider, which rejects the request",
    "unanswered-call": "adds a note that the call has no result",
    "repeated-file": "sends some of the records twice",
    "long-line": "sends the whole line",
    "long-output": "sends the whole output",
  },
  links: { id: "uuid", parent: "parentUuid", wins: "first", merges: true, bridged: false },
  strays: true,
  isRecord: isChatRecord,
  facts: factsOf,
  isOutput: (path) => OUTPUTS.test(path),
};

const OUTPUTS =
  /^(?:message\.parts\[\]\.functionResponse\.response\.|toolCallResult\.(?:resultDisplay|responseParts))/;

function factsOf({ type, message }: Json): RecordFacts {
  if (type === "system") return {};
  const parts = asList(asObject(message).parts).map(asObject);
  const calls = parts.flatMap(({ functionCall }) => asName(asObject(functionCall).id) ?? []);
  const speaks = parts.some(({ text, thought }) => asText(text) !== undefined && thought !== true);
  const results = parts.flatMap(({ functionResponse }, index) => {
    const call_id = asName(asObject(functionResponse).id);
    return call_id === undefined ? [] : [{ index, call_id }];
  });
  if (results.length === 0) return { calls, speaks };
  const path = ["message", "parts"];
  return { calls, speaks, parts: { path, count: parts.length, results, hollow: [] } };
}
