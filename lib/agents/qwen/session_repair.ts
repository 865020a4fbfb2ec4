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
    "byte-order-mark": "reads it",
    "torn-end": "skips it and joins the next turn to it: the next resume loses everything",
    "torn-record": "skips it and everything before it",
    "fused-records": "reads both",
    "nul-run": "reads what follows it",
    "bad-utf8": "sends U+FFFD",
    "no-record": "skips the line",
    "no-newline": "joins the next turn to it and reads both",
    "lost-parent": "sends only what follows it",
    "parent-cycle": "sends only what follows it",
    "stray-result": "sends it, and the provider refuses the request",
    "unanswered-call": "adds its own note that there is no result",
    "repeated-file": "sends some of it twice",
    "long-line": "sends it",
    "long-output": "sends it",
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
