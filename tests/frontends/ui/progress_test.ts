import assert from "node:assert/strict";
import { type Context, processContext } from "../../../commands/_context.ts";
import { reportingProgress } from "../../../lib/library/handle/read_progress.ts";
import { progressText, startProgress, withProgress } from "../../../lib/frontends/ui/progress.ts";
import { logOf, readNow, user } from "../../_support/log_bytes.ts";

/** A context whose stderr is kept, and is a terminal or none. */
function contextOf(terminal: boolean): { context: Context; written: string[] } {
  const written: string[] = [];
  const stderr = { terminal, width: 80, height: 24, write: (text: string) => written.push(text) };
  return { context: { ...processContext("0.0.0"), stderr }, written };
}

/** Longer than work may take before its progress is shown. */
function patience(): Promise<void> {
  return new Promise((done) => setTimeout(done, 450));
}

Deno.test("long work shows how far it is on one line of a terminal, and takes it away", async () => {
  const { context, written } = contextOf(true);
  const given = await withProgress(context, "Copying", async (show) => {
    show(1000, 4000);
    assert.deepEqual(written, []);
    await patience();
    show(5000, 4000);
    return 7;
  });
  assert.equal(given, 7);
  assert.deepEqual(written, ["\r\x1b[2KCopying: 4.0 KB of 4.0 KB", "\r\x1b[2K"]);
});

Deno.test("the line goes where the work fails, and comes back where it goes on", async () => {
  const { context, written } = contextOf(true);
  const fault = new Error("gone");
  const failing = withProgress(context, "Copying", async (show) => {
    await patience();
    show(1, 2);
    throw fault;
  });
  await assert.rejects(failing, (error) => error === fault);
  assert.equal(written.at(-1), "\r\x1b[2K");
  const progress = await startProgress(context, "Keeping", String);
  await patience();
  progress.show(3, 9);
  progress.end();
  progress.end();
  assert.deepEqual(written.slice(2), ["\r\x1b[2KKeeping: 3 of 9", "\r\x1b[2K"]);
});

Deno.test("shows nothing without a terminal", async () => {
  const { context, written } = contextOf(false);
  await withProgress(context, "Copying", async (show) => {
    await patience();
    show(1, 2);
  });
  assert.deepEqual(written, []);
});

Deno.test("events that are read say how far into their file they are, and pass unchanged", async () => {
  const bytes = logOf([user("Hello"), user("Hi")]);
  const { events } = readNow(bytes);
  const shown: number[][] = [];
  const given = [];
  const batches = ReadableStream.from(events.map((event) => [event]));
  const reads = reportingProgress(batches, bytes.length, (...share) => void shown.push(share));
  for await (const batch of reads) given.push(...batch);
  assert.deepEqual(given, events);
  assert.deepEqual(shown.at(-1), [bytes.length, bytes.length]);
  assert.equal(shown.length, 2);
});

Deno.test("the rate and the time left are told once work has gone on for a second", () => {
  const text = (done: number, all: number, elapsed_ms: number): string =>
    progressText({ done, all, elapsed_ms }, String);
  assert.equal(text(3, 9, 500), "3 of 9");
  assert.equal(text(0, 9, 5000), "0 of 9");
  assert.equal(text(3, 9, 1500), "3 of 9 · 2/s · 3.0 s left");
  assert.equal(text(100, 60_000, 1000), "100 of 60000 · 100/s · 9m 59s left");
  assert.equal(text(9, 9, 3000), "9 of 9 · 3/s");
  // A file that grew meanwhile.
  assert.equal(text(12, 9, 3000), "9 of 9 · 4/s");
});
