import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { type LogSummary, summary } from "../../../lib/core/projection/summary.ts";
import { edgesSummary, readLogEdges } from "../../../lib/core/store/read_summary.ts";
import {
  type Bytes,
  concat,
  linesOf,
  logOf,
  readNow,
  textBytes,
  user,
} from "../../_support/log_bytes.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { eventDraft, randomLog } from "../../_support/random_log.ts";
import { draft } from "../../_support/known_events.ts";
import { withDirectory, withStore } from "../../_support/temp_directory.ts";

interface Edges {
  row: LogSummary;
  complete: boolean;
  since_checkpoint: number;
}

async function edgesOf(bytes: Bytes): Promise<Edges> {
  let read: Edges | undefined;
  await withDirectory((directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, bytes);
    const edges = readLogEdges(path);
    assert.equal(edges.bytes, bytes.length);
    const { complete, since_checkpoint } = edges;
    read = { row: edgesSummary(edges), complete, since_checkpoint };
  });
  assert.ok(read);
  return read;
}

/** What a read of the whole log tells. */
function wholeRow(bytes: Bytes): LogSummary {
  return foldEvents(summary(), readNow(bytes).events);
}

/** What head, checkpoint and tail can tell of it: not what the user said last before then. */
function comparable(
  { last_user_message: _, last_error: _e, findings: _f, ...row }: LogSummary,
): object {
  return row;
}

const HEADER = draft("session_started", {
  session_id: "s1",
  created_at: "2026-11-21T20:00:00.000Z",
  cwd: "/a",
});

Deno.test("a small log is read whole", async () => {
  const bytes = logOf([HEADER, user("p"), user("q")]);
  const { row, complete, since_checkpoint } = await edgesOf(bytes);
  assert.deepEqual(row, wholeRow(bytes));
  assert.deepEqual([complete, since_checkpoint], [true, bytes.length]);
  assert.equal((await edgesOf(textBytes(""))).row.title, "");
});

Deno.test("the middle of a log is not read: head, last checkpoint and tail tell all", async () => {
  const events: NewEvent[] = [HEADER, user("first")];
  const filler = Array.from({ length: 300 }, (_, index) => user(`${index} ` + "x".repeat(4000)));
  const before = logOf([...events, ...filler]);
  const { row } = await edgesOf(before);
  assert.equal(row.message_count, 301, "no checkpoint, but the log fits what is looked at");
  const middle = concat(logOf(events), new Uint8Array(3_000_000).fill(0x58), "\n");
  const without = await edgesOf(concat(middle, logOf([user("last")], 3)));
  assert.equal(without.complete, false);
  assert.deepEqual([without.row.last_seq, without.row.session_id], [3, "s1"]);
  for (const field of ["message_count", "turn_count", "usage", "models", "cost_usd"]) {
    assert.equal(field in without.row, false, field);
  }
  const checkpoint = draft("session_checkpoint", {
    ...{ through_seq: 2, archived: false, message_count: 7, turn_count: 6, usage: { input: 5 } },
    ...{ models: ["m"], first_user_message: "first", title: "T", cost_usd: 0.5 },
  });
  const tail = logOf([checkpoint, user("last")], 3);
  const { row: found, complete, since_checkpoint } = await edgesOf(concat(middle, tail));
  assert.deepEqual([found.message_count, found.turn_count, found.title], [8, 7, "T"]);
  assert.deepEqual([found.usage, found.models, found.cost_usd], [{ input: 5 }, ["m"], 0.5]);
  assert.deepEqual([complete, since_checkpoint], [true, logOf([user("last")], 4).length]);
});

Deno.test("a checkpoint that was changed is not believed", async () => {
  const checkpoint = draft("session_checkpoint", {
    ...{ through_seq: 2, archived: false, message_count: 700, turn_count: 6, usage: {} },
    ...{ models: [], first_user_message: "x" },
  });
  const text = new TextDecoder().decode(logOf([HEADER, user("p"), checkpoint]));
  const { row } = await edgesOf(textBytes(text.replace("700", "900")));
  assert.deepEqual([row.message_count, row.first_user_message], [1, "p"]);
});

Deno.test("a header that is longer than the first look is found all the same", async () => {
  const header = draft("session_started", {
    ...{ session_id: "s1", created_at: "2026-11-21T20:00:00.000Z", cwd: "/a" },
    environment: { search: "y".repeat(50_000) },
  });
  const filler = Array.from({ length: 400 }, () => user("x".repeat(6000)));
  const { row, complete } = await edgesOf(logOf([header, ...filler]));
  assert.deepEqual([row.session_id, row.cwd, complete], ["s1", "/a", false]);
});

Deno.test("the edges salvage the same events as a full read", async () => {
  const state = draft("session_checkpoint", {
    ...{ through_seq: 2, archived: false, message_count: 1, turn_count: 1, usage: {} },
    ...{ models: [], first_user_message: "p" },
  });
  const [head, one, checkpoint, next] = linesOf([HEADER, user("p"), state, user("q")]);
  assert.ok(head && one && checkpoint && next);
  // A block that was written twice: the copy of an old event is damaged, and its number is used.
  for (const log of [concat(head, one, "\0\0", one), concat(head, one, checkpoint, "\0\0", one)]) {
    assert.deepEqual(comparable((await edgesOf(log)).row), comparable(wholeRow(log)));
    assert.equal((await edgesOf(log)).row.message_count, 1);
    const more = concat(log, "\0", next);
    assert.equal((await edgesOf(more)).row.message_count, 2);
  }
});

Deno.test("readLogEdges tells a log that is not there", () => {
  assert.throws(() => readLogEdges("/no/such/log"), (error) => {
    return error instanceof SessionError && error.code === "not-found";
  });
});

Deno.test("the edges of a log without a checkpoint equal a full read", async () => {
  let events = 0;
  await fc.assert(
    fc.asyncProperty(randomLog, async (bytes) => {
      const { row, complete } = await edgesOf(bytes);
      assert.equal(complete, true);
      assert.deepEqual(row, wholeRow(bytes));
      events += row.message_count ?? 0;
    }),
    { seed: 20261121, numRuns: roundsOf(140) },
  );
  assert.ok(events > 1.4 * roundsOf(140), String(events));
});

/** Sessions: which run appends what, and how each run ends. */
const runs = fc.array(
  fc.record({
    events: fc.array(eventDraft, { minLength: 1, maxLength: 6 }),
    /** Bytes that push the log over the distance between two checkpoints. */
    filler: fc.constantFrom(0, 0, 90_000, 270_000),
    end: fc.constantFrom("finish", "release"),
    damage: fc.constantFrom("", "", "noise\n", '{"v":1,"seq":3,"kind":"user_me', "\0\0\n\n"),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Of events at random, some would have no effect: these are refused. */
function assertRefused(error: unknown): void {
  assert.ok(error instanceof SessionError && error.code === "invalid-event");
}

Deno.test("the edges of any session equal a full read, also with damage behind", async () => {
  const seen = { checkpoints: 0, damaged: 0 };
  const rounds = roundsOf(30, 10);
  await fc.assert(
    fc.asyncProperty(runs, async (given) => {
      await withStore(async (store, directory) => {
        const first = store.create({ cwd: directory, title: "begun as" });
        let session = first;
        for (const { events, filler, end, damage } of given) {
          if (session !== first || first.on_disk) session = await store.resume(first.id);
          await session.append(user("x".repeat(filler)));
          for (const event of events) await session.append(event).catch(assertRefused);
          await session[end as "finish" | "release"]();
          Deno.writeTextFileSync(first.path, damage, { append: true });
          const bytes = Deno.readFileSync(first.path);
          const whole = wholeRow(bytes);
          assert.deepEqual(whole.findings, [], "every checkpoint fits");
          const { row, complete } = await edgesOf(bytes);
          assert.equal(complete, true);
          assert.deepEqual(comparable(row), comparable(whole));
          seen.damaged += Number(damage !== "");
          seen.checkpoints += readNow(bytes).events.filter(({ kind }) =>
            kind === "session_checkpoint"
          ).length;
          session = await store.resume(first.id);
          await session.release();
        }
      }, { durability: "none" });
    }),
    { seed: 20261121, numRuns: rounds },
  );
  assert.ok(
    seen.checkpoints > (rounds === 30 ? 60 : rounds) && seen.damaged > 0.6 * rounds,
    JSON.stringify(seen),
  );
});
