import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { openRegularFile } from "../../../lib/core/file/regular_file.ts";
import { readShortFile, readShortText } from "../../../lib/core/file/short_file.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { LINUX, needing, UNIX } from "../../_support/needing.ts";

function refusal(code: string, words: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof SessionError && error.code === code && words.test(error.message);
}

inDirectory.test("a regular file is opened, with what the system says of it", (directory) => {
  const path = join(directory, "file");
  assert.throws(() => openRegularFile(path), Deno.errors.NotFound);
  Deno.writeTextFileSync(path, "text");
  const { file, info } = openRegularFile(path);
  assert.equal(info.size, 4);
  file.close();
});

Deno.test(
  needing("pipes, devices and folders are refused without waiting for them", UNIX),
  async () => {
    await withDirectory((directory) => {
      const path = join(directory, "in the way");
      const inTheWay: [string, () => void][] = [
        ["pipe", () => void new Deno.Command("mkfifo", { args: [path] }).outputSync()],
        ["folder", () => Deno.mkdirSync(path)],
        ["link to a device", () => Deno.symlinkSync("/dev/zero", path)],
      ];
      for (const [what, put] of inTheWay) {
        put();
        assert.throws(
          () => openRegularFile(path),
          refusal("unsupported-source", /not a file/),
          what,
        );
        const refused = refusal(
          "unsafe-store",
          /Cannot read marks: the path is (?:not a file|a symbolic link)/,
        );
        assert.throws(
          () => readShortFile(path, 9, { follow: false, what: "marks" }),
          refused,
          what,
        );
        Deno.removeSync(path);
      }
    });
  },
);

Deno.test(needing("a link is followed, unless the file is one of the store", UNIX), async () => {
  await withDirectory((directory) => {
    const [target, path] = [join(directory, "target"), join(directory, "link")];
    Deno.writeTextFileSync(target, "text");
    Deno.symlinkSync(target, path);
    assert.equal(readShortText(path, 4), "text");
    assert.throws(
      () => openRegularFile(path, { follow: false }),
      refusal("unsafe-store", /a symbolic link/),
    );
  });
});

inDirectory.test("a file that is longer than it may be is not read", (directory) => {
  const path = join(directory, "file");
  Deno.writeTextFileSync(path, "");
  assert.equal(readShortText(path, 0), "");
  Deno.truncateSync(path, 2 ** 40);
  assert.throws(() => readShortFile(path, 1e6), refusal("unsupported-source", /longer than/));
});

Deno.test(
  needing(
    "a file that says that it is empty is read to its end, and no further than it may be",
    LINUX,
  ),
  () => {
    assert.match(readShortText("/proc/self/status", 64 * 1024), /^Name:/);
    assert.throws(
      () => readShortFile("/proc/self/status", 16),
      refusal("unsupported-source", /longer/),
    );
  },
);
