/** Files by Deno's functions and by those of `node:fs`: the rest of the program sees no difference. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { denoFiles, nodeFiles } from "../../../lib/core/platform/files.ts";
import {
  type FileInfo,
  type FileSystem,
  SeekMode,
} from "../../../lib/core/platform/file_system.ts";
import {
  isAlreadyExists,
  isNotADirectory,
  isNotFound,
  isPermissionDenied,
} from "../../../lib/core/platform/system_error.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

/** The facts that the program uses; Deno gives others, too. */
function facts(info: FileInfo): unknown {
  const { isFile, isDirectory, isSymlink, isFifo, isSocket } = info;
  const { size, mtime, ctime, dev, ino, nlink, mode, uid, gid } = info;
  const kinds = { isFile, isDirectory, isSymlink, isFifo, isSocket };
  return { ...kinds, size, mtime, ctime, dev, ino, nlink, mode, uid, gid };
}

Deno.test(
  needing("both see the same facts of a file, a folder and a link", UNIX),
  () =>
    withDirectory(async (directory) => {
      const path = join(directory, "file");
      Deno.writeTextFileSync(path, "twelve bytes");
      // A time with a part of a millisecond, which neither may round up.
      Deno.utimeSync(path, 1_700_000_000.4567, 1_700_000_000.9996);
      Deno.symlinkSync(path, join(directory, "link"));
      for (const name of ["file", "link", "."]) {
        const at = join(directory, name);
        assert.deepEqual(facts(nodeFiles.statSync(at)), facts(denoFiles.statSync(at)), name);
        assert.deepEqual(facts(nodeFiles.lstatSync(at)), facts(denoFiles.lstatSync(at)), name);
        assert.deepEqual(facts(await nodeFiles.stat(at)), facts(await denoFiles.stat(at)), name);
        assert.deepEqual(facts(await nodeFiles.lstat(at)), facts(await denoFiles.lstat(at)), name);
        assert.equal(nodeFiles.realPathSync(at), denoFiles.realPathSync(at));
      }
      const link = join(directory, "link");
      assert.equal(nodeFiles.readLinkSync(link), denoFiles.readLinkSync(link));
      const entries = [nodeFiles, denoFiles].map((files) =>
        [...files.readDirSync(directory)].sort((one, other) => one.name < other.name ? -1 : 1)
      );
      assert.equal(entries[0]?.length, 2);
      assert.deepEqual({ ...entries[0]?.[0] }, { ...entries[1]?.[0] });
      assert.deepEqual({ ...entries[0]?.[1] }, { ...entries[1]?.[1] });
    }),
);

for (const [name, files] of Object.entries({ denoFiles, nodeFiles })) {
  const test = (what: string, run: (directory: string) => Promise<void> | void): void => {
    Deno.test(needing(`${name}: ${what}`, UNIX), () => withDirectory(run));
  };

  test("a file is read in parts, from any place, until null", async (directory) => {
    const path = join(directory, "file");
    Deno.writeTextFileSync(path, "0123456789");
    using file = files.openSync(path, { read: true });
    const room = new Uint8Array(4);
    const read = (): string => {
      const count = file.readSync(room);
      return count === null ? "end" : new TextDecoder().decode(room.subarray(0, count));
    };
    assert.deepEqual([read(), read(), read(), read()], ["0123", "4567", "89", "end"]);
    assert.equal(file.readSync(new Uint8Array(0)), 0);
    assert.equal(file.seekSync(2, SeekMode.Start), 2);
    assert.equal(read(), "2345");
    assert.equal(file.seekSync(1, SeekMode.Current), 7);
    assert.equal(read(), "789");
    assert.equal(file.seekSync(-3, SeekMode.End), 7);
    assert.equal(await file.read(room), 3);
    assert.equal(await file.read(room), null);
    assert.throws(() => file.seekSync(-11, SeekMode.End));
    assert.deepEqual(facts(file.statSync()), facts(files.statSync(path)));
  });

  test("what is appended comes last, whatever was read", async (directory) => {
    const path = join(directory, "file");
    const options = { append: true, read: true, createNew: true, mode: 0o600 };
    using file = files.openSync(path, options);
    using other = files.openSync(path, { append: true });
    const bytes = new TextEncoder().encode("ab");
    assert.equal(file.writeSync(bytes), 2);
    assert.equal(other.writeSync(bytes.subarray(1)), 1);
    file.seekSync(0, SeekMode.Start);
    assert.equal(file.readSync(new Uint8Array(1)), 1);
    assert.equal(file.writeSync(bytes), 2);
    await file.syncData();
    await file.sync();
    file.syncDataSync();
    file.syncSync();
    assert.equal(Deno.readTextFileSync(path), "abbab");
    assert.equal((files.statSync(path).mode ?? 0) & 0o777, 0o600);
  });

  test("what is written without appending follows what was written", (directory) => {
    const path = join(directory, "file");
    using file = files.openSync(path, { write: true, createNew: true });
    const bytes = new TextEncoder().encode("abc");
    file.writeSync(bytes);
    file.writeSync(bytes);
    file.seekSync(1, SeekMode.Start);
    file.writeSync(bytes.subarray(2));
    assert.equal(Deno.readTextFileSync(path), "accabc");
  });

  test("errors tell what the system refused", async (directory) => {
    const path = join(directory, "file");
    const absent = join(directory, "absent");
    files.writeTextFileSync(path, "x");
    const missing: ((files: FileSystem) => unknown)[] = [
      ({ statSync }) => statSync(absent),
      ({ lstatSync }) => lstatSync(absent),
      ({ openSync }) => openSync(absent, { read: true }),
      ({ realPathSync }) => realPathSync(absent),
      ({ removeSync }) => removeSync(absent),
      ({ removeSync }) => removeSync(absent, { recursive: true }),
      ({ renameSync }) => renameSync(absent, path),
      ({ linkSync }) => linkSync(absent, join(directory, "link")),
      ({ utimeSync }) => utimeSync(absent, new Date(0), new Date(0)),
      ({ readDirSync }) => [...readDirSync(absent)],
      ({ mkdirSync }) => mkdirSync(join(absent, "inner")),
      ({ writeTextFileSync }) => writeTextFileSync(join(absent, "inner"), ""),
    ];
    for (const call of missing) assert.throws(() => call(files), isNotFound);
    for (const call of [files.stat, files.lstat, files.open, files.readFile]) {
      await assert.rejects(() => call(absent), isNotFound);
    }
    assert.throws(() => files.statSync(join(path, "inner")), isNotADirectory);
    assert.throws(() => [...files.readDirSync(path)], isNotADirectory);
    assert.throws(() => files.mkdirSync(directory), isAlreadyExists);
    const fresh = { createNew: true, write: true };
    assert.throws(() => files.openSync(path, fresh), isAlreadyExists);
    assert.throws(() => files.writeTextFileSync(path, "y", { createNew: true }), isAlreadyExists);
    assert.equal(isPermissionDenied(Object.assign(new Error(), { code: "EACCES" })), true);
    assert.equal(isNotFound(new Error("ENOENT")), false);
  });

  test("files and folders are made, moved and removed", async (directory) => {
    const deep = join(directory, "a", "b");
    files.mkdirSync(deep, { recursive: true, mode: 0o700 });
    files.mkdirSync(deep, { recursive: true });
    assert.equal((files.statSync(deep).mode ?? 0) & 0o777, 0o700);
    await files.mkdir(join(deep, "c"), { recursive: true });
    await files.writeTextFile(join(deep, "one"), "1");
    files.copyFileSync(join(deep, "one"), join(deep, "two"));
    files.renameSync(join(deep, "two"), join(deep, "three"));
    files.chmodSync(join(deep, "three"), 0o640);
    assert.equal((files.statSync(join(deep, "three")).mode ?? 0) & 0o777, 0o640);
    assert.deepEqual(await files.readFile(join(deep, "three")), new Uint8Array([0x31]));
    files.linkSync(join(deep, "three"), join(deep, "again"));
    assert.equal(files.statSync(join(deep, "again")).nlink, 2);
    const linkAgain = (): void => files.linkSync(join(deep, "three"), join(deep, "again"));
    assert.throws(linkAgain, isAlreadyExists);
    const time = new Date("2026-08-06T17:49:38.956Z");
    files.utimeSync(join(deep, "again"), time, time);
    assert.deepEqual(files.statSync(join(deep, "three")).mtime, time);
    Deno.symlinkSync(join(deep, "c"), join(deep, "link"));
    for (const name of ["link", "c", "one"]) files.removeSync(join(deep, name));
    assert.throws(() => files.removeSync(deep));
    files.removeSync(join(directory, "a"), { recursive: true });
    assert.deepEqual([...files.readDirSync(directory)], []);
    const made = files.makeTempDirSync({ prefix: "reprise-" });
    assert.equal(files.statSync(made).isDirectory, true);
    files.removeSync(made);
  });
}
