/**
 * An open page while agents write and marks are set. A part of `deno task test:browser`.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { Child } from "../../_support/processes.ts";
import { databaseOf as gooseDatabase, talk } from "../../agents/goose/_store.ts";
import { databaseOf, exported } from "../../agents/opencode/_store.ts";
import type { Page } from "../../text/render/_browser.ts";
import { browserTest } from "./_site_browser.ts";

const WIDE = { width: 1440 };

/** Waits until an element's text has a word. */
async function shows(page: Page, selector: string, word: string): Promise<void> {
  const text = `[...document.querySelectorAll(${
    JSON.stringify(selector)
  })].map((one) => one.innerText).join()`;
  await eventually(async () => String(await page.evaluate(text)).includes(word), () => word);
}

function put(home: CliHome, path: string, bytes: Uint8Array | string): void {
  const whole = join(home.path, path);
  Deno.mkdirSync(dirname(whole), { recursive: true });
  if (typeof bytes === "string") Deno.writeTextFileSync(whole, bytes);
  else Deno.writeFileSync(whole, bytes);
}

/** A session in a database that its agent has open, and a statement that adds a message to it. */
interface Running {
  agent: string;
  path: string;
  bytes: () => Uint8Array;
  ref: string;
  statement: (word: string, at: number) => string;
}

const OPENCODE_SESSION = exported("small").info.id;
const GOOSE_SESSION = talk("talk").session.id;

const RUNNING: readonly Running[] = [{
  agent: "OpenCode",
  path: ".local/share/opencode/opencode.db",
  bytes: () => databaseOf(exported("small")),
  ref: `opencode:${OPENCODE_SESSION}`,
  statement: (word, at) => {
    const time = 1_900_000_000_000 + at;
    const data = JSON.stringify({ role: "user", time: { created: time } });
    const part = JSON.stringify({ type: "text", text: word });
    return `INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES ('msg_z${at}', '${OPENCODE_SESSION}', ${time}, ${time}, '${data}'); INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES ('prt_z${at}', 'msg_z${at}', '${OPENCODE_SESSION}', ${time}, ${time}, '${part}'); UPDATE session SET time_updated = ${time} WHERE id = '${OPENCODE_SESSION}'`;
  },
}, {
  agent: "goose",
  path: ".local/share/goose/sessions/sessions.db",
  bytes: () => gooseDatabase(talk("talk")),
  ref: `goose:${GOOSE_SESSION}`,
  statement: (word, at) =>
    `INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp) VALUES ('z${at}', '${GOOSE_SESSION}', 'user', '${
      JSON.stringify([{ type: "text", text: word }])
    }', ${1_900_000_000 + at})`,
}];

for (const { agent, path, bytes, ref, statement } of RUNNING) {
  browserTest(`a session that ${agent} writes into its WAL grows, also after a reload`, (home) => {
    put(home, path, bytes());
  }, async (browser, address, home) => {
    await using writer = new Child("agent_child", ["database", join(home.path, path)]);
    assert.equal(await writer.line(), "ready");
    const href = `${address}session?ref=${encodeURIComponent(ref)}`;
    const page = await browser.open(href, WIDE);
    await writer.write(`${statement("first zebra", 1)}\n`);
    assert.equal(await writer.line(), "written");
    await shows(page, "main", "first zebra");
    await writer.write(`${statement("second zebra", 2)}\n`);
    assert.equal(await writer.line(), "written");
    await shows(page, "main", "second zebra");
    const again = await browser.open(href, WIDE);
    await shows(again, "main", "second zebra");
    assert.deepEqual(page.complaints, []);
  });
}

const CLAUDE_SESSION = "c0ffee00-0000-4000-8000-000000000031";
const CLAUDE_FOLDER = ".claude/projects/-home-dev-src-app";
const SUBAGENT = `${CLAUDE_FOLDER}/${CLAUDE_SESSION}/subagents/agent-abc.jsonl`;

function claudeFixture(name: string): string {
  return Deno.readTextFileSync(
    new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url),
  );
}

browserTest("a subagent's page grows as the subagent writes", (home) => {
  const main = claudeFixture("turn").replaceAll(
    /"sessionId":"[^"]*"/g,
    `"sessionId":"${CLAUDE_SESSION}"`,
  );
  put(home, `${CLAUDE_FOLDER}/${CLAUDE_SESSION}.jsonl`, main);
  put(home, SUBAGENT, claudeFixture("subagent"));
}, async (browser, address, home) => {
  await using writer = new Child("agent_child", ["file", join(home.path, SUBAGENT)]);
  assert.equal(await writer.line(), "ready");
  const query = new URLSearchParams({ ref: `claude:${CLAUDE_SESSION}`, thread: "abc" });
  const page = await browser.open(`${address}session?${query}`, WIDE);
  await shows(page, "main", "In the fish");
  const record = {
    ...{ parentUuid: "z2", isSidechain: true, userType: "external", cwd: "/home/dev/src/app" },
    ...{ sessionId: CLAUDE_SESSION, version: "2.1.29", type: "user", uuid: "z3", agentId: "abc" },
    message: { role: "user", content: "Feed the zebra" },
    timestamp: "2026-02-05T10:00:45.000Z",
  };
  await writer.write(`${JSON.stringify(record)}\n`);
  assert.equal(await writer.line(), "written");
  await shows(page, "main", "Feed the zebra");
  assert.deepEqual(page.complaints, []);
});

const ID = sessionId("aaaa");

browserTest("marks that a command line sets reach an open list and session", (home) => {
  home.keep(ID, [user("Where is the zebra?"), assistant("In the garden")], { title: "Zebra" });
}, async (browser, address, home) => {
  const list = await browser.open(address, WIDE);
  const page = await browser.open(`${address}session?ref=${ID}`, WIDE);
  await list.send("Page.bringToFront");
  for (
    const [args, word] of [
      [["pin", ID], "pinned"],
      [["tag", ID, "stripes"], "#stripes"],
      [["rename", ID, "Okapi"], "Okapi"],
    ] as const
  ) {
    await home.succeed(args);
    await shows(list, "#list", word);
  }
  await page.send("Page.bringToFront");
  await shows(page, "#head", "Okapi");
  await home.succeed(["note", ID, "It has stripes"]);
  await shows(page, "#head", "It has stripes");
  assert.deepEqual([...list.complaints, ...page.complaints], []);
});

browserTest("an OpenCode session in a WAL alone moves its row of an open list", (home) => {
  put(home, RUNNING[0]?.path ?? "", RUNNING[0]?.bytes() ?? "");
}, async (browser, address, home) => {
  const { path = "", statement = () => "" } = RUNNING[0] ?? {};
  await using writer = new Child("agent_child", ["database", join(home.path, path)]);
  assert.equal(await writer.line(), "ready");
  const list = await browser.open(`${address}?columns=title,updated`, WIDE);
  const times = "document.querySelector('#list td.of-updated').innerHTML";
  const before = await list.evaluate(times);
  await writer.write(`${statement("a zebra", 1)}\n`);
  await eventually(async () => await list.evaluate(times) !== before);
});
