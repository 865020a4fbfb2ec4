import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { factsIn } from "../../../lib/library/catalogue/facts_file.ts";
import { Library } from "../../../lib/library/library.ts";
import { rowsOf } from "../../../lib/library/query/candidate.ts";
import type { QueryOptions } from "../../../lib/library/query/query.ts";
import { appendMark } from "../../../lib/core/store/marks.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import { keepPiSession } from "../../commands/_pi_session.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { settle } from "../../_support/settle.ts";

/** A library whose cache takes every file for old. */
function libraryOf(home: CliHome): Library {
  const { store: root, path, work, cache } = home;
  const environment = { home: path, variable: () => undefined, os: Deno.build.os, root };
  const place = { root, cache, environment, agents: ["reprise", "pi"] as const };
  return new Library(place, work, { version: "1", now: () => Date.now() + 60_000 });
}

async function refsOf(library: Library, options: QueryOptions): Promise<string[]> {
  return (await library.query(options)).entries.map(({ ref }) => ref);
}

inHome.test("a query finds sessions of all agents, the newest first, and opens them", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), [user("One"), assistant("x")]);
  const pi = keepPiSession(home);
  const library = libraryOf(home);
  const { entries, directories, widened } = await library.query();
  assert.deepEqual([directories, widened], [undefined, false]);
  assert.deepEqual(entries.map(({ ref }) => ref).sort(), [id, pi.ref].sort());
  const times = entries.map(({ updated }) => updated);
  assert.deepEqual(times, times.toSorted((one, other) => other - one));
  for (const entry of entries) {
    const row = await entry.row();
    assert.deepEqual([row?.ref, row?.cwd], [entry.ref, entry.cwd]);
    assert.equal((await entry.open()).ref, entry.ref);
    assert.deepEqual(await library.entry(entry.session).row(), row);
  }
  assert.deepEqual(await refsOf(library, { agents: ["pi"] }), [pi.ref]);
  assert.deepEqual(await refsOf(library, { title: "ONE" }), [id]);
  assert.equal((await refsOf(library, { limit: 1 })).length, 1);
});

inHome.test("a scope is told by its directories, and by whether it was widened", async (home) => {
  const { id } = home.keep(sessionId("aaaa"), [user("One")]);
  const empty = join(home.path, "empty");
  Deno.mkdirSync(empty);
  const library = libraryOf(home);
  const found = async (options: QueryOptions): Promise<unknown> => {
    const { entries, directories, widened } = await library.query(options);
    return [entries.map(({ ref }) => ref), directories, widened];
  };
  assert.deepEqual(await found({ scope: "project" }), [[id], [home.work], false]);
  assert.deepEqual(await found({ scope: "project", cwd: empty }), [[id], undefined, true]);
  assert.deepEqual(await found({ scope: "here", cwd: empty }), [[], [empty], false]);
  assert.deepEqual(await found({ directories: [home.work] }), [[id], [home.work], false]);
});

inHome.test("rows are the same at once, later and of remembered sessions, and say how each is now", async (home) => {
  home.keep(sessionId("aaaa"), [user("One"), assistant("x")]);
  home.keep(sessionId("bbbb"), [user("Two")]);
  await settle();
  const library = libraryOf(home);
  const at_once = await rowsOf((await library.query({ rows: true })).entries);
  assert.equal(at_once.length, 2);
  const { entries } = await library.query();
  assert.deepEqual(await rowsOf(entries), at_once);
  assert.deepEqual(await rowsOf((await library.query({ remembered: true })).entries), at_once);
  const { entries: later } = await library.query();
  await openLocalStore({ root: home.store }).rename("bbbb", "New name");
  const titles = (await rowsOf(later)).map(({ title }) => title);
  assert.deepEqual(titles.sort(), ["New name", "One"]);
  await Deno.remove(home.store, { recursive: true });
  assert.deepEqual(await rowsOf([library.entry(entries[0]!.session)]), []);
});

inHome.test("remembered sessions are selected as found ones, marks included", async (home) => {
  for (const [name, text] of [["aaaa", "One"], ["bbbb", "Two"], ["cccc", "Three"]] as const) {
    home.keep(sessionId(name), [user(text)]);
  }
  const pi = keepPiSession(home);
  const store = openLocalStore({ root: home.store });
  await store.archive("bbbb");
  appendMark(home.store, { ref: pi.ref, archived: true, time: new Date().toISOString() });
  await settle();
  const library = libraryOf(home);
  await library.query({ rows: true });
  const all: QueryOptions[] = [
    {},
    { archived: true },
    { archived: true, limit: 1 },
    { archived: "any" },
    { title: "three" },
    { title: "one", limit: 1 },
  ];
  for (const options of all) {
    const found = await refsOf(library, options);
    assert.ok(found.length > 0);
    assert.deepEqual(
      await refsOf(library, { ...options, remembered: true }),
      found,
      JSON.stringify(options),
    );
  }
});

inHome.test("a row whose bytes are damaged is read again, in every kind of query", async (home) => {
  for (const [name, text] of [["aaaa", "First"], ["bbbb", "Second"]] as const) {
    home.keep(sessionId(name), [user(text)]);
  }
  await settle();
  const made = await rowsOf((await libraryOf(home).query({ rows: true })).entries);
  const [path = ""] = factsIn(home.cache);
  const whole = Deno.readFileSync(path);
  const text = new TextDecoder("latin1").decode(whole);
  const at = text.lastIndexOf("Second");
  assert.ok(at > 0);
  const all: QueryOptions[] = [{}, { rows: true }, { title: "second" }, { title: "secund" }];
  for (const options of all) {
    const damaged = whole.slice();
    damaged[at + 3] = "u".charCodeAt(0);
    Deno.writeFileSync(path, damaged);
    const { title = "" } = options;
    const expected = made.filter((row) => row.title.toLowerCase().includes(title));
    const { entries } = await libraryOf(home).query(options);
    assert.deepEqual(await rowsOf(entries), expected, JSON.stringify(options));
  }
});

// Slow: each change is waited for until it is old enough to be remembered.
inHome.test("a limited list from the catalogue is the beginning of the whole, whatever changed", async (home) => {
  const ids = Array.from({ length: 9 }, (_, index) => sessionId(`a${index}00`));
  for (const [index, id] of ids.entries()) {
    home.keep(id, [user(`Question ${index}`), assistant("x")]);
  }
  const store = openLocalStore({ root: home.store });
  const changes: (() => unknown)[] = [
    () => {},
    () => store.remove(ids[8]!),
    () => store.archive(ids[7]!),
    () => store.archive(ids[7]!, false),
    () => store.rename(ids[0]!, "New"),
    () => keepPiSession(home),
    () => store.remove(ids[0]!),
  ];
  for (const [round, change] of changes.entries()) {
    await change();
    await settle();
    const all = await refsOf(libraryOf(home), { rows: true });
    for (const limit of [1, 3, all.length, 20]) {
      for (const rows of [true, false]) {
        const found = await refsOf(libraryOf(home), { limit, rows });
        assert.deepEqual(found, all.slice(0, limit), `${round}: ${limit} ${rows}`);
      }
    }
  }
});

inHome.test("a query by branch, model and time finds the same with a cache and without, limited or not", async (home) => {
  const answer = (model: string): NewEvent => ({
    kind: "assistant_message",
    payload: { content: "ok", model },
  });
  const day = (date: number): Date => new Date(Date.UTC(2026, 10, date));
  home.keep(sessionId("aaaa"), [user("One"), answer("opus-4")], {
    created: day(20),
    branch: "main",
  });
  home.keep(sessionId("bbbb"), [user("Two"), answer("gpt-5")], {
    created: day(21),
    branch: "main",
  });
  home.keep(sessionId("cccc"), [user("Three"), answer("opus-5"), answer("gpt-5")], {
    created: day(22),
    branch: "fix",
  });
  home.keep(sessionId("dddd"), [user("Four")], { created: day(23) });
  const library = libraryOf(home);
  const cases: [QueryOptions, string[]][] = [
    [{ branch: "main" }, ["bbbb", "aaaa"]],
    [{ branch: "main", limit: 1 }, ["bbbb"]],
    [{ branch: "MAIN" }, ["bbbb", "aaaa"]],
    [{ model: "OPUS" }, ["cccc", "aaaa"]],
    [{ model: "opus", limit: 1 }, ["cccc"]],
    [{ model: "opus", branch: "main" }, ["aaaa"]],
    [{ until: day(22) }, ["bbbb", "aaaa"]],
    [{ until: day(22), limit: 1 }, ["bbbb"]],
    [{ since: day(21), until: day(23), model: "gpt" }, ["cccc", "bbbb"]],
  ];
  for (const remembered of [false, false, true]) {
    for (const [options, expected] of cases) {
      const refs = await refsOf(library, { ...options, remembered, rows: true });
      assert.deepEqual(refs.map((ref) => ref.slice(0, 4)), expected, JSON.stringify(options));
    }
  }
});
