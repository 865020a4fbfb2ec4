import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { SessionError } from "../../../lib/core/event/session_error.ts";
import { keepPrompt, START, ticking } from "../../_support/kept_sessions.ts";
import { logOf, user } from "../../_support/log_bytes.ts";
import { childPath } from "../../_support/processes.ts";
import { inStore, withStore } from "../../_support/temp_directory.ts";

async function titles(listed: Promise<{ title: string }[]>): Promise<string[]> {
  return (await listed).map(({ title }) => title);
}

Deno.test("list filters by title, time and archive", async () => {
  await withStore(async (store, directory) => {
    await keepPrompt(store, directory, "Fix the BUG");
    const late = await keepPrompt(store, directory, "Write a test");
    assert.deepEqual(await titles(store.list({ title: "bug" })), ["Fix the BUG"]);
    const [{ updated_at = "" } = {}] = await store.list();
    assert.deepEqual(await titles(store.list({ since: new Date(updated_at) })), ["Write a test"]);
    assert.deepEqual(await store.list({ since: new Date(START + 1e9) }), []);
    await store.archive(late);
    assert.deepEqual(await titles(store.list()), ["Fix the BUG"]);
    assert.deepEqual(await titles(store.list({ archived: true })), ["Write a test"]);
  }, ticking());
});

Deno.test("a summary says all that a list shows", async () => {
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory, title: "Begun as" });
    await session.append(user("p"));
    await session.append({
      kind: "assistant_message",
      payload: { content: "a", model: "m1", usage: { input: 3 }, cost_usd: 0.5 },
    });
    const [row] = await store.list();
    const { size } = Deno.statSync(session.path);
    assert.deepEqual(row, {
      ref: session.id,
      agent: "reprise",
      session_id: session.id,
      path: session.path,
      cwd: directory,
      title: "Begun as",
      first_user_message: "p",
      last_user_message: "p",
      created_at: "2026-11-21T20:00:00.000Z",
      updated_at: row?.updated_at,
      last_seq: 3,
      message_count: 2,
      turn_count: 1,
      usage: { input: 3 },
      cost_usd: 0.5,
      models: ["m1"],
      status: "running",
      archived: false,
      bytes: size,
    });
    assert.ok((row.updated_at ?? "") > (row.created_at ?? ""));
    await session.finish();
  }, ticking());
});

inStore.test("counts that the edges do not tell are absent, and read on request", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "p");
  const { path } = store.find(id);
  const big = Array.from({ length: 500 }, (_, index) => user(`${index} ` + "x".repeat(5000)));
  Deno.writeFileSync(path, logOf(big));
  const [row] = await store.list();
  assert.deepEqual([row?.message_count, row?.last_seq, row?.status], [
    undefined,
    500,
    "interrupted",
  ]);
  const [exact] = await store.list({ exact: true });
  assert.deepEqual([exact?.message_count, exact?.title.slice(0, 2)], [500, "0 "]);
});

inStore.test("an unreadable session is reported, and the others are listed", async ({ store, directory }) => {
  const good = await keepPrompt(store, directory, "good");
  const bad = await keepPrompt(store, directory, "bad");
  const empty = await keepPrompt(store, directory, "empty");
  const gone = await keepPrompt(store, directory, "gone");
  Deno.removeSync(store.find(bad).path);
  Deno.mkdirSync(store.find(bad).path);
  Deno.writeTextFileSync(store.find(empty).path, "");
  Deno.removeSync(store.find(gone).path);
  Deno.mkdirSync(join(store.root, "sessions", "no namespace"));
  Deno.mkdirSync(join(dirname(store.find(good).directory), "no session"));
  Deno.writeTextFileSync(join(store.root, "sessions", "file"), "");
  const errors: SessionError[] = [];
  const rows = await store.list({ onError: (error) => errors.push(error) });
  assert.deepEqual(
    rows.map(({ session_id, title }) => [session_id, title]),
    [[good, "good"]],
  );
  assert.deepEqual(errors.map(({ code, data }) => [code, data.path]), [
    ["unsafe-store", store.find(bad).path],
  ]);
});

inStore.test("a list is right again whatever happened to the log since", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "before");
  const { path } = store.find(id);
  assert.deepEqual(await titles(store.list()), ["before"]);
  Deno.writeFileSync(path, logOf([user("after, and longer")]));
  assert.deepEqual(await titles(store.list()), ["after, and longer"]);
  Deno.removeSync(path);
  assert.deepEqual(await store.list(), []);
  Deno.writeFileSync(path, logOf([user("a third time")]));
  assert.deepEqual(await titles(store.list()), ["a third time"]);
});

inStore.test("a row that a caller changes does not change the next list", async ({ store, directory }) => {
  await keepPrompt(store, directory, "p");
  const [row] = await store.list();
  row?.models?.push("forged");
  if (row?.usage !== undefined) row.usage.input = 99;
  const [again] = await store.list();
  assert.deepEqual([again?.models, again?.usage], [[], {}]);
});

// Slow: another process opens and closes a session 40 times.
inStore.test("the status is right at every moment beside a writer that opens and closes", async ({ store, directory }) => {
  const id = await keepPrompt(store, directory, "p");
  const script = { root: store.root, resume: id, rounds: 40 };
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", childPath("rounds_child"), JSON.stringify(script)],
    stdout: "piped",
  }).spawn();
  let writing = true;
  const ended = child.output().then((output) => {
    writing = false;
    return JSON.parse(new TextDecoder().decode(output.stdout));
  });
  const seen: Record<string, number> = {};
  while (writing) {
    for (let looks = 0; looks < 10; looks++) {
      for (const { status } of await store.list()) seen[status] = (seen[status] ?? 0) + 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.deepEqual(await ended, { kept: 40, locked: 0 });
  const { running = 0, completed = 0, ...others } = seen;
  assert.deepEqual(others, {}, "never closed, never held: the writer does neither");
  assert.ok(running > 0 && completed > 0, JSON.stringify(seen));
  assert.equal((await store.list())[0]?.message_count, 41);
});

Deno.test("a log without a readable event is listed, told, and not resumed", async () => {
  await withStore(async (store, directory) => {
    const session = store.create({ cwd: directory });
    await session.append(user("p"));
    await session.finish();
    Deno.writeTextFileSync(session.path, "noise\n");
    const told: string[] = [];
    const onError = ({ code, data }: SessionError): void => void told.push(code, data.path ?? "");
    const rows = await store.list({ onError });
    assert.deepEqual(rows.map(({ ref }) => ref), [session.id]);
    assert.deepEqual(told, ["damaged", session.path]);
    await assert.rejects(store.resume(session.id), { code: "damaged" });
    await store.remove(session.id);
  });
});
