import fc from "npm:fast-check@4.10.2";
import assert from "node:assert/strict";
import { join } from "node:path";
import { openLibrary } from "../../../lib/library/library.ts";
import type { SessionHandle } from "../../../lib/library/session_handle.ts";
import { LogPieces } from "../../../lib/library/window/log_pieces.ts";
import { ReadPieces } from "../../../lib/library/window/read_pieces.ts";
import { openWindow, SessionWindow } from "../../../lib/library/window/session_window.ts";
import type { FreshPiece } from "../../../lib/library/window/window_piece.ts";
import { readEvents } from "../../../lib/log/read_events.ts";
import { foldBatches } from "../../../lib/projection/projection.ts";
import { transcript } from "../../../lib/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../lib/projection/transcript/transcript_item.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { assistant, logOf, toolEnd, toolStart, user } from "../../_support/log_bytes.ts";
import { randomLog } from "../../_support/random_log.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

const ROUNDS = roundsOf(400);
const TESTDATA = new URL("../../../testdata/", import.meta.url);

async function wholeOf(path: string): Promise<TranscriptItem[]> {
  return await foldBatches(transcript(), readEvents(path));
}

async function handleOf(path: string): Promise<SessionHandle> {
  return await openLibrary({ variable: (name) => name === "HOME" ? "/nowhere" : undefined }).open(
    path,
  );
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
      async (bytes, piece_bytes, count) => {
        Deno.writeFileSync(path, bytes);
        const whole = await wholeOf(path);
        const window = new SessionWindow(new LogPieces(path, piece_bytes));
        const last = await window.items(-count, count);
        assert.deepEqual(last, whole.slice(-count));
        await window.readAll();
        assert.equal(window.progress.total, whole.length);
        assert.deepEqual(await window.items(0, whole.length + 5), whole);
        assert.deepEqual(await window.items(-count, 2), range(whole, -count, 2));
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
  const window = new SessionWindow(new LogPieces(path, 500));
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
  const anew = new SessionWindow(new LogPieces(path, 500));
  for (const [at, { seq }] of [...whole.entries()].filter(([at]) => at % 50 === 7)) {
    assert.equal(await anew.itemOf(seq), at);
  }
  assert.equal(await anew.itemOf(1_000_000), whole.length - 1);
});

// Slow: samples of every agent are read.
Deno.test("every agent's session can be read by window, its dropped pieces too", async () => {
  let sessions = 0;
  for (const agent of ["claude", "codex", "pi", "qwen"]) {
    const files = [...Deno.readDirSync(new URL(`agents/${agent}/`, TESTDATA))]
      .filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"));
    for (const { name } of files.slice(0, roundsOf(files.length, 8))) {
      const path = new URL(`agents/${agent}/${name}`, TESTDATA).pathname;
      const handle = await handleOf(path).catch(() => undefined);
      if (handle === undefined) continue;
      const whole = await foldBatches(transcript(), handle.events());
      for (const placed of [true, false]) {
        const options = { bytes: 1, piece_events: 2, most_packed: 1, placed };
        const window: SessionWindow = new SessionWindow(new ReadPieces(handle, options));
        await window.readAll();
        assert.equal(window.progress.total, whole.length, path);
        assert.deepEqual(plain(await window.items(0, whole.length)), plain(whole), path);
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
  const window = new SessionWindow(new LogPieces(path));
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
  const window = new SessionWindow(new LogPieces(path));
  Deno.removeSync(path);
  await assert.rejects(window.items(0, 1), { code: "not-found" });
});

Deno.test("an event is found before a piece that shows nothing", async () => {
  const piece = (...seqs: number[]): FreshPiece => {
    const items = seqs.map((seq): TranscriptItem => ({
      type: "message",
      role: "user",
      content: "",
      seq,
      integrity: "verified",
    }));
    const read = (): Promise<TranscriptItem[]> => Promise.resolve(items);
    return { piece: { count: items.length, read }, items, bytes: 0 };
  };
  const window = new SessionWindow({
    bytes: 0,
    async *forward(): AsyncGenerator<FreshPiece> {
      yield* [piece(1, 2, 3), piece(), piece(9)];
    },
    rest: () => [],
    longerTail: () => Promise.resolve(undefined),
  });
  assert.equal(await window.itemOf(2), 1);
  assert.equal(await window.itemOf(9), 3);
});
