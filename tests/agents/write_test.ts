/** Sessions of agents whose writers give lines, and what of each its client needs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { autohandAgent } from "../../lib/agents/autohand/autohand_agent.ts";
import { clineAgent } from "../../lib/agents/cline/cline_agent.ts";
import { copilotAgent } from "../../lib/agents/copilot/copilot_agent.ts";
import { fenAgent } from "../../lib/agents/fen/fen_agent.ts";
import { keenAgent } from "../../lib/agents/keen/keen_agent.ts";
import { qwenAgent } from "../../lib/agents/qwen/qwen_agent.ts";
import type { HandedPart } from "../../lib/agents/contract/session_writer.ts";
import { makeHome } from "../_support/agent_contract.ts";
import { placeOf } from "../_support/agent_place.ts";
import { checkRoundTrip } from "../_support/handed_session.ts";
import { inDirectory } from "../_support/temp_directory.ts";
import {
  answer,
  BEGUN,
  call,
  IMAGE,
  joinedTexts,
  type KeptForm,
  nastyMessages,
  NOW,
  NOWHERE,
  oneText,
  prompt,
  recordsWritten,
  rowOf,
  said,
  START,
  testReadBack,
  testWriter,
  textItem,
  withLink,
  writerOf,
  written,
} from "./_written.ts";

type Fields = Record<string, unknown>;

const autohand = await writerOf(autohandAgent);
const autohandForm: KeptForm = {
  prompt: (parts) => [oneText(parts)],
  result: ({ output, original }) =>
    [original.status, ...output.length === 0 ? [] : [oneText(output)]].join(" "),
};

testWriter("a session of Autohand", autohand, { proven: false, images: [] });
testReadBack("a session of Autohand", autohandAgent, { form: autohandForm });

Deno.test("a session of Autohand is a folder with metadata beside its log", () => {
  const variable = (name: string): string | undefined =>
    name === "AUTOHAND_HOME" ? "~/elsewhere" : undefined;
  const environment = { ...NOWHERE, home: "/home/dev", variable };
  const place = placeOf("autohand", environment);
  assert.equal(place.folder, "/home/dev/elsewhere");
  assert.equal(placeOf("autohand", NOWHERE).folder, join(NOWHERE.home, ".autohand"));
  const id = autohand.newSessionId(NOW);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-1795415415250$/);
  const start = { ...START, id, from: "claude:a:b", cwd: "/home/dev/my-app" };
  const folder = join("/home/dev/elsewhere/sessions", id);
  const { path, beside = [] } = autohand.place(place, { ...start, title: "T" }, "/tmp");
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
    call(autohand, "run_command", { input: { command: "ls" }, output: [said("a")] }),
    call(autohand, "x", { status: "error" }),
  ];
  const records = await recordsWritten(autohand, [prompt(said("hi")), answer("", calls)]);
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
  const { read, write } = autohand.tools;
  assert.deepEqual(read?.input({ path: "a", limit: 3 }), { path: "a", limit: 3 });
  assert.equal(read?.input({ path: "a", offset: 3 }), undefined);
  assert.deepEqual(write?.input({ path: "a", content: "b" }), { path: "a", contents: "b" });
});

const cline = await writerOf(clineAgent);

testWriter("a session of Cline", cline);
testReadBack("a session of Cline", clineAgent, { updated_at: "2026-08-01T10:00:11.000Z" });

Deno.test("a session of Cline is a folder with a manifest that names the chosen model", async () => {
  const settings = { lastUsedProvider: "anthropic" };
  const providers = { anthropic: { settings: { model: "claude-opus-4-5" } } };
  await using home = await makeHome({
    ".cline/data/settings/providers.json": JSON.stringify({ ...settings, providers }),
  });
  const id = cline.newSessionId(NOW);
  assert.match(id, /^1795415415250_[0-9a-f]{5}$/);
  const place = placeOf("cline", home.environment);
  const placed = cline.place(place, { ...START, id, title: "T" }, "/tmp");
  const folder = join(home.path, ".cline/data/sessions", id);
  assert.equal(placed.path, join(folder, `${id}.messages.json`));
  assert.deepEqual(placed.prepare, [["cline", "history", "--json", "--limit", "1"]]);
  const [manifest] = placed.beside ?? [];
  assert.equal(manifest?.path, join(folder, `${id}.json`));
  const told = JSON.parse(manifest?.text ?? "");
  assert.deepEqual([told.session_id, told.provider, told.model, told.cwd, told.metadata], [
    ...[id, "anthropic", "claude-opus-4-5", "/w"],
    { title: "T", handed_over_from: "codex:1" },
  ]);
});

Deno.test("each result in a session of Cline names its tool", async () => {
  const calls = [call(cline, "find", { output: [said("a")] }), call(cline, "look")];
  const messages = [prompt(said("Look")), answer("", calls), answer("Done")];
  const session = { ...START, messages: ReadableStream.from(messages) };
  const place = placeOf("cline", { home: "/nowhere", os: "linux", variable: () => undefined });
  const text = (await Array.fromAsync(cline.write(session, place))).join("");
  const document = JSON.parse(text);
  const blocks = document.messages.flatMap(({ content }: { content: unknown[] }) => content);
  const results = blocks.filter(({ type }: { type: string }) => type === "tool_result");
  assert.deepEqual(results.map(({ name }: { name: string }) => name), ["find", "look"]);
});

const copilot = await writerOf(copilotAgent);

testWriter("a session of Copilot CLI", copilot);
testReadBack("a session of Copilot CLI", copilotAgent, {
  form: {
    prompt: (parts) => {
      const texts = parts.filter(({ type }) => type === "text").map(textItem);
      const image = parts.find((part) => part.type === "image");
      const shown = image === undefined ? [] : [`[${image.media_type} ${image.data}]`];
      return [...texts.slice(0, 1), ...shown, ...texts.slice(1)];
    },
    result: ({ original: { status }, output }) => {
      const text = output.map(textItem).join("\n");
      return [status, ...(text !== "" || status === "ok" ? [text] : ["Tool execution failed"])]
        .filter((word) => word !== "").join(" ");
    },
  },
});

inDirectory.test("a session of Copilot CLI has what is hard to carry", async (home) => {
  const { placement } = await checkRoundTrip(copilotAgent, home, {
    // An image that a call gave is named behind its text.
    fact: ([what, ...about]) =>
      what === "output image"
        ? undefined
        : about[0] === "one\ntwo"
        ? [what, "one\ntwo\n[image (image/png): not handed over]"]
        : [what, ...about],
  });
  assert.ok(placement.path.endsWith("events.jsonl"));
});

Deno.test("Copilot CLI's lists show a session by the file beside its log", () => {
  const title = 'A "title": — é\u2028';
  const { path, beside } = copilot.place(NOWHERE, { ...START, title }, "/tmp");
  const folder = join("/home/nobody/agent/session-state", START.id);
  assert.equal(path, join(folder, "events.jsonl"));
  assert.deepEqual(beside, [{
    path: join(folder, "workspace.yaml"),
    text: `id: ${START.id}
cwd: "/w"
name: "A \\"title\\": — é\\u2028"
user_named: true
summary_count: 0
created_at: 2026-08-01T10:00:00.000Z
updated_at: 2026-11-23T06:30:15.250Z
`,
  }]);
  const [untitled] = copilot.place(NOWHERE, START, "/tmp").beside ?? [];
  assert.doesNotMatch(untitled?.text ?? "", /name/);
});

Deno.test("a prompt of Copilot CLI has one text, and images behind it", async () => {
  const image = { type: "blob", data: (IMAGE as { data: string }).data, mimeType: "image/png" };
  const sentOf = async (...parts: HandedPart[]): Promise<unknown[]> =>
    (await recordsWritten(copilot, [prompt(...parts)])).slice(1).map(({ data }) => data);
  assert.deepEqual(await sentOf(said("a"), said("b"), IMAGE), [
    { content: "a" },
    { content: "b", attachments: [image] },
  ]);
  assert.deepEqual(await sentOf(IMAGE, said("a"), IMAGE), [
    { content: "a", attachments: [image, image] },
  ]);
  assert.deepEqual(await sentOf(IMAGE), [{ content: "", attachments: [image] }]);
});

Deno.test("all calls of an answer start in Copilot CLI before the first ends", async () => {
  const output: HandedPart[] = [said("done")];
  const calls = [call(copilot, "one", { output }), call(copilot, "two", { output })];
  const records = await recordsWritten(copilot, [prompt(said("Do")), answer("", calls)]);
  assert.deepEqual(records.map(({ type }) => type), [
    ...["session.start", "user.message", "assistant.message"],
    ...["tool.execution_start", "tool.execution_start"],
    ...["tool.execution_complete", "tool.execution_complete"],
  ]);
  const ids = records.map(({ id }) => id);
  assert.deepEqual(records.map(({ parentId }) => parentId), [null, ...ids.slice(0, -1)]);
});

Deno.test("a part of a file is a range of lines in Copilot CLI", () => {
  const { view } = { view: copilot.tools.read?.input };
  assert.deepEqual(view?.({ path: "/a" }), { path: "/a" });
  assert.deepEqual(view?.({ path: "/a", limit: 5 }), { path: "/a", view_range: [1, 5] });
  assert.deepEqual(view?.({ path: "/a", offset: 3 }), { path: "/a", view_range: [3, -1] });
  assert.deepEqual(view?.({ path: "/a", offset: 3, limit: 2 }), {
    ...{ path: "/a", view_range: [3, 4] },
  });
});

const fen = await writerOf(fenAgent);
const fenForm: KeptForm = {
  prompt: (parts) => parts.map(textItem),
  // fen tells a failure from a success alone.
  result: ({ output, failed }) =>
    [failed ? "error" : "ok", ...output.length === 0 ? [] : [oneText(output)]].join(" "),
};

testWriter("a session of fen", fen, { proven: false, images: [] });
testReadBack("a session of fen", fenAgent, {
  form: fenForm,
  title: (row) => row.first_user_message,
});

Deno.test("a session of fen lies in the folder of its directory", () => {
  const variable = (name: string): string | undefined =>
    name === "XDG_STATE_HOME" ? "/state" : undefined;
  const environment = { ...NOWHERE, variable };
  const place = placeOf("fen", environment);
  assert.equal(place.folder, join("/state", "fen"));
  assert.equal(placeOf("fen", NOWHERE).folder, join(NOWHERE.home, ".local", "state", "fen"));
  const id = fen.newSessionId(NOW);
  const start = { ...START, id, cwd: "/no/such-folder" };
  assert.deepEqual(fen.place(place, start, "/tmp"), {
    path: join("/state/fen/sessions/--no-such-folder--", `2026-08-01T10-00-00_${id}.jsonl`),
  });
});

Deno.test("fen takes a session of its directory without links", async () => {
  await withLink(async (link, real) => {
    const start = { ...START, cwd: link };
    assert.match(fen.place(NOWHERE, start, "/tmp").path, /-real\.d--[\\/]2026-/);
    assert.equal((await recordsWritten(fen, [], start))[0]?.cwd, real);
  });
});

Deno.test("entries of fen follow each other, and each result is one", async () => {
  const calls = [
    call(fen, "bash", { input: { cmd: "ls" }, output: [said("a")] }),
    call(fen, "x", { status: "error" }),
  ];
  const records = await recordsWritten(fen, [
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
  const { bash, edit } = fen.tools;
  assert.deepEqual(bash?.input({ command: "ls", description: "Lists" }), { cmd: "ls" });
  const change = { path: "a", old_text: "b", new_text: "c" };
  const edits = [{ old_string: "b", new_string: "c" }];
  assert.deepEqual(edit?.input(change), { path: "a", edits });
  assert.equal(edit?.input({ ...change, all: true }), undefined);
});

const keen = await writerOf(keenAgent);
const keenForm: KeptForm = {
  prompt: (parts) => [oneText(parts)],
  // Keen sends what a call gave as JSON, and tells a failure from a success alone.
  result: ({ output, failed }) => {
    const status = failed ? "error" : "ok";
    const ended = failed ? "error" : "success";
    const given = output.length === 0 ? { status: ended } : oneText(output);
    return `${status} ${JSON.stringify(given)}`;
  },
};

testWriter("a session of Keen Code", keen, { proven: false, images: [] });
testReadBack("a session of Keen Code", keenAgent, {
  form: keenForm,
  title: (row) => row.last_user_message,
});

Deno.test("a session of Keen Code lies in the namespace of its directory", () => {
  const environment = { ...NOWHERE, home: "/home/dev" };
  const root = placeOf("keen", environment);
  assert.equal(root.folder, join("/home/dev", ".keen"));
  const id = keen.newSessionId(NOW);
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const place = (cwd: string): string => keen.place(root, { ...START, id, cwd }, "/tmp").path;
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
    call(keen, "bash", {
      input: { command: "ls", summary: "Lists", isDangerous: false },
      output: [said("a")],
    }),
    call(keen, "read_file", { input: { path: "a" }, output: [said("no")], status: "error" }),
    call(keen, "x", { status: "interrupted" }),
  ];
  const records = await recordsWritten(keen, [
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

const qwen = await writerOf(qwenAgent);

testWriter("a session of Qwen Code", qwen);
testReadBack("a session of Qwen Code", qwenAgent, { form: { prompt: joinedTexts } });

Deno.test("a session of Qwen Code without a title is listed by its first prompt", async () => {
  await using untitled = await written(qwenAgent, nastyMessages);
  const row = await rowOf(qwenAgent, untitled.session);
  assert.match(String(row.title), /^The conversation before was compacted/);
});

Deno.test("a session of Qwen Code lies in the folder of the directory without links", async () => {
  await withLink(async (link, real) => {
    const variables = new Map([["QWEN_HOME", "~/q"]]);
    const environment = {
      ...NOWHERE,
      home: "/home/a",
      variable: (name: string) => variables.get(name),
    };
    const place = placeOf("qwen", environment);
    assert.equal(place.folder, "/home/a/q");
    const slug = real.replaceAll(/[^A-Za-z0-9]/g, "-");
    const start = { ...START, cwd: link };
    assert.deepEqual(qwen.place(place, start, "/tmp"), {
      path: `/home/a/q/projects/${slug}/chats/${START.id}.jsonl`,
    });
    // The client refuses a session whose records name another directory than its own.
    const [record] = await recordsWritten(qwen, [prompt(said("hi"))], start);
    assert.equal(record?.cwd, real);
    variables.set("QWEN_RUNTIME_DIR", "/run/q");
    assert.equal(placeOf("qwen", environment).folder, "/run/q");
  });
});

Deno.test("records follow each other; each result is one, and the title is the last", async () => {
  const calls = [
    call(qwen, "run_shell_command", { input: { command: "ls" }, output: [said("a")] }),
    call(qwen, "look", { output: [said("cut"), IMAGE], status: "interrupted" }),
  ];
  const messages = [prompt(said("hi")), answer("so", calls)];
  const records = await recordsWritten(qwen, messages, { title: "The title" });
  let parent: unknown = null;
  for (const { uuid, parentUuid, sessionId, cwd, version } of records) {
    assert.equal(parentUuid, parent);
    parent = uuid;
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.deepEqual([sessionId, cwd, version], [START.id, "/w", "0.24.4"]);
  }
  const [asked, answered, one, two, title] = records;
  const [first, second] = calls;
  assert.deepEqual([asked?.type, asked?.message], ["user", {
    role: "user",
    parts: [{ text: "hi" }],
  }]);
  assert.equal(answered?.type, "assistant");
  assert.deepEqual((answered?.message as Fields).parts, [
    { text: "so" },
    { functionCall: { id: first?.id, name: "run_shell_command", args: { command: "ls" } } },
    { functionCall: { id: second?.id, name: "look", args: {} } },
  ]);
  assert.deepEqual(answered?.reprise, {
    from: "codex:1",
    calls: { [String(first?.id)]: first?.original, [String(second?.id)]: second?.original },
  });
  assert.equal(one?.type, "tool_result");
  const given = { id: first?.id, name: "run_shell_command", response: { output: "a" } };
  assert.deepEqual(one?.message, { role: "user", parts: [{ functionResponse: given }] });
  assert.deepEqual(one?.toolCallResult, {
    callId: first?.id,
    status: "success",
    resultDisplay: "a",
  });
  const image = IMAGE.type === "image" ? { mimeType: "image/png", data: IMAGE.data } : {};
  const shown = {
    id: second?.id,
    name: "look",
    response: { error: "cut" },
    parts: [{ inlineData: image }],
  };
  assert.deepEqual(two?.message, { role: "user", parts: [{ functionResponse: shown }] });
  assert.deepEqual([title?.type, title?.subtype, title?.systemPayload, title?.timestamp], [
    "system",
    "custom_title",
    { customTitle: "The title", titleSource: "manual" },
    "2026-11-23T06:30:15.250Z",
  ]);
});
