import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { geminiAgent } from "../../../lib/agents/gemini/gemini_agent.ts";
import { guardedPrompt, unguardedPrompt } from "../../../lib/agents/gemini/guarded_prompt.ts";
import { locateAll, makeHome, readAll } from "../../_support/agent_contract.ts";
import {
  answer,
  assertReadBack,
  call,
  IMAGE,
  joinedTexts,
  nastyMessages,
  NOW,
  NOWHERE,
  prompt,
  readItems,
  recordsOf,
  recordsWritten,
  said,
  START,
  testReadBack,
  testWriter,
  withLink,
  writerOf,
  written,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(geminiAgent);

type Fields = Record<string, unknown>;

testWriter("a chat of Gemini CLI", writer, { images: ["png", "jpeg", "webp", "heic"] });
testReadBack("a chat of Gemini CLI", geminiAgent, {
  form: { prompt: joinedTexts },
  // By this time the client deletes: lists tell of it by the same.
  updated_at: "2026-11-23T06:30:15.250Z",
});

Deno.test("the head of a chat has its title, its project and the time of the hand-over", async () => {
  await using made = await written(geminiAgent, nastyMessages, { title: "The title" });
  const [head] = recordsOf(made.text);
  assert.deepEqual(head, {
    sessionId: made.session.id,
    projectHash: createHash("sha256").update(made.start.cwd).digest("hex"),
    startTime: "2026-08-01T10:00:00.000Z",
    // Chats that were not updated for 30 days are deleted.
    lastUpdated: "2026-11-23T06:30:15.250Z",
    kind: "main",
    summary: "The title",
    reprise: { from: "claude:5f0c" },
  });
});

Deno.test("the digits in the name of a chat are not the first of its id, or the client deletes it", () => {
  for (let tries = 0; tries < 50; tries++) {
    const id = writer.newSessionId(NOW);
    const { path } = writer.place(placeOf("gemini", { ...NOWHERE, home: "/home/a" }), {
      ...START,
      id,
    }, "/tmp");
    const name = basename(path);
    assert.match(name, /^session-2026-11-23T06-30-[0-9a-f]{8}\.jsonl$/);
    assert.ok(!name.includes(id.slice(0, 8)));
  }
});

Deno.test("a chat goes into its project's folder as the client names it", async () => {
  const cases: [files: Record<string, string>, folder: string, mark: string | undefined][] = [
    [{}, "my-work-d", "/My Work.d"],
    [{ "projects.json": '{"projects":{"/My Work.d":"mine"}}' }, "mine", "/My Work.d"],
    [
      {
        "projects.json": '{"projects":{"/My Work.d":"mine"}}',
        "tmp/mine/.project_root": "/My Work.d\n",
      },
      "mine",
      undefined,
    ],
    // Another directory has the folder: what the list says of it is not so any more.
    [
      {
        "projects.json": '{"projects":{"/My Work.d":"mine"}}',
        "tmp/mine/.project_root": "/other",
      },
      "my-work-d",
      "/My Work.d",
    ],
    // Marked, but not in the list.
    [{ "tmp/odd/.project_root": "/My Work.d" }, "odd", undefined],
    [{ "history/odd/.project_root": "/My Work.d" }, "odd", "/My Work.d"],
    // The name is taken, in the list and by a folder.
    [
      {
        "projects.json": '{"projects":{"/a/my-work-d":"my-work-d"}}',
        "tmp/my-work-d-1/logs.json": "[]",
      },
      "my-work-d-2",
      "/My Work.d",
    ],
    // A name that leads elsewhere is none.
    [{ "projects.json": '{"projects":{"/My Work.d":"../../etc"}}' }, "my-work-d", "/My Work.d"],
    [{ "projects.json": "no JSON" }, "my-work-d", "/My Work.d"],
  ];
  for (const [files, folder, mark] of cases) {
    const named = Object.entries(files).map(([name, text]) => [`.gemini/${name}`, text]);
    await using home = await makeHome(Object.fromEntries(named));
    const tmp = join(home.path, ".gemini", "tmp");
    const placement = writer.place(placeOf("gemini", home.environment), {
      ...START,
      cwd: "/My Work.d",
    }, "/tmp");
    assert.equal(join(placement.path, "../.."), join(tmp, folder));
    assert.deepEqual(
      placement.beside,
      mark === undefined
        ? undefined
        : [{ path: join(tmp, folder, ".project_root"), text: "/My Work.d" }],
    );
  }
});

Deno.test("a chat's folder is that of the directory without links, and of GEMINI_CLI_HOME", async () => {
  await withLink((link, real) => {
    const variable = (name: string): string | undefined =>
      name === "GEMINI_CLI_HOME" ? "/home/b" : undefined;
    const environment = { ...NOWHERE, variable };
    const place = placeOf("gemini", environment);
    assert.equal(place.folder, "/home/b/.gemini");
    const { beside } = writer.place(place, { ...START, cwd: link }, "/tmp");
    assert.deepEqual(beside, [{ path: "/home/b/.gemini/tmp/real-d/.project_root", text: real }]);
  });
});

Deno.test("a prompt that the client would not send is guarded, and read without its guard", async () => {
  const texts = ["/help", "  /tmp/x", "\n?", "<session_context>x", "\u200b/a", "\u200b\u200b ?"];
  const others = [prompt(IMAGE), prompt(IMAGE, said("/a")), prompt(said("a/"))];
  const messages = [...texts.map((text) => prompt(said(text))), ...others];
  const records = await recordsWritten(writer, messages);
  const first = records.slice(1).map(({ content }) => (content as Fields[])[0]?.text);
  // To the client, one that begins with an image begins with its name.
  assert.deepEqual(first, [...texts.map((text) => `\u200b${text}`), undefined, undefined, "a/"]);
  await assertReadBack(geminiAgent, messages);
});

Deno.test("whatever a prompt says, its guard is taken off exactly", () => {
  const piece = fc.constantFrom("\u200b", "/", "?", " ", "\n", "<session_context>", "a", "");
  const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
  const part = fc.oneof(
    text.filter((one) => one !== "").map((one) => ({ text: one })),
    fc.constant({ inlineData: {} }),
  );
  fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), (parts) => {
    const guarded = guardedPrompt(parts);
    // What the client looks at: its `partListUnionToString`.
    const words = guarded.map((one) => "text" in one ? one.text : "[Image]").join("").trim();
    assert.doesNotMatch(words, /^(?:[/?]|<session_context>)/);
    assert.deepEqual(unguardedPrompt(guarded), parts);
  }));
});

Deno.test("in a chat of the client's own a zero-width space is the user's", async () => {
  const head = { sessionId: START.id, projectHash: "x", startTime: "2026-08-01T10:00:00.000Z" };
  const message = { id: "m", timestamp: head.startTime, type: "user", content: "\u200b/help" };
  const lines = [head, message].map((record) => `${JSON.stringify(record)}\n`).join("");
  await using home = await makeHome({ ".gemini/tmp/w/chats/session-1.jsonl": lines });
  const [session] = await locateAll(geminiAgent, home.environment);
  assert.ok(session !== undefined);
  assert.deepEqual(await readItems(geminiAgent, session), ["user: \u200b/help"]);
});

const CALLS = [
  call(writer, "run_shell_command", { input: { command: "ls" }, output: [said("a")] }),
  call(writer, "look", { output: [said("cut"), IMAGE], status: "interrupted" }),
];

Deno.test("calls and results are contents as they are sent, and calls are shown beside", async () => {
  const recordsOfAnswer = async (text: string): Promise<Fields[]> =>
    (await recordsWritten(writer, [prompt(said("hi")), answer(text, CALLS)])).slice(2);
  const [record, results] = await recordsOfAnswer("so");
  const [first, second] = CALLS;
  assert.deepEqual([record?.type, record?.displayContent], ["gemini", "so"]);
  assert.deepEqual(record?.content, [
    { text: "so" },
    { functionCall: { id: first?.id, name: "run_shell_command", args: { command: "ls" } } },
    { functionCall: { id: second?.id, name: "look", args: {} } },
  ]);
  const [one, two] = record?.toolCalls as Fields[];
  assert.deepEqual(one, {
    id: `${first?.id}_shown`,
    name: "run_shell_command",
    args: { command: "ls" },
    status: "success",
    timestamp: "2026-08-01T10:00:00.001Z",
    resultDisplay: "a",
    description: "ls",
    displayName: "run_shell_command",
    renderOutputAsMarkdown: false,
    reprise: { from: "codex:1", calls: { [String(first?.id)]: first?.original } },
  });
  assert.deepEqual([two?.id, two?.status], [`${second?.id}_shown`, "error"]);
  const image = IMAGE.type === "image" ? { mimeType: "image/png", data: IMAGE.data } : {};
  const response = { output: "a" };
  assert.deepEqual([results?.type, results?.content, results?.displayContent], ["user", [
    { functionResponse: { id: first?.id, name: "run_shell_command", response } },
    { functionResponse: { id: second?.id, name: "look", response: { error: "cut" } } },
    { inlineData: image },
  ], " "]);
  const [silent] = await recordsOfAnswer("");
  assert.equal(silent?.displayContent, " ");
});

Deno.test("blank texts that hide contents on the screen are no events", async () => {
  await using made = await written(geminiAgent, () => [prompt(said("hi")), answer("", CALLS)]);
  const { events } = await readAll(geminiAgent, made.session);
  assert.deepEqual(events.map(({ kind }) => kind), [
    ...["session_started", "user_message", "assistant_message"],
    ...["bash_start", "bash_end", "tool_end"],
  ]);
});

/** What version 0.61 writes when it goes on: all messages anew, with their contents as parts. */
function resumed(text: string): string {
  const messages = recordsOf(text).slice(1).map((message) =>
    typeof message.content === "string"
      ? { ...message, content: [{ text: message.content }] }
      : message
  );
  return `${JSON.stringify({ $set: { messages } })}\n`;
}

Deno.test("a chat that the client went on with reads as before", async () => {
  const messages = nastyMessages(writer);
  await using made = await written(geminiAgent, () => messages);
  const before = await readItems(geminiAgent, made.session);
  Deno.writeTextFileSync(made.placement.path, resumed(made.text), { append: true });
  // The client does not keep numbers as they were written.
  const numbers = (item: string): string => item.replace(/\{"id":.*/, "");
  const after = await readItems(geminiAgent, made.session);
  assert.deepEqual(after.map(numbers), before.map(numbers));
});
