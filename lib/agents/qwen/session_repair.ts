/**
 * Repairs of Qwen Code's sessions. The texts in `today` tell what Qwen Code 0.24.4 did when it
 * resumed a session with each kind of damage.
 */
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import type { LineRepair, RecordFacts } from "../contract/session_repair.ts";
import { isChatRecord } from "./chat_record.ts";

export const qwenRepair: LineRepair = {
  kind: "lines",
  program: "qwen",
  reading: { fused: true, glued: true, after_nuls: true, ends: {} },
  today: {
    "byte-order-mark": "Qwen Code ignores the byte order mark and reads the session",
    "torn-end": "Qwen Code skips this record and writes the next turn onto the same line. " +
      "When you resume the session again, the whole conversation is lost",
    "torn-record": "Qwen Code ignores this record and all earlier records",
    "fused-records": "Qwen Code reads both records on this line",
    "nul-run": "Qwen Code skips the NUL bytes and reads the record after them",
    "bad-utf8": "Qwen Code sends U+FFFD in place of the invalid bytes",
    "no-record": "Qwen Code skips this line of the session file",
    "no-newline": "Qwen Code writes the next turn onto this line. Qwen Code can still read " +
      "both the record and the turn",
    "lost-parent": "Qwen Code does not send the earlier records to the model",
    "parent-cycle": "Qwen Code does not send the earlier records to the model",
    "stray-result":
      "Qwen Code sends this tool result to the provider, and the provider rejects the request",
    "unanswered-call": "Qwen Code adds a note that the tool call has no result",
    "repeated-file": "Qwen Code sends some records to the model twice",
    "long-line": "Qwen Code sends all of this very long line of the session file to the model",
    "long-output": "Qwen Code sends the whole tool output to the model",
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
