/** Events between a recorded change and a committed line. */
import { needing } from "../../_support/needing.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  GIT,
  makeTrappedRepository,
  springTraps,
  takeMarks,
} from "../../_support/trapped_repository.ts";
import type { DiffLine } from "../../../lib/core/event/payload.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { BlamedHome, git, type MadeEdit } from "./_repository.ts";

const FIRST = "2026-11-20T10:00:00Z";
const EDITED = "2026-11-20T11:00:00Z";
const SECOND = "2026-11-20T12:00:00Z";
const LATER = "2026-11-20T13:00:00Z";
const BEFORE = "const one = 1;\nconst two = 2;\nconst three = 3;\n";
const AFTER = "const one = 1;\nconst zwei = 2;\nconst three = 3;\n";

function edit(more: Partial<MadeEdit> = {}): MadeEdit {
  const [old_string, new_string] = ["const two = 2;", "const zwei = 2;"];
  return { path: "src/a.ts", old_string, new_string, time: EDITED, ...more };
}

/** Makes a home in which a session changed the second line, between two commits. */
function changed(edits: readonly MadeEdit[] = [edit()], after = AFTER): BlamedHome {
  const home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  home.edits("aaaa", edits);
  home.commit(SECOND, { "src/a.ts": after });
  return home;
}

function blameTest(name: string, run: () => Promise<void>): void {
  // Slow: git runs many times.
  Deno.test(needing(name, GIT), run);
}

blameTest("a recorded change that gives the line that the commit added is proven", async () => {
  await using home = changed();
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "proven aaaa", "unknown"]);
  const { lines } = await home.blame("src/a.ts", { lines: { from: 2, to: 2 } });
  const [line] = lines;
  assert.equal(lines.length, 1);
  assert.deepEqual([line?.line, line?.text, line?.edit?.seq], [2, "const zwei = 2;", 4]);
  assert.equal(line?.edit?.prompt?.text, "Change 0");
  assert.equal(line?.commit?.author, "Ada");
});

blameTest("a change that failed wrote nothing", async () => {
  await using home = changed([edit({ status: "error" })]);
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "unknown", "unknown"]);
});

blameTest("a change after the commit did not write its lines", async () => {
  await using home = changed([edit({ time: LATER })]);
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "unknown", "unknown"]);
});

blameTest("a change whose old text is not there is likely at most", async () => {
  await using home = changed([edit({ old_string: "const deux = 2;" })]);
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "likely aaaa order", "unknown"]);
});

blameTest("a line that a formatter moved is likely at most", async () => {
  await using home = changed(undefined, AFTER.replace("const zwei", "  const  zwei"));
  assert.deepEqual(await home.grades("src/a.ts"), [
    "unknown",
    "likely aaaa white-space",
    "unknown",
  ]);
});

/** The inputs of agents' tools that change the second line. */
const ASKED: Record<string, Record<string, unknown>> = {
  "Claude Code's Edit": { file_path: "src/a.ts", old_string: "two = 2", new_string: "zwei = 2" },
  "Claude Code's MultiEdit": {
    file_path: "src/a.ts",
    edits: [{ old_string: "const two", new_string: "const zwei" }],
  },
  "Claude Code's Write": { file_path: "src/a.ts", content: AFTER },
  "pi's edit": { path: "src/a.ts", edits: [{ oldText: "const two", newText: "const zwei" }] },
  "OpenCode's edit": { filePath: "src/a.ts", oldString: "two = 2", newString: "zwei = 2" },
  "Gemini CLI's replace": {
    ...{ file_path: "src/a.ts", instruction: "In German" },
    ...{ old_string: "const two", new_string: "const zwei" },
  },
  "Qwen Code's write_file": { absolute_path: "src/a.ts", content: AFTER },
  "goose's edit": { path: "src/a.ts", before: "const two", after: "const zwei" },
  "goose's former text_editor": {
    ...{ command: "str_replace", path: "src/a.ts" },
    ...{ old_str: "const two", new_str: "const zwei" },
  },
  "Copilot's create": { path: "src/a.ts", file_text: AFTER },
};

for (const [tool, input] of Object.entries(ASKED)) {
  blameTest(`a line of ${tool} is proven`, async () => {
    await using home = changed([{ time: EDITED, ...input }]);
    assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "proven aaaa", "unknown"]);
  });
}

blameTest("lines that went in somewhere are likely, for nothing says where", async () => {
  const asked = { command: "insert", path: "src/a.ts", insert_line: 1 };
  for (const input of [{ new_str: "const zwei = 2;\n" }, { insert_text: "const zwei = 2;\n" }]) {
    await using home = changed([{ time: EDITED, ...asked, ...input }]);
    assert.deepEqual(await home.grades("src/a.ts"), [
      "unknown",
      "likely aaaa order",
      "unknown",
    ]);
  }
});

blameTest("what two sessions wrote is proven for neither", async () => {
  await using home = changed();
  home.edits("bbbb", [edit({ time: "2026-11-20T11:30:00Z" })]);
  const [, grade = ""] = await home.grades("src/a.ts");
  assert.match(grade, /^likely \w+ several$/);
});

blameTest(
  "a line that is not committed, and that two sessions wrote, is proven for neither",
  async () => {
    await using home = new BlamedHome();
    home.commit(FIRST, { "src/a.ts": BEFORE });
    home.edits("aaaa", [edit()]);
    home.edits("bbbb", [edit({ time: "2026-11-20T11:30:00Z" })]);
    home.write("src/a.ts", AFTER);
    const [, grade = ""] = await home.grades("src/a.ts");
    assert.match(grade, /^likely \w+ several$/);
  },
);

blameTest("a whole file that was written is known by what it changed", async () => {
  await using home = changed([{ path: "src/a.ts", content: AFTER, time: EDITED }]);
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "proven aaaa", "unknown"]);
});

blameTest("of a whole file with a recorded diff only the diff's lines are new", async () => {
  await using home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  const content = `${AFTER}const byHand = 4;\n`;
  const call = { call_id: "c", name: "write" };
  const lines: DiffLine[] = [
    { kind: "context", content: "const one = 1;" },
    { kind: "removed", content: "const two = 2;" },
    { kind: "added", content: "const zwei = 2;" },
    { kind: "context", content: "const three = 3;" },
  ];
  home.keep(sessionId("aaaa"), [
    {
      kind: "assistant_message",
      time: EDITED,
      payload: { content: [{ type: "tool_call", ...call, input: { path: "src/a.ts", content } }] },
    },
    { kind: "tool_end", time: EDITED, payload: { ...call, status: "ok", output: "Done" } },
    { kind: "diff", time: EDITED, payload: { call_id: "c", path: "src/a.ts", lines } },
  ]);
  home.commit(SECOND, { "src/a.ts": content });
  const [, written, , by_hand = ""] = await home.grades("src/a.ts");
  assert.equal(written, "proven aaaa");
  assert.doesNotMatch(by_hand, /^proven/);
});

blameTest("a renamed file keeps its writers", async () => {
  await using home = changed();
  git(home.work, LATER, "mv", "src/a.ts", "b.ts");
  home.commit(LATER, {});
  assert.deepEqual(await home.grades("b.ts"), ["unknown", "proven aaaa", "unknown"]);
});

blameTest("line ends and a missing last one make no difference", async () => {
  await using home = changed(undefined, AFTER.replaceAll("\n", "\r\n").trimEnd());
  const [, grade] = await home.grades("src/a.ts");
  assert.equal(grade, "proven aaaa");
});

blameTest(
  "lines that are not committed are told; by another work tree they are likely",
  async () => {
    await using home = new BlamedHome();
    home.commit(FIRST, { "src/a.ts": BEFORE });
    const other = join(home.path, "other");
    git(home.work, FIRST, "worktree", "add", "--quiet", other);
    home.write("src/a.ts", AFTER);
    home.edits("bbbb", [edit()], other);
    assert.deepEqual(await home.grades("src/a.ts"), [
      "unknown",
      "likely bbbb elsewhere",
      "unknown",
    ]);
    home.edits("aaaa", [edit()]);
    const { lines } = await home.blame("src/a.ts");
    assert.deepEqual(
      lines.map((
        { grade, edit, commit },
      ) => [grade, edit?.session.id.slice(0, 4), commit === undefined]),
      [["unknown", undefined, false], ["proven", "aaaa", true], ["unknown", undefined, false]],
    );
  },
);

blameTest("what was written in another work tree and committed there is proven", async () => {
  await using home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  const other = join(home.path, "other");
  git(home.work, FIRST, "worktree", "add", "--quiet", other);
  home.edits("aaaa", [edit()], other);
  home.commit(SECOND, { "src/a.ts": AFTER });
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "proven aaaa", "unknown"]);
});

blameTest("the same path in an unknown clone is likely at most", async () => {
  await using home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  home.edits("aaaa", [edit({ path: "/elsewhere/work/src/a.ts" })], "/elsewhere/work");
  home.commit(SECOND, { "src/a.ts": AFTER });
  const [, grade] = await home.grades("src/a.ts");
  assert.equal(grade, "likely aaaa elsewhere");
});

blameTest("a file that git does not know is told by its changes alone", async () => {
  await using home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  home.edits("aaaa", [{ path: "new.ts", content: "const neu = 1;\n", time: EDITED }]);
  home.write("new.ts", "const neu = 1;\nconst mehr = 2;\n");
  const { untracked } = await home.blame("new.ts");
  assert.ok(untracked);
  assert.deepEqual(await home.grades("new.ts"), ["proven aaaa", "unknown"]);
});

blameTest("a branch that was merged keeps its writers", async () => {
  await using home = changed();
  git(home.work, SECOND, "checkout", "--quiet", "-b", "side", "HEAD~1");
  home.commit(SECOND, { "other.ts": "const x = 1;\n" });
  git(home.work, LATER, "merge", "--quiet", "--no-edit", "main");
  assert.deepEqual(await home.grades("src/a.ts"), ["unknown", "proven aaaa", "unknown"]);
});

blameTest("a commit that a rebase set behind a younger one keeps its writers", async () => {
  await using home = new BlamedHome();
  home.commit(FIRST, { "src/a.ts": BEFORE });
  home.edits("aaaa", [edit()]);
  home.commit(SECOND, { "src/a.ts": `${BEFORE}const four = 4;\n` });
  home.write("src/a.ts", `${AFTER}const four = 4;\n`);
  const made = "--date=2026-11-20T11:10:00Z";
  git(home.work, LATER, "commit", "--quiet", "--all", "--message", "rebased", made);
  const [, grade] = await home.grades("src/a.ts");
  assert.equal(grade, "proven aaaa");
});

blameTest("bad files get one clear line", async () => {
  await using home = changed();
  home.write("image.bin", "a\0b");
  await assert.rejects(home.blame("image.bin"), { code: "unsupported-source" });
  await assert.rejects(home.blame("none.ts"), { code: "not-found" });
  await assert.rejects(home.blame("src"), { name: "SessionError" });
  await assert.rejects(home.blame("src/a.ts", { lines: { from: 9, to: 9 } }), {
    code: "not-found",
    message: /has 3 lines/,
  });
  home.write("empty.ts", "");
  assert.deepEqual((await home.blame("empty.ts")).lines, []);
});

blameTest("nothing that a repository names is run", async () => {
  await using home = new BlamedHome();
  const marks = join(home.path, "marks");
  makeTrappedRepository(home.work, marks);
  springTraps(home.work);
  assert.ok(takeMarks(marks).length > 0);
  home.edits("aaaa", [{ path: "a.clean", old_string: "one", new_string: "two", time: EDITED }]);
  for (const name of ["a.clean", "a.process", "a.included", "a.apart"]) await home.blame(name);
  for (const name of ["HEAD", "--staged"]) {
    const { status, stdout } = await home.run(["blame", name]);
    assert.deepEqual([status, /added lines/.test(stdout)], [0, true]);
  }
  assert.deepEqual(takeMarks(marks), []);
});
