/** What a session of Claude Code shows beside `testdata/cases/claude`: contracts, and how it is read. */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { mayHold } from "../../../lib/agents/claude/locate.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";
import { foldBatches } from "../../../lib/core/projection/projection.ts";
import { conversationOf, onlySession, testAgentContract } from "../../_support/agent_contract.ts";
import { messageInShort } from "../../_support/message_in_short.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

function path(name: string): string {
  return fileURLToPath(fixture(name));
}

const FOLDER = ".claude/projects/-home-dev-src-app";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url);
}

function id(number: number): string {
  return `c0ffee00-0000-4000-8000-0000000000${String(number).padStart(2, "0")}`;
}

/** Fixtures that are sessions of their own, by the number in their id. */
const SESSIONS: Readonly<Record<number, string>> = {
  1: "turn",
  2: "small",
  3: "compaction",
  4: "preserved_segment",
  5: "preserved_relinked",
  6: "preserved_messages",
  7: "rewound",
  8: "rewound_and_on",
  9: "branches",
  10: "sidechain",
  11: "progress",
  12: "missing_parent",
  15: "interrupted",
  16: "images",
  17: "titles",
  18: "ai_title",
  19: "last_prompt",
  20: "caveat_first",
  21: "queued",
  22: "fork",
  23: "minimal",
  24: "commands",
  25: "progress_lost",
  26: "unknown_link",
  27: "compaction_lost",
  28: "fork_compacted",
  29: "mention",
  30: "local_command",
  31: "roots",
  32: "title_preamble",
  33: "task_notification",
  34: "notices",
  35: "queued_lost",
  36: "advisor",
};

testAgentContract("claude", {
  agent: claudeAgent,
  files: {
    ...Object.fromEntries(
      Object.entries(SESSIONS).map(([number, name]) => [
        `${FOLDER}/${id(Number(number))}.jsonl`,
        fixture(name),
      ]),
    ),
    [`${FOLDER}/agent-c0ffee00.jsonl`]: fixture("small"),
    [`${FOLDER}/${id(1)}/subagents/agent-5678.jsonl`]: fixture("small"),
    [`${FOLDER}/sessions-index.json`]: "{}",
  },
  ids: Object.keys(SESSIONS).map((number) => id(Number(number))),
  cwd: "/home/dev/src/app",
  id: id(2),
});

testAgentContract("claude, elsewhere", {
  agent: claudeAgent,
  files: { [`other/projects/-x/${id(21)}.jsonl`]: fixture("queued") },
  ids: [id(21)],
  variables: { CLAUDE_CONFIG_DIR: "~/other" },
});

Deno.test("sends an image that is all of a result inside the result", async () => {
  const session = await onlySession(claudeAgent, path("images"));
  const { messages } = toMessages(
    (await conversationOf(claudeAgent, session)).messages,
    "anthropic",
  );
  const blocks = messages.flatMap(({ content }) => content as { type: string }[]);
  const results = blocks.flatMap((block) =>
    block.type === "tool_result" ? [(block as { content?: unknown }).content] : []
  );
  const images = results.filter((content) => JSON.stringify(content).includes('"image"'));
  assert.equal(images.length, 1);
  assert.ok(!JSON.stringify(results).includes("(no output)"));
});

inDirectory.test("iFlow CLI's records follow each other, however they are written", async (directory) => {
  const copy = join(directory, basename(path("iflow")));
  const said = async (file: string): Promise<string[]> => {
    const session = await onlySession(claudeAgent, file);
    return (await conversationOf(claudeAgent, session)).messages.map(messageInShort);
  };
  const expected = await said(path("iflow"));
  const ways: ((record: object) => string)[] = [
    (record) => JSON.stringify(record).replaceAll('":', '": '),
    (record) => JSON.stringify(Object.fromEntries(Object.entries(record).reverse())),
    (record) => JSON.stringify(record).replace('"session-', '"\\u0073ession-'),
  ];
  for (const written of ways) {
    const lines = (await Deno.readTextFile(path("iflow"))).trimEnd().split("\n");
    const others = lines.map((line) => `${written(JSON.parse(line) as object)}\n`);
    await Deno.writeTextFile(copy, others.join(""));
    assert.deepEqual(await said(copy), expected, others[0]);
  }
});

Deno.test("the part in force gives the same conversation as the whole", async () => {
  for (const { name } of Deno.readDirSync(path("turn").replace(/turn\.jsonl$/, ""))) {
    const session = await onlySession(claudeAgent, path(name.replace(/\.jsonl$/, "")));
    const projection = conversation({ reasoning: "include" });
    const { needs } = projection;
    const part = await foldBatches(
      projection,
      claudeAgent.open(session).read({ needs, in_force: true }),
    );
    assert.deepEqual(part.messages, (await conversationOf(claudeAgent, session)).messages, name);
    assert.ok(part.messages.length > 0, name);
  }
});

Deno.test("Qwen Code's sessions, which look alike, are not taken for Claude Code's", () => {
  const qwen = {
    uuid: "u1",
    parentUuid: null,
    sessionId: "s1",
    type: "user",
    message: { role: "user", parts: [{ text: "hi" }] },
  };
  const head = new TextEncoder().encode(`${JSON.stringify(qwen)}\n`);
  assert.equal(claudeAgent.recognize("x.jsonl", head), false);
  for (const name of ["turn", "small", "titles", "minimal"]) {
    assert.ok(claudeAgent.recognize("x.jsonl", Deno.readFileSync(path(name))), name);
  }
});

Deno.test("a folder may hold a directory's sessions by its name, cut or whole", () => {
  assert.ok(mayHold("-home-dev-src-app", "/home/dev/src/app"));
  assert.ok(mayHold("-home-dev-src-app", "/home/dev/src.app"));
  assert.ok(!mayHold("-home-dev-src-app", "/home/dev/src/app2"));
  const long = `/${"a".repeat(300)}`;
  assert.ok(mayHold(`-${"a".repeat(199)}-1x2y3z`, long));
});

Deno.test("a session's file is opened twice for its messages: to index it, and to read them", async () => {
  const session = await onlySession(claudeAgent, path("turn"));
  const { openSync } = Deno;
  let opened = 0;
  Deno.openSync = (file, options) => {
    if (file === session.path) opened++;
    return openSync(file, options);
  };
  try {
    const messages = (await Array.fromAsync(claudeAgent.open(session).messages())).flat();
    assert.ok(messages.length > 0);
  } finally {
    Deno.openSync = openSync;
  }
  assert.equal(opened, 2);
});
