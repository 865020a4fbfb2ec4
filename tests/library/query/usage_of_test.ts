import assert from "node:assert/strict";
import { UsageTable } from "../../../lib/library/counts/usage/usage_table.ts";
import { importHandle, openLibrary, usageOf } from "../../../lib/library/mod.ts";
import { rowCounts } from "../../../lib/library/counts/usage/usage_sums.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { cliEnvironment } from "../../_support/cli.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { answerInPi, keepPiSession } from "../../commands/_pi_session.ts";

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
const now = (): number => Date.now() + 60_000;

inHome.test("usage of our own log is cached until it changes; usage of an import is not", async (home) => {
  const answer = {
    kind: "assistant_message" as const,
    payload: { content: "x", model: "m", usage: { input: 2, output: 1 } },
  };
  home.keep(sessionId("aaaa"), [user("One"), answer]);
  const { ref, path } = keepPiSession(home);
  answerInPi(path, 7);
  const env = cliEnvironment({ home: home.path });
  const variable = (name: string): string | undefined => env[name];
  const library = openLibrary({ variable, cwd: home.work });
  const store = openLocalStore({ root: home.store });
  const imported = await importHandle(store, await library.open(ref));
  const kept = { folder: home.cache, version: "1", now };
  const { entries } = await library.query({ agents: ["reprise"], rows: true });
  const first = await usageOf(entries, { dayOf, kept });
  assert.deepEqual(await usageOf(entries, { dayOf, kept }), first);
  const { entries: located } = await library.query({ agents: ["reprise"] });
  assert.deepEqual(await usageOf(located, { dayOf, kept }), first);
  const isKept = async (id: string): Promise<boolean> => {
    const session = entries.find(({ session }) => session.id === id)?.session;
    assert.ok(session !== undefined, id);
    using table = new UsageTable(kept);
    return (await table.lookUp([{ session }]))[0]?.facts !== undefined;
  };
  assert.equal(await isKept(sessionId("aaaa")), true);
  assert.equal(await isKept(imported.session_id), false);
  const more = await store.resume("aaaa");
  await more.append({ ...answer, payload: { ...answer.payload, usage: { input: 40, output: 2 } } });
  await more.finish();
  assert.equal(await isKept(sessionId("aaaa")), false);
  const inputs = (await usageOf(entries, { dayOf, kept }))
    .filter(({ ref }) => ref === sessionId("aaaa"))
    .flatMap(({ rows }) => rows.map(({ usage }) => usage.input ?? 0));
  assert.equal(inputs.reduce((sum, input) => sum + input, 0), 42);
});

Deno.test("a row keeps the tokens of a fork that took none by itself, first and later", () => {
  assert.deepEqual(rowCounts({ usage: {}, cost_usd: 0 }), { cost_usd: 0 });
  const spent = { usage: { input: 1 }, cost_usd: 2 };
  assert.deepEqual(rowCounts(spent), spent);
});

inHome.test("usageOf counts calls and changed files once, and then finds them kept", async (home) => {
  const { path } = keepPiSession(home);
  answerInPi(path, 7);
  const env = cliEnvironment({ home: home.path });
  const library = openLibrary({ variable: (name) => env[name], cwd: home.work });
  const kept = { folder: home.cache, version: "1", now };
  const { entries } = await library.query({ agents: ["pi"] });
  const [plain] = await usageOf(entries, { dayOf, kept });
  assert.ok(plain !== undefined && plain.work === undefined);
  const read: number[] = [];
  const onProgress = (_: number, all: number): unknown => read.push(all);
  const [first] = await usageOf(entries, { dayOf, kept, work: true, onProgress });
  assert.deepEqual(first?.rows, plain.rows);
  assert.ok(first?.work !== undefined);
  assert.deepEqual(await usageOf(entries, { dayOf, kept, work: true, onProgress }), [first]);
  assert.deepEqual([read.length, (read[0] ?? 0) > 0, read[1]], [2, true, 0]);
});

// Slow: others have a turn only in what takes longer than a turn.
inHome.test("reading one long session tells its bytes, and lets others run meanwhile", async (home) => {
  const answer = { kind: "assistant_message" as const, payload: { content: "x".repeat(2000) } };
  home.keep(sessionId("aaaa"), [user("One"), ...Array.from({ length: 3000 }, () => answer)]);
  const env = cliEnvironment({ home: home.path });
  const library = openLibrary({ variable: (name) => env[name], cwd: home.work });
  const { entries } = await library.query();
  let turns = 0;
  let timer = setTimeout(function turn(): void {
    turns++;
    timer = setTimeout(turn, 0);
  }, 0);
  const told: [share: number, turns: number][] = [];
  const onProgress = (done: number, all: number): unknown => told.push([done / all, turns]);
  await usageOf(entries, { dayOf, work: true, onProgress });
  clearTimeout(timer);
  const within = told.filter(([share]) => share > 0 && share < 1);
  assert.ok(within.length > 2, JSON.stringify(told));
  assert.ok((within.at(-1)?.[1] ?? 0) > (within[0]?.[1] ?? 0), JSON.stringify(told));
  assert.equal(told.at(-1)?.[0], 1);
});
