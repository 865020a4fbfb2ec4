import assert from "node:assert/strict";
import { opencodeAgent } from "../../../lib/agents/opencode/opencode_agent.ts";
import { locateAll, makeHome, readAll } from "../../_support/agent_contract.ts";
import { databaseOf, type Exported, exported, storageFiles } from "./_store.ts";
import { opencode } from "../../../lib/agents/opencode/descriptor.ts";
import { tempFile } from "../../_support/temp_file.ts";

const DATA = ".local/share/opencode";

/** The small session under another name. */
function named(id: string, change: Record<string, unknown> = {}): Exported {
  const { info, messages } = exported("small");
  return {
    info: { ...info, id, ...change },
    messages: messages.map((message) => ({
      info: { ...message.info, id: `${message.info.id}_${id}` },
      parts: message.parts.map((part) => ({ ...part, id: `${part.id}_${id}` })),
    })),
  };
}

Deno.test("databases of all channels are found, and XDG_DATA_HOME moves them", async () => {
  const files = {
    "data/opencode/opencode.db": databaseOf(named("ses_latest")),
    "data/opencode/opencode-dev.db": databaseOf(named("ses_dev"), named("ses_latest")),
    "data/opencode/opencode.db.bak": databaseOf(named("ses_backup")),
    [`${DATA}/opencode.db`]: databaseOf(named("ses_elsewhere")),
  };
  await using home = await makeHome(files, { XDG_DATA_HOME: "~/data" });
  const sessions = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), ["ses_dev", "ses_latest"]);
  await using other = await makeHome(files);
  const [only] = await locateAll(opencodeAgent, other.environment);
  assert.equal(only?.id, "ses_elsewhere");
});

Deno.test("OPENCODE_DB names a database by its place or by its name in the data folder", async () => {
  for (const value of ["~/state/own.db", "own.db"]) {
    const path = value === "own.db" ? `${DATA}/own.db` : "state/own.db";
    await using home = await makeHome({ [path]: databaseOf(named("ses_own")) }, {
      OPENCODE_DB: value,
    });
    const [session] = await locateAll(opencodeAgent, home.environment);
    assert.equal(session?.id, "ses_own");
  }
});

Deno.test("older files are found beside the database, which wins where both have a session", async () => {
  await using home = await makeHome({
    [`${DATA}/opencode.db`]: databaseOf(named("ses_both")),
    ...storageFiles(named("ses_both")),
    // Its project has no file: OpenCode's own import passes over it.
    ...storageFiles(named("ses_orphan", { projectID: "gone" })),
  });
  const sessions = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), ["ses_both", "ses_orphan"]);
  assert.ok(sessions.find(({ id }) => id === "ses_both")?.path.endsWith(".db"));
  const orphan = sessions.find(({ id }) => id === "ses_orphan");
  assert.ok(orphan !== undefined);
  assert.equal((await readAll(opencodeAgent, orphan)).events.length, 3);
});

Deno.test("a search for a directory leaves the others out, and marks what is archived", async () => {
  await using home = await makeHome({
    [`${DATA}/opencode.db`]: databaseOf(
      named("ses_here", { time: { created: 1, updated: 2, archived: 3 } }),
      named("ses_there", { directory: "/elsewhere" }),
    ),
    ...storageFiles(named("ses_file", { directory: "/elsewhere" })),
  });
  const found = await locateAll(opencodeAgent, home.environment);
  assert.deepEqual(found.map(({ id, archived }) => [id, archived]), [
    ["ses_here", true],
    ["ses_there", undefined],
    ["ses_file", undefined],
  ]);
});

Deno.test("the sessions in a file are given with the one last written to at the end", async () => {
  const session = (id: string, updated: number): Exported =>
    named(id, { time: { created: 1, updated } });
  const sessions = [session("ses_b", 3), session("ses_a", 5), session("ses_c", 4)];
  using file = tempFile("copied.sqlite", databaseOf(...sessions));
  const found = await opencodeAgent.sessionsIn(file.path);
  assert.deepEqual(found.map(({ id }) => id), ["ses_b", "ses_c", "ses_a"]);
});

Deno.test("a database is gone on with in OpenCode itself, a file is not", () => {
  const session = { agent: "opencode" as const, id: "ses_1", path: "/x/opencode.db" };
  assert.deepEqual(opencode.resumeCommand(session)?.argv, ["opencode", "--session", "ses_1"]);
  assert.equal(opencode.resumeCommand({ ...session, path: "/x/export.json" }), undefined);
});
