import assert from "node:assert/strict";
import { join } from "node:path";
import { autohandAgent } from "../../../lib/agents/autohand/autohand_agent.ts";
import {
  answer,
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
  writerOf,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(autohandAgent);
const form: KeptForm = {
  prompt: (parts) => [oneText(parts)],
  result: ({ output, original }) =>
    [original.status, ...output.length === 0 ? [] : [oneText(output)]].join(" "),
};

testWriter("a session of Autohand", writer, { proven: false, images: [] });
testReadBack("a session of Autohand", autohandAgent, { form });

Deno.test("a session of Autohand is a folder with metadata beside its log", () => {
  const variable = (name: string): string | undefined =>
    name === "AUTOHAND_HOME" ? "~/elsewhere" : undefined;
  const environment = { ...NOWHERE, home: "/home/dev", variable };
  const place = placeOf("autohand", environment);
  assert.equal(place.folder, "/home/dev/elsewhere");
  assert.equal(placeOf("autohand", NOWHERE).folder, join(NOWHERE.home, ".autohand"));
  const id = writer.newSessionId(NOW);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-1795415415250$/);
  const start = { ...START, id, from: "claude:a:b", cwd: "/home/dev/my-app" };
  const folder = join("/home/dev/elsewhere/sessions", id);
  const { path, beside = [] } = writer.place(place, { ...start, title: "T" }, "/tmp");
  assert.equal(path, join(folder, "conversation.jsonl"));
  assert.deepEqual(beside.map((file) => file.path), [join(folder, "metadata.json")]);
  const imported_at = "2026-11-23T06:30:15.250Z";
  assert.deepEqual(JSON.parse(String(beside[0]?.text)), {
    sessionId: id,
    createdAt: "2026-08-01T10:00:00.000Z",
    lastActiveAt: imported_at,
    projectPath: "/home/dev/my-app",
    projectName: "my-app",
    model: "",
    messageCount: 0,
    status: "active",
    title: "T",
    summary: "T",
    importedFrom: { source: "claude", originalId: "a:b", importedAt: imported_at },
  });
});

Deno.test("each result is a line of its own behind its calls' line", async () => {
  const calls = [
    call(writer, "run_command", { input: { command: "ls" }, output: [said("a")] }),
    call(writer, "x", { status: "error" }),
  ];
  const records = await recordsWritten(writer, [prompt(said("hi")), answer("", calls)]);
  const timestamp = "2026-08-01T10:00:00.001Z";
  const [one, two] = calls.map(({ id }) => id);
  const { reprise, ...said_record } = records[1] as { reprise: { calls: object } };
  assert.deepEqual(Object.keys(reprise.calls), [one, two]);
  assert.deepEqual([records[0], said_record, ...records.slice(2)], [
    { role: "user", content: "hi", timestamp: "2026-08-01T10:00:00.000Z" },
    {
      role: "assistant",
      content: "",
      timestamp,
      toolCalls: [
        { id: one, tool: "run_command", args: { command: "ls" } },
        { id: two, tool: "x", args: {} },
      ],
    },
    { role: "tool", content: "a", name: "run_command", timestamp, tool_call_id: one },
    { role: "tool", content: "", name: "x", timestamp, tool_call_id: two },
  ]);
});

Deno.test("Autohand counts lines from 0: a call that counts from 1 stays as it is", () => {
  const { read, write } = writer.tools;
  assert.deepEqual(read?.input({ path: "a", limit: 3 }), { path: "a", limit: 3 });
  assert.equal(read?.input({ path: "a", offset: 3 }), undefined);
  assert.deepEqual(write?.input({ path: "a", content: "b" }), { path: "a", contents: "b" });
});
