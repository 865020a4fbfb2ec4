import { openFiles } from "../../_support/open_files.ts";
import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { CHUNK_BYTES } from "../../../lib/core/log/byte_source.ts";
import { emptyTally } from "../../../lib/core/log/parse_state.ts";
import { readEvents, type ReadEventsOptions } from "../../../lib/core/log/read_events.ts";
import { everyKind } from "../../_support/every_kind.ts";
import { damaged } from "../../_support/damaged_lines.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import {
  assistant,
  codesOf,
  concat,
  factsOf,
  linesOf,
  logOf,
  numbered,
  type Read,
  readAll,
  readNow,
  seqsOf,
  user,
} from "../../_support/log_bytes.ts";
import { ORDINARY_USER } from "../../_support/unwritable.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { onUnix } from "../../_support/tests_in.ts";

const isLinux = Deno.build.os === "linux";

/** Runs `test` with the path of a file of these bytes. */
async function withLog(
  bytes: Uint8Array,
  test: (path: string) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeFile(path, bytes);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

async function readLog(path: string, options: ReadEventsOptions = {}): Promise<Read> {
  const read: Read = { events: [], diagnostics: [], tally: emptyTally() };
  const batches = readEvents(path, {
    tally: read.tally,
    report: (diagnostic) => void read.diagnostics.push(diagnostic),
    ...options,
  });
  for await (const batch of batches) read.events.push(...batch);
  return read;
}

async function assertCloses(path: string): Promise<void> {
  if (!isLinux) return;
  await eventually(() => openFiles(path).length === 0, () => "the log stays open");
}

/** A log of several chunks, with lines shorter and longer than one. */
function largeLog(): { events: ReturnType<typeof numbered>; bytes: Uint8Array<ArrayBuffer> } {
  const texts = Array.from({ length: 400 }, (_, index) => `${index} é `.repeat(index * 2));
  const long = [user("x".repeat(3 * CHUNK_BYTES)), assistant("ü".repeat(CHUNK_BYTES))];
  const all = [...everyKind(), ...texts.map(user), ...long, ...everyKind()];
  return { events: numbered(all), bytes: logOf(all) };
}

Deno.test("readEvents reads a log of many chunks event for event, from buffers used again", async () => {
  const { events, bytes } = largeLog();
  assert.ok(bytes.length > 8 * CHUNK_BYTES);
  await withLog(bytes, async (path) => {
    const read = await readLog(path);
    assert.deepEqual(read.events.map(factsOf), events.map(factsOf));
    assert.ok(read.events.every((event) => event.integrity === "verified"));
    assert.deepEqual(read.diagnostics, []);
    const { length } = bytes;
    assert.deepEqual(read.tally, { bytes: length, events: length, damage: 0, blank: 0 });
    await assertCloses(path);
  });
});

Deno.test("readEvents tells of a file's bytes what the stages tell of them in memory", async () => {
  const [one, two, three] = linesOf([user("one"), user("two"), user("three")]);
  const bytes = concat("\n", one ?? "", "noise\n", two?.slice(0, 50) ?? "", three ?? "", "\0\0{");
  await withLog(bytes, async (path) => assert.deepEqual(await readLog(path), readNow(bytes)));
  await withLog(new Uint8Array(0), async (path) => {
    assert.deepEqual(await readLog(path), readNow(new Uint8Array(0)));
  });
});

Deno.test("readEvents expects the first event of a whole file to be number 1", async () => {
  await withLog(logOf([user("late")], 5), async (path) => {
    assert.deepEqual(codesOf(await readLog(path)), ["seq-gap"]);
    assert.deepEqual(codesOf(await readLog(path, { after_seq: 4 })), []);
  });
});

Deno.test("readEvents reads from a line to a line, with the offsets of the file", async () => {
  const events = everyKind();
  const lines = linesOf(events);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  await withLog(concat(...lines), async (path) => {
    for (const [first, behind] of [[0, 24], [0, 7], [3, 9], [23, 24], [12, 24], [5, 5]]) {
      const from = starts[first as number] as number;
      const to = starts[behind as number] as number;
      const read = await readLog(path, { from, to });
      const seqs = events.map((_, index) => index + 1).slice(first, behind);
      assert.deepEqual(seqsOf(read), seqs);
      assert.deepEqual(read.diagnostics, []);
      assert.equal(read.tally.bytes, to - from);
      assert.equal(read.events[0]?.position?.offset, seqs.length === 0 ? undefined : from);
    }
    assert.deepEqual(seqsOf(await readLog(path, { from: starts[22] as number })), [23, 24]);
    assert.deepEqual(seqsOf(await readLog(path, { from: starts[24] as number })), []);
    assert.deepEqual(seqsOf(await readLog(path, { from: 1e9 })), []);
    assert.deepEqual(seqsOf(await readLog(path, { to: 1e9 })).length, 24);
    assert.deepEqual(seqsOf(await readLog(path, { from: 9, to: 3 })), []);
  });
});

Deno.test("readEvents takes a range that cuts lines for damage at its edges alone", async () => {
  const lines = linesOf([user("one"), user("two"), user("three")]);
  const bytes = concat(...lines);
  await withLog(bytes, async (path) => {
    const read = await readLog(path, { from: 10, to: bytes.length - 10 });
    assert.deepEqual(seqsOf(read), [2]);
    assert.deepEqual(read.diagnostics.map(({ code, offset, length }) => [code, offset, length]), [
      ["malformed-line", 10, (lines[0]?.length ?? 0) - 10],
      ["torn-tail", bytes.length - (lines[2]?.length ?? 0), (lines[2]?.length ?? 0) - 10],
    ]);
  });
});

Deno.test("readEvents passes kinds, limit and mode on", async () => {
  const bytes = concat(logOf([user("a"), assistant("x".repeat(500)), user("c")]), "noise\n");
  await withLog(bytes, async (path) => {
    const kinds = new Set(["user_message"]);
    const forms = (await readLog(path, { kinds })).events.map((event) => event.form);
    assert.deepEqual(forms, ["known", "unparsed", "known"]);
    const limited = await readLog(path, { max_line_bytes: 300 });
    assert.deepEqual(codesOf(limited), ["oversized-line", "seq-gap", "malformed-line"]);
    assert.deepEqual(seqsOf(await readLog(path, { mode: "prefix" })), [1, 2, 3]);
    await assert.rejects(readLog(path, { mode: "strict" }), { code: "damaged" });
    await assertCloses(path);
  });
});

Deno.test("readEvents closes the file when prefix or strict mode stop in the middle", async () => {
  const { bytes } = largeLog();
  await withLog(concat(logOf([user("a")]), "noise\n", bytes), async (path) => {
    assert.deepEqual(seqsOf(await readLog(path, { mode: "prefix" })), [1]);
    await assertCloses(path);
    await assert.rejects(readLog(path, { mode: "strict" }), (error) => {
      assert.ok(error instanceof SessionError);
      assert.equal(error.code, "damaged");
      return true;
    });
    await assertCloses(path);
  });
});

Deno.test("readEvents closes the file when the loop is left early", async () => {
  const { bytes } = largeLog();
  await withLog(bytes, async (path) => {
    let count = 0;
    for await (const batch of readEvents(path)) {
      count += batch.length;
      if (isLinux) assert.equal(openFiles(path).length, 1);
      break;
    }
    assert.ok(count > 0);
    await assertCloses(path);
    const failing = async (): Promise<void> => {
      for await (const batch of readEvents(path)) throw new Error(`stop at ${batch[0]?.seq}`);
    };
    await assert.rejects(failing, { message: "stop at 1" });
    await assertCloses(path);
  });
});

Deno.test("readEvents closes the file when it is cancelled before anything is read", async () => {
  await withLog(largeLog().bytes, async (path) => {
    await readEvents(path).cancel();
    await assertCloses(path);
    const stream = readEvents(path);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await stream.cancel();
    await assertCloses(path);
  });
});

Deno.test("readEvents stops on a signal, before and while reading, and closes the file", async () => {
  await withLog(largeLog().bytes, async (path) => {
    const aborted = { signal: AbortSignal.abort() };
    await assert.rejects(readLog(path, aborted), { name: "AbortError" });
    await assertCloses(path);
    const controller = new AbortController();
    const seqs: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const batch of readEvents(path, { signal: controller.signal })) {
        seqs.push(...batch.map((event) => event.seq));
        controller.abort();
      }
    };
    await assert.rejects(reading, { name: "AbortError" });
    assert.ok(seqs.length > 0 && seqs.length < 400, `${seqs.length} events`);
    await assertCloses(path);
  });
});

Deno.test("readEvents names what is missing: not-found", async () => {
  const path = `${await Deno.makeTempDir()}/none.jsonl`;
  await assert.rejects(readLog(path), (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "not-found");
    assert.equal(error.message, `Cannot open log: no such file or directory: ${path}`);
    assert.equal(error.data.path, path);
    return true;
  });
  await Deno.remove(path.slice(0, -"/none.jsonl".length));
});

Deno.test("readEvents refuses a directory: unsupported-source", async () => {
  const path = await Deno.makeTempDir();
  await assert.rejects(readLog(path), {
    name: "SessionError",
    code: "unsupported-source",
    message: `Cannot read log: the path is not a file: ${path}`,
  });
  await Deno.remove(path);
});

onUnix.test("readEvents refuses a FIFO without waiting for its writer: unsupported-source", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/fifo`;
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert.ok(success);
  await assert.rejects(readLog(path), {
    name: "SessionError",
    code: "unsupported-source",
    message: `Cannot read log: the path is not a file; save the data to a file first: ${path}`,
  });
  await Deno.remove(directory, { recursive: true });
});

Deno.test({
  ...needing("readEvents names a file that may not be read: permission", UNIX, ORDINARY_USER),
  async fn(): Promise<void> {
    await withLog(logOf([user("a")]), async (path) => {
      await Deno.chmod(path, 0o000);
      await assert.rejects(readLog(path), { name: "SessionError", code: "permission" });
    });
  },
});

Deno.test("readEvents reads what was in the file, and what is appended while it reads", async () => {
  const { events, bytes } = largeLog();
  const count = events.length;
  await withLog(bytes, async (path) => {
    const seqs: number[] = [];
    let appended = false;
    for await (const batch of readEvents(path)) {
      seqs.push(...batch.map((event) => event.seq));
      if (!appended) await Deno.writeFile(path, logOf([user("new")], count + 1), { append: true });
      appended = true;
    }
    assert.deepEqual(seqs, Array.from({ length: count + 1 }, (_, index) => index + 1));
  });
});

Deno.test("readEvents reads the same file many times at once", async () => {
  const { events, bytes } = largeLog();
  await withLog(bytes, async (path) => {
    const reads = await Promise.all(Array.from({ length: 5 }, () => readLog(path)));
    for (const read of reads) assert.deepEqual(read.events.map(factsOf), events.map(factsOf));
    await assertCloses(path);
  });
});

Deno.test("P6 reading changes nothing: the log keeps its bytes, times and mode", async () => {
  const bytes = concat(logOf([user("a")]), "torn");
  await withLog(bytes, async (path) => {
    await Deno.utime(path, 1000, 2000);
    const before = await Deno.stat(path);
    assert.deepEqual(codesOf(await readLog(path)), ["torn-tail"]);
    const { size, mtime, mode, ino } = await Deno.stat(path);
    assert.deepEqual([size, mtime, mode, ino], [
      before.size,
      before.mtime,
      before.mode,
      before.ino,
    ]);
    assert.deepEqual(await Deno.readFile(path), bytes);
  });
});

/** What was read, but for times that depend on where batches end. */
function facts({ events, diagnostics, tally }: Read): unknown {
  for (const event of events) if (event.form === "unparsed") delete event.time;
  return { events, diagnostics, tally };
}

// Each round writes and reads a log of some blocks, in two ways.
Deno.test("readEvents reads by blocks what the stages read line by line", async () => {
  const random = mulberry32(9);
  const drafts = Array.from({ length: 40 }, () => everyKind()).flat().map(({ kind, payload }) =>
    kind === "user_message" ? user("ü\n}{".repeat(random() * 9000)) : { kind, payload }
  );
  const log = logOf(drafts as Parameters<typeof logOf>[0]);
  assert.ok(log.length > 3 * CHUNK_BYTES);
  let found = 0;
  for (let round = 0; round < roundsOf(120); round++) {
    const bytes = damaged(log, random);
    const options = {
      ...(round % 3 === 0 ? {} : { kinds: new Set(["user_message", "session_started"]) }),
      ...(round % 4 === 0 ? { max_line_bytes: 2000 } : {}),
      ...(round % 5 === 0 ? { mode: "prefix" as const } : {}),
    };
    const staged = await readAll(bytes, { ...options, chunk: CHUNK_BYTES });
    await withLog(bytes, async (path) => {
      assert.deepEqual(facts(await readLog(path, options)), facts(staged), `round ${round}`);
    });
    found += staged.diagnostics.length;
  }
  assert.ok(found > 20);
});

Deno.test("lines have no numbers where reading begins in the middle", async () => {
  const lines = linesOf([user("One"), user("Two"), user("Three")]);
  const [first = new Uint8Array(), ...more] = lines;
  const damage = new TextEncoder().encode("{torn\n");
  await withLog(concat(first, ...more, damage), async (path) => {
    const from = first.length;
    const numbers = async (options: ReadEventsOptions): Promise<(number | undefined)[]> => {
      const { events, diagnostics } = await readLog(path, options);
      return [...events.map(({ position }) => position?.line), diagnostics[0]?.line];
    };
    assert.deepEqual(await numbers({ from }), [...more.map(() => 0), 0]);
    assert.deepEqual(await numbers({}), [...lines.keys(), lines.length].map((line) => line + 1));
  });
});
