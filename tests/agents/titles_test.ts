import assert from "node:assert/strict";
import { loadAgent } from "../../lib/library/machine/registry.ts";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { makeHome, onlySession } from "../_support/agent_contract.ts";
import { databaseOf, talk } from "./goose/_store.ts";

/** The title of the session in a file with this content. */
async function titleOf(
  name: AgentName,
  file: string,
  content: string | Uint8Array,
  beside: Record<string, string> = {},
): Promise<string | undefined> {
  await using home = await makeHome({ [file]: content, ...beside });
  const agent = await loadAgent(name);
  const session = await onlySession(agent, `${home.path}/${file}`);
  const [quick, exact] = [
    await agent.open(session).summarize(),
    await agent.open(session).summarize({ exact: true }),
  ];
  assert.equal(quick?.title, exact?.title);
  return quick?.title;
}

function piFile(...prompts: string[]): string {
  const time = "2026-03-01T10:00:00.000Z";
  const header = { type: "session", version: 3, id: "p1", timestamp: time, cwd: "/w" };
  const entries = prompts.map((text, at) => ({
    type: "message",
    id: `a${at}`,
    parentId: at === 0 ? null : `a${at - 1}`,
    timestamp: time,
    message: { role: "user", content: [{ type: "text", text }] },
  }));
  return [header, ...entries].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

Deno.test("pi's title is what was asked, not the files and skills that pi put before it", async () => {
  const files = '<file name="/w/a.ts">\nconst a = 1;\n</file>\n<file name="/w/b.png"></file>\n';
  const skill =
    '<skill name="tidy" location="/s/tidy.md">\nReferences are relative.\n\nBody\n</skill>';
  const titles = [];
  for (const prompt of [`${files}Explain these`, `${skill}\n\nthe imports`, skill, files]) {
    titles.push(await titleOf("pi", "2026_p1.jsonl", piFile(prompt)));
  }
  assert.deepEqual(titles.slice(0, 3), ["Explain these", "the imports", "/skill:tidy"]);
  assert.match(titles[3] ?? "", /^<file name/);
});

Deno.test("Aider's title is the first prompt, not the commands before it", async () => {
  const heading = "# aider chat started at 2026-10-09 10:00:00\n\n> Aider v0.86.1\n\n";
  const said = (...prompts: string[]): string =>
    heading + prompts.map((text) => `#### ${text}  \n\nDone.\n\n`).join("");
  const titles = [];
  for (
    const prompts of [
      ["/add a.go", "!ls", "fix the test", "more"],
      ["/ask how does it work?"],
      ["plain", "/add a.go"],
      ["/add a.go"],
    ]
  ) titles.push(await titleOf("aider", ".aider.chat.history.md", said(...prompts)));
  assert.deepEqual(titles, ["fix the test", "how does it work?", "plain", "/add a.go"]);
});

Deno.test("Autohand's title of an automatic run is what it was to do", async () => {
  const folder = "5d2a23de-52f0-43fd-a8b1-000000000009-1795293685886";
  const line = { role: "user", content: "[Auto-Mode Start] fix lint", timestamp: "2026-01-01" };
  const metadata = { sessionId: folder, projectPath: "/w", automodePrompt: "fix lint" };
  const title = await titleOf(
    "autohand",
    `${folder}/conversation.jsonl`,
    JSON.stringify(line) + "\n",
    { [`${folder}/metadata.json`]: JSON.stringify(metadata) },
  );
  assert.equal(title, "fix lint");
});

Deno.test("a name that goose gives before it knows what is asked is no title", async () => {
  const titles = [];
  for (const name of ["CLI Session", "New session 3", "Ledger"]) {
    const { session, ...rest } = talk("talk");
    const bytes = databaseOf({ ...rest, session: { ...session, name } });
    titles.push(await titleOf("goose", "sessions.db", bytes));
  }
  assert.deepEqual(titles, ["What is in the ledger?", "What is in the ledger?", "Ledger"]);
});
