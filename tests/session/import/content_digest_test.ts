import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { ContentDigest } from "../../../lib/session/import/content_digest.ts";
import { draft, knownEvents } from "../../_support/known_events.ts";

const CALL = { call_id: "c1", name: "read", input: { path: "a" } };
const SHELL = { call_id: "c2", name: "bash", input: { command: "ls" } };
const ENDS = [
  draft("tool_end", { call_id: "c1", name: "read", status: "ok", output: "one" }),
  draft("bash_end", { call_id: "c2", command: "ls", status: "ok", output: "a" }),
];
const OLD = [
  draft("user_message", { content: "Read it." }),
  draft("reasoning_message", { content: "A file.", message_id: "m1" }),
  draft("assistant_message", { content: "I read.", message_id: "m1", usage: { output: 2 } }),
  draft("tool_start", { ...CALL, message_id: "m1" }),
  draft("bash_start", { call_id: "c2", command: "ls", origin: "model", message_id: "m1" }),
  ...ENDS,
];
const NEW = [
  draft("user_message", { content: "Read it." }),
  draft("assistant_message", {
    content: [
      { type: "reasoning", text: "A file." },
      { type: "text", text: "I read." },
      { type: "tool_call", ...CALL },
      { type: "tool_call", ...SHELL },
    ],
    message_id: "m1",
    usage: { output: 2 },
  }),
  draft("tool_start", { call_id: "c1" }),
  draft("bash_start", { call_id: "c2" }),
  ...ENDS,
];

function digest(drafts: readonly NewEvent[]): ContentDigest {
  const said = new ContentDigest();
  said.add(knownEvents(drafts));
  return said;
}

Deno.test("a response says the same in one event as in several", () => {
  assert.equal(digest(NEW).hex(), digest(OLD).hex());
  assert.equal(digest(NEW).count, digest(OLD).count);
});

Deno.test("what a session says more, less or otherwise is told", () => {
  const hex = digest(NEW).hex();
  for (let left_out = 0; left_out < NEW.length; left_out++) {
    const rest = NEW.filter((_, at) => at !== left_out);
    const is_start = NEW[left_out]?.kind.endsWith("_start");
    assert.equal(digest(rest).hex() === hex, is_start, `without ${left_out}`);
  }
  assert.notEqual(
    digest([draft("user_message", { content: "Read." }), ...NEW.slice(1)]).hex(),
    hex,
  );
});
