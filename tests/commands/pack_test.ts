import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { inHome } from "../_support/cli_home.ts";

const ID = "01a1aaaa-0000-7000-8000-000000000002";
const FIXTURE = new URL("../../testdata/agents/codex/paginated.jsonl", import.meta.url);

inHome.test("pack measures cold rollouts, packs them with --write, and undoes it", async (home) => {
  const name = `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${ID}.jsonl`;
  const path = join(home.path, name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.copyFileSync(FIXTURE, path);
  Deno.utimeSync(path, new Date("2026-03-01"), new Date("2026-03-01"));
  const [help, none, both, other, dry] = await home.runInOrder([
    ["pack", "--help"],
    ["pack", "codex"],
    ["pack", "codex", "--older-than", "30d", "--undo"],
    ["pack", "claude", "--older-than", "30d"],
    ["pack", "codex", "--older-than", "30d"],
  ]);
  assert.match(help?.stdout ?? "", /reprise pack codex --older-than 30d --write/);
  assert.deepEqual([none, both, other].map((one) => one?.status), [2, 2, 2]);
  assert.match(
    dry?.stderr ?? "",
    /^codex:01a1aaaa.*: would compress: .* to .*\nWould change 1 session: .*\. To make this change: --write\n$/,
  );
  assert.ok(Deno.statSync(path).isFile);
  const packed = await home.run(["pack", "codex", "--older-than", "30d", "--write", "--json"]);
  assert.equal(packed.status, 0);
  const [one] = jsonLines(packed.stdout) as { status: string; path: string }[];
  assert.deepEqual([one?.status, one?.path], ["packed", path]);
  const [shown, again, undone] = await home.runInOrder([
    ["show", `codex:${ID}`],
    ["pack", "codex", "--older-than", "30d", "--write"],
    ["pack", "codex", "--undo", "--write"],
  ]);
  assert.match(shown?.stdout ?? "", /Nothing much/);
  assert.match(
    again?.stderr ?? "",
    /^Nothing to compress: every session is newer than --older-than, or is compressed already\n$/,
  );
  assert.match(undone?.stderr ?? "", /: decompressed: .*\nChanged 1 session: from .* to .*\n$/);
  assert.deepEqual(Deno.readFileSync(path), Deno.readFileSync(FIXTURE));
});
