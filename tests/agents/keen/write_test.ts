import assert from "node:assert/strict";
import { join } from "node:path";
import { keenAgent } from "../../../lib/agents/keen/keen_agent.ts";
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

const writer = await writerOf(keenAgent);
const form: KeptForm = {
  prompt: (parts) => [oneText(parts)],
  // Keen sends what a call gave as JSON, and tells a failure from a success alone.
  result: ({ output, failed }) => {
    const status = failed ? "error" : "ok";
    const ended = failed ? "error" : "success";
    const given = output.length === 0 ? { status: ended } : oneText(output);
    return `${status} ${JSON.stringify(given)}`;
  },
};

testWriter("a session of Keen Code", writer, { proven: false, images: [] });
testReadBack("a session of Keen Code", keenAgent, { form, title: (row) => row.last_user_message });

Deno.test("a session of Keen Code lies in the namespace of its directory", () => {
  const environment = { ...NOWHERE, home: "/home/dev" };
  const root = placeOf("keen", environment);
  assert.equal(root.folder, join("/home/dev", ".keen"));
  const id = writer.newSessionId(NOW);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const place = (cwd: string): string => writer.place(root, { ...START, id, cwd }, "/tmp").path;
  // As Keen's own code names them: internal/session/path_test.go, and the samples of 0.38.1.
  for (
    const [cwd, namespace] of [
      ["/home/dev/src/keen demo/@app", "home-dev-src-keen-demo--app-8b5eca17f8"],
      ["/", "root-42099b4af0"],
      ["/home/user/projects/my-app", "home-user-projects-my-app-176f7dbae4"],
    ] as const
  ) {
    const folder = join("/home/dev/.keen/sessions", namespace, id);
    assert.equal(place(cwd), join(folder, "transcript_events.jsonl"));
  }
});

Deno.test("each answer is a turn of Keen Code, and its memory has what its calls gave", async () => {
  const calls = [
    call(writer, "bash", {
      input: { command: "ls", summary: "Lists", isDangerous: false },
      output: [said("a")],
    }),
    call(writer, "read_file", { input: { path: "a" }, output: [said("no")], status: "error" }),
    call(writer, "x", { status: "interrupted" }),
  ];
  const records = await recordsWritten(writer, [
    prompt(said("hi")),
    answer("é!", calls),
    answer("done"),
  ]);
  assert.deepEqual(records.map(({ seq, kind }) => [seq, kind]), [
    [1, "session_started"],
    [2, "user_message"],
    [3, "assistant_turn"],
    [4, "assistant_turn"],
  ]);
  const path = "a";
  assert.deepEqual(records[2]?.assistant_turn, {
    transcript: [
      { kind: "text", content: "é!" },
      { kind: "bash", bash: { command: "ls", summary: "Lists", output: "a" } },
      { kind: "tool_start", tool_start: { name: "read_file", input: { path } } },
      { kind: "tool_end", tool_end: { name: "read_file", input: { path }, error: "no" } },
      { kind: "tool_start", tool_start: { name: "x", input: {} } },
      { kind: "tool_end", tool_end: { name: "x", input: {}, error: "error" } },
    ],
    message: "é!",
    turn_memory: {
      tool_activity: [
        {
          text_offset: 3,
          tool: "bash",
          input: { command: "ls", summary: "Lists", isDangerous: false },
          status: "success",
          retained_output: "a",
        },
        {
          text_offset: 3,
          tool: "read_file",
          input: { path },
          status: "error",
          retained_output: "no",
        },
        { text_offset: 3, tool: "x", input: {}, status: "error" },
      ],
    },
  });
  const { from, calls: originals } = records[2]?.reprise as Record<string, object>;
  assert.deepEqual([from, Object.keys(originals ?? {})], ["codex:1", calls.map(({ id }) => id)]);
});
