import assert from "node:assert/strict";
import { vscodeAgent, vscodeFormat } from "../../../lib/agents/vscode/vscode_agent.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { contentText } from "../../../lib/event/message.ts";
import { loadLocator } from "../../../lib/library/locators.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import { Reading } from "../_reading.ts";
import { codesOf, makeHome, payloadsOf } from "../../_support/agent_contract.ts";

const vscode = new Reading(vscodeAgent, { format: vscodeFormat });

const LOG = "5c0ffee0-0000-4000-8000-000000000001.jsonl";
const DOCUMENT = "5c0ffee0-0000-4000-8000-000000000002.json";
const STORAGE = ".vscode-server/data/User/workspaceStorage";
const OTHER = `${STORAGE}/fedcba9876543210fedcba9876543210`;
const WORKSPACE = `${STORAGE}/0123456789abcdef0123456789abcdef`;

const HOME = {
  files: {
    ...vscode.placed(`${WORKSPACE}/chatSessions`, "", LOG),
    ...vscode.placed(`${OTHER}/chatSessions`, "", DOCUMENT),
    [`${WORKSPACE}/workspace.json`]: '{"folder":"file:///home/dev/my-app"}',
    // A log took the place of this document.
    [`${WORKSPACE}/chatSessions/${LOG.replace(".jsonl", ".json")}`]: "{}",
    [`${WORKSPACE}/state.vscdb`]: "",
    [`${OTHER}/workspace.json`]: '{"folder":"vscode-remote://wsl%2Bubuntu/home/dev/other"}',
  },
  ids: [LOG.replace(".jsonl", ""), DOCUMENT.replace(".json", "")],
  cwd: "/home/dev/my-app",
};

vscode.testContract("vscode", HOME);
vscode.testContract("vscode document", {
  ...HOME,
  id: DOCUMENT.replace(".json", ""),
  all_or_nothing: true,
});

for (const [name, file] of [["log", LOG], ["document", DOCUMENT]] as const) {
  Deno.test(`each part of a ${name} of VS Code becomes what it says`, async () => {
    await vscode.assertGolden(file, name);
  });
}

Deno.test("VS Code goes on from a summary, without what was taken back", async () => {
  assert.deepEqual(await vscode.said(LOG), [
    ["user", "<conversation-summary>\nWe mended the retry loop.\n</conversation-summary>"],
    ["assistant", "It stops after five attempts."],
    ["user", "Delete everything"],
    ["assistant", "I beg your pardon?"],
  ]);
});

Deno.test("edited prompts, undone requests and subagents of VS Code are threads", async () => {
  const one = await vscode.session(LOG);
  const threads = await vscodeAgent.open(one).threads();
  assert.deepEqual(threads.map(({ id, kind, title }) => [id, kind, title]), [
    ["main", "main", undefined],
    ["request_2", "replaced", "Explain it in French"],
    ["request_5", "replaced", "Never mind"],
    ["call_6", "subagent", "Find who calls retry"],
  ]);
  const edited = await vscode.read(one, { thread: "request_2" });
  const prompts = payloadsOf(edited.events, "user_message").map(({ content }) =>
    contentText(content)
  );
  assert.equal(prompts.length, 2);
  assert.equal(prompts[1], "Explain it in French");
  const { events } = await vscode.read(one, { thread: "call_6" });
  assert.deepEqual(payloadsOf(events, "tool_end").map(({ output }) => output), [
    "Searched for retry",
  ]);
});

Deno.test("VS Code's choice of a model is shown in both its forms, and kept in others", async () => {
  const document = JSON.parse(vscode.text(DOCUMENT));
  document.requests[0].response = [
    { kind: "autoModeResolution", resolved: { id: "m-1", name: "Model 1" } },
    { kind: "autoModeResolution", resolvedModel: "m-2", resolvedModelName: "Model 2" },
    { kind: "autoModeResolution", route: 3 },
  ];
  await using home = await makeHome({ [`chatSessions/${DOCUMENT}`]: JSON.stringify(document) });
  const one = await vscode.onlyIn(home, "chatSessions", DOCUMENT);
  const { events } = await vscode.read(one);
  const chosen = payloadsOf(events, "notice").filter(({ title }) => title === "model");
  assert.deepEqual(chosen.map(({ text }) => text), ["Model 1", "Model 2"]);
  const kept = payloadsOf(events, "extension").filter(({ type }) => type === "autoModeResolution");
  assert.deepEqual(kept.map(({ data }) => data), [{ kind: "autoModeResolution", route: 3 }]);
});

Deno.test("tokens of VS Code count once: totals by model, or those of the last request", async () => {
  const responses = (await Array.fromAsync(vscodeAgent.open(await vscode.session(LOG)).usage()))
    .flat();
  const told = responses.filter(({ usage }) => Object.keys(usage).length > 0);
  assert.deepEqual(told.map(({ model, usage, thread }) => [model, usage.output, thread]), [
    ["gpt-5.6-luna", 170, undefined],
    ["auto", 20, undefined],
    ["gpt-5.6-luna", 30, "request_2"],
    ["gpt-5.6-mini", 5, "request_2"],
  ]);
  assert.deepEqual(told[2]?.usage, { input: 1000, output: 30, cache_read: 4000, cache_write: 0 });
});

Deno.test("edits of VS Code are found: of calls, and those that no call asked for", async () => {
  const changes = async (name: string): Promise<unknown[]> =>
    (await readEdits(await vscode.session(name))).map(({ path, change, prompt }) => [
      ...[path, change.kind, prompt?.text],
    ]);
  assert.deepEqual(await changes(LOG), [
    ["/home/dev/my-app/retry.ts", "replacements", "Mend the retry loop"],
  ]);
  assert.deepEqual(await changes(DOCUMENT), [
    ["/home/dev/my-app/haiku.txt", "blocks", "Write a haiku to haiku.txt"],
  ]);
});

Deno.test("chats of VS Code are found in workspaces and empty windows, each once", async () => {
  const user = ".config/VSCodium/User";
  await using home = await makeHome({
    [`${user}/workspaceStorage/a/workspace.json`]:
      '{"workspace":"file:///home/dev/a%20b.code-workspace"}',
    [`${user}/workspaceStorage/a/chatSessions/${LOG}`]: vscode.fixture(LOG),
    [`${user}/workspaceStorage/a/chatSessions/${LOG.slice(0, -1)}`]: "{}",
    [`${user}/globalStorage/emptyWindowChatSessions/${DOCUMENT}`]: vscode.fixture(DOCUMENT),
  });
  const { locate } = await loadLocator("vscode");
  const environment = { ...home.environment, os: "linux" };
  const found = await Array.fromAsync(locate(environment));
  assert.deepEqual(found.map(({ path, cwd }) => [path.split(/[\\/]/).at(-1), cwd]), [
    [LOG, "/home/dev"],
    [DOCUMENT, undefined],
  ]);
});

Deno.test("a chat of VS Code in which nothing was asked has no row", async () => {
  const head = vscode.text(LOG).split("\n")[0] ?? "";
  await using home = await makeHome({ "chatSessions/empty.jsonl": `${head}\n` });
  const one = await vscode.onlyIn(home, "chatSessions", "empty.jsonl");
  assert.equal(await vscode.summary(one), undefined);
  assert.equal(payloadsOf((await vscode.read(one)).events, "session_started").length, 1);
});

Deno.test("a damaged line of VS Code's log costs that line alone, and the first one the head", async () => {
  const whole = vscode.text(LOG).split("\n");
  const torn = ['{"kind":0,"v":{"ver', ...whole.slice(1, 6), whole[6]?.slice(0, 50)].join("\n");
  const odd = [
    { kind: 1, k: ["requests", 9, "result"], v: {} },
    { kind: 2, k: ["requests", 0, "response"], v: [], i: 1e9 },
    { kind: 1, k: ["requests", 0, "response", 1e9], v: {} },
    { kind: 1, k: ["__proto__", "polluted"], v: true },
    { kind: 2, k: ["requests"], v: ["no object"] },
    { kind: 2, k: ["requests", 0, "response"], v: [{ value: "Lost?" }] },
    { kind: 2, k: ["requests"], i: 0 },
  ].map((line) => JSON.stringify(line)).join("\n");
  await using home = await makeHome({ "chatSessions/torn.jsonl": `${odd}\n${torn}` });
  const one = await vscode.onlyIn(home, "chatSessions", "torn.jsonl");
  const read = await vscode.read(one);
  assert.deepEqual(codesOf(read), ["malformed-line", "torn-tail", "missing-header"]);
  assert.equal(payloadsOf(read.events, "user_message").length, 1);
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

Deno.test("VS Code has no command that resumes a chat", async () => {
  assert.equal(descriptorOf("vscode").resumeCommand(await vscode.session(LOG)), undefined);
});

Deno.test("a document of VS Code that is cut is read as far as it goes", async () => {
  const text = vscode.text(DOCUMENT);
  await using home = await makeHome({ [DOCUMENT]: text.slice(0, text.indexOf("A frog jumps")) });
  const one = await vscode.onlyIn(home, DOCUMENT);
  const read = await vscode.read(one);
  assert.deepEqual(codesOf(read), ["torn-tail"]);
  const [prompt] = payloadsOf(read.events, "user_message");
  assert.equal(prompt?.content, "Write a haiku to haiku.txt");
});

Deno.test("rounds of VS Code tell what the response does not show, the last one too", async () => {
  const rounds = [
    { response: "I look.", thinking: { text: "Where?" }, toolCalls: [{ id: "c1", name: "find" }] },
    { response: "Here it is.", thinking: { text: "There." }, toolCalls: [] },
  ];
  const shown = { kind: "toolInvocationSerialized", toolCallId: "c1", isComplete: true };
  const request = {
    ...{ requestId: "r1", message: { text: "Find it" }, response: [shown] },
    result: { metadata: { toolCallRounds: rounds } },
  };
  const chat = { sessionId: "s1", creationDate: 1789913600000, requests: [request] };
  await using home = await makeHome({ [DOCUMENT]: JSON.stringify(chat) });
  const one = await vscode.onlyIn(home, DOCUMENT);
  const texts = (await vscode.payloads(one, "assistant_message")).map(({ content }) =>
    typeof content === "string" ? content : content.map((part) => "text" in part ? part.text : "()")
  );
  assert.deepEqual(texts, [["Where?", "I look.", "()"], ["There.", "Here it is."]]);
});
