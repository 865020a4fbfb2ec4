import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { watchEvents, type WatchOptions } from "../../../lib/core/store/watch_events.ts";
import { assistant, type Bytes, concat, linesOf, logOf, user } from "../../_support/log_bytes.ts";
import { inDirectory, inStore, withDirectory } from "../../_support/temp_directory.ts";

function seqs(batch: LogEvent[] | undefined): number[] {
  return batch?.map(({ seq }) => seq) ?? [];
}

/** Watches a log; each time that all was given, the next of `more` is appended, then it ends. */
async function watched(
  before: Uint8Array,
  more: (Uint8Array | string)[],
  options: Omit<WatchOptions, "signal" | "onCaughtUp"> = {},
): Promise<number[][]> {
  const batches: number[][] = [];
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, before);
    const stop = new AbortController();
    const steps = [...more];
    let caughtUp = false;
    const goOn = (): void => {
      const step = steps.shift();
      if (step === undefined) stop.abort();
      else Deno.writeFileSync(path, concat(step), { append: true });
    };
    const onCaughtUp = (): void => {
      caughtUp = true;
      goOn();
    };
    for await (const batch of watchEvents(path, { ...options, signal: stop.signal, onCaughtUp })) {
      batches.push(seqs(batch));
      if (caughtUp) goOn();
    }
  });
  return batches;
}

Deno.test("watch gives the existing events, then the appended ones", async () => {
  const [one, two, three, four] = linesOf(["1", "2", "3", "4"].map(user)) as [
    Bytes,
    Bytes,
    Bytes,
    Bytes,
  ];
  assert.deepEqual(await watched(concat(one, two), [three, four]), [[1, 2], [3], [4]]);
  assert.deepEqual(await watched(concat(), [one, concat(two, three)]), [[1], [2, 3]]);
});

inDirectory.test("an event that is half written comes when it is whole", async (directory) => {
  const path = join(directory, "log");
  const [one, two] = linesOf([user("1"), user("2")]) as [Bytes, Bytes];
  Deno.writeFileSync(path, concat(one, two.subarray(0, 30)));
  const stop = new AbortController();
  const batches = watchEvents(path, { signal: stop.signal });
  assert.deepEqual(seqs((await batches.next()).value), [1]);
  const next = batches.next();
  const half = await Promise.race([
    next,
    new Promise((resolve) => setTimeout(() => resolve("nothing yet"), 250)),
  ]);
  assert.equal(half, "nothing yet");
  Deno.writeFileSync(path, two.subarray(30), { append: true });
  assert.deepEqual(seqs((await next).value), [2]);
  stop.abort();
  assert.equal((await batches.next()).done, true);
});

Deno.test("a torn event that the next writer sealed is reported, and what follows is given", async () => {
  const [one, two] = linesOf([user("1"), user("2")]) as [Bytes, Bytes];
  const found: string[] = [];
  const torn = concat(one, two.subarray(0, 30));
  const report = ({ code }: { code: string }): void => void found.push(code);
  assert.deepEqual(await watched(torn, [concat("\n", two)], { report }), [[1], [2]]);
  assert.deepEqual(found, ["malformed-line"]);
});

Deno.test("after_seq leaves out what was seen", async () => {
  const log = logOf(["1", "2", "3"].map(user));
  assert.deepEqual(await watched(log, [], { after_seq: 2 }), [[3]]);
});

inStore.test("a session is watched while another handle writes it", async ({ store, directory }) => {
  assert.throws(() => store.watch("3f2a"), (error) => {
    return error instanceof SessionError && error.code === "not-found";
  });
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  const stop = new AbortController();
  const kinds: string[] = [];
  for await (const batch of store.watch(session.id, { signal: stop.signal })) {
    kinds.push(...batch.map(({ kind }) => kind));
    if (kinds.length === 2) await session.append(assistant("a"));
    else if (kinds.length === 3) await session.finish();
    else stop.abort();
  }
  assert.deepEqual(kinds, [
    "session_started",
    "user_message",
    "assistant_message",
    "session_checkpoint",
    "session_closed",
  ]);
});

inDirectory.test("watching what is no log is a typed error", async (directory) => {
  for (
    const [path, code] of [[join(directory, "none"), "not-found"], [
      directory,
      "unsupported-source",
    ]]
  ) {
    await assert.rejects(watchEvents(path ?? "").next(), (error) => {
      return error instanceof SessionError && error.code === code;
    });
  }
});
