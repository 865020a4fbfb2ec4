/** What a project's own files tell the model: those of the project, and no more than is read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadInstructions } from "../../../lib/features/chat/workplace.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("instructions are those from the repository's root down to the directory", (directory) => {
  const below = join(directory, "project", "below");
  Deno.mkdirSync(below, { recursive: true });
  Deno.mkdirSync(join(directory, "project", ".git"));
  Deno.writeTextFileSync(join(directory, "AGENTS.md"), "Outside.");
  Deno.writeTextFileSync(join(directory, "project", "AGENTS.md"), "Above.");
  Deno.writeTextFileSync(join(below, "AGENTS.md"), "Below.");
  const { system, sources } = loadInstructions(below, "linux");
  assert.match(system, /Above\.[^]*Below\./);
  assert.doesNotMatch(system, /Outside\./);
  assert.deepEqual(sources.map(({ bytes, truncated }) => [bytes, truncated]), [
    [6, false],
    [6, false],
  ]);
});

Deno.test(
  needing(
    "P8 instructions that link within the project are read, those outside are not sent",
    UNIX,
  ),
  async () => {
    await withDirectory((directory) => {
      const project = join(directory, "project");
      Deno.mkdirSync(join(project, ".git"), { recursive: true });
      const path = join(project, "AGENTS.md");
      Deno.writeTextFileSync(join(project, "CLAUDE.md"), "Within.");
      Deno.symlinkSync("CLAUDE.md", path);
      assert.match(loadInstructions(project, "linux").system, /Within\./);
      Deno.removeSync(path);
      Deno.writeTextFileSync(join(directory, "secret"), "hunter2");
      Deno.symlinkSync("../secret", path);
      const { system, sources: [source] } = loadInstructions(project, "linux");
      assert.doesNotMatch(system, /hunter2/);
      assert.match(source?.error ?? "", /is a link to a file outside the project/);
      Deno.removeSync(path);
      Deno.symlinkSync("nowhere", path);
      assert.deepEqual(loadInstructions(project, "linux").sources, []);
    });
  },
);

Deno.test(
  needing("instructions that are too long, or no file, are told and not read", UNIX),
  async () => {
    await withDirectory((directory) => {
      const path = join(directory, "AGENTS.md");
      const errors = (): (string | undefined)[] =>
        loadInstructions(directory, "linux").sources.map(({ error }) => error);
      Deno.writeTextFileSync(path, "");
      Deno.truncateSync(path, 1024 ** 3);
      assert.match(errors()[0] ?? "", /longer than 1048576 bytes/);
      Deno.removeSync(path);
      new Deno.Command("mkfifo", { args: [path] }).outputSync();
      assert.match(errors()[0] ?? "", /not a file/);
      Deno.removeSync(path);
      Deno.writeTextFileSync(path, "a".repeat(40_000));
      const { system, sources: [source] } = loadInstructions(directory, "linux");
      assert.deepEqual([source?.bytes, source?.truncated], [40_000, true]);
      assert.ok(system.length < 36_000);
    });
  },
);
