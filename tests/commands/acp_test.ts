import assert from "node:assert/strict";
import { join } from "node:path";
import type { SessionUpdate } from "npm:@agentclientprotocol/sdk@2.4.0";
import { AcpClient, textOf } from "../_support/acp_client.ts";
import { furnishEditorHome, OTHER_FOLDERS, OTHERS } from "../_support/acp_home.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome, inHome, sessionId, testsAtHome } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { needing, UNIX } from "../_support/needing.ts";

const onUnix = testsAtHome(UNIX);

// Slow: the editor and the program talk step by step.
inHome.test("an editor goes through a session's whole life", async (home) => {
  let id = "";
  {
    await using editor = new AcpClient(home, {
      before: [],
      permit: ({ toolCall }) => toolCall.title === "touch made" ? "yes" : "no",
    });
    const told = await editor.initialize();
    assert.equal(told.protocolVersion, 1);
    // Whatever is declared, editors offer.
    assert.deepEqual(told.agentCapabilities, {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      promptCapabilities: { embeddedContext: true, image: false, audio: false },
      mcpCapabilities: { http: false, sse: false },
    });
    assert.deepEqual(told.authMethods, []);
    id = await editor.create(home.work);
    const { stop, updates } = await editor.prompt(id, "Hello");
    assert.equal(stop, "end_turn");
    assert.equal(textOf(updates, "agent_message_chunk"), "You said: Hello");
    assert.ok(
      updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk").length > 1,
    );
    assert.deepEqual(updates.at(-1)?._meta, { "reprise/ref": id });
    const { updates: wrote } = await editor.prompt(id, "write note.txt hi");
    assert.equal(await Deno.readTextFile(join(home.work, "note.txt")), "hi\n");
    const [call] = wrote.filter(({ sessionUpdate }) => sessionUpdate === "tool_call");
    assert.ok(call?.sessionUpdate === "tool_call");
    assert.deepEqual([call.kind, call.status], ["edit", "pending"]);
    assert.deepEqual(call.locations, [{ path: join(home.work, "note.txt") }]);
    const ends = wrote.filter((update) =>
      update.sessionUpdate === "tool_call_update" && update.toolCallId === call.toolCallId
    );
    assert.ok(JSON.stringify(ends.at(-1)).includes('"type":"diff"'), JSON.stringify(ends));
    // Allowed, then refused.
    await editor.prompt(id, "run touch made");
    assert.ok((await Deno.stat(join(home.work, "made"))).isFile);
    const { updates: refused } = await editor.prompt(id, "run touch never");
    assert.deepEqual(editor.asked.map(({ toolCall }) => toolCall.title), [
      ...["touch made", "touch never"],
    ]);
    assert.ok(
      refused.some((one) => one.sessionUpdate === "tool_call_update" && one.status === "failed"),
    );
    await assert.rejects(Deno.stat(join(home.work, "never")));
    assert.equal(await editor.hangUp(), 0);
  }
  await using editor = new AcpClient(home);
  await editor.initialize();
  const [[row, ...others] = []] = await editor.list(home.work);
  assert.deepEqual([row?.sessionId, row?.title, others.length], [id, "Hello", 0]);
  const shown = await editor.load(id, home.work);
  assert.match(textOf(shown, "user_message_chunk"), /^Hello/);
  assert.match(textOf(shown, "agent_message_chunk"), /You said: Hello/);
  const { updates } = await editor.prompt(id, "again");
  assert.equal(textOf(updates, "agent_message_chunk"), "You said: again");
  await editor.agent.request("session/close", { sessionId: id });
  await editor.agent.request("session/delete", { sessionId: id });
  assert.deepEqual(await editor.list(), [[]]);
  const { stdout } = await home.run(["trash", "list", "--json"]);
  assert.ok(stdout.includes(id));
});

/** Returns the facts that `show --json` and a replay share: speakers, and the status of calls. */
function toldBy(items: readonly Record<string, unknown>[]): string[] {
  return items.flatMap((item) => {
    if (item["type"] === "message") return [`${item["role"]}: ${textIn(item["content"])}`];
    if (item["type"] === "reasoning") return [`thought: ${item["text"]}`];
    if (item["type"] !== "tool" && item["type"] !== "bash") return [];
    const end = item["status"] === "ok" ? "completed" : "failed";
    return [`${item["seq"]}:${item["call_id"]} ${end}`];
  });
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as { type: string; text?: string }[]).flatMap(({ type, text }) =>
    type === "text" ? [text ?? ""] : []
  ).join("\n\n");
}

const SPEAKERS: Record<string, string> = {
  user_message_chunk: "user",
  agent_message_chunk: "assistant",
  agent_thought_chunk: "thought",
};

function toldByUpdates(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) => {
    if (update.sessionUpdate === "tool_call") {
      return [`${update.toolCallId.replace(/^m/, "")} ${update.status}`];
    }
    const who = SPEAKERS[update.sessionUpdate];
    if (who === undefined || !("content" in update)) return [];
    const { content } = update as { content: { type: string; text?: string } };
    return content.text?.startsWith("[") ? [] : [`${who}: ${content.text}`];
  });
}

inHome.test("a replay tells what show --json does, of our session and of others", async (home) => {
  const own = furnishEditorHome(home);
  await using editor = new AcpClient(home);
  await editor.initialize();
  const [rows = []] = await editor.list();
  assert.deepEqual(
    rows.map(({ sessionId }) => sessionId).sort(),
    [own.id, OTHERS.claude, OTHERS.codex].sort(),
  );
  const claude = rows.find(({ sessionId }) => sessionId === OTHERS.claude);
  assert.deepEqual([claude?.title, claude?._meta?.["reprise/agent"]], [
    ...["[claude] Bug hunt", "claude"],
  ]);
  for (const id of [own.id, OTHERS.claude, OTHERS.codex]) {
    const { stdout } = await home.run(["show", id, "--json"]);
    const updates = await editor.load(id, home.work);
    assert.deepEqual(toldByUpdates(updates), toldBy(jsonLines(stdout)), id);
    const calls = updates.flatMap((update) => update.sessionUpdate === "tool_call" ? [update] : []);
    assert.ok(calls.length > 0 && calls.every(({ kind }) => kind !== undefined), id);
  }
});

inHome.test("a session without a prompt can be loaded and resumed where it was begun, and is nowhere else", async (home) => {
  await using editor = new AcpClient(home);
  await editor.initialize();
  const id = await editor.create(home.work);
  assert.deepEqual(await editor.load(id, home.work), []);
  await editor.resume(id, home.work);
  assert.deepEqual(await editor.list(), [[]]);
  assert.equal((await editor.prompt(id, "Hello")).stop, "end_turn");
  assert.ok((await editor.load(id, home.work)).length > 1);
  const other = await editor.create(home.work);
  await editor.agent.request("session/delete", { sessionId: other });
  await assert.rejects(editor.load(other, home.work), { code: -32002 });
});

inHome.test("another agent's session goes on in its import, under the same id in each process", async (home) => {
  furnishEditorHome(home);
  const folders = OTHER_FOLDERS.map((name) => join(home.path, name));
  const before = folders.map(snapshot);
  let own = "";
  {
    await using editor = new AcpClient(home);
    await editor.initialize();
    await editor.resume(OTHERS.claude, home.work);
    const { stop, updates } = await editor.prompt(OTHERS.claude, "And now?");
    assert.equal(stop, "end_turn");
    const told = updates.at(-1);
    assert.ok(told?.sessionUpdate === "session_info_update");
    own = String(told._meta?.["reprise/ref"]);
    assert.match(own, /^[0-9a-f-]{36}$/);
  }
  await using editor = new AcpClient(home);
  await editor.initialize();
  const shown = await editor.load(OTHERS.claude, home.work);
  assert.match(textOf(shown, "user_message_chunk"), /^Fix the bug.*And now\?/s);
  const { updates } = await editor.prompt(OTHERS.claude, "Still here?");
  assert.deepEqual(updates.at(-1)?._meta, { "reprise/ref": own });
  await assert.rejects(
    editor.agent.request("session/delete", { sessionId: OTHERS.claude }),
    (error: { code: number; message: string }) =>
      error.code === -32602 &&
      /to hide the session from lists: reprise archive/.test(error.message),
  );
  assert.deepEqual(folders.map(snapshot), before);
});

// Slow: three pages hold 201 sessions.
inHome.test("pages of 100 hold each session once, and a cursor is of its list alone", async (home) => {
  for (let count = 0; count < 201; count++) {
    home.keep(sessionId(count.toString(16).padStart(8, "0")), [user(`Task ${count}`)]);
  }
  await using editor = new AcpClient(home);
  await editor.initialize();
  const pages = await editor.list();
  assert.deepEqual(pages.map((page) => page.length), [100, 100, 1]);
  assert.deepEqual(pages.flat().map(({ title }) => title).slice(0, 2), ["Task 200", "Task 199"]);
  assert.equal(new Set(pages.flat().map(({ sessionId }) => sessionId)).size, 201);
  assert.deepEqual(await editor.list(home.path).then((pages) => pages.flat().length), 201);
  assert.deepEqual(await editor.list("/nowhere"), [[]]);
  const { nextCursor = "" } = await editor.agent.request("session/list", {});
  const wrong = [
    { cursor: nextCursor, cwd: home.work },
    { cursor: "no cursor" },
    { cursor: "" },
    { cwd: "relative" },
  ];
  for (const params of wrong) {
    await assert.rejects(editor.agent.request("session/list", params), { code: -32602 });
  }
});

inHome.test("a cancelled prompt stops at once, and the chat goes on", async (home) => {
  await using editor = new AcpClient(home);
  await editor.initialize();
  const id = await editor.create(home.work);
  const prompt = editor.prompt(id, "long 400");
  await editor.until(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  await assert.rejects(editor.prompt(id, "me too"), { code: -32600 });
  await editor.cancel(id);
  assert.equal((await prompt).stop, "cancelled");
  // While the user is asked, too.
  await using other = new AcpClient(home, { permit: () => new Promise(() => {}) });
  await other.initialize();
  const asking = await other.create(home.work);
  const waits = other.prompt(asking, "run sleep 60");
  await other.until(({ sessionUpdate }) => sessionUpdate === "tool_call");
  await other.cancel(asking);
  assert.equal((await waits).stop, "cancelled");
  assert.equal((await editor.prompt(id, "Hello")).stop, "end_turn");
});

inHome.test("a client that hangs up in mid-prompt leaves a whole log that says so", async (home) => {
  const editor = new AcpClient(home);
  await editor.initialize();
  const id = await editor.create(home.work);
  const prompt = editor.prompt(id, "long 400").catch(() => "gone");
  await editor.until(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  assert.equal(await editor.hangUp(), 0);
  assert.equal(await prompt, "gone");
  const { stdout } = await home.succeed(["show", id, "--json"]);
  const items = jsonLines(stdout);
  assert.ok(items.some(({ interrupted }) => interrupted === true), stdout);
  assert.deepEqual([items.at(-1)?.["type"], items.at(-1)?.["status"]], ["closed", "failed"]);
  assert.equal((await home.run(["doctor", id])).status, 0);
});

// Slow: the editor and the program talk step by step.
inHome.test("a session that another process holds is not forked without a word", async (home) => {
  const [editor, other] = [new AcpClient(home, { before: [] }), new AcpClient(home)];
  await Promise.all([editor.initialize(), other.initialize()]);
  const id = await editor.create(home.work);
  await editor.prompt(id, "Hello");
  await other.resume(id, home.work);
  await assert.rejects(
    other.prompt(id, "mine"),
    ({ message }: Error) =>
      message.includes(`process ${editor.child.pid} on`) && message.includes(`reprise fork ${id}`),
  );
  await editor.agent.request("session/close", { sessionId: id });
  assert.equal((await other.prompt(id, "mine now")).stop, "end_turn");
  await Promise.all([editor.hangUp(), other.hangUp()]);
});

inHome.test("a list without a directory has the sessions of this project alone", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), [user("Here")]);
  const other = join(home.path, "other");
  const elsewhere = home.keep(sessionId("bbbb"), [user("Elsewhere")], { cwd: other }).id;
  await using editor = new AcpClient(home);
  await editor.initialize();
  assert.deepEqual((await editor.list()).flat().map(({ sessionId }) => sessionId), [id]);
  assert.equal((await editor.list(other))[0]?.[0]?.sessionId, elsewhere);
});

inHome.test("a session is named by its whole id alone", async (home) => {
  const { id } = furnishEditorHome(home);
  await using editor = new AcpClient(home);
  await editor.initialize();
  const rows = (await editor.list()).flat();
  for (const { sessionId } of rows) {
    await assert.rejects(editor.load(sessionId.slice(0, -1), home.work), /Cannot find session/);
  }
  assert.ok(rows.some(({ sessionId }) => sessionId.startsWith("claude:")), id);
});

inHome.test("without a model sessions are listed and shown, and a prompt says how to set one", async (home) => {
  const { id } = furnishEditorHome(home);
  const nowhere = { OLLAMA_HOST: "127.0.0.1:9" };
  await using editor = new AcpClient(home, { args: [], env: nowhere });
  await editor.initialize();
  assert.equal((await editor.list()).flat().length, 3);
  assert.ok((await editor.load(id, home.work)).length > 3);
  await assert.rejects(
    editor.prompt(id, "Hello"),
    ({ message }: Error) => /none is configured/.test(message) && /OPENAI_API_KEY/.test(message),
  );
  const fresh = await editor.create(home.work);
  await assert.rejects(editor.prompt(fresh, "Hello"), /none is configured/);
  await using failing = new AcpClient(home);
  await failing.initialize();
  await failing.resume(id, home.work);
  await assert.rejects(
    failing.prompt(id, "fail refused"),
    /The model that the test script plays failed: refused/,
  );
});

// Slow: the editor and the program talk step by step.
inHome.test("a question says why it asks, and always holds for the session alone", async (home) => {
  await using editor = new AcpClient(home, { permit: () => "always" });
  await editor.initialize();
  const [one, other] = [await editor.create(home.work), await editor.create(home.work)];
  for (const id of [one, one, other]) await editor.prompt(id, "run true");
  await editor.prompt(one, `write ${home.path}/out.txt hi`);
  const why = editor.asked.map(({ sessionId, toolCall, options }) => {
    const names = options.map(({ name }) => name);
    return [
      sessionId === one,
      JSON.stringify(toolCall.content).match(/This call [^"]*/)?.[0],
      names[1],
    ];
  });
  assert.deepEqual(why, [
    [true, "This call runs a command.", "Always allow bash in this session"],
    [false, "This call runs a command.", "Always allow bash in this session"],
    [
      true,
      "This call writes a file outside the working directory.",
      "Always allow write in this session",
    ],
  ]);
  // What the editor answers otherwise is no leave.
  await using odd = new AcpClient(home, { permit: () => "sure" });
  await odd.initialize();
  const { updates } = await odd.prompt(await odd.create(home.work), "run touch odd");
  assert.match(textOf(updates, "agent_message_chunk"), /ended as skipped/);
});

// Slow: the editor and the program talk step by step.
Deno.test(needing("a signal interrupts what runs, and closes the log", UNIX), async () => {
  await using home = new CliHome();
  const editor = new AcpClient(home, { before: [] });
  await editor.initialize();
  const id = await editor.create(home.work);
  const prompt = editor.prompt(id, "run sleep 60").catch(() => "gone");
  await editor.until((update) =>
    update.sessionUpdate === "tool_call_update" && update.status === "in_progress"
  );
  editor.child.kill("SIGTERM");
  assert.equal((await editor.child.status).code, 143);
  await prompt;
  const { stdout } = await home.run(["show", id, "--json"]);
  const items = jsonLines(stdout);
  assert.ok(items.some(({ type, status }) => type === "bash" && status === "interrupted"), stdout);
  assert.equal(items.at(-1)?.["status"], "failed");
  await editor.hangUp();
});

inHome.test("a directory that is not there is no reason to fail", async (home) => {
  await using editor = new AcpClient(home);
  await editor.initialize();
  const gone = join(home.path, "gone");
  const id = await editor.create(gone);
  assert.equal((await editor.prompt(id, "Hello")).stop, "end_turn");
  assert.deepEqual((await editor.list(gone)).flat().map(({ sessionId }) => sessionId), [id]);
});

onUnix.test("a session works in no file, and one whose directory is gone is still shown", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), [user("Hello")]);
  const file = join(home.work, "file");
  const pipe = join(home.work, "pipe");
  Deno.writeTextFileSync(file, "");
  Deno.symlinkSync(file, join(home.work, "link"));
  assert.ok(new Deno.Command("mkfifo", { args: [pipe] }).outputSync().success);
  await using editor = new AcpClient(home);
  await editor.initialize();
  const link = join(home.work, "link");
  for (const cwd of [file, link, pipe, "/dev/null"]) {
    await assert.rejects(
      editor.create(cwd),
      /Cannot use directory: cwd is a file, not a directory/,
      cwd,
    );
    await assert.rejects(
      editor.load(id, cwd),
      /Cannot use directory: cwd is a file, not a directory/,
    );
    await assert.rejects(
      editor.resume(id, cwd),
      /Cannot use directory: cwd is a file, not a directory/,
    );
  }
  const gone = join(home.path, "gone");
  assert.match(JSON.stringify(await editor.load(id, gone)), /Hello/);
  assert.notEqual(await editor.create(home.work), "");
});

inHome.test("an id is no path, no option, no beginning of one, and nothing is opened by it", async (home) => {
  const { id, path } = home.keep(sessionId("aaaa"), [user("Hello")]);
  await using editor = new AcpClient(home);
  await editor.initialize();
  const malformed = [
    ...[path, "../store", "..", "transcript_events.jsonl", "C:\\x", "-rf", "--help", "", "abc"],
    ...["nobody:1234", "a\u0000bcd"],
  ];
  const unknown = [
    ...["aaaa", `${id}#2`, `${id}~main`, `reprise:${id}`, "team:aaaa", "claude:0000"],
    sessionId("bbbb"),
  ];
  for (const sessionId of [...malformed, ...unknown]) {
    const prompt = [{ type: "text", text: "hi" }];
    const is_malformed = malformed.includes(sessionId);
    // The client takes a session that is not there for deleted, and for closed.
    for (const method of ["load", "resume", "prompt", ...is_malformed ? ["delete"] : []]) {
      await assert.rejects(
        editor.agent.request(`session/${method}`, {
          ...{ sessionId, prompt, cwd: home.work, mcpServers: [] },
        }),
        { code: method !== "prompt" && is_malformed ? -32602 : -32002 },
        `${method} ${sessionId}`,
      );
    }
  }
  assert.deepEqual((await editor.list()).flat().map(({ sessionId }) => sessionId), [id]);
});

inHome.test("a frame above 16 MiB is cut, and is no JSON", async (home) => {
  const stdin = `{"jsonrpc":"2.0","id":7,"method":"${"x".repeat(17 * 2 ** 20)}"}\n`;
  const { stdout } = await home.run(["acp", "--model", "mock"], { stdin });
  assert.match(stdout, /^.*"code":-32700.*\n$/);
});

// Slow: processes of the program start.
onUnix.test("an editor that does not read holds up nothing but itself", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), [user("Hello"), assistant("x".repeat(2e5))]);
  const params = { sessionId: id, cwd: home.work, mcpServers: [] };
  const frames = [
    { method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
    ...[1, 2, 3].map(() => ({ method: "session/load", params })),
  ].map((frame, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...frame })}\n`).join("");
  const stopped = home.start(["acp", "--model", "mock"]);
  await stopped.write(frames);
  // The first bytes of the replay: the pipe is full soon after.
  await stopped.until("session/update");
  stopped.kill("SIGINT");
  assert.equal((await stopped.end()).status, 130);
  // It reads later: nothing was lost.
  const editor = home.start(["acp", "--model", "mock"]);
  await editor.write(frames);
  await editor.endInput();
  assert.equal((await editor.end()).stdout.match(/"id":[123],"result":\{\}/g)?.length, 3);
});
