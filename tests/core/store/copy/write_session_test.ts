import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import type { Event, LogEvent, NewEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import type { NewLog } from "../../../../lib/core/store/create_log.ts";
import { LogDraft, type WholeEvent } from "../../../../lib/core/store/copy/log_draft.ts";
import { openLocalStore } from "../../../../lib/core/store/open_store.ts";
import { verifyLog } from "../../../../lib/core/store/verify_log.ts";
import { writeSession } from "../../../../lib/core/store/copy/write_session.ts";
import { namespaceOf } from "../../../../lib/core/workspace/namespace.ts";
import { assistant, codesOf, numbered, readNow, user } from "../../../_support/log_bytes.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";
import { needing, UNIX } from "../../../_support/needing.ts";

const NOW = "2026-11-21T20:21:53.123Z";

function planIn(root: string): NewLog {
  return {
    root,
    namespace: namespaceOf("/home/ada/src"),
    created: new Date(NOW),
    id: crypto.randomUUID(),
    newId: () => crypto.randomUUID(),
    holder: { pid: Deno.pid, host: "here", since: NOW },
  };
}

function head(session_id: string): NewEvent {
  return {
    kind: "session_started",
    payload: { session_id, created_at: NOW, cwd: "/home/ada/src" },
  };
}

/** A head and these events, a batch each. */
function writes(events: readonly NewEvent[]): (id: string) => AsyncGenerator<Event[]> {
  return async function* (id): AsyncGenerator<Event[]> {
    for (const event of numbered([head(id), ...events])) yield await Promise.resolve([event]);
  };
}

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
}

/** The folder of all sessions of the test's working directory. */
function namespaceIn(root: string): string {
  return join(root, "sessions", namespaceOf("/home/ada/src"));
}

async function findings(path: string): Promise<string[]> {
  const codes: string[] = [];
  await verifyLog(path, ({ code }) => codes.push(code));
  return codes;
}

inDirectory.test("writeSession makes a session that is listed, verified and gone on with", async (root) => {
  const plan = planIn(root);
  const written = await writeSession(plan, writes([user("p"), assistant("a")]));
  const bytes = Deno.readFileSync(written.path);
  assert.deepEqual({ ...written, path: "" }, {
    session_id: plan.id,
    path: "",
    events: 4,
    last_seq: 4,
    bytes: bytes.length,
  });
  assert.deepEqual(readNow(bytes).events.map(({ kind }) => kind), [
    "session_started",
    "user_message",
    "assistant_message",
    "session_checkpoint",
  ]);
  assert.deepEqual(await findings(written.path), []);
  assert.deepEqual(namesIn(dirname(written.path)), ["lock", "transcript_events.jsonl"]);
  const store = openLocalStore({ root });
  const [row, ...others] = await store.list();
  assert.deepEqual([row?.ref, row?.status, row?.message_count, others], [
    plan.id,
    "interrupted",
    2,
    [],
  ]);
  const session = await store.resume(plan.id);
  assert.deepEqual(await session.append(user("q")), { seq: 5, state: "synced" });
  await session.finish();
  assert.deepEqual(await findings(written.path), []);
});

Deno.test(
  needing("writeSession makes folders and files that only their owner can read", UNIX),
  async () => {
    await withDirectory(async (directory) => {
      const { path } = await writeSession(planIn(join(directory, "store")), writes([user("p")]));
      const modes = [path, join(dirname(path), "lock"), dirname(path), dirname(dirname(path))]
        .map((each) => ((Deno.statSync(each).mode ?? 0) & 0o777).toString(8));
      assert.deepEqual(modes, ["600", "600", "700", "700"]);
    });
  },
);

inDirectory.test("an unfinished session is not visible", async (root) => {
  const store = openLocalStore({ root });
  const seen: unknown[] = [];
  const { path } = await writeSession(
    planIn(root),
    async function* (id): AsyncGenerator<WholeEvent[]> {
      yield numbered([head(id), user("p")]);
      seen.push(await store.list(), namesIn(namespaceIn(root)).map((name) => name.slice(-4)));
      assert.throws(() => store.find(id), { code: "not-found" });
    },
  );
  assert.deepEqual(seen, [[], [".tmp"]]);
  assert.deepEqual(namesIn(namespaceIn(root)), [basename(dirname(path))]);
  assert.equal((await store.list()).length, 1);
});

inDirectory.test("a session that fails half-way leaves nothing, and the next one succeeds", async (root) => {
  const fault = new Error("no more");
  const failing = writeSession(planIn(root), async function* (id): AsyncGenerator<WholeEvent[]> {
    yield await Promise.resolve(numbered([head(id), user("p")]));
    throw fault;
  });
  await assert.rejects(failing, (error) => error === fault);
  assert.deepEqual(namesIn(namespaceIn(root)), []);
  const { path } = await writeSession(planIn(root), writes([user("p")]));
  assert.deepEqual(await findings(path), []);
});

inDirectory.test("a session that is aborted leaves nothing", async (root) => {
  const stop = new AbortController();
  const stopped = writeSession(planIn(root), async function* (id): AsyncGenerator<WholeEvent[]> {
    yield await Promise.resolve(numbered([head(id)]));
    stop.abort();
    yield numbered([user("p")], 2);
  }, { signal: stop.signal });
  await assert.rejects(stopped, { name: "AbortError" });
  assert.deepEqual(namesIn(namespaceIn(root)), []);
});

inDirectory.test("numbers that do not rise are refused, but where the log has them so", async (root) => {
  async function* write(id: string): AsyncGenerator<WholeEvent[]> {
    yield await Promise.resolve([
      ...numbered([head(id), user("p")]),
      ...numbered([user("q")], 2),
    ]);
  }
  await assert.rejects(
    writeSession(planIn(root), write),
    /^TypeError: Cannot write user_message: the event's number 2 must be above 2, the last one$/,
  );
  assert.deepEqual(namesIn(namespaceIn(root)), []);
  const { path } = await writeSession(planIn(root), write, { any_order: true });
  assert.deepEqual(codesOf(readNow(Deno.readFileSync(path))), ["seq-repeat"]);
});

inDirectory.test("a copied event keeps unknown fields, and the mark of a change", async (root) => {
  const foreign =
    '{"v":1,"seq":2,"kind":"mood","time":"some day","mine":[1],"payload":{"x":"\\ud800"}}\n' +
    '{"v":1,"seq":3,"kind":"user_message","payload":{"text":"?"}}\n' +
    '{"v":1,"seq":4,"kind":"user_message","payload":{"content":"!"},"crc":"00000000"}\n';
  const { events } = readNow(new TextEncoder().encode(foreign));
  const { path } = await writeSession(
    planIn(root),
    async function* (id): AsyncGenerator<WholeEvent[]> {
      yield await Promise.resolve([...numbered([head(id)]), ...events as WholeEvent[]]);
    },
  );
  const read = readNow(Deno.readFileSync(path));
  assert.deepEqual(codesOf(read), ["unknown-kind", "invalid-payload", "checksum-mismatch"]);
  const [, mood, invalid, changed] = read.events as (LogEvent & { mine?: unknown })[];
  assert.deepEqual([mood?.time, mood?.mine], ["some day", [1]]);
  assert.deepEqual(mood !== undefined && "payload" in mood && mood.payload, { x: "\ufffd" });
  assert.deepEqual([invalid?.form, invalid?.integrity], ["invalid", "verified"]);
  assert.deepEqual([changed?.form, changed?.integrity], ["known", "mismatch"]);
});

inDirectory.test("a session is closed, dated and given files before anybody sees it", async (root) => {
  const time = "2026-11-22T00:00:00.000Z";
  const written = await writeSession(planIn(root), writes([user("p")]), {
    closing: (seq) => ({ seq, kind: "session_closed", time, payload: { status: "completed" } }),
    updated_at: time,
    attach: (directory) => Deno.writeTextFile(join(directory, "original.jsonl"), "x"),
  });
  assert.equal(Deno.readTextFileSync(join(dirname(written.path), "original.jsonl")), "x");
  const [row] = await openLocalStore({ root }).list();
  assert.deepEqual([row?.status, row?.updated_at, row?.last_seq, written.last_seq], [
    "completed",
    time,
    4,
    4,
  ]);
  assert.deepEqual(await findings(written.path), []);
});

inDirectory.test("files that cannot be put beside the log are a failure that leaves nothing", async (root) => {
  const attach = (): Promise<void> => Promise.reject(new SessionError("io", "Cannot copy file"));
  await assert.rejects(writeSession(planIn(root), writes([user("p")]), { attach }), {
    code: "io",
  });
  assert.deepEqual(namesIn(namespaceIn(root)), []);
});

inDirectory.test("an id that is taken, by a session or by a draft, is made anew", async (root) => {
  const plan = planIn(root);
  const first = await writeSession(plan, writes([user("p")]));
  const other = crypto.randomUUID();
  Deno.mkdirSync(join(namespaceIn(root), `20261121T202153123Z-${other}.tmp`));
  const ids = [other, crypto.randomUUID()];
  const second = await writeSession(
    { ...plan, newId: () => ids.shift() ?? "" },
    writes([user("q")]),
  );
  assert.equal(second.session_id.length, 36);
  assert.ok(![plan.id, other].includes(second.session_id));
  assert.equal((await openLocalStore({ root }).load(first.session_id)).summary.title, "p");
  assert.equal((await openLocalStore({ root }).load(second.session_id)).summary.title, "q");
});

Deno.test(
  needing("P8 a link in place of a folder of the store is not written through", UNIX),
  async () => {
    await withDirectory(async (directory) => {
      const [root, outside] = [join(directory, "store"), join(directory, "outside")];
      for (const path of [root, outside]) Deno.mkdirSync(path, { mode: 0o700 });
      Deno.symlinkSync(outside, join(root, "sessions"));
      await assert.rejects(writeSession(planIn(root), writes([user("p")])), {
        code: "unsafe-store",
      });
      assert.deepEqual(namesIn(outside).flatMap((name) => namesIn(join(outside, name))), []);
    });
  },
);

inDirectory.test("a log is written in few writes, whatever the size of its events", async (root) => {
  const path = join(root, "log");
  const log = new LogDraft(path);
  try {
    const long = "x".repeat(300_000);
    for (const event of numbered(Array.from({ length: 9 }, () => user(long)))) log.add(event);
    assert.ok(Deno.statSync(path).size >= 2 * 1024 * 1024);
    await log.sync();
  } finally {
    log.close();
  }
  const read = readNow(Deno.readFileSync(path));
  assert.deepEqual([read.events.length, read.tally.bytes, codesOf(read)], [9, log.bytes, []]);
});
