import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

const FIXTURE = "5c0ffee0-0000-4000-8000-000000000001.jsonl";

function idOf(digit: string): string {
  return `${digit.repeat(8)}-0000-4000-8000-000000000000`;
}

/** Makes a workspace with chats, and the index in its database if entries are given. */
function makeWorkspace(home: CliHome, name: string, ids: string[], entries?: object): void {
  const folder = join(home.path, ".vscode-server/data/User/workspaceStorage", name);
  Deno.mkdirSync(join(folder, "chatSessions"), { recursive: true });
  Deno.writeTextFileSync(join(folder, "workspace.json"), `{"folder":"file://${home.work}"}`);
  for (const id of ids) {
    const text = Deno.readTextFileSync(
      new URL(`../../../testdata/agents/vscode/${FIXTURE}`, import.meta.url),
    );
    const path = join(folder, "chatSessions", `${id}.jsonl`);
    Deno.writeTextFileSync(path, text.replaceAll(FIXTURE.replace(".jsonl", ""), id));
  }
  if (entries === undefined) return;
  using database = new DatabaseSync(join(folder, "state.vscdb"));
  database.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  database.prepare("INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?)")
    .run(JSON.stringify({ version: 1, entries }));
}

inHome.test("VS Code's list leaves out chats that its index lacks or calls empty", async (home) => {
  const [listed, empty, missing, unindexed] = ["1", "2", "3", "4"].map(idOf) as [
    ...[string, string, string, string],
  ];
  makeWorkspace(home, "a".repeat(32), [listed, empty, missing], {
    [listed]: { sessionId: listed, isEmpty: false },
    [empty]: { sessionId: empty, isEmpty: true },
  });
  // Without an index nothing is known of the list.
  makeWorkspace(home, "b".repeat(32), [unindexed]);
  assert.deepEqual(await hiddenIn(home, "vscode"), {
    sessions: 4,
    hidden: [
      [empty, "VS Code's index says that the session is empty"],
      [missing, "the session is missing from VS Code's index"],
    ],
  });
});
