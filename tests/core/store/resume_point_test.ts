import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import type { CompactionAppliedPayload } from "../../../lib/core/event/payload.ts";
import { findResumePoint } from "../../../lib/core/store/resume_point.ts";
import { loadConversation } from "../../../lib/core/store/load_session.ts";
import { type Bytes, concat, linesOf, user } from "../../_support/log_bytes.ts";
import { childPath } from "../../_support/processes.ts";
import { draft } from "../../_support/known_events.ts";
import { runTraced, STRACE } from "../../_support/strace.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing } from "../../_support/needing.ts";

function compaction(payload: Partial<CompactionAppliedPayload>): NewEvent {
  return draft("compaction_applied", { status: "", ...payload });
}

/** Which piece of a log its conversation begins with, from 1; 0 for the whole log. */
async function startOf(pieces: readonly (Bytes | string)[]): Promise<number> {
  let found = -1;
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, concat(...pieces));
    const { from, to } = await findResumePoint(path);
    assert.equal(to, Deno.statSync(path).size);
    const starts = pieces.map((_, index) => concat(...pieces.slice(0, index)).length);
    found = from === 0 ? 0 : starts.indexOf(from) + 1;
  });
  return found;
}

function startOfEvents(...events: NewEvent[]): Promise<number> {
  return startOf(linesOf(events));
}

Deno.test("without a compaction, the conversation begins with the log", async () => {
  assert.equal(await startOf([]), 0);
  assert.equal(await startOfEvents(user("1"), user("2")), 0);
});

Deno.test("a compaction that keeps nothing begins the conversation", async () => {
  assert.equal(await startOfEvents(user("1"), compaction({ messages: [] }), user("3")), 2);
  assert.equal(await startOfEvents(user("1"), compaction({ summary: "s" }), user("3")), 2);
  const wins = compaction({ messages: [], summary: "s", first_kept_seq: 1 });
  assert.equal(await startOfEvents(user("1"), user("2"), wins), 3);
});

Deno.test("a compaction that keeps events begins with the first of them", async () => {
  const keeps = compaction({ summary: "s", first_kept_seq: 2 });
  assert.equal(await startOfEvents(user("1"), user("2"), user("3"), keeps, user("5")), 2);
  const chained = compaction({ messages: [] });
  assert.equal(await startOfEvents(user("1"), user("2"), chained, keeps), 2);
});

Deno.test("the last valid compaction counts, whatever invalid ones follow", async () => {
  const invalid = [{}, { summary: "x", first_kept_seq: 9 }, { first_kept_seq: 1 }].map(compaction);
  const events = [user("1"), compaction({ summary: "s" }), user("3")];
  assert.equal(await startOfEvents(...events, ...invalid), 2);
});

Deno.test("a compaction whose first kept event is missing makes the whole log count", async () => {
  for (const first_kept_seq of [0, -3, 1.5]) {
    const odd = compaction({ summary: "x", first_kept_seq });
    assert.equal(await startOfEvents(user("1"), compaction({ messages: [] }), odd), 0);
  }
});

Deno.test("a compaction in a damaged line needs the whole log; other damage moves nothing", async () => {
  const [one, two, three] = linesOf([user("1"), compaction({ messages: [] }), user("3")]);
  assert.ok(one && two && three);
  assert.equal(await startOf([one, two, "noise\n", three, '{"v":1,"se']), 2);
  assert.equal(await startOf([one, two, "\0\0", three]), 2);
  assert.equal(await startOf([one, "\0\0", two, three]), 0);
  assert.equal(await startOf(["\0\0", one, two, three]), 3);
});

Deno.test("a compaction whose kind is written with escapes begins the conversation", async () => {
  const [one, two, three] = linesOf([user("1"), compaction({ messages: [] }), user("3")]);
  assert.ok(one && two && three);
  const plain =
    '{"seq":2,"kind":"compaction\\u005Fapplied","payload":{"status":"","messages":[]}}\n';
  assert.equal(await startOf([one, plain, three]), 2);
});

Deno.test("a text that names the kind of a compaction is none", async () => {
  const text = user('{"kind":"compaction_applied","payload":{"status":"","messages":[]}}');
  assert.equal(await startOfEvents(text, compaction({ messages: [] }), text, text), 2);
  assert.equal(await startOfEvents(text, text), 0);
});

inDirectory.test("two whole events on one line, for their newline was lost, need the whole log", async (directory) => {
  const path = join(directory, "log");
  const lines = linesOf([
    user("1"),
    user("2"),
    compaction({ messages: [] }),
    user("4"),
    compaction({ summary: "s", first_kept_seq: 2 }),
    user("6"),
  ]);
  const glued = lines.map((line, index) => index === 3 ? line.subarray(0, -1) : line);
  for (const bytes of [concat(...lines), concat(...glued)]) {
    Deno.writeFileSync(path, bytes);
    const { messages } = await loadConversation(path);
    assert.deepEqual(messages.map(({ content }) => content), ["s", "2", "4", "6"]);
  }
});

Deno.test(
  needing("P7 a log with a compaction near its end is not read from its start", STRACE),
  async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, "log.jsonl");
      const old = concat(...linesOf(Array.from({ length: 4000 }, () => user("x".repeat(1250)))));
      const recent = linesOf([
        user("kept"),
        compaction({ summary: "s", first_kept_seq: 4001 }),
        user("new"),
      ], 4001);
      Deno.writeFileSync(path, concat(old, ...recent));
      const { stdout, calls } = await runTraced(
        ["-P", path, "-e", "trace=read,pread64,readv,preadv,mmap"],
        [Deno.execPath(), "run", "-A", "--no-check", childPath("conversation_child"), path],
      );
      assert.deepEqual(JSON.parse(stdout), ["s", "kept", "new"]);
      const read = calls.map((call) => Number(/= (\d+)$/.exec(call)?.[1] ?? 0));
      const total = read.reduce((sum, bytes) => sum + bytes, 0);
      assert.ok(total > 500 && total < 1024 * 1024, `${total} of ${old.length} bytes were read`);
    });
  },
);

Deno.test("a replaced conversation begins there, and the head's sentence comes along", async () => {
  const head = draft("session_started", {
    session_id: "s",
    created_at: "2026-11-21T20:21:53.123Z",
    cwd: "/",
    unanswered_call: "aborted",
  });
  const replaced = draft("conversation_replaced", {
    messages: [{ role: "user", content: "edited" }],
    reason: "history edited",
  });
  const begun = draft("assistant_message", {
    content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
  });
  const events = [head, user("2"), compaction({ messages: [] }), replaced, begun];
  assert.equal(await startOfEvents(...events), 4);
  const summed = compaction({ summary: "s", first_kept_seq: 2 });
  assert.equal(await startOfEvents(...events, summed), 2);
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, concat(...linesOf(events)));
    const { messages, replaced_seq } = await loadConversation(path);
    assert.equal(replaced_seq, 4);
    assert.deepEqual(messages.at(0), { role: "user", content: "edited" });
    assert.deepEqual(messages.at(-1)?.content, [
      { type: "tool_result", call_id: "c1", name: "read", status: "error", output: "aborted" },
    ]);
  });
});

Deno.test("a compaction that keeps from inside a response begins at the response", async () => {
  const events = [
    user("1"),
    draft("assistant_message", {
      content: [{ type: "tool_call", call_id: "c1", name: "read", input: {} }],
    }),
    draft("tool_start", { call_id: "c1" }),
    draft("tool_end", { call_id: "c1", name: "read", status: "ok" }),
    user("5"),
  ];
  for (const [first_kept_seq, start] of [[2, 2], [3, 2], [4, 2], [5, 5]] as const) {
    const last = compaction({ summary: "s", first_kept_seq });
    assert.equal(await startOfEvents(...events, last), start, `${first_kept_seq}`);
  }
});
