import assert from "node:assert/strict";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { searchableTexts } from "../../../lib/library/search/searchable_text.ts";
import { draft, knownEvents } from "../../_support/known_events.ts";

function textsOf(event: NewEvent): [string, readonly string[]][] {
  const [read] = knownEvents([event]);
  assert.ok(read !== undefined);
  return searchableTexts(read).map(({ role, pieces }) => [role, pieces]);
}

Deno.test("the model's part of a prompt is context, and parts of outputs are found", () => {
  assert.deepEqual(
    textsOf(draft("user_message", {
      content: [
        { type: "text", text: "hidden", audience: "model" },
        { type: "text", text: "asked", continues: true },
        { type: "text", text: "seen", audience: "user" },
      ],
    })),
    [["user", ["asked", "seen"]], ["context", ["hidden"]]],
  );
  assert.deepEqual(
    textsOf(draft("tool_end", {
      call_id: "c",
      name: "read",
      status: "ok",
      output: [
        { type: "text", text: "hidden", audience: "model" },
        { type: "json", value: { a: ["leaf", 1] } },
        { type: "image", media_type: "image/png", path: "/shot.png", sha256: "", bytes: 1 },
      ],
      error: "why",
      caption: "Read shot.png",
    })),
    [["tool", ["Read shot.png", "leaf", "/shot.png", "why"]]],
  );
  assert.deepEqual(
    textsOf(draft("notice", { audience: "user", title: "API error", text: "529 overloaded" })),
    [["context", ["529 overloaded"]]],
  );
  const messages = [{ role: "user", content: "kept" }] as const;
  assert.deepEqual(
    textsOf(draft("compaction_applied", { status: "", summary: "sum", messages: [...messages] })),
    [["context", ["sum"]]],
  );
  assert.deepEqual(
    textsOf(draft("compaction_applied", { status: "", messages: [...messages] })),
    [["context", ["kept"]]],
  );
  assert.deepEqual(textsOf(draft("reasoning_message", { content: "h", audience: "model" })), []);
  assert.deepEqual(textsOf(draft("reasoning_message", { content: "t", audience: "user" })), [
    ["reasoning", ["t"]],
  ]);
  const call = { call_id: "c", name: "read", input: { path: "x" }, audience: "model" } as const;
  assert.deepEqual(textsOf(draft("tool_start", call)), []);
});
