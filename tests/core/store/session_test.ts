import assert from "node:assert/strict";
import { locksAtOnce } from "../../../lib/core/platform/files.ts";
import { annotateSession } from "../../../lib/core/store/annotate.ts";
import { dirname } from "node:path";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import { EVENT_KINDS, isBoundary, isHeld } from "../../../lib/core/event/policy.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { MAX_LINE_BYTES } from "../../../lib/core/log/line_splitter.ts";
import { isLocked } from "../../../lib/core/log/session_lock.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import { FULL_PAYLOADS, fullEvent } from "../../_support/every_kind.ts";
import { draft } from "../../_support/known_events.ts";
import { assistant, codesOf, readNow, seqsOf, user } from "../../_support/log_bytes.ts";
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
const SNAPSHOT = draft("workspace_snapshot", { root: "/" });

inStore.test("nothing is on disk before the first real event", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  assert.equal(session.on_disk, false);
  assert.deepEqual(await session.append(RENAMED), { state: "held" });
  assert.deepEqual(await session.append(SNAPSHOT), { state: "held" });
  await session.sync();
  assert.equal(session.last_seq, 0);
  assert.equal(exists(store.root), false);
  await session.finish();
  assert.equal(exists(store.root), false);
});

inStore.test("held events are written first, in their order, with the first real one", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(SNAPSHOT);
  await session.append(RENAMED);
  const first = await session.append(user("p"));
  assert.deepEqual(first, { seq: 4, state: "synced" });
  assert.equal(session.on_disk, true);
  assert.deepEqual(kindsOf(session), [
    "session_started",
    "workspace_snapshot",
    "session_renamed",
    "user_message",
  ]);
  assert.deepEqual(await session.append(RENAMED), { seq: 5, state: "written" });
  await session.finish();
});

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

inStore.test("session_started is what the store knows, with the program's own words over it", async ({ store, directory }) => {
  const session = store.create({ cwd: directory, title: "planned", git: { branch: "main" } });
  const held = await session.append({
    kind: "session_started",
    time: "2026-11-21T20:00:00.000Z",
    payload: { ...FULL_PAYLOADS.session_started, title: "own", cwd: "/elsewhere" },
  });
  assert.deepEqual(held, { state: "held" });
  await session.append(user("p"));
  const [header] = eventsOf(session);
  assert.ok(header?.form === "known" && header.kind === "session_started");
  assert.equal(header.time, "2026-11-21T20:00:00.000Z");
  const { cwd, session_id, title, app, git } = header.payload;
  assert.deepEqual([cwd, session_id, title, app, git], [
    directory,
    session.id,
    "own",
    { name: "keen", version: "1.0" },
    FULL_PAYLOADS.session_started.git,
  ]);
  await assert.rejects(
    session.append(fullEvent("session_started")),
    /a session has this event only once/,
  );
  await session.finish();
});

inStore.test("an event that does not fit changes nothing, held or not", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const wrong = [
    draft("session_renamed", { title: 7 as unknown as string }),
    draft("user_message", {} as { content: string }),
    { kind: "no_such_kind", payload: {} } as unknown as NewEvent,
    { kind: "user_message", payload: { content: "p" }, time: "soon" } as NewEvent,
    { kind: "session_started", payload: { app: 1 } } as unknown as NewEvent,
  ];
  for (const event of wrong) {
    await assert.rejects(session.append(event), /^SessionError: Cannot encode \w+: /);
  }
  await assert.rejects(session.append(wrong[2] as NewEvent), /the kind is unknown: "no_such_kind"/);
  assert.equal(exists(store.root), false);
  assert.equal(session.degraded, false);
  await session.append(user("p"));
  await assert.rejects(session.append(wrong[1] as NewEvent), {
    name: "SessionError",
    code: "invalid-event",
  });
  assert.deepEqual(await session.append(user("q")), { seq: 3, state: "synced" });
  assert.deepEqual(kindsOf(session), ["session_started", "user_message", "user_message"]);
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

const NOTICE = draft("notice", { audience: "user", title: "t", text: "" });

Deno.test("durability says what is synced before it is acknowledged", async () => {
  const states = {
    boundary: ["synced", "written", "synced"],
    event: ["synced", "synced", "synced"],
    none: ["written", "written", "written"],
  };
  for (const durability of ["boundary", "event", "none"] as const) {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      const told: string[] = [];
      for (const event of [user("p"), NOTICE, assistant("a")]) {
        told.push((await session.append(event)).state);
      }
      assert.deepEqual(told, states[durability]);
      await session.sync();
      await session.finish();
    }, { durability });
  }
});

inStore.test("appends made at once are written in the order of their calls, and acknowledged so", async ({ store, directory }) => {
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

Deno.test("an event keeps the time that it was given; others get the store's", async () => {
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory });
    await session.append(user("now"));
    await session.append({ ...user("then"), time: "2001-01-01T00:00:00.000Z" });
    await session.append({ ...user("undefined"), time: undefined } as unknown as NewEvent);
    assert.deepEqual(eventsOf(session).map(({ time }) => time), [
      "2026-11-21T20:21:53.123Z",
      "2026-11-21T20:21:53.123Z",
      "2001-01-01T00:00:00.000Z",
      "2026-11-21T20:21:53.123Z",
    ]);
    await session.finish();
  }, { now: () => new Date("2026-11-21T20:21:53.123Z") });
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

inStore.test("text is made well-formed before it is written", async ({ store, directory }) => {
  const session = store.create({ cwd: directory, title: "\ud83d" });
  await session.append(user("lone \ud83d and \udc00, whole 😀, text \\ud83d"));
  const [, said] = eventsOf(session);
  assert.ok(said?.form === "known" && said.kind === "user_message");
  assert.equal(said.payload.content, "lone \ufffd and \ufffd, whole 😀, text \\ud83d");
  await session.finish();
});

inStore.test("close writes a checkpoint and session_closed, and lets the lock go", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  assert.equal(isLocked(dirname(session.path)), true);
  await session.finish({ status: "failed", exit_code: 130, summary: "stopped" });
  assert.equal(isLocked(dirname(session.path)), false);
  const [, , checkpoint, closed] = eventsOf(session);
  assert.ok(checkpoint?.form === "known" && checkpoint.kind === "session_checkpoint");
  const { through_seq, message_count, first_user_message } = checkpoint.payload;
  assert.deepEqual([through_seq, message_count, first_user_message], [2, 1, "p"]);
  assert.equal(checkpoint.turn_id, "t1");
  assert.ok(closed?.form === "known" && closed.kind === "session_closed");
  assert.deepEqual(closed.payload, { status: "failed", exit_code: 130, summary: "stopped" });
  await assert.rejects(
    session.append(user("q")),
    /^SessionError: Cannot append event: the session is closed$/,
  );
  await session.finish();
  assert.equal(eventsOf(session).length, 4);
});

inStore.test("nothing is appended behind the close, and closing twice is closing once", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  const closing = session.finish({ status: "failed" });
  const late = assert.rejects(session.append(user("late")), /the session is closed/);
  const again = session.finish();
  const released = session.release().then(() => isLocked(dirname(session.path)));
  await Promise.all([closing, late, again]);
  assert.equal(await released, false);
  assert.deepEqual(kindsOf(session), [
    "session_started",
    "user_message",
    "session_checkpoint",
    "session_closed",
  ]);
  assert.equal((await store.last())?.status, "failed");
});

Deno.test("appends that wait for the disk are acknowledged though the session is ended", async () => {
  for (const end of ["finish", "release"] as const) {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      const waiting = ["a", "b", "c"].map((text) => session.append(user(text)));
      await session[end]();
      const states = (await Promise.all(waiting)).map(({ state }) => state);
      assert.deepEqual(states, ["synced", "synced", "synced"]);
    });
  }
});

inStore.test("release leaves an interrupted session, which goes on with the next number", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  await session.release();
  assert.equal((await store.last())?.status, "interrupted");
  const resumed = await store.resume(session.id);
  assert.equal((await store.last())?.status, "running");
  assert.deepEqual(await resumed.append(assistant("a")), { seq: 3, state: "synced" });
  await resumed.finish();
  assert.equal((await store.last())?.status, "completed");
});

inStore.test("a session whose last line was changed continues with an unused number", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("first"));
  await session.append(user("second"));
  await session.release();
  const text = Deno.readTextFileSync(session.path);
  Deno.writeTextFileSync(session.path, text.replace("second", "sec0nd"));
  const resumed = await store.resume(session.id);
  assert.deepEqual(await resumed.append(assistant("a")), { seq: 4, state: "synced" });
  await resumed.release();
  const read = readNow(Deno.readFileSync(session.path));
  assert.deepEqual(codesOf(read), ["checksum-mismatch"]);
  assert.deepEqual(seqsOf(read), [1, 2, 3, 4]);
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

inStore.test("several events are appended in one write, all of them or none", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  const appended = await session.appendAll([user("p"), assistant("a"), RENAMED]);
  assert.deepEqual(appended, [2, 3, 4].map((seq) => ({ seq, state: "synced" })));
  await assert.rejects(
    session.appendAll([user("q"), draft("compaction_applied", { status: "" })]),
    { name: "SessionError", code: "invalid-event" },
  );
  await assert.rejects(session.appendAll([user("q"), { kind: "no" } as unknown as NewEvent]));
  assert.equal(session.last_seq, 4);
  assert.equal(eventsOf(session).length, 4);
  await session.release();
});

inStore.test("a declared call is started once", async ({ store, directory }) => {
  await using session = store.create({ cwd: directory });
  const call = { type: "tool_call" as const, call_id: "c1", name: "read", input: {} };
  const declared = draft("assistant_message", { content: [call] });
  await session.append(declared);
  // The user's own command has nothing to do with it.
  await session.append(draft("bash_start", { call_id: "c1", command: "ls", origin: "user" }));
  await session.append(draft("bash_end", { call_id: "c1", command: "ls", status: "ok" }));
  await session.append(draft("tool_start", { call_id: "c1" }));
  await assert.rejects(session.append(draft("tool_start", { call_id: "c1" })), /already started/);
  await session.append(draft("tool_end", { call_id: "c1", name: "read", status: "ok" }));
  await assert.rejects(
    session.append(draft("tool_start", { call_id: "c1" })),
    /no answer of the model in this session contains the tool call/,
  );
  // An id may come again.
  await session.append(declared);
});

inStore.test("a head may come with the events that create the session", async ({ store, directory }) => {
  const session = store.create({ cwd: directory, title: "planned" });
  const head = {
    kind: "session_started" as const,
    payload: { ...FULL_PAYLOADS.session_started, title: "own" },
  };
  await assert.rejects(
    session.appendAll([head, draft("compaction_applied", { status: "" })]),
    { code: "invalid-event" },
  );
  assert.deepEqual(await session.appendAll([head, RENAMED, user("p")]), [
    { seq: 1, state: "synced" },
    { seq: 2, state: "synced" },
    { seq: 3, state: "synced" },
  ]);
  assert.deepEqual(kindsOf(session), ["session_started", "session_renamed", "user_message"]);
  await assert.rejects(session.appendAll([head, user("q")]), /a session has this event only once/);
  await session.release();
});

inStore.test("events that readers would ignore are refused, and change nothing", async ({ store, directory }) => {
  const session = store.create({ cwd: directory });
  await session.append(user("p"));
  const call = { type: "tool_call" as const, call_id: "c1", name: "read", input: {} };
  const refused: [NewEvent, RegExp][] = [
    [draft("compaction_applied", { status: "" }), /neither messages nor a summary/],
    [draft("compaction_applied", { status: "", summary: "s", first_kept_seq: 3 }), /from 1 to 2/],
    [
      draft("compaction_applied", { status: "", summary: "s", first_kept_seq: 0 }),
      /is not the number of an earlier event/,
    ],
    [
      draft("compaction_applied", { status: "", summary: "s", first_kept_seq: 1.5 }),
      /is not the number of an earlier event/,
    ],
    [draft("assistant_message", { content: [call, call] }), /c1 twice/],
    [
      draft("tool_start", { call_id: "c1" }),
      /no answer of the model in this session contains the tool call c1/,
    ],
    [
      draft("tool_end", { call_id: "c1", name: "read", status: "ok" }),
      /no unfinished tool call c1/,
    ],
  ];
  for (const [event, reason] of refused) {
    await assert.rejects(session.append(event), (error: unknown) => {
      assert.ok(error instanceof SessionError && error.code === "invalid-event");
      assert.match(error.message, reason);
      return true;
    });
  }
  assert.equal(session.last_seq, 2);
  const ends = draft("tool_end", { call_id: "c1", name: "read", status: "ok" });
  await session.appendAll([draft("assistant_message", { content: [call] }), ends]);
  await assert.rejects(session.append(ends), /no unfinished tool call c1/);
  await session.append(
    draft("compaction_applied", { status: "", summary: "s", first_kept_seq: 3 }),
  );
  await session.append(draft("compaction_applied", { status: "", summary: "s" }));
  await session.release();

  const resumed = await store.resume(session.id);
  assert.equal((await resumed.append(ends)).state, "synced", "it has not seen all of its log");
  await resumed.release();
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

Deno.test("a time that a program gives is kept as UTC with milliseconds; what is none is refused", async () => {
  const root = await Deno.makeTempDir();
  const session = openStore({ root }).create({ cwd: root });
  const payload = { content: "hi" };
  await session.append({ kind: "user_message", time: "2026-11-21T21:00:00+01:00", payload });
  for (const time of ["Sat, 21 Nov 2026 20:00:00 GMT", "2026-11-31Tx", ""]) {
    await assert.rejects(session.append({ kind: "user_message", time, payload }), /ISO 8601/);
  }
  await session.finish();
  const log = await Deno.readTextFile(session.path);
  assert.match(log, /"kind":"user_message","time":"2026-11-21T20:00:00.000Z"/);
  assert.equal(log.match(/"kind":"user_message"/g)?.length, 1);
  await Deno.remove(root, { recursive: true });
});
