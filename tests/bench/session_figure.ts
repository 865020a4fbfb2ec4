/**
 * What it costs to keep a session: to create it, to append to it, to load it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import type { Durability } from "../../lib/core/store/session_parts.ts";
import type { Session } from "../../lib/core/store/session.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { inTurns, median, medianRatio } from "./rounds.ts";
import { runTask } from "./task.ts";

const MOST_WRITTEN_US = 50;
const MOST_SYNCED_RATIO = 1.2;
const MOST_CREATE_MS = 10;
const MOST_LOAD_MS = 20;
const APPENDS = 2000;
const SYNCS = 60;
const LOADED_MESSAGES = 100;

/** An event whose line has 1 KB. */
function kilobyte(): NewEvent {
  const event: NewEvent = { kind: "user_message", payload: { content: "" } };
  const bare = encodeEvent({ ...event, seq: 1000, time: new Date(0).toISOString() }).length;
  return { ...event, payload: { content: "x".repeat(1024 - bare) } } as NewEvent;
}

async function sessionWith(bench: Bench, durability: Durability): Promise<Session> {
  const root = join(bench.directory, "appended");
  const session = openStore({ root, durability }).create({ cwd: bench.directory });
  await session.append(kilobyte());
  return session;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The median of many appends, of each round. */
async function written(bench: Bench): Promise<Row> {
  const event = kilobyte();
  const medians: number[] = [];
  await using session = await sessionWith(bench, "none");
  for (let round = 0; round < bench.rounds; round++) {
    const times: number[] = [];
    for (let count = 0; count < APPENDS; count++) {
      times.push(await timed(() => session.append(event)));
    }
    medians.push(1000 * median(times));
  }
  const value = median(medians);
  return row("append of 1 KB, written", { value, most: MOST_WRITTEN_US, unit: " us" });
}

/** Appends that are synced, in turns with the least that a program can do for the same bytes. */
async function synced(bench: Bench): Promise<Row> {
  const event = kilobyte();
  const line = encodeEvent({ seq: 1000, time: new Date().toISOString(), ...event } as never);
  using file = Deno.openSync(join(bench.directory, "bare"), { append: true, create: true });
  await using session = await sessionWith(bench, "event");
  const work = {
    append: () => session.append(event),
    bare: () => {
      file.writeSync(line);
      return file.syncData();
    },
  };
  const medians: Record<keyof typeof work, number[]> = { append: [], bare: [] };
  for (let round = 0; round < bench.rounds; round++) {
    const took = await inTurns(["append", "bare"], SYNCS, (name) => timed(work[name]));
    medians.append.push(median(took.append));
    medians.bare.push(median(took.bare));
  }
  return row("append of 1 KB, synced : bare write and sync", {
    value: medianRatio(medians.append, medians.bare),
    most: MOST_SYNCED_RATIO,
    unit: " x",
    note: `${rounded(median(medians.append))} ms : ${rounded(median(medians.bare))} ms`,
  });
}

/** From nothing to the first event on the disk. */
async function created(bench: Bench): Promise<Row> {
  const store = openStore({ root: join(bench.directory, "created") });
  const times: number[] = [];
  for (let round = 0; round < 3 * bench.rounds; round++) {
    let session: Session | undefined;
    times.push(
      await timed(async () => {
        session = store.create({ cwd: bench.directory });
        const appended = await session.append(kilobyte());
        assert.equal(appended.state, "synced");
      }),
    );
    await session?.finish();
  }
  return row("create a session", { value: median(times), most: MOST_CREATE_MS, unit: " ms" });
}

/** The first load of each of several new processes. */
async function loaded(bench: Bench): Promise<Row> {
  const root = join(bench.directory, "loaded");
  const session = openStore({ root, durability: "none" }).create({ cwd: bench.directory });
  for (let count = 0; count < LOADED_MESSAGES; count++) {
    const kind = count % 2 === 0 ? "user_message" : "assistant_message";
    await session.append({ ...kilobyte(), kind } as NewEvent);
  }
  await session.finish();
  const times: number[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const { ms, count } = await runTask("load", root, session.id);
    assert.equal(count, LOADED_MESSAGES);
    times.push(ms);
  }
  return row("load of 100 messages", { value: median(times), most: MOST_LOAD_MS, unit: " ms" });
}

/** Keeping a session. */
export const session: Figure = {
  name: "session",
  async measure(bench): Promise<Row[]> {
    return [await written(bench), await synced(bench), await created(bench), await loaded(bench)];
  },
};
