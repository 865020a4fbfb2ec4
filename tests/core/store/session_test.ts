import assert from "node:assert/strict";
import { laterTurn } from "../../../lib/core/platform/loop_turn.ts";
import { locksAtOnce } from "../../../lib/core/platform/files.ts";
import { annotateSession } from "../../../lib/core/store/annotate.ts";
import { dirname } from "node:path";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { EVENT_KINDS, isBoundary, isHeld } from "../../../lib/core/event/policy.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { MAX_LINE_BYTES } from "../../../lib/core/log/line_splitter.ts";
import { isLocked } from "../../../lib/core/log/session_lock.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import { fullEvent } from "../../_support/every_kind.ts";
import { draft } from "../../_support/known_events.ts";
import { codesOf, readNow, seqsOf, user } from "../../_support/log_bytes.ts";
import { inDirectory, inStore, withStore } from "../../_support/temp_directory.ts";

function eventsOf({ path }: Session): LogEvent[] {
  const read = readNow(Deno.readFileSync(path));
  assert.deepEqual(codesOf(read), []);
  return read.events;
}

function kindsOf(session: Session): string[] {
  return eventsOf(session).map(({ kind }) => kind);
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

const RENAMED = draft("session_renamed", { title: "T" });

Deno.test("every kind that is not held creates the session, but starts and ends, which need a call", async () => {
  const of_calls: readonly string[] = ["tool_start", "tool_end", "bash_end"];
  for (const kind of EVENT_KINDS.filter((kind) => !isHeld(kind) && !of_calls.includes(kind))) {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      const { state } = await session.append(fullEvent(kind));
      assert.equal(state, isBoundary(kind) ? "synced" : "written", kind);
      assert.equal(session.last_seq, 2);
      await session.release();
    });
  }
});

inStore.test("a held event is kept as it was when it was appended", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const payload: { title: string } = { title: "as appended" };
  await session.append({ kind: "session_renamed", payload, time: "2020-01-01T00:00:00.000Z" });
  payload.title = 7 as unknown as string;
  await session.append(user("p"));
  const [, renamed] = eventsOf(session);
  assert.equal(renamed?.time, "2020-01-01T00:00:00.000Z");
  assert.ok(renamed.form === "known");
  assert.deepEqual(renamed.payload, { title: "as appended" });
  await session.finish();
});

// Slow: it is refused once its bytes are counted.
inStore.test("a line over the limit is refused as too-large before anything is written", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const huge = user("x".repeat(MAX_LINE_BYTES));
  await assert.rejects(session.append(huge), (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "too-large");
    assert.equal(error.data.limit, MAX_LINE_BYTES);
    assert.ok((error.data.bytes ?? 0) > MAX_LINE_BYTES);
    assert.match(
      error.message,
      /^Cannot append user_message: the event's line would have \d+ bytes/,
    );
    return true;
  });
  assert.equal(exists(store.root), false);
  assert.deepEqual(await session.append(user("p")), { seq: 2, state: "synced" });
  await session.finish();
});

inStore.test("appends made at once are written in the order of their calls, and acknowledged so", async ({ store, directory }) => {
  // Earlier tests may have used up this turn of the event loop, and the first append would wait.
  await laterTurn();
  const session = store.create({ cwd: directory });
  const order: number[] = [];
  const appended = Array.from({ length: 40 }, async (_, index) => {
    const answer = await session.append(user(`${index}`));
    order.push(index);
    return answer;
  });
  // Elsewhere a program takes the lock, which the first append waits for.
  if (locksAtOnce()) {
    assert.equal(readNow(Deno.readFileSync(session.path)).events.length, 41, "before any await");
  }
  const answers = await Promise.all(appended);
  assert.deepEqual(answers, order.map((index) => ({ seq: index + 2, state: "synced" })));
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  const said = eventsOf(session).slice(1).map((event) =>
    event.form === "known" && event.kind === "user_message" ? event.payload.content : ""
  );
  assert.deepEqual(said, order.map(String));
  await session.finish();
});

Deno.test("a clock that jumps changes no number", async () => {
  const times = ["2026-11-21T20:00:00Z", "2036-01-01T00:00:00Z", "1999-01-01T00:00:00Z"];
  let calls = 0;
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory });
    for (const text of ["a", "b", "c"]) await session.append(user(text));
    await session.finish();
    const resumed = await store.resume(session.id);
    await resumed.append(user("d"));
    assert.deepEqual(seqsOf({ events: eventsOf(resumed) }), [1, 2, 3, 4, 5, 6, 7]);
    await resumed.finish();
  }, { now: () => new Date(times[calls++ % times.length] ?? 0) });
});

inStore.test("a block that is left without finish leaves an interrupted session", async ({ store, directory }) => {
  for (const leave of ["fall through", "throw", "finish"]) {
    let path = "";
    try {
      await using session = store.create({ cwd: directory });
      await session.append(user("p"));
      path = session.path;
      if (leave === "throw") throw new Error("the agent failed");
      if (leave === "finish") await session.finish();
    } catch (error) {
      assert.match(String(error), /the agent failed/);
    }
    const last = readNow(Deno.readFileSync(path)).events.at(-1)?.kind;
    assert.equal(last, leave === "finish" ? "session_closed" : "user_message", leave);
    assert.equal(isLocked(dirname(path)), false);
  }
});

inStore.test("annotate repeats a close, and leaves an open session open", async ({ store, directory }) => {
  const closed = store.create({ cwd: directory });
  await closed.append(user("p"));
  await closed.finish({ status: "failed", exit_code: 3 });
  await annotateSession(await store.resume(closed.id), RENAMED);
  const last = eventsOf(closed).at(-1);
  assert.ok(last?.form === "known" && last.kind === "session_closed");
  assert.deepEqual(last.payload, { status: "failed", exit_code: 3 });
  assert.equal((await store.last())?.title, "T");

  const open = store.create({ cwd: directory });
  await open.append(user("q"));
  await annotateSession(open, RENAMED);
  assert.deepEqual(kindsOf(open), ["session_started", "user_message", "session_renamed"]);
  assert.equal(isLocked(dirname(open.path)), false);
});

Deno.test("a checkpoint is left about every 256 KiB, of one session or of several in a row", async () => {
  await withStore(async (store, directory) => {
    const big = user("x".repeat(50_000));
    const session = store.create({ cwd: directory });
    for (let count = 0; count < 12; count++) await session.append(big);
    assert.equal(kindsOf(session).filter((kind) => kind === "session_checkpoint").length, 2);
    await session.release();
    // As of a program that is killed again and again: none of its runs is long enough for one.
    for (let run = 0; run < 12; run++) {
      const next = await store.resume(session.id);
      for (let count = 0; count < 3; count++) await next.append(big);
      await next.release();
    }
    const kinds = kindsOf(session);
    const lastThree = kinds.slice(-20);
    assert.ok(kinds.filter((kind) => kind === "session_checkpoint").length >= 8, kinds.join(" "));
    assert.ok(lastThree.includes("session_checkpoint"));
    const row = await store.last();
    assert.equal(row?.message_count, 12 + 36);
  }, { durability: "none" });
});

inDirectory.test("a session that cannot be made is degraded, and made once that is mended", async (directory) => {
  const inTheWay = `${directory}/in`;
  const session = openStore({ root: `${inTheWay}/store` }).create({ cwd: directory });
  Deno.writeTextFileSync(inTheWay, "a file");
  for (let tries = 0; tries < 3; tries++) {
    await assert.rejects(session.append(user("p")), SessionError);
    assert.deepEqual([session.degraded, session.on_disk], [true, false]);
  }
  Deno.removeSync(inTheWay);
  assert.deepEqual(await session.append(user("p")), { seq: 2, state: "synced" });
  assert.equal(session.degraded, false);
  assert.deepEqual(kindsOf(session), ["session_started", "user_message"]);
  await session.finish();
});
