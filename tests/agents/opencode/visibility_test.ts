import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";
import { insert } from "../../_support/database_bytes.ts";
import { exported, insertSession, schemaBytes, storageFiles } from "./_store.ts";

interface Placed {
  directory: string;
  projectID?: string;
  parentID?: string;
  archived?: number;
  /** When it changed last. @default {now} */
  updated?: number;
}

/** Makes a database of sessions by their ids, and of projects by theirs: worktree, last use. */
function database(
  sessions: Record<string, Placed>,
  projects: Record<string, [worktree: string, used: number, ...sandboxes: string[]]>,
): Uint8Array {
  return schemaBytes(["schema_1_18"], (made) => {
    for (const [id, [worktree, time_updated, ...others]] of Object.entries(projects)) {
      insert(made, "project", { id, worktree, time_updated, sandboxes: JSON.stringify(others) });
    }
    for (const [id, { archived, updated = Date.now(), ...place }] of Object.entries(sessions)) {
      const { info, messages } = exported("small");
      const changed = { ...info.time, updated };
      const time = archived === undefined ? changed : { ...changed, archived };
      const own = messages.map((message) => ({
        info: { ...message.info, id: `${id}${message.info.id}` },
        parts: message.parts.map((part) => ({ ...part, id: `${id}${part.id}` })),
      }));
      insertSession(made, { info: { ...info, id, time, ...place }, messages: own });
    }
  });
}

function putFile(home: CliHome, name: string, content: Uint8Array | string): void {
  const path = join(home.path, name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
}

inHome.test("OpenCode's list leaves out stale directories and projects, archived and lost children", async (home) => {
  const { work } = home;
  const gone = join(home.path, "gone");
  const bytes = database({
    ses_1: { directory: work, projectID: "new" },
    ses_2: { directory: work, projectID: "old" },
    ses_3: { directory: gone, projectID: "new" },
    ses_4: { directory: work, projectID: "new", archived: 5 },
    ses_5: { directory: work, projectID: "new", parentID: "ses_gone" },
    ses_6: { directory: work, projectID: "global" },
  }, { global: ["/", 9], old: [work, 1], new: [work, 2] });
  putFile(home, ".local/share/opencode/opencode.db", bytes);
  const open = (id: string): string => `cd ${work} && opencode --session ${id}`;
  const child = "the session belongs to a subagent whose parent session no longer exists";
  const moved = (from: string): string =>
    `the session is recorded under project ${from}, but the session's directory is now in project new`;
  assert.deepEqual(await hiddenIn(home, "opencode"), {
    sessions: 6,
    hidden: [
      ["ses_2", moved("old"), open("ses_2")],
      ["ses_3", `the session's directory is gone: ${gone}`],
      ["ses_4", "the session is archived", open("ses_4")],
      ["ses_5", child, open("ses_5")],
      ["ses_6", moved("global"), open("ses_6")],
    ],
  });
});

inHome.test("OpenCode lists sessions of each work tree of a repository that is there", async (home) => {
  const [tree, gone] = [join(home.path, "tree"), join(home.path, "removed")];
  Deno.mkdirSync(join(tree, "src"), { recursive: true });
  const bytes = database({
    ses_1: { directory: home.work, projectID: "repo" },
    ses_2: { directory: tree, projectID: "repo" },
    ses_3: { directory: join(tree, "src"), projectID: "repo" },
    ses_4: { directory: gone, projectID: "repo" },
    ses_5: { directory: tree, projectID: "other" },
  }, { global: ["/", 9], repo: [home.work, 1, tree, gone], other: [join(home.path, "o"), 2] });
  putFile(home, ".local/share/opencode/opencode.db", bytes);
  const { hidden } = await hiddenIn(home, "opencode");
  assert.deepEqual(hidden, [
    ["ses_4", `the session's directory is gone: ${gone}`],
    [
      "ses_5",
      "the session is recorded under project other, but the session's directory is now in project repo",
      `cd ${tree} && opencode --session ses_5`,
    ],
  ]);
});

inHome.test("OpenCode's list leaves out other channels and files from before its database", async (home) => {
  const { work } = home;
  const { info, messages } = exported("small");
  const files = storageFiles({ info: { ...info, id: "ses_old", projectID: "p" }, messages });
  for (const [name, text] of Object.entries(files)) putFile(home, name, text);
  const name = ".local/share/opencode/opencode-dev.db";
  putFile(home, name, database({ ses_1: { directory: work, projectID: "p" } }, { p: [work, 1] }));
  const { hidden } = await hiddenIn(home, "opencode");
  assert.deepEqual(hidden, [
    [
      "ses_1",
      "the session is in the database of another release channel of OpenCode: opencode-dev.db",
      `cd ${work} && env OPENCODE_DB=${join(home.path, name)} opencode --session ses_1`,
    ],
    [
      "ses_old",
      "the session is stored in a file, but OpenCode 1.2 and later read only the database",
    ],
  ]);
});

inHome.test("OpenCode's screen lists a month and a hundred sessions of a directory", async (home) => {
  const { work } = home;
  const now = Date.now();
  const crowd = Array.from({ length: 99 }, (_, index) => [
    `ses_a${index}`,
    { directory: work, projectID: "p", parentID: "ses_new", updated: now - 1000 },
  ]);
  const other = join(home.path, "other");
  Deno.mkdirSync(other);
  const bytes = database({
    ...Object.fromEntries(crowd),
    ses_new: { directory: work, projectID: "p", updated: now - 500 },
    ses_next: { directory: work, projectID: "p", updated: now - 2000 },
    ses_old: { directory: other, projectID: "p", updated: now - 31 * 86_400_000 },
    ses_other: { directory: other, projectID: "p", updated: now - 29 * 86_400_000 },
  }, { p: [home.path, 1] });
  putFile(home, ".local/share/opencode/opencode.db", bytes);
  const { hidden } = await hiddenIn(home, "opencode");
  assert.deepEqual(hidden, [
    [
      "ses_next",
      "100 sessions of this directory are newer, so OpenCode's screen finds it only by a search",
      `cd ${work} && opencode --session ses_next`,
    ],
    [
      "ses_old",
      "the session has not changed for 30 days, so OpenCode's screen finds it only by a search",
      `cd ${other} && opencode --session ses_old`,
    ],
  ]);
});
