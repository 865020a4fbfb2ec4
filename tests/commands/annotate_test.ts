/** Titles, archive flags and directories of other agents' sessions: all beside their files. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { databaseOf, talk } from "../agents/goose/_store.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, testsAtHome } from "../_support/cli_home.ts";
import { UNIX } from "../_support/needing.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { put } from "./_transcript_home.ts";

const CLAUDE = "c0ffee00-0000-4000-8000-000000000001";
const CODEX = "0199aaaa-0000-7000-8000-000000000004";
const REFS = [`claude:${CLAUDE}`, "goose:20251121_1", `codex:${CODEX}`, "pi:1111aaaa"];

/** Makes sessions of several agents; returns their files. */
function manyAgents(home: CliHome): () => string[] {
  const rollout = `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${CODEX}.jsonl`;
  put(home, `.claude/projects/-home-dev-src-app/${CLAUDE}.jsonl < agents/claude/turn.jsonl`);
  put(home, `${rollout} < agents/codex/compacted_old.jsonl`);
  put(home, "pi:1111aaaa");
  put(home, ".local/share/goose/sessions/sessions.db: ");
  Deno.writeFileSync(
    join(home.path, ".local/share/goose/sessions/sessions.db"),
    databaseOf(talk("talk"), talk("compacted")),
  );
  return () => [".claude", ".codex", ".local", ".pi"].flatMap((n) => snapshot(join(home.path, n)));
}

type Row = { ref: string; title: string; cwd?: string };

/** Returns the rows of our sessions, in the order of their references above. */
async function listed(home: CliHome, ...flags: string[]): Promise<Row[]> {
  const { stdout } = await home.succeed(["list", "--agent", "all", "--json", ...flags]);
  const rows = jsonLines<Row>(stdout);
  return REFS.flatMap((ref) => rows.filter((row) => row.ref === ref));
}

const onUnix = testsAtHome(UNIX);

onUnix.test("sessions of any agent are renamed and archived, and get both back", async (home) => {
  const files = manyAgents(home);
  const untouched = files();
  const before = await listed(home, "--all");
  assert.equal(before.length, REFS.length);
  for (const ref of REFS) {
    const { stderr } = await home.succeed(["rename", ref, "Named here"]);
    assert.match(
      stderr,
      /^Renamed \S+\. Only Reprise's lists show the new title\. .+ still shows its own title\n$/,
    );
  }
  await home.succeed(["archive", ...REFS]);
  const away = await listed(home, "--all", "--archived");
  assert.deepEqual(away.map(({ title }) => title), REFS.map(() => "Named here"));
  assert.deepEqual(await listed(home, "--all"), []);
  await home.succeed(["archive", "--undo", ...REFS]);
  for (const ref of REFS) await home.succeed(["rename", ref, ""]);
  assert.deepEqual(await listed(home, "--all"), before);
  assert.deepEqual(files(), untouched);
});

onUnix.test("sessions of any agent go along when their directory is relinked", async (home) => {
  const files = manyAgents(home);
  const untouched = files();
  const target = join(home.path, "moved");
  Deno.mkdirSync(target);
  const directories = new Set((await listed(home, "--all")).map(({ cwd = "" }) => cwd));
  assert.ok(directories.size >= 3);
  for (const old of directories) {
    const { stderr } = await home.succeed(["relink", old, target]);
    assert.match(
      stderr,
      /: 0 sessions of Reprise itself, and [1-9]\d* sessions? of other agents\n/,
    );
  }
  const here = await listed(home, "--cwd", target);
  assert.deepEqual(here.map(({ ref, cwd }) => [ref, cwd]), REFS.map((ref) => [ref, target]));
  for (const old of directories) assert.deepEqual(await listed(home, "--cwd", old), []);
  for (const ref of REFS) {
    const { stdout } = await home.succeed(["resume", ref, "--json"]);
    assert.equal(JSON.parse(stdout).summary.cwd, target);
  }
  assert.deepEqual(files(), untouched);
});
