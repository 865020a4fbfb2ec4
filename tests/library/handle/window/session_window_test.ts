import fc from "npm:fast-check@4.10.2";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLibrary } from "../../../../lib/library/library.ts";
import type { SessionHandle } from "../../../../lib/library/handle/session_handle.ts";
import type { WindowSession } from "../../../../lib/library/handle/window/item_reading.ts";
import { openWindow } from "../../../../lib/library/handle/window/session_window.ts";
import { readEvents } from "../../../../lib/core/log/read_events.ts";
import { foldBatches } from "../../../../lib/core/projection/projection.ts";
import { transcript } from "../../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { assistant, logOf, toolEnd, toolStart, user } from "../../../_support/log_bytes.ts";
import { logWindow } from "../../../_support/log_window.ts";
import { randomLog } from "../../../_support/random_log.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";

const ROUNDS = roundsOf(400);
const TESTDATA = new URL("../../../../testdata/", import.meta.url);

async function wholeOf(path: string): Promise<TranscriptItem[]> {
  return await foldBatches(transcript(), readEvents(path));
}

async function handleOf(path: string): Promise<SessionHandle> {
  return await openLibrary({ variable: (name) => name === "HOME" ? "/nowhere" : undefined }).open(
    path,
  );
}

/** The same session of an agent whose sessions have no places. */
function fromBeginning(handle: SessionHandle): WindowSession {
  const { path, log, has_tail } = handle;
  return {
    ...{ path, log, has_tail },
    events: (options) => handle.events(options),
    tail: (messages, options) => handle.tail(messages, options),
    openReading: () => Promise.resolve(undefined),
  };
}

/** What a window gives: places before the first item hold nothing. */
function range<Item>(items: readonly Item[], first: number, count: number): Item[] {
  const start = items.length + first;
  return items.slice(Math.max(0, start), Math.max(0, start + count));
}

/** Items as they are kept: what is absent and what is undefined are the same. */
function plain(items: readonly TranscriptItem[]): unknown {
  return JSON.parse(JSON.stringify(items));
}

// Slow: random logs are read whole and by windows.
Deno.test("a window gives the items of the whole log, from its beginning and from its end", async () => {
  let compared = 0;
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    const property = fc.asyncProperty(
      randomLog,
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, 500, 1e6),
      async (bytes, cut_characters, count, most_characters) => {
        Deno.writeFileSync(path, bytes);
        const whole = await wholeOf(path);
        // Most of them drop what they read, and read it again.
        const window = logWindow(path, { cut_characters, most_characters });
        const last = await window.items(-count, count);
        assert.deepEqual(plain(last), plain(whole.slice(-count)));
        await window.readAll();
        assert.equal(window.progress.total, whole.length);
        assert.deepEqual(await window.items(0, whole.length + 5), whole);
        assert.deepEqual(await window.items(-count, 2), range(whole, -count, 2));
        const middle = whole.length >> 1;
        assert.deepEqual(await window.items(middle, count), whole.slice(middle, middle + count));
        await window.close();
        compared += whole.length;
      },
    );
    await fc.assert(property, { seed: 20261123, numRuns: ROUNDS });
  });
  assert.ok(compared > 7.5 * ROUNDS, `${compared}`);
});

inDirectory.test("a window reads on from both ends at once until they meet", async (directory) => {
  const path = join(directory, "log");
  const turns = Array.from({ length: 120 }, (_, at) => [
    user(`question ${at}`),
    toolStart(`c${at}`),
    toolEnd(`c${at}`),
    assistant(`answer ${at}`),
  ]).flat();
  Deno.writeFileSync(path, logOf(turns));
  const whole = await wholeOf(path);
  const window = logWindow(path, { cut_characters: 500 });
  assert.deepEqual(await window.items(-30, 30), whole.slice(-30));
  assert.equal(window.progress.items, 0, "the end is read by itself");
  const reading = window.readAll();
  for (let count = 1; count < 160; count += 7) {
    assert.deepEqual(await window.items(-count, 3), range(whole, -count, 3));
  }
  await reading;
  assert.equal(window.progress.total, whole.length);
  assert.deepEqual(await window.items(0, whole.length), whole);
  assert.equal(window.prompts.length, 120);
  const { item = 0, text } = window.prompts[99] ?? {};
  assert.equal(text, "question 99");
  assert.equal((await window.items(item, 1))[0]?.seq, window.prompts[99]?.seq);
  const anew = logWindow(path, { cut_characters: 500 });
  for (const [at, { seq }] of [...whole.entries()].filter(([at]) => at % 50 === 7)) {
    assert.equal(await anew.itemOf(seq), at);
  }
  assert.equal(await anew.itemOf(1_000_000), whole.length - 1);
});

// Slow: samples of every agent are read.
Deno.test("every agent's session can be read by window, its dropped items too", async () => {
  let sessions = 0;
  for (const agent of ["claude", "codex", "pi", "qwen"]) {
    const files = [...Deno.readDirSync(new URL(`agents/${agent}/`, TESTDATA))]
      .filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"));
    for (const { name } of files.slice(0, roundsOf(files.length, 8))) {
      const path = fileURLToPath(new URL(`agents/${agent}/${name}`, TESTDATA));
      const handle = await handleOf(path).catch(() => undefined);
      if (handle === undefined) continue;
      const whole = await foldBatches(transcript(), handle.events());
      for (const session of [handle, fromBeginning(handle)]) {
        for (const most_characters of [1, 1e7]) {
          const window = openWindow(session, { most_characters, cut_characters: 300 });
          await window.readAll();
          assert.equal(window.progress.total, whole.length, path);
          assert.deepEqual(plain(await window.items(0, whole.length)), plain(whole), path);
          const middle = whole.length >> 1;
          const some = await window.items(middle, 3);
          assert.deepEqual(plain(some), plain(whole.slice(middle, middle + 3)), path);
          await window.close();
        }
      }
      const opened = openWindow(handle);
      const types = (items: readonly TranscriptItem[]): string[] => items.map(({ type }) => type);
      const last = whole.slice(-1);
      assert.deepEqual(types(await opened.items(-1, 1)), types(last), path);
      await opened.close();
      sessions++;
    }
  }
  assert.ok(sessions > 20, `${sessions}`);
});

inDirectory.test("a window waits for items that were not read yet, and gives none behind the end", async (directory) => {
  const path = join(directory, "log");
  Deno.writeFileSync(path, logOf([user("a"), assistant("b")]));
  const window = logWindow(path);
  assert.equal(window.progress.total, undefined);
  assert.equal((await window.items(1, 5)).length, 1);
  assert.deepEqual(await window.items(7, 5), []);
  assert.equal((await window.items(-9, 20)).length, 2);
  assert.deepEqual(await window.items(-9, 3), []);
  await window.close();
});

inDirectory.test("a log that is gone is an error, for whoever waits", async (directory) => {
  const path = join(directory, "log");
  Deno.writeFileSync(path, logOf([user("a")]));
  const window = logWindow(path);
  Deno.removeSync(path);
  await assert.rejects(window.items(0, 1), { code: "not-found" });
});
