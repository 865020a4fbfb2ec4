import assert from "node:assert/strict";
import { inHome } from "../_support/cli_home.ts";
import { keepPiSession } from "./_pi_session.ts";

inHome.test("P14: repair in place says what it would do, does it when told, and undoes it", async (home) => {
  const { ref, path } = keepPiSession(home);
  const whole = Deno.readTextFileSync(path);
  const torn = `${whole}{"type":"mess`;
  Deno.writeTextFileSync(path, torn);
  Deno.utimeSync(path, new Date("2026-01-01"), new Date("2026-01-01"));
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o640);
  const { mode } = Deno.statSync(path);
  const repair = (...flags: string[]) => home.succeed(["repair", ref, "--in-place", ...flags]);
  const dry = await repair();
  assert.match(
    dry.stdout,
    /^line \d+, byte \d+: an incomplete record of 13 bytes\n {2}now: pi skips this record/,
  );
  assert.match(dry.stdout, /\nTo write the repair: reprise repair pi:\S+ --in-place --write\n$/);
  assert.equal(Deno.readTextFileSync(path), torn);

  const done = await repair("--write");
  const [, kept = ""] =
    /The original is (\S+\.reprise-bak-\S+)\nUndo with: reprise repair/.exec(done.stderr) ?? [];
  assert.deepEqual([Deno.readTextFileSync(kept), Deno.statSync(kept).mode], [torn, mode]);
  assert.equal(Deno.readTextFileSync(path), whole);
  assert.match((await repair("--write")).stdout, /^Nothing to repair in pi:/);

  const undone = await repair("--undo", "--json");
  assert.equal(JSON.parse(undone.stdout).path, path);
  assert.equal(Deno.readTextFileSync(path), torn);
});
