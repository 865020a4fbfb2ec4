/** Pages of sessions that came from a team or from another machine. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import {
  pulledFolder,
  pulledListPath,
} from "../../../lib/library/machine/pulled/pulled_sessions.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { mirror } from "../../_support/mirrored.ts";
import { ID, turn } from "../../features/backup/machines/_paired_machine.ts";
import { askOf } from "./_site.ts";

function write(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

inHome.test("pages name the member who shares a session, and fork it", async (home) => {
  const id = sessionId("3f2a1111");
  const told = [user("Where is the okapi?"), assistant("There")];
  mirror(home.store, { session: id, owner: "ann" }, told);
  const ref = `team:ann/${id}`;
  const ask = askOf(home);
  const { body: list } = await ask("");
  assert.match(list, /<span class="member">shared by ann<\/span>/);
  assert.ok(list.includes(`reprise fork ${ref}`), list);
  const { body } = await ask(`session?${new URLSearchParams({ ref })}`);
  assert.match(body, /There/);
  assert.match(body, /<p class="meta">.*<span class="member">shared by ann<\/span>/);
  assert.doesNotMatch(body, /reprise resume/);
});

inHome.test("pages name the machine that sent a session", async (home) => {
  const path = `0199/claude/projects/-src-app/${ID}.jsonl`;
  write(join(pulledFolder(home.store), path), turn("/src/app", 0, "Fix the zebra"));
  const entry = { id: ID, path, machine: "my laptop" };
  write(pulledListPath(home.store, "claude"), `${JSON.stringify(entry)}\n`);
  const ask = askOf(home);
  assert.match((await ask("")).body, /<span class="member">on my laptop<\/span>/);
  const { body } = await ask(`session?ref=claude:${ID}`);
  assert.match(body, /<p class="meta">.*<span class="member">on my laptop<\/span>/);
});
