import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";

async function shown(home: CliHome, ref: string, cwd?: string): Promise<string> {
  const options = cwd === undefined ? {} : { cwd };
  const { status, stdout, stderr } = await home.run(["show", ref, "--json"], options);
  assert.deepEqual([status, stderr], [0, ""], ref);
  return jsonLines(stdout).map(({ content }) => content ?? "").join(" ").trim();
}

inHome.test("a session is named by its id, its first characters in any case, or a path", async (home) => {
  const { id, path, directory } = home.keep(sessionId("3f2a91c0"), [user("found")]);
  home.keep(sessionId("3f3b"), [user("another")]);
  const refs = [id, "3f2a", "3F2A91", path, directory, `${directory}/`, `${path}#2`, `${id}#1`];
  assert.deepEqual(await Promise.all(refs.map((ref) => shown(home, ref))), refs.map(() => "found"));
  const folder = join(directory, "..");
  assert.equal(await shown(home, "./transcript_events.jsonl", directory), "found");
  assert.equal(await shown(home, "transcript_events.jsonl", directory), "found");
  assert.equal(await shown(home, `.${directory.slice(folder.length)}`, folder), "found");
});

inHome.test("this directory's sessions come first, then all others", async (home) => {
  const other = join(home.path, "other");
  home.keep(sessionId("aaaa1"), [user("here")]);
  home.keep(sessionId("aaaa2"), [user("there")], { cwd: other });
  home.keep(sessionId("bbbb"), [user("only there")], { cwd: other });
  assert.equal(await shown(home, "aaaa"), "here");
  assert.equal(await shown(home, "aaaa2"), "there");
  assert.equal(await shown(home, "bbbb"), "only there");
});
