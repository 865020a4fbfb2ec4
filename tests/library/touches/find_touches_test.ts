/** Sessions that changed a file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findTouches } from "../../../lib/features/blame/mod.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { GIT } from "../../_support/trapped_repository.ts";
import { BlamedHome, git } from "../../features/blame/_repository.ts";
import { testsNeeding } from "../../_support/tests_in.ts";

const withGit = testsNeeding(GIT);

const TIME = "2026-11-20T11:00:00Z";

/** Returns the touches by the first characters of the sessions' ids. */
async function touches(home: BlamedHome, name: string): Promise<Record<string, unknown>> {
  const library = openLibrary({ variable: () => undefined, root: home.store });
  const { entries } = await library.query();
  const found = await findTouches(entries, join(home.work, name));
  return Object.fromEntries(
    [...found].map((
      [{ session }, { files, edits }],
    ) => [session.id.slice(0, 4), [edits, ...files]]),
  );
}

withGit.test("a file is found by its path, in its directories, and in all work trees", async () => {
  await using home = new BlamedHome();
  home.commit(TIME, { "src/a.ts": "one\n" });
  const other = join(home.path, "other");
  git(home.work, TIME, "worktree", "add", "--quiet", other);
  home.edits("aaaa", [
    { path: "src/a.ts", old_string: "one", new_string: "two", time: TIME },
    { path: join(home.work, "src/a.ts"), old_string: "two", new_string: "six", time: TIME },
    { path: "src/b.ts", content: "b\n", time: TIME },
    { path: "src/failed.ts", content: "c\n", time: TIME, status: "error" },
  ]);
  home.edits("bbbb", [{ path: "a.ts", content: "b\n", time: TIME }], join(other, "src"));
  home.edits("cccc", [{ path: "a.ts", content: "b\n", time: TIME }]);
  assert.deepEqual(await touches(home, "src/a.ts"), {
    aaaa: [2, "src/a.ts"],
    bbbb: [1, "src/a.ts"],
  });
  assert.deepEqual(await touches(home, "src"), {
    aaaa: [3, "src/a.ts", "src/b.ts"],
    bbbb: [1, "src/a.ts"],
  });
  assert.deepEqual(Object.keys(await touches(home, ".")).sort(), ["aaaa", "bbbb", "cccc"]);
  assert.deepEqual(await touches(home, "src/failed.ts"), {});
});

Deno.test("a file outside of any repository is found by its path", async () => {
  await using home = new BlamedHome();
  home.edits("aaaa", [{ path: "note.txt", content: "b\n", time: TIME }]);
  const path = join(home.work, "note.txt");
  assert.deepEqual(await touches(home, "note.txt"), { aaaa: [1, path] });
  assert.deepEqual(await touches(home, "."), { aaaa: [1, "note.txt"] });
});

Deno.test("the end of a path finds files in any directory, and a folder all below it", async () => {
  await using home = new BlamedHome();
  const elsewhere = join(home.path, "elsewhere");
  home.edits("aaaa", [{ path: "src/app.ts", content: "b\n", time: TIME }]);
  home.edits("bbbb", [{ path: "app.ts", content: "b\n", time: TIME }], elsewhere);
  home.edits("cccc", [{ path: "src/myapp.ts", content: "app.ts\n", time: TIME }]);
  const [one, other] = [join(home.work, "src/app.ts"), join(elsewhere, "app.ts")];
  const library = openLibrary({ variable: () => undefined, root: home.store });
  const { entries } = await library.query();
  const found = async (path: string): Promise<unknown> =>
    Object.fromEntries(
      [...await findTouches(entries, path)].map((
        [{ session: { id } }, { files }],
      ) => [id.slice(0, 4), files]),
    );
  assert.deepEqual(await found("app.ts"), { aaaa: [one], bbbb: [other] });
  assert.deepEqual(await found("src/app.ts"), { aaaa: [one] });
  assert.deepEqual(await found("src"), { aaaa: [one], cccc: [join(home.work, "src/myapp.ts")] });
  assert.deepEqual(await found("pp.ts"), {});
});

Deno.test("a notebook is found by the cells that were changed", async () => {
  await using home = new BlamedHome();
  home.edits("aaaa", [{
    ...{ notebook_path: join(home.work, "plot.ipynb"), cell_id: "c1", edit_mode: "replace" },
    ...{ new_source: "print(1)", time: TIME },
  }]);
  assert.deepEqual(Object.keys(await touches(home, "plot.ipynb")), ["aaaa"]);
});
