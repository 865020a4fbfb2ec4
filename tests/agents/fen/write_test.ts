import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { fenAgent } from "../../../lib/agents/fen/fen_agent.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  anyMessages,
  assertReadBack,
  assertStreams,
  BEGUN,
  call,
  type KeptForm,
  nastyMessages,
  NOW,
  NOWHERE,
  oneText,
  recordsOf,
  rowOf,
  said,
  textItem,
  textOf,
  writerOf,
  written,
} from "../_written.ts";

const writer = await writerOf(fenAgent);
const form: KeptForm = {
  prompt: (parts) => parts.map(textItem),
  // fen tells a failure from a success alone.
  result: ({ output, failed }) =>
    [failed ? "error" : "ok", ...output.length === 0 ? [] : [oneText(output)]].join(" "),
};

Deno.test("a written session of fen reads back as what was handed over", async () => {
  await assertReadBack(fenAgent, nastyMessages(writer), { form, title: "The title" });
  await assertReadBack(fenAgent, nastyMessages(writer), { form });
});

Deno.test("any conversation reads back from a session of fen", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyMessages(writer),
      (messages) => assertReadBack(fenAgent, messages, { form }),
    ),
    { numRuns: 25, seed: 65 },
  );
});

Deno.test("a session of fen is written as its messages come", () => assertStreams(fenAgent));

Deno.test("no client of fen was seen to resume such a session, and it has no images", () => {
  assert.equal(writer.proven, false);
  assert.equal(writer.takesImage?.("image/png"), false);
  assert.match(writer.newCallId(), /^call_[0-9a-f]{24}$/);
});

Deno.test("a session of fen lies in the folder of its directory", () => {
  const variable = (name: string): string | undefined =>
    name === "XDG_STATE_HOME" ? "/state" : undefined;
  const environment = { ...NOWHERE, variable };
  assert.equal(writer.home(environment), join("/state", "fen"));
  assert.equal(writer.home(NOWHERE), join(NOWHERE.home, ".local", "state", "fen"));
  const id = writer.newSessionId(NOW);
  const start = { id, from: "pi:1", cwd: "/no/such-folder", begun: BEGUN, now: NOW };
  assert.deepEqual(writer.place(environment, start, "/tmp"), {
    path: join("/state/fen/sessions/--no-such-folder--", `2026-08-01T10-00-00_${id}.jsonl`),
  });
});

Deno.test("fen takes a session of its directory without links", async () => {
  await withDirectory(async (folder) => {
    const real = join(folder, "real");
    const link = join(folder, "link");
    await Deno.mkdir(real);
    await Deno.symlink(real, link);
    const start = { id: "s", from: "pi:1", cwd: link, begun: BEGUN, now: NOW };
    assert.match(writer.place(NOWHERE, start, folder).path, /-real--[\\/]2026-/);
    assert.equal(recordsOf(await textOf(writer, start, []))[0]?.cwd, real);
  });
});

Deno.test("entries of fen follow each other, and each result is one", async () => {
  const calls = [
    call(writer, "bash", { input: { cmd: "ls" }, output: [said("a")] }),
    call(writer, "x", { status: "error" }),
  ];
  const start = { id: "s", from: "pi:1", cwd: "/no/such", begun: BEGUN, now: NOW };
  const records = recordsOf(
    await textOf(writer, start, [
      { role: "user", time: BEGUN, parts: [said("hi")] },
      { role: "assistant", time: BEGUN + 1000, text: "", reasoning: [], calls },
      {
        role: "assistant",
        time: BEGUN + 2000,
        text: "ok",
        reasoning: [],
        calls: [],
        total_tokens: 9,
      },
    ]),
  );
  const [header, ...entries] = records;
  assert.deepEqual(header, {
    type: "session",
    version: 2,
    id: "s",
    timestamp: "2026-08-01T10-00-00",
    cwd: "/no/such",
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

Deno.test("a written session of fen is listed by its first prompt and its directory", async () => {
  await using made = await written(fenAgent, nastyMessages, { title: "The title" });
  const { title, cwd, created_at, first_user_message } = await rowOf(fenAgent, made.session);
  assert.deepEqual([title, cwd], [first_user_message, "/home/dev/some dir.d"]);
  assert.equal(created_at, "2026-08-01T10:00:00.000Z");
});
