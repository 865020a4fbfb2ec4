import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { everyKind } from "../_support/every_kind.ts";
import { atFullSize } from "../_support/full_size.ts";
import { assistant, concat, linesOf, logOf, textBytes, user } from "../_support/log_bytes.ts";
import { LINUX, needing } from "../_support/needing.ts";
import { randomBytes, seededRandom } from "./_random.ts";
import type { ReadPeak } from "./_read_peak.ts";

const MIB = 1024 * 1024;
/** What the whole process may take, however long the log is. */
const LIMIT_MIB = 160;
const LF = 0x0a;

type Write = (file: Deno.FsFile) => void;

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** Writes `bytes` again and again, `size` bytes in all. */
function writeRepeated(file: Deno.FsFile, bytes: Uint8Array, size: number): void {
  for (let left = size; left > 0; left -= bytes.length) writeAll(file, bytes.subarray(0, left));
}

/** Reads a generated log in a process of its own. */
async function readInProcess(write: Write): Promise<ReadPeak> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    using file = await Deno.open(path, { write: true });
    write(file);
    const reader = fileURLToPath(new URL("./_read_peak.ts", import.meta.url));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-lock", "--no-check", "--allow-all", reader, path],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    const peak: ReadPeak = JSON.parse(new TextDecoder().decode(stdout));
    assert.equal(peak.bytes, (await file.stat()).size);
    assert.ok(peak.adds_up);
    return peak;
  } finally {
    await Deno.remove(path);
  }
}

// Slow: a process reads more than it may hold.
function memoryTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ ...needing(name, LINUX), fn });
}

/** A log of at least 200 MiB: all kinds, and long texts that are not ASCII. */
function writeLargeLog(file: Deno.FsFile): number {
  const text = 'let x = "é"; // 日本\n'.repeat(700);
  const events = [...everyKind(), ...Array.from({ length: 40 }, () => assistant(text))];
  let count = 0;
  for (let size = 0; size < 200 * MIB; count += events.length) {
    const block = logOf(events, count + 1);
    writeAll(file, block);
    size += block.length;
  }
  return count;
}

Deno.test({
  // More than the process may take, of short lines alone.
  ...atFullSize("P7 memory does not grow with the file: a log of 200 MiB, all kinds parsed", LINUX),
  fn: async () => {
    let count = 0;
    const peak = await readInProcess((file) => void (count = writeLargeLog(file)));
    assert.equal(peak.events, count);
    assert.deepEqual(peak.codes, {});
    assert.ok(peak.peak_mib <= LIMIT_MIB, `${peak.peak_mib} MiB`);
  },
});

memoryTest("P7 memory does not grow with the file: a line of 100 MiB is passed over", async () => {
  const peak = await readInProcess((file) => {
    writeAll(file, logOf([user("before")]));
    const line = linesOf([user("x")], 2)[0] ?? assert.fail();
    const at = new TextDecoder().decode(line).indexOf('"x"') + 1;
    writeAll(file, line.subarray(0, at));
    writeRepeated(file, textBytes("0123456789abcdef".repeat(MIB / 16)), 100 * MIB);
    writeAll(file, line.subarray(at));
    writeAll(file, logOf([user("after")], 3));
  });
  assert.equal(peak.events, 2);
  assert.deepEqual(peak.codes, { "oversized-line": 1, "seq-gap": 1 });
  assert.ok(peak.peak_mib <= LIMIT_MIB + 3 * 64, `${peak.peak_mib} MiB`);
});

memoryTest("P7 memory does not grow with the file: a line of 300 MiB of noise", async () => {
  const noise = randomBytes(seededRandom(300), MIB).map((byte) => byte === LF ? 0 : byte);
  const peak = await readInProcess((file) => {
    writeAll(file, logOf([user("before")]));
    writeRepeated(file, noise, 300 * MIB);
    writeAll(file, concat("\n", logOf([user("after")], 2)));
  });
  assert.equal(peak.events, 2);
  assert.deepEqual(peak.codes, { "oversized-line": 1 });
  assert.ok(peak.peak_mib <= LIMIT_MIB + 3 * 64, `${peak.peak_mib} MiB`);
});

memoryTest("P7 memory does not grow with the file: 120 lines of 1 MiB", async () => {
  const text = "0123456789abcdef".repeat(MIB / 16);
  const peak = await readInProcess((file) => {
    for (let seq = 1; seq <= 120; seq++) writeAll(file, logOf([user(text)], seq));
  });
  assert.equal(peak.events, 120);
  assert.deepEqual(peak.codes, {});
  assert.ok(peak.peak_mib <= LIMIT_MIB + 3, `${peak.peak_mib} MiB`);
});

memoryTest("P7 memory does not grow with the file: NUL runs in noise", async () => {
  const noise = randomBytes(seededRandom(8), MIB / 4).map((byte) => byte === LF ? 0 : byte);
  const peak = await readInProcess((file) => {
    for (let seq = 1; seq <= 200; seq++) {
      writeAll(file, concat(noise, "\n", logOf([user("after")], seq)));
    }
  });
  assert.equal(peak.events, 200);
  assert.ok(Object.values(peak.codes).every((count) => count <= 600), JSON.stringify(peak.codes));
  assert.ok(peak.peak_mib <= LIMIT_MIB, `${peak.peak_mib} MiB`);
});

memoryTest("P7 memory does not grow with the file: brackets of 60 MiB are not parsed", async () => {
  const peak = await readInProcess((file) => {
    writeAll(file, textBytes('{"seq":1,"kind":"extension","payload":'));
    writeRepeated(file, new Uint8Array(MIB).fill(0x5b), 30 * MIB);
    writeRepeated(file, new Uint8Array(MIB).fill(0x5d), 30 * MIB);
    writeAll(file, concat("}\n", logOf([user("after")])));
  });
  assert.equal(peak.events, 1);
  assert.deepEqual(peak.codes, { "too-deep": 1 });
  assert.ok(peak.peak_mib <= LIMIT_MIB + 3 * 60, `${peak.peak_mib} MiB`);
});
