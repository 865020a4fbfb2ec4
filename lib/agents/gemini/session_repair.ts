/**
 * Repairs Gemini CLI's chats. The client's reactions were seen on Gemini CLI 0.61, resumed with
 * each kind of damage.
 */
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import { basename } from "node:path";
import type { LineRepair, LostHeader, RecordFacts } from "../contract/session_repair.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { chatRecordType, freshMessages } from "./chat_replay.ts";
import { markedRoot, pathHash, projectFolder } from "./project_root.ts";

export const geminiRepair: LineRepair = {
  kind: "lines",
  program: "gemini",
  reading: {
    fused: false,
    glued: false,
    after_nuls: false,
    ends: { "byte-order-mark": "does-not-find", "no-header": "does-not-find" },
  },
  today: {
    "byte-order-mark": "Gemini CLI does not find the session",
    "torn-end": "Gemini CLI skips this record",
    "torn-record": "Gemini CLI skips this line of the session file",
    "fused-records": "Gemini CLI skips this line of the session file",
    "nul-run": "Gemini CLI skips this line of the session file",
    "bad-utf8": "Gemini CLI sends U+FFFD in place of the invalid bytes",
    "no-record": "Gemini CLI skips this line of the session file",
    "no-newline": "Gemini CLI appends the next record to this line, and then cannot read the " +
      "line. When you resume the session, Gemini CLI appends all messages to the file a second " +
      "time",
    "no-header": "Gemini CLI does not find the session",
    "stray-result": "Gemini CLI sends this tool result to the API, and the API rejects the request",
    "unanswered-call": "Gemini CLI sends the tool call to the model without a result",
    "repeated-file":
      "Gemini CLI sends each record to the model only once, although the file repeats it",
    "long-line": "Gemini CLI sends all of this very long line of the session file to the model",
    "long-output": "Gemini CLI sends the whole tool output to the model",
  },
  strays: true,
  refusal: (path) =>
    path.endsWith(".json")
      ? "the file is one JSON document, and Reprise repairs only files with one record per line"
      : undefined,
  isRecord: (value) =>
    chatRecordType(value) !== "other" || (value.type !== undefined && value.content !== undefined),
  isHeader: ({ sessionId, projectHash }) =>
    typeof sessionId === "string" && typeof projectHash === "string",
  header: lostHeader,
  facts: factsOf,
  isOutput: (path) => OUTPUTS.test(path.replace(/^(?:\$set\.)?messages\[\]\./, "")),
};

const OUTPUTS =
  /^(?:toolCalls\[\]\.(?:result\[\]\.functionResponse\.response\.|resultDisplay)|content\[\]\.functionResponse\.response\.)/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Makes a new header with a new id. Its time is `now`, as the client deletes old chats. A resume
 * leaves a short file named by the id's first digits. The client deletes all files with these
 * digits. So the id must not begin with the digits in this file's name.
 */
function lostHeader({ path, directory, cwd, time, now }: LostHeader):
  | Record<string, unknown>
  | undefined {
  const folder = projectFolder(path);
  const named = folder === undefined ? "" : basename(folder);
  const marked = folder === undefined ? undefined : markedRoot(folder);
  const root = directory ?? cwd ?? marked;
  const projectHash = HASH.test(named) ? named : root === undefined ? undefined : pathHash(root);
  if (projectHash === undefined) return undefined;
  return {
    sessionId: freshId(path),
    projectHash,
    startTime: isoTime(time) ?? now,
    lastUpdated: now,
    kind: "main",
  };
}

function freshId(path: string): string {
  for (;;) {
    const id = crypto.randomUUID();
    if (!basename(path).includes(id.slice(0, 8))) return id;
  }
}

function factsOf(value: Json): RecordFacts {
  const fresh = freshMessages(value);
  if (fresh !== undefined) {
    const facts = fresh.map(messageFacts);
    return {
      calls: facts.flatMap(({ calls = [] }) => calls),
      answered: facts.flatMap(({ answered = [], parts }) => [
        ...answered,
        ...parts?.results.map(({ call_id }) => call_id) ?? [],
      ]),
      speaks: facts.some(({ speaks }) => speaks),
    };
  }
  return chatRecordType(value) === "message" ? messageFacts(value) : {};
}

function messageFacts({ type, content, toolCalls }: Json): RecordFacts {
  const parts = asList(content).map(asObject);
  const said = typeof content === "string"
    ? content.trim() !== ""
    : parts.some(({ text }) => asText(text) !== undefined);
  const tools = asList(toolCalls).map(asObject);
  const calls = [...tools, ...parts.map(({ functionCall }) => asObject(functionCall))]
    .flatMap(({ id }) => asName(id) ?? []);
  const answered = tools.filter(({ result }) => result !== undefined)
    .flatMap(({ id }) => asName(id) ?? []);
  const results = parts.flatMap(({ functionResponse }, index) => {
    const call_id = asName(asObject(functionResponse).id);
    return call_id === undefined ? [] : [{ index, call_id }];
  });
  const facts = { calls, answered, speaks: said && (type === "user" || type === "gemini") };
  if (results.length === 0) return facts;
  return { ...facts, parts: { path: ["content"], count: parts.length, results, hollow: [] } };
}
