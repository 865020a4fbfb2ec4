import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { LogWriter } from "../../../lib/core/log/log_writer.ts";
import { openFiles } from "../../_support/open_files.ts";
import {
  type Bytes,
  codesOf,
  concat,
  linesOf,
  readNow,
  seqsOf,
  user,
} from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { LINUX, needing, UNIX } from "../../_support/needing.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inPath = testsIn(withPath);

const [one, two, three] = linesOf(["one", "two", "three"].map(user)) as [Bytes, Bytes, Bytes];

function refusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof SessionError && error.code === code;
}

/** Runs a test with the path of a log that does not exist yet. */
async function withPath(test: (path: string) => Promise<void> | void): Promise<void> {
  await withDirectory((directory) => test(join(directory, "log.jsonl")));
}

inPath.test("a writer makes a private file, and none over another", async (path) => {
  const writer = LogWriter.create(path);
  writer.write([one]);
  await writer.close();
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  assert.throws(() => LogWriter.create(path), refusal("io"));
  assert.throws(() => LogWriter.create(join(path, "x")), SessionError);
  assert.deepEqual(Deno.readFileSync(path), one);
});

inPath.test("a writer opens only existing logs", async (path) => {
  assert.throws(() => LogWriter.open(path), refusal("not-found"));
  await LogWriter.create(path).close();
  const writer = LogWriter.open(path);
  writer.write([one]);
  await writer.sync();
  await writer.close();
  assert.deepEqual(seqsOf(readNow(Deno.readFileSync(path))), [1]);
});

inPath.test("opening seals a torn tail with one newline, and leaves a whole one as it is", async (path) => {
  for (const cut of [1, 20, two.length - 1]) {
    const torn = concat(one, two.subarray(0, cut));
    Deno.writeFileSync(path, torn);
    await LogWriter.open(path).close();
    assert.deepEqual(Deno.readFileSync(path), concat(torn, "\n"));
  }
  for (const whole of [concat(), concat(one, two), concat("\n"), concat(one, "\n\n")]) {
    Deno.writeFileSync(path, whole);
    const { mtime } = Deno.statSync(path);
    await LogWriter.open(path).close();
    assert.deepEqual(Deno.readFileSync(path), whole);
    assert.deepEqual(Deno.statSync(path).mtime, mtime);
  }
});

inPath.test("P1 every tear of a log is sealed, and the next event stands for itself", async (path) => {
  const log = concat(one, two);
  for (let cut = 0; cut <= log.length; cut++) {
    Deno.writeFileSync(path, log.subarray(0, cut));
    const writer = LogWriter.open(path);
    writer.write([three]);
    await writer.close();
    const read = readNow(Deno.readFileSync(path));
    const kept = cut >= log.length - 1 ? [1, 2] : cut >= one.length - 1 ? [1] : [];
    assert.deepEqual(seqsOf(read), [...kept, 3], `cut at ${cut}`);
    assert.ok(read.events.every(({ integrity }) => integrity === "verified"));
    const torn = ![0, one.length - 1, one.length, log.length - 1, log.length].includes(cut);
    assert.equal(codesOf(read).includes("malformed-line"), torn, `cut at ${cut}`);
  }
});

inPath.test("syncs that overlap are shared, and each resolves after its own writes", async (path) => {
  const writer = LogWriter.create(path);
  const order: number[] = [];
  const syncs = [one, two, three].map((line, index) => {
    writer.write([line]);
    return writer.sync().then(() => order.push(index));
  });
  const [first, ...later] = [writer.sync(), writer.sync()];
  assert.equal(later[0], first);
  await Promise.all([...syncs, first]);
  assert.deepEqual(order, [0, 1, 2]);
  await writer.close();
});

inPath.test("close waits for every sync that was asked for", async (path) => {
  const writer = LogWriter.create(path);
  const ended: string[] = [];
  writer.write([one]);
  const first = writer.sync().then(() => ended.push("first"));
  writer.write([two]);
  const second = writer.sync().then(() => ended.push("second"));
  await writer.close();
  ended.push("closed");
  await Promise.all([first, second]);
  assert.deepEqual(ended, ["first", "second", "closed"]);
});

Deno.test(
  needing("P8 a writer does not follow a link, nor write a file with a second name", UNIX),
  async () => {
    await withPath(async (path) => {
      const outside = `${path}.outside`;
      Deno.writeFileSync(outside, one);
      Deno.symlinkSync(outside, path);
      assert.throws(() => LogWriter.open(path), refusal("unsafe-store"));
      assert.throws(() => LogWriter.create(path), SessionError);
      Deno.removeSync(path);
      Deno.linkSync(outside, path);
      assert.throws(() => LogWriter.open(path), refusal("unsafe-store"));
      assert.deepEqual(Deno.readFileSync(outside), one);
      await Promise.resolve();
    });
  },
);

Deno.test(
  needing("few synced logs stay open, and the others are opened again to be written", LINUX),
  async () => {
    await withDirectory(async (directory) => {
      const open = (): number => openFiles(directory).length;
      const writers = Array.from(
        { length: 80 },
        (_, index) => LogWriter.create(join(directory, `${index}.jsonl`)),
      );
      for (const line of [one, one]) {
        for (const writer of writers) writer.write([line]);
        assert.equal(open(), 80);
        await Promise.all(writers.map((writer) => writer.sync()));
        assert.equal(open(), 64);
      }
      for (const writer of writers) await writer.close();
      assert.equal(open(), 0);
      for (const index of writers.keys()) {
        const { length } = Deno.readFileSync(join(directory, `${index}.jsonl`));
        assert.equal(length, 2 * one.length);
      }
    });
  },
);
