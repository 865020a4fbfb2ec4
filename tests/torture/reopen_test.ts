/** A log that was cut anywhere, opened again and gone on with: the pattern of etcd's repair tests. */
import { placesOf } from "../_support/few_rounds.ts";
import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { codesOf, factsOf, readNow, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { withStore } from "../_support/temp_directory.ts";
import { seededRandom } from "./_random.ts";

interface Kept {
  id: string;
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  events: LogEvent[];
}

/** A session of a few events, closed. */
async function keep(store: LocalStore, cwd: string): Promise<Kept> {
  const session = store.create({ cwd });
  for (const event of [user("é"), toolStart("c1"), toolEnd("c1")]) await session.append(event);
  await session.finish();
  const bytes = Deno.readFileSync(session.path);
  return { id: session.id, path: session.path, bytes, events: readNow(bytes).events };
}

/** Resumes the session and appends; gives the number of the new event. */
async function goOn(store: LocalStore, id: string, content: string): Promise<number> {
  const session = await store.resume(id);
  const told = await session.append(user(content));
  await session.release();
  assert.ok(told.state !== "held");
  return told.seq;
}

/** Events whose bytes, but for the newline, lie before a cut. */
function completeBefore(events: readonly LogEvent[], cut: number): LogEvent[] {
  return events.filter(({ position }) =>
    position !== undefined && position.offset + position.length - 1 <= cut
  );
}

Deno.test("P1 P4 a log cut at any byte is sealed and goes on: nothing before the cut is lost", async () => {
  await withStore(async (store, directory) => {
    const { id, path, bytes, events } = await keep(store, directory);
    assert.equal(events.length, 6);
    for (const cut of placesOf(bytes.length)) {
      Deno.writeFileSync(path, bytes.subarray(0, cut));
      const complete = completeBefore(events, cut);
      if (complete.length === 0) {
        await assert.rejects(store.resume(id), { code: "not-found", message: /nothing was saved/ });
        assert.deepEqual(Deno.readFileSync(path), bytes.subarray(0, cut), "nothing is truncated");
        continue;
      }
      const seq = await goOn(store, id, "new");
      assert.equal(seq, complete.length + 1, `cut at ${cut}`);
      const after = Deno.readFileSync(path);
      assert.deepEqual(after.subarray(0, cut), bytes.subarray(0, cut), "nothing is truncated");
      const read = readNow(after);
      assert.deepEqual(read.events.slice(0, -1).map(factsOf), complete.map(factsOf));
      const last = read.events.at(-1);
      assert.deepEqual([last?.seq, last?.integrity], [seq, "verified"]);
      assert.ok(last?.form === "known" && last.kind === "user_message");
      assert.equal(last.payload.content, "new");
      assert.ok(codesOf(read).every((code) => code === "malformed-line"), codesOf(read).join());
    }
    assert.deepEqual([...Deno.readDirSync(dirname(path))].map(({ name }) => name).sort(), [
      "lock",
      "transcript_events.jsonl",
    ]);
  }, { durability: "none" });
});

Deno.test("P1 P4 cut, gone on with, and cut again: what was complete is still there", async () => {
  const random = seededRandom(20261121);
  await withStore(async (store, directory) => {
    const { id, path, bytes, events } = await keep(store, directory);
    // Before its first line is whole, a session has nothing to go on from.
    const begun = events[0]?.position?.length ?? 0;
    assert.ok(begun > 0);
    for (let round = 0; round < 60; round++) {
      const first = begun + random(bytes.length - begun + 1);
      Deno.writeFileSync(path, bytes.subarray(0, first));
      await goOn(store, id, "second life");
      const between = Deno.readFileSync(path);
      const second = first + random(between.length - first + 1);
      Deno.writeFileSync(path, between.subarray(0, second));
      await goOn(store, id, "third life");
      const read = readNow(Deno.readFileSync(path));
      const complete = completeBefore(readNow(between).events, second);
      assert.deepEqual(read.events.slice(0, -1).map(factsOf), complete.map(factsOf));
      assert.ok(complete.length >= completeBefore(events, first).length);
      assert.equal(read.events.at(-1)?.seq, complete.length + 1);
    }
  });
});
