import assert from "node:assert/strict";
import { join } from "node:path";
import { factsIn } from "../../../lib/library/catalogue/facts_file.ts";
import { Library } from "../../../lib/library/library.ts";
import { rowsOf } from "../../../lib/library/query/candidate.ts";
import type { QueryOptions } from "../../../lib/library/query/query.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { appendMark } from "../../../lib/core/store/marks.ts";
import { relinkRef } from "../../../lib/core/store/relinks.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import configuration from "../../../deno.json" with { type: "json" };
import { UsageTable } from "../../../lib/library/counts/usage/usage_table.ts";
import { openWindow } from "../../../lib/library/handle/window/session_window.ts";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import { databaseOf, exported } from "../../agents/opencode/_store.ts";
import { answerInPi, keepPiSession } from "../../commands/_pi_session.ts";
import { listed } from "../../_support/listed.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { jsonLines } from "../../_support/cli.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { settle } from "../../_support/settle.ts";

function now(): string {
  return new Date().toISOString();
}

/** A library that keeps what it knows, and for which every file is old; or one that keeps nothing. */
function libraryOf(
  home: CliHome,
  kept: boolean,
  agents: readonly AgentName[] = ["reprise", "pi", "claude"],
): Library {
  const { store: root, path, work } = home;
  const environment = { home: path, variable: () => undefined, os: Deno.build.os, root };
  const { cache } = home;
  const place = { root, cache, environment, agents };
  const options = { version: "1", now: () => Date.now() + 60_000 };
  return new Library(place, work, kept ? options : undefined);
}

async function assertSame(home: CliHome, says: string): Promise<void> {
  const all: QueryOptions[] = [
    { archived: "any" },
    { limit: 3 },
    { archived: true },
    { title: "NEW" },
    { directories: [home.work] },
    { since: new Date("2026-11-21T20:21:57Z"), archived: "any" },
  ];
  for (const options of all) {
    const made = await listed(libraryOf(home, false), options);
    const kept = await listed(libraryOf(home, true), options);
    assert.deepEqual(kept, made, `${says}: ${JSON.stringify(options)}`);
    const rows = made.map(({ ref, cwd }) => ({ ref, cwd }));
    for (const is_kept of [false, true]) {
      const { entries } = await libraryOf(home, is_kept).query(options);
      const located = entries.map(({ ref, cwd }) => ({ ref, cwd }));
      assert.deepEqual(located, rows, `located, ${says}: ${JSON.stringify(options)}`);
      const told = await rowsOf(entries);
      assert.deepEqual(told.map(({ ref, cwd }) => ({ ref, cwd })), rows, `told, ${says}`);
    }
  }
}

// Slow: each kind of change is followed by lists of every kind.
inHome.test("a list from the catalogue is the list that is made anew, after anything that happens", async (home) => {
  const store = openLocalStore({ root: home.store });
  const random = mulberry32(5);
  const below = (most: number): number => Math.floor(random() * most);
  for (let index = 0; index < 5; index++) {
    home.keep(sessionId(`a${index}`.padEnd(4, "0")), [user(`Question ${index}`), assistant("x")]);
  }
  const pi = keepPiSession(home);
  const refOf = async (): Promise<string> => {
    const rows = (await store.list({ archived: "any" })).filter(({ status }) =>
      status !== "running"
    );
    return rows[below(rows.length)]?.ref ?? "";
  };
  const operations: [string, () => Promise<unknown> | unknown][] = [
    ["rename", async () => await store.rename(await refOf(), `New title ${below(9)}`)],
    ["archive", async () => await store.archive(await refOf(), below(2) === 0)],
    ["fork", async () => await store.makeFork(await refOf())],
    [
      "mark of another agent's",
      () => appendMark(home.store, { ref: pi.ref, title: `New mark ${below(9)}`, time: now() }),
    ],
    ["more", () => Deno.writeTextFileSync(pi.path, "\n", { append: true })],
    ["append", async () => {
      const session = await store.resume(await refOf());
      await session.append({ kind: "user_message", payload: { content: "More" } });
      await session.finish();
    }],
    ["remove", async () => await store.remove(await refOf())],
    ["relink", () =>
      appendMark(home.store, {
        ref: relinkRef(home.work),
        relinked: join(home.path, `moved${below(3)}`),
        time: now(),
      })],
  ];
  await assertSame(home, "at first");
  for (let round = 0; round < roundsOf(30, operations.length + 2); round++) {
    const chosen = round < operations.length ? round : below(operations.length);
    const [name, operate] = operations[chosen] ?? ["", () => {}];
    await operate();
    await assertSame(home, `${round}: ${name}`);
  }
});

inHome.test("a session that is being written runs, and after it what it is, also from the catalogue", async (home) => {
  home.keep(sessionId("aaaa"), [user("Question")]);
  const store = openLocalStore({ root: home.store });
  const statusOf = async (): Promise<string | undefined> =>
    (await listed(libraryOf(home, true)))[0]?.status;
  assert.equal(await statusOf(), "interrupted");
  const session = await store.resume("aaaa");
  assert.equal(await statusOf(), "running");
  await session.append({ kind: "user_message", payload: { content: "More" } });
  assert.equal(await statusOf(), "running");
  await session.finish({ status: "completed" });
  assert.equal(await statusOf(), "completed");
  assert.equal(await statusOf(), "completed");
});

inHome.test("a damaged row of the catalogue is made again", async (home) => {
  for (const id of ["aaaa", "bbbb", "cccc"]) home.keep(sessionId(id), [user(`Question ${id}`)]);
  const rows = await listed(libraryOf(home, true));
  const [path = ""] = factsIn(home.cache);
  const bytes = Deno.readFileSync(path);
  const at = new TextDecoder("latin1").decode(bytes).lastIndexOf("Question bbbb");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  Deno.writeFileSync(path, bytes);
  assert.deepEqual(await listed(libraryOf(home, true)), rows);
  assert.notDeepEqual(Deno.readFileSync(path), bytes);
  assert.deepEqual(await listed(libraryOf(home, true)), rows);
});

inHome.test("counts are unknown until somebody reads the whole, and known from then on", async (home) => {
  const pi = keepPiSession(home);
  const row = async (exact = false): Promise<Summary | undefined> =>
    (await listed(libraryOf(home, true), { exact })).at(0);
  assert.equal((await row())?.message_count, undefined);
  const exact = await row(true);
  assert.ok((exact?.message_count ?? 0) > 0);
  assert.deepEqual(await row(), exact);
  Deno.writeTextFileSync(pi.path, "\n", { append: true });
  assert.equal((await row())?.message_count, undefined);
});

inHome.test("show and stats leave their counts for the next list, until the session changes", async (home) => {
  const pi = keepPiSession(home);
  const row = async (): Promise<Summary | undefined> =>
    jsonLines<Summary>((await home.run(["list", "--all", "--json"])).stdout).at(0);
  const [exact] = await listed(libraryOf(home, false), { exact: true });
  await settle();
  assert.equal((await row())?.message_count, undefined);
  assert.equal((await home.run(["show", pi.ref])).status, 0);
  const shown = await row();
  assert.equal(shown?.message_count, exact?.message_count);
  assert.equal(shown?.cost_usd, exact?.cost_usd);
  Deno.writeTextFileSync(pi.path, "\n", { append: true });
  await settle();
  assert.equal((await row())?.message_count, undefined);
  assert.equal((await home.run(["stats", "--all"])).status, 0);
  const spent = await row();
  // The count is of an older state of the file, and the cost of this one.
  assert.deepEqual([spent?.message_count, spent?.cost_usd], [undefined, exact?.cost_usd]);
});

for (
  const [command, ...args] of [
    ...[["export"], ["export", "--format", "md"], ["secrets"], ["doctor"]],
    ...[["show", "--json"], ["handover", "--to", "codex", "--dry-run"], ["conversation"]],
  ]
) {
  inHome.test(`${[command, ...args].join(" ")} leaves counts for lists if it reads a session whole`, async (home) => {
    const pi = keepPiSession(home);
    Deno.mkdirSync(join(home.path, ".codex"));
    const [exact] = await listed(libraryOf(home, false), { exact: true });
    await settle();
    const run = async (): Promise<void> => {
      await home.succeed([command ?? "", pi.ref, ...args]);
    };
    await run();
    assert.throws(() => factsIn(home.cache), Deno.errors.NotFound);
    await home.run(["list", "--all"]);
    await run();
    const partly = command === "conversation";
    const { stdout } = await home.run(["list", "--all", "--json"]);
    const row = jsonLines<Summary>(stdout).find(({ ref }) => ref === pi.ref);
    assert.equal(row?.message_count, partly ? undefined : exact?.message_count);
  });
}

inHome.test("a window that was read to its end leaves counts for lists", async (home) => {
  keepPiSession(home);
  await settle();
  const library = libraryOf(home, true);
  const { entries: [entry] } = await library.query();
  assert.ok(entry !== undefined);
  const view = openWindow(await entry.open());
  await view.items(-1, 1);
  assert.equal((await listed(library))[0]?.message_count, undefined);
  await view.readAll();
  const [exact] = await listed(libraryOf(home, false), { exact: true });
  assert.equal((await listed(library))[0]?.message_count, exact?.message_count);
});

inHome.test("stats does not read usage again after show", async (home) => {
  const pi = keepPiSession(home);
  answerInPi(pi.path, 12_345);
  await settle();
  await home.run(["list", "--all"]);
  assert.equal((await home.run(["show", pi.ref])).status, 0);
  const [session] = await libraryOf(home, false).sessions({ agents: ["pi"] });
  assert.ok(session !== undefined);
  using kept = new UsageTable({ folder: home.cache, version: configuration.version });
  assert.deepEqual((await kept.lookUp([{ session }]))[0]?.facts?.models, ["m-pi"]);
});

inHome.test("a list fills in what it lacks for as long as its reader may wait, and keeps it", async (home) => {
  keepPiSession(home);
  await settle();
  const library = libraryOf(home, true);
  const { entries } = await library.query({ rows: true });
  await library.fillCounts(entries, 0);
  assert.equal((await entries[0]?.row())?.message_count, undefined);
  await library.fillCounts(entries, 60_000);
  const filled = await entries[0]?.row();
  const [exact] = await listed(libraryOf(home, false), { exact: true });
  assert.equal(filled?.message_count, exact?.message_count);
  assert.equal(filled?.cost_usd, exact?.cost_usd);
  assert.equal((await listed(libraryOf(home, true)))[0]?.message_count, exact?.message_count);
});

inHome.test("a list fills in what it lacks of a database, if that is short", async (home) => {
  const folder = join(home.path, ".local", "share", "opencode");
  Deno.mkdirSync(folder, { recursive: true });
  const { info, messages } = exported("small");
  const long = Array.from({ length: 200 }, (_, round) =>
    messages.map((message) => ({
      info: { ...message.info, id: `${message.info.id}${round}` },
      parts: message.parts.map((part) => ({ ...part, id: `${part.id}${round}` })),
    }))).flat();
  // The row of a shorter session has its counts at once.
  Deno.writeFileSync(join(folder, "opencode.db"), databaseOf({ info, messages: long }));
  const library = libraryOf(home, true, ["opencode"]);
  const { entries: [entry] } = await library.query({ rows: true });
  assert.ok(entry !== undefined && (await entry.row())?.message_count === undefined);
  await library.fillCounts([entry], 60_000);
  assert.ok(((await entry.row())?.message_count ?? 0) > 0);
});

inHome.test("delete removes what the catalogue knows before it reports the removal", async (home) => {
  home.keep(sessionId("aaaa"), [user("first secret")]);
  home.keep(sessionId("bbbb"), [user("second secret")]);
  const told = (): string =>
    new TextDecoder().decode(Deno.readFileSync(factsIn(home.cache)[0] ?? ""));
  await settle();
  assert.equal((await home.run(["list", "--all"])).status, 0);
  assert.ok(told().includes("first secret") && told().includes("second secret"));
  assert.equal((await home.run(["delete", "aaaa"])).status, 0);
  assert.ok(!told().includes("first secret") && told().includes("second secret"));
  assert.equal((await home.run(["delete", "--max-size", "1B"])).status, 0);
  assert.ok(!told().includes("second secret"));
});

inHome.test("--no-cache writes nothing, before and behind a command's name; behind -- it is a word", async (home) => {
  home.keep(sessionId("aaaa"), [user("Question")]);
  for (
    const args of [["list", "--no-cache"], ["--no-cache", "list", "--json"], [
      "list",
      "--no-catalogue",
    ]]
  ) {
    const { status, stdout } = await home.run(args);
    assert.ok(status === 0 && stdout.includes("Question"));
  }
  assert.deepEqual([...Deno.readDirSync(home.store)].map(({ name }) => name), ["sessions"]);
  assert.throws(() => Deno.statSync(home.cache), Deno.errors.NotFound);
  const { stdout } = await home.run(["search", "--json", "--", "--no-cache"]);
  assert.deepEqual(jsonLines(stdout), []);
});

inHome.test("remembered sessions are those of the last list, with their marks of now", async (home) => {
  const refs = (rows: readonly Summary[]): string[] => rows.map(({ ref }) => ref);
  const [one, two, three] = ["aaaa", "bbbb", "cccc"].map((name, index) =>
    home.keep(sessionId(name), [user(name), assistant("x")], index === 2 ? { cwd: home.path } : {})
  );
  assert.ok(one !== undefined && two !== undefined && three !== undefined);
  const library = libraryOf(home, true);
  const remembered = (options: QueryOptions = {}): Promise<Summary[]> =>
    listed(library, { ...options, remembered: true });
  assert.deepEqual(await remembered(), []);
  const rows = await listed(library);
  assert.equal(rows.length, 3);
  assert.deepEqual(await remembered(), rows);

  await Deno.remove(two.directory, { recursive: true });
  home.keep(sessionId("dddd"), [user("unknown")]);
  appendMark(home.store, { ref: one.id, title: "New name", time: now() });
  appendMark(home.store, { ref: three.id, archived: true, time: now() });
  const known = await remembered();
  assert.deepEqual(refs(known), [two.id, one.id]);
  assert.equal(known[1]?.title, "New name");
  assert.deepEqual(refs(await remembered({ limit: 2 })), [two.id]);
  assert.deepEqual(refs(await remembered({ directories: [home.work] })), [
    two.id,
    one.id,
  ]);
  assert.deepEqual(await remembered({ agents: ["pi"] }), []);
  assert.deepEqual(await listed(libraryOf(home, false), { remembered: true }), []);
});

inHome.test("a list that reads sessions for exact counts tells its progress, and nothing once they are known", async (home) => {
  for (const id of ["1111aaaa", "2222bbbb"]) keepPiSession(home, id);
  await settle();
  const told = async (): Promise<number[][]> => {
    const calls: number[][] = [];
    const onProgress = (done: number, all: number): unknown => calls.push([done, all]);
    await listed(libraryOf(home, true), { exact: true, onProgress });
    return calls;
  };
  const [first, second] = await told();
  assert.ok(first?.[0] !== undefined && first[0] > 0 && first[1] === second?.[1]);
  assert.equal(second?.[0], second?.[1]);
  assert.deepEqual(await told(), []);
});
