import assert from "node:assert/strict";
import { join } from "node:path";
import { fenAgent } from "../../../lib/agents/fen/fen_agent.ts";
import {
  answer,
  BEGUN,
  call,
  type KeptForm,
  NOW,
  NOWHERE,
  oneText,
  prompt,
  recordsWritten,
  said,
  START,
  testReadBack,
  testWriter,
  textItem,
  withLink,
  writerOf,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(fenAgent);
const form: KeptForm = {
  prompt: (parts) => parts.map(textItem),
  // fen tells a failure from a success alone.
  result: ({ output, failed }) =>
    [failed ? "error" : "ok", ...output.length === 0 ? [] : [oneText(output)]].join(" "),
};

testWriter("a session of fen", writer, { proven: false, images: [] });
testReadBack("a session of fen", fenAgent, { form, title: (row) => row.first_user_message });

Deno.test("a session of fen lies in the folder of its directory", () => {
  const variable = (name: string): string | undefined =>
    name === "XDG_STATE_HOME" ? "/state" : undefined;
  const environment = { ...NOWHERE, variable };
  const place = placeOf("fen", environment);
  assert.equal(place.folder, join("/state", "fen"));
  assert.equal(placeOf("fen", NOWHERE).folder, join(NOWHERE.home, ".local", "state", "fen"));
  const id = writer.newSessionId(NOW);
  const start = { ...START, id, cwd: "/no/such-folder" };
  assert.deepEqual(writer.place(place, start, "/tmp"), {
    path: join("/state/fen/sessions/--no-such-folder--", `2026-08-01T10-00-00_${id}.jsonl`),
  });
});

Deno.test("fen takes a session of its directory without links", async () => {
  await withLink(async (link, real) => {
    const start = { ...START, cwd: link };
    assert.match(writer.place(NOWHERE, start, "/tmp").path, /-real\.d--[\\/]2026-/);
    assert.equal((await recordsWritten(writer, [], start))[0]?.cwd, real);
  });
});

Deno.test("entries of fen follow each other, and each result is one", async () => {
  const calls = [
    call(writer, "bash", { input: { cmd: "ls" }, output: [said("a")] }),
    call(writer, "x", { status: "error" }),
  ];
  const records = await recordsWritten(writer, [
    prompt(said("hi")),
    answer("", calls, { time: BEGUN + 1000 }),
    answer("ok", [], { time: BEGUN + 2000, total_tokens: 9 }),
  ]);
  const [header, ...entries] = records;
  assert.deepEqual(header, {
    type: "session",
    version: 2,
    id: START.id,
    timestamp: "2026-08-01T10-00-00",
    cwd: "/w",
  });
  const ids = entries.map(({ id }) => id);
  assert.deepEqual(entries.map((entry) => entry["parent-id"]), [undefined, ...ids.slice(0, -1)]);
  const messages = entries.map(({ message }) => message as Record<string, unknown>);
  assert.deepEqual(messages.map(({ role }) => role), [
    "user",
    "assistant",
    "tool-result",
    "tool-result",
    "assistant",
  ]);
  assert.deepEqual(messages[3], {
    role: "tool-result",
    "tool-call-id": calls[1]?.id,
    "tool-name": "x",
    content: [{ type: "text", text: "" }],
    "is-error?": true,
    timestamp: BEGUN + 1000,
  });
  const usage = { input: 0, output: 0, "cache-read": 0, "cache-write": 0 };
  assert.deepEqual(messages[1]?.usage, { ...usage, "total-tokens": 0 });
  assert.deepEqual(messages[4], {
    role: "assistant",
    content: [{ type: "text", text: "ok" }],
    usage: { ...usage, "total-tokens": 9 },
    "stop-reason": "stop",
    timestamp: BEGUN + 2000,
  });
  assert.equal(entries[1]?.timestamp, "2026-08-01T10-00-01");
  assert.deepEqual(Object.keys((entries[1]?.reprise as { calls: object }).calls), [
    calls[0]?.id,
    calls[1]?.id,
  ]);
});

Deno.test("fen's own tools take calls that they can make", () => {
  const { bash, edit } = writer.tools;
  assert.deepEqual(bash?.input({ command: "ls", description: "Lists" }), { cmd: "ls" });
  const change = { path: "a", old_text: "b", new_text: "c" };
  const edits = [{ old_string: "b", new_string: "c" }];
  assert.deepEqual(edit?.input(change), { path: "a", edits });
  assert.equal(edit?.input({ ...change, all: true }), undefined);
});
