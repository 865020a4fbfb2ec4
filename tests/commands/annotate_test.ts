/** Titles, archive flags and directories of other agents' sessions: all beside their files. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { CODEX_FILES } from "../agents/codex/_codex_home.ts";
import { databaseOf, talk } from "../agents/goose/_store.ts";
import { jsonLines } from "../_support/cli.ts";
import { CliHome } from "../_support/cli_home.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { keepPiSession } from "./_pi_session.ts";
import { needing, UNIX } from "../_support/needing.ts";

const CLAUDE_ID = "c0ffee00-0000-4000-8000-000000000001";
const CLAUDE = `.claude/projects/-home-dev-src-app/${CLAUDE_ID}.jsonl`;
const GOOSE = ".local/share/goose/sessions/sessions.db";
const CODEX_ID = "0199aaaa-0000-7000-8000-000000000004";

/** Makes sessions of several agents. */
function manyAgents(home: CliHome): string[] {
  const place = (path: string, bytes: Uint8Array): void => {
    Deno.mkdirSync(dirname(join(home.path, path)), { recursive: true });
    Deno.writeFileSync(join(home.path, path), bytes);
  };
  place(
    CLAUDE,
    Deno.readFileSync(new URL("../../testdata/agents/claude/turn.jsonl", import.meta.url)),
  );
  place(GOOSE, databaseOf(talk("talk"), talk("compacted")));
  for (const [path, url] of Object.entries(CODEX_FILES)) place(path, Deno.readFileSync(url));
  return [`claude:${CLAUDE_ID}`, "goose:20251121_1", `codex:${CODEX_ID}`, keepPiSession(home).ref];
}

type Row = { ref: string; title: string; archived: boolean; cwd?: string };

async function listed(home: CliHome, ...flags: string[]): Promise<Row[]> {
  const { stdout } = await home.run(["list", "--all", "--agent", "all", "--json", ...flags]);
  return jsonLines<Row>(stdout);
}

function agentFiles(home: CliHome): string[] {
  return [".claude", ".codex", ".local", ".pi"].flatMap((name) => snapshot(join(home.path, name)));
}

Deno.test(
  needing("sessions of any agent are renamed and archived, and get both back", UNIX),
  async () => {
    await using home = new CliHome();
    const refs = manyAgents(home);
    const files = agentFiles(home);
    const before = new Map((await listed(home)).map((row) => [row.ref, row]));
    for (const ref of refs) {
      assert.ok(before.get(ref), ref);
      const { status, stderr } = await home.run(["rename", ref, "Named here"]);
      assert.equal(status, 0);
      assert.match(
        stderr,
        /^Renamed \S+\. Only Reprise's lists show the new title\. .+ still shows its own title\n$/,
        ref,
      );
    }
    assert.equal((await home.run(["archive", ...refs])).status, 0);
    const away = await listed(home, "--archived");
    const marked = away.filter(({ ref }) => refs.includes(ref));
    assert.deepEqual(marked.map(({ title }) => title), refs.map(() => "Named here"));
    assert.ok((await listed(home)).every(({ ref }) => !refs.includes(ref)));

    assert.equal((await home.run(["archive", "--undo", ...refs])).status, 0);
    for (const ref of refs) assert.equal((await home.run(["rename", ref, ""])).status, 0);
    const after = new Map((await listed(home)).map((row) => [row.ref, row]));
    for (const ref of refs) assert.deepEqual(after.get(ref), before.get(ref));
    assert.deepEqual(agentFiles(home), files);
  },
);

Deno.test(
  needing("sessions of any agent go along when their directory is relinked", UNIX),
  async () => {
    await using home = new CliHome();
    const refs = manyAgents(home);
    const files = agentFiles(home);
    const before = new Map((await listed(home)).map((row) => [row.ref, row.cwd ?? ""]));
    const target = join(home.path, "moved");
    Deno.mkdirSync(target);
    const directories = new Set(refs.map((ref) => before.get(ref) ?? ""));
    assert.ok(directories.size >= 3);
    for (const old of directories) {
      const { stderr } = await home.succeed(["relink", old, target]);
      assert.match(
        stderr,
        /: 0 sessions of Reprise itself, and [1-9]\d* sessions? of other agents\n/,
        old,
      );
    }
    const { stdout } = await home.run(["list", "--agent", "all", "--json"], { cwd: target });
    const here = jsonLines<Row>(stdout);
    for (const ref of refs) {
      assert.ok(here.some((row) => row.ref === ref && row.cwd === target), ref);
    }
    assert.equal(new Set(here.map(({ ref }) => ref)).size, here.length);
    for (const ref of refs) {
      const old = before.get(ref) ?? "";
      const left = await home.run(["list", "--agent", "all", "--json", "--cwd", old]);
      assert.deepEqual(jsonLines<Row>(left.stdout).filter((row) => row.ref === ref), []);
      const { summary } = JSON.parse((await home.run(["resume", ref, "--json"])).stdout);
      assert.equal(summary.cwd, target);
    }
    assert.deepEqual(agentFiles(home), files);
  },
);
