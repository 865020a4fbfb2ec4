import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { aiderAgent, aiderFormat } from "../../../lib/agents/aider/aider_agent.ts";
import type { AgentEnvironment } from "../../../lib/agents/contract/agent_environment.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { isoTime } from "../../../lib/agents/engine/events/iso_time.ts";
import { contentText } from "../../../lib/core/event/message.ts";
import { locateAll, makeHome, payloadsOf } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const aider = new Reading(aiderAgent, { format: aiderFormat });

const NAME = ".aider.chat.history.md";

async function sessions(name: string): Promise<AgentSession[]> {
  return await aiderAgent.sessionsIn(fileURLToPath(aider.fixture(name)));
}

async function said(session: AgentSession | undefined): Promise<[string, string][]> {
  const messages = await aider.messages(session);
  return messages.map(({ role, content }) => [role, contentText(content)]);
}

/** Aider's `split_chat_history_markdown`, written again from its source. */
function reference(text: string): [string, string][] {
  const messages: [string, string][] = [];
  const lines: Record<"user" | "assistant" | "tool", string> = {
    user: "",
    assistant: "",
    tool: "",
  };
  const append = (role: keyof typeof lines): void => {
    if (lines[role].trim() !== "") messages.push([role, lines[role]]);
    lines[role] = "";
  };
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (line.startsWith("# ")) continue;
    if (line.startsWith("> ")) {
      append("assistant");
      append("user");
      lines.tool += line.slice(2);
    } else if (line.startsWith("#### ")) {
      append("assistant");
      append("tool");
      lines.user += line.slice(5);
    } else {
      append("user");
      append("tool");
      lines.assistant += line;
    }
  }
  append("assistant");
  append("user");
  return messages.filter(([role]) => role !== "tool");
}

function parts(name: string): string[] {
  return aider.text(name).split(/(?=^# aider chat started at )/m);
}

/** Ids hold the digest of the file's path, which is another in each home: here they go without. */
function idOf({ id }: AgentSession): string {
  return id.replace(/-[0-9a-f]{10}(?=$|-\d+$)/, "");
}

aider.testContract("aider", {
  idOf,
  fork: null,
  files: { "shop/.aider.chat.history.md": aider.fixture("plain.md") },
  variables: { AIDER_CHAT_HISTORY_FILE: "~/shop/.aider.chat.history.md" },
  ids: ["20261009T100000", "20261010T093000"],
});

aider.testContract("aider, last session", {
  idOf,
  fork: null,
  files: { ".aider.chat.history.md": aider.fixture("plain.md") },
  ids: ["20261010T093000", "20261009T100000"],
});

Deno.test("each heading begins a session, which is what Aider's parser makes of it", async () => {
  const [, first, second] = parts("plain.md");
  const found = await sessions("plain.md");
  assert.equal(found.length, 2);
  assert.deepEqual(await said(found[0]), reference(first ?? ""));
  assert.deepEqual(await said(found[1]), reference(second ?? ""));
  assert.deepEqual((await said(found[0])).map(([role]) => role), [
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  for (const session of found) {
    const { account } = await aider.read(session);
    assert.equal(account.total, Deno.statSync(session.path).size);
    assert.ok((account.side["other sessions"] ?? 0) > 0);
  }
});

Deno.test("ids and times of sessions are those of their headings", async () => {
  const [first, second] = await sessions("plain.md");
  assert.match(first?.id ?? "", /^20261009T100000-[0-9a-f]{10}$/);
  const [started] = await aider.payloads(first, "session_started");
  assert.equal(started?.created_at, isoTime("2026-10-09T10:00:00"));
  assert.deepEqual(started?.app, { name: "aider", version: "0.86.1" });
  const summary = await aider.summary(second);
  assert.equal(summary?.updated_at, Deno.statSync(second?.path ?? "").mtime?.toISOString());
  assert.equal(summary?.title, "ünïcödé ✓");
});

Deno.test("model, tokens and cost are read from what Aider printed", async () => {
  const [first, second] = await sessions("plain.md");
  const answers = await aider.payloads(first, "assistant_message");
  assert.deepEqual(answers.map(({ model }) => model), ["claude-sonnet-4-5", "claude-sonnet-4-5"]);
  assert.deepEqual(answers[1], {
    content: "",
    model: "claude-sonnet-4-5",
    usage: { input: 600, output: 300, cache_write: 1500 },
    cost_usd: 0.01,
  });
  const [, last] = await aider.payloads(second, "assistant_message");
  assert.deepEqual([last?.model, last?.usage], ["gpt-4o", { input: 1234, output: 56 }]);
  const kept = await aider.payloads(first, "extension");
  assert.ok(JSON.stringify(kept).includes("Commit 1a2b3c4"));
});

Deno.test("an answer that was stopped is marked", async () => {
  const [first] = await sessions("plain.md");
  assert.deepEqual(await aider.payloads(first, "assistant_interrupted"), [
    { content: "\nThe tests pa\n\n", reason: "user" },
  ]);
});

Deno.test("headings, comments and quotes of the model, which Aider loses, are kept", async () => {
  const [before, first, again] = await sessions("losses.md");
  assert.deepEqual(await said(before), [["assistant", "from before the first heading\n\n"]]);
  assert.match(before?.id ?? "", /^before-first-/);
  const answer = "\n# Summary\n\nThe manual says:\n\n> a line is never lost\n> nor two\n\n" +
    "```py\n# a comment\n> not a banner\n```\n\nDone.\n";
  assert.deepEqual(await said(first), [
    ["user", "explain  \n"],
    ["assistant", answer],
    ["assistant", "two lines  \n"],
  ]);
  const lost = reference(parts("losses.md")[1] ?? "");
  assert.ok(
    !JSON.stringify(lost).includes("Summary") && !JSON.stringify(lost).includes("never lost"),
  );
  assert.equal(again?.id, `${first?.id}-2`);
  assert.deepEqual(await said(again), [["user", "again  \n"]]);
});

Deno.test("Aider's own output is shown on request only", async () => {
  const [first] = await sessions("plain.md");
  const types = (await aider.transcript(first)).map(({ type }) => type);
  assert.deepEqual(types, ["session", "message", "message", "message", "message"]);
});

Deno.test("NUL bytes of a power cut are damage, the rest of their line is not", async () => {
  await using home = await makeHome({
    [NAME]: "# aider chat started at 2026-10-09 10:00:00\n\0\0\0\n#### he\0llo  \n\nyes\n",
  });
  const session = await aider.found(home);
  const { account, found } = await aider.read(session);
  assert.deepEqual(found.map(({ code, length }) => [code, length]), [["nul-run", 4], [
    "nul-run",
    1,
  ]]);
  assert.deepEqual([account.damage, account.total], [5, Deno.statSync(session.path).size]);
  assert.deepEqual((await said(session))[0], ["user", "hello  \n"]);
});

Deno.test("a history is found from below its repository, from settings, and once", async () => {
  const history = aider.text("plain.md");
  await using home = await makeHome({
    [`shop/${NAME}`]: history,
    "shop/.git/HEAD": "",
    "shop/src/deep/a.ts": "",
    "loose/.aider.conf.yml": 'model: x\nchat-history-file: "~/all.md" # ours\n',
    "all.md": history,
    [`alone/${NAME}`]: history,
    "alone/.env": "export AIDER_CHAT_HISTORY_FILE=own.md\n",
    "alone/own.md": history,
  });
  Deno.symlinkSync(join(home.path, "shop"), join(home.path, "link"));
  const startedIn = (cwd: string): AgentEnvironment => ({
    ...home.environment,
    variable: (name) => name === "PWD" ? join(home.path, cwd) : undefined,
  });
  const from = async (cwd: string): Promise<string[]> => {
    const found = await locateAll(aiderAgent, startedIn(cwd));
    return [...new Set(found.map(({ path }) => path.slice(home.path.length + 1)))];
  };
  assert.deepEqual(await from("shop/src/deep"), [`shop/${NAME}`]);
  assert.deepEqual(await from("link"), [`link/${NAME}`]);
  assert.deepEqual(await from("loose"), ["all.md"]);
  assert.deepEqual(await from("alone"), ["alone/own.md", `alone/${NAME}`]);
  assert.deepEqual(await locateAll(aiderAgent, home.environment), []);
  const [session] = await locateAll(aiderAgent, startedIn("shop/src"));
  assert.equal(session?.cwd, join(home.path, "shop"));
  assert.equal(dirname(session?.path ?? ""), session?.cwd);
});

Deno.test("a session's place is looked up anew once its file has changed", async () => {
  const history = aider.text("plain.md");
  await using home = await makeHome({ [NAME]: history });
  const [, last] = await locateAll(aiderAgent, home.environment);
  assert.ok(last !== undefined);
  const before = await said(last);
  assert.equal(before.length, 2);
  Deno.writeTextFileSync(last.path, "put before\n\n" + history + "\n#### more  \n");
  assert.deepEqual(await said(last), [...before, ["user", "more  \n"]]);
  Deno.writeTextFileSync(last.path, "nothing is left\n");
  assert.deepEqual(await said(last), []);
  assert.equal(await aider.summary(last), undefined);
});

Deno.test("a list needs the head and the tail of a session, not what lies between", async () => {
  const between = "\n#### between  \n\n" + "x".repeat(1000) + "\n\n";
  const heading = "\n# aider chat started at 2026-10-09 10:00:00\n\n";
  await using home = await makeHome({
    [NAME]: heading + "#### first  one  \n" + between.repeat(400) + "#### the last  \n\nyes\n",
  });
  const row = await aider.assertSameRow(await aider.found(home), 803);
  assert.equal(row.last_user_message, "the last");
});

Deno.test("the last messages have the model that was announced before them", async () => {
  const turn = "\n#### more  \n\n" + "x".repeat(1000) + "\n";
  const model = "> Main model: gpt-5 with diff edit format  \n";
  await using home = await makeHome({
    [NAME]: `# aider chat started at 2026-10-09 10:00:00\n\n${model}${turn.repeat(400)}`,
  });
  const session = await aider.found(home);
  const events = await aiderAgent.open(session).readTail({ messages: 1 });
  assert.deepEqual(events.map(({ kind }) => kind), ["user_message", "assistant_message"]);
  assert.deepEqual(payloadsOf(events, "assistant_message").map(({ model }) => model), ["gpt-5"]);
});

Deno.test("marks without a text are counted with the block before them", async () => {
  await using home = await makeHome({
    [NAME]: "# aider chat started at 2026-10-09 10:00:00\n\n#### hi  \n\nyes\n\n>   \n",
  });
  const session = await aider.found(home);
  const { events, account } = await aider.read(session);
  assert.equal(account.events + account.blank, Deno.statSync(session.path).size);
  assert.equal(events.at(-1)?.kind, "assistant_message");
  assert.equal(events.at(-1)?.time, Deno.statSync(session.path).mtime?.toISOString());
});
