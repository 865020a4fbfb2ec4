import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { appendLine, openOrMakeOwnFile, openOwnFile } from "../../../lib/core/log/own_file.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import assert from "node:assert/strict";

function refusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

inDirectory.test("openOwnFile opens a plain file, and names one that is not there", (directory) => {
  const path = join(directory, "log");
  assert.throws(() => openOwnFile(path, { read: true }), refusal("not-found"));
  Deno.writeTextFileSync(path, "text");
  const file = openOwnFile(path, { read: true });
  assert.equal(file.statSync().size, 4);
  file.close();
});

Deno.test(
  needing("openOrMakeOwnFile makes a file that is private, and opens it the next time", UNIX),
  async () => {
    await withDirectory((directory) => {
      const path = join(directory, "log");
      for (const text of ["a", "b"]) {
        const file = openOrMakeOwnFile(path, { append: true });
        file.writeSync(new TextEncoder().encode(text));
        file.close();
      }
      assert.equal(Deno.readTextFileSync(path), "ab");
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
      const elsewhere = join(directory, "gone", "log");
      assert.throws(() => openOrMakeOwnFile(elsewhere, { append: true }), refusal("not-found"));
    });
  },
);

Deno.test(
  needing("P8 what is no plain file with one name is refused as unsafe-store", UNIX),
  async () => {
    await withDirectory((directory) => {
      const target = join(directory, "target");
      Deno.writeTextFileSync(target, "precious");
      const path = join(directory, "log");
      const inTheWay: [string, () => void][] = [
        ["link", () => Deno.symlinkSync(target, path)],
        ["link to nothing", () => Deno.symlinkSync(join(directory, "nothing"), path)],
        ["second name", () => Deno.linkSync(target, path)],
        ["folder", () => Deno.mkdirSync(path)],
        ["pipe", () => void new Deno.Command("mkfifo", { args: [path] }).outputSync()],
      ];
      for (const [what, put] of inTheWay) {
        put();
        for (const open of [openOwnFile, openOrMakeOwnFile]) {
          assert.throws(() => open(path, { append: true }), refusal("unsafe-store"), what);
        }
        Deno.removeSync(path);
      }
      assert.equal(Deno.readTextFileSync(target), "precious");
      assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["target"]);
    });
  },
);

inDirectory.test("appendLine puts each value on a line of its own, behind a torn one as well", (directory) => {
  const path = join(directory, "record.jsonl");
  appendLine(path, { one: 1 });
  Deno.writeTextFileSync(path, '{"to', { append: true });
  appendLine(path, { two: "é\n" });
  const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
  assert.deepEqual(lines, ['{"one":1}', '{"to', '{"two":"é\\n"}']);
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
});
