import assert from "node:assert/strict";
import { join } from "node:path";
import { writeWhole } from "../../../lib/core/log/write_whole.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

/** A file that takes at most `most` bytes at a time, and is interrupted before every second write. */
function haltingFile(file: Deno.FsFile, most: number): Deno.FsFile & { writes: number } {
  const halting = {
    writes: 0,
    writeSync(bytes: Uint8Array): number {
      if (halting.writes++ % 2 === 1) throw new Deno.errors.Interrupted("Interrupted");
      return file.writeSync(bytes.subarray(0, most));
    },
  };
  return halting as unknown as Deno.FsFile & { writes: number };
}

inDirectory.test("writeWhole writes all bytes in one write where the system takes them", (directory) => {
  const path = join(directory, "file");
  using file = Deno.openSync(path, { write: true, createNew: true });
  const whole = haltingFile(file, Infinity);
  writeWhole(whole, new TextEncoder().encode("0123456789"));
  assert.equal(whole.writes, 1);
  assert.equal(Deno.readTextFileSync(path), "0123456789");
});

inDirectory.test("writeWhole goes on after short and interrupted writes, without a byte twice", (directory) => {
  for (const most of [1, 3, 9]) {
    const path = join(directory, `file ${most}`);
    using file = Deno.openSync(path, { write: true, createNew: true });
    writeWhole(haltingFile(file, most), new TextEncoder().encode("0123456789"));
    assert.equal(Deno.readTextFileSync(path), "0123456789");
  }
});

inDirectory.test("writeWhole throws what stops it, also a write of nothing", (directory) => {
  const path = join(directory, "file");
  using file = Deno.openSync(path, { write: true, createNew: true });
  assert.throws(() => writeWhole(haltingFile(file, 0), new Uint8Array(1)), /0 bytes were written/);
  using closed = Deno.openSync(path, { read: true });
  assert.throws(() => writeWhole(closed, new Uint8Array(1)), /Bad file descriptor|denied/i);
});
