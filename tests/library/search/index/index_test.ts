import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "npm:fast-check@4.10.2";
import { openLibrary } from "../../../../lib/library/library.ts";
import { indexPath } from "../../../../lib/library/catalogue/cache/search_database.ts";
import { dropIndex, indexStatus } from "../../../../lib/library/search/index/index_status.ts";
import { searchEntries } from "../../../../lib/library/search/search.ts";
import {
  type SearchRequest,
  type SearchResult,
  searchSessions,
  updateIndex,
} from "../../../../lib/library/search/mod.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import {
  assistant,
  linesOf,
  logOf,
  toolEnd,
  toolStart,
  user,
} from "../../../_support/log_bytes.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { randomLog } from "../../../_support/random_log.ts";
import { fill as fillDisk, SMALL_DISK, withSmallDisk } from "../../../_support/small_disk.ts";
import { ORDINARY_USER, whileUnwritable } from "../../../_support/unwritable.ts";
import { assertSameNearest } from "../_nearest.ts";
import { hitsOf, readReference, requestFor } from "../_reference.ts";
import { needing, UNIX } from "../../../_support/needing.ts";
import { nextSecond, settle } from "../../../_support/settle.ts";

const QUERIES = [
  ...["ledger", "LEDGER -fine", "src/file_3.ts", '"output 5"', "nothing OR fine", "abs*", "zzz"],
  ...["le", "日本語", "日本", "größe", "question 5", "file (ledger OR output)"],
];

function fill(home: CliHome, count = 7): AgentSession[] {
  for (let index = 0; index < count; index++) {
    home.keep(sessionId(`${1000 + index}`), [
      user(`Question ${index} about the ledger, Größe 日本語`),
      toolStart("c1", { path: `src/file_${index % 7}.ts` }),
      toolEnd("c1", `line of output ${index}\n`.repeat(10)),
      assistant(index % 5 === 0 ? "The Ledger is fine" : "Nothing to say\0 but an absurd end"),
    ]);
  }
  return ownSessions(home.store);
}

/** All requests that answers are compared by. */
const ALL_REQUESTS = QUERIES.flatMap((query) =>
  (["relevance", "time"] as const).flatMap((sort) =>
    [4, 10_000].map((limit) => requestFor(query, { sort, limit }))
  )
);

/** A quarter of them: each query once, each sort and limit with several queries. */
const REQUESTS = ALL_REQUESTS.filter((_, index) => index % 4 === (index >> 2) % 4);

/** The answer to each request where all is read, and the bytes that a scan looks through. */
async function scanned(
  sources: readonly AgentSession[],
  requests = REQUESTS,
): Promise<(SearchResult & { request: SearchRequest })[]> {
  const results: (SearchResult & { request: SearchRequest })[] = [];
  for (const request of requests) {
    const { scanned_bytes } = await searchSessions(sources, request);
    const all = await searchSessions(sources, { ...request, count_all: true });
    results.push({ ...all, scanned_bytes, request });
  }
  return results;
}

/** Holds every answer that uses the index to the one that does not; says whether it was used. */
async function assertSame(
  cache: string,
  sources: readonly AgentSession[],
  all_wanted?: Awaited<ReturnType<typeof scanned>>,
): Promise<boolean> {
  let used = false;
  let hits = 0;
  for (const { request, ...wanted } of all_wanted ?? await scanned(sources)) {
    const { query, sort } = request;
    const found = await searchSessions(sources, request, { cache });
    assert.deepEqual(found.hits, wanted.hits, `${query} ${sort}`);
    assert.ok(found.total <= wanted.total && wanted.total <= found.possible, query);
    assert.equal(found.estimated, found.total < found.possible);
    used ||= found.scanned_bytes < wanted.scanned_bytes;
    hits += wanted.total;
  }
  const nearest = ["Which questions about a ledger are fine?", "absurd 日本", "parse zzz"];
  assert.ok(hits > 0 && await assertSameNearest(sources, nearest, cache) > 0);
  return used;
}

inHome.test("a total that the index does not know is told by what it is at least", async (home) => {
  // Of the second, the index only knows that all parts of the word are there.
  const texts = Array.from({ length: 2400 }, (_, n) => n % 2 === 0 ? "a ledger" : "a ledge, edger");
  home.keep(sessionId("aaaa"), texts.map((text) => user(text)));
  const sources = ownSessions(home.store);
  await updateIndex(home.cache, sources);
  const request = requestFor("ledger", { limit: 20 });
  const { total, possible, estimated } = await searchSessions(sources, request, {
    cache: home.cache,
  });
  assert.ok(total >= 20 && total <= 1200, `${total}`);
  assert.equal(possible - total > 0 && possible >= 1200, true);
  assert.ok(estimated);
  const { stderr } = await home.run(["search", "ledger"]);
  assert.match(stderr, /^At least this many hits: \d+\. To count all hits: --count\. /);
  const least = Number(/\d+/.exec(stderr)?.[0]);
  assert.ok(least >= 20 && least <= 1200, stderr);
});

// Slow: every kind of query is asked in every order and length.
inHome.test("P10 the index finds what a scan finds", async (home) => {
  const sources = fill(home);
  assert.equal(indexStatus(home.cache, sources).state, "absent");
  const { state, passed_over } = await updateIndex(home.cache, sources);
  assert.deepEqual([state, passed_over], ["done", 0]);
  const { texts, sessions, ...status } = indexStatus(home.cache, sources);
  assert.deepEqual([status.state, sessions, texts], ["current", 7, 28]);
  const wanted = await scanned(sources, ALL_REQUESTS);
  assert.ok(await assertSame(home.cache, sources, wanted));
});

Deno.test("the index finds what a scan finds, in random logs with faults", async () => {
  const queries = ["two", "lines OR part", "ÜÜÜ", "part -two", '"two lines"', "hi"];
  let [hits, nearest] = [0, 0];
  const property = fc.asyncProperty(
    fc.array(randomLog, { minLength: 1, maxLength: 3 }),
    async (logs) => {
      await using home = new CliHome();
      logs.forEach((bytes, index) => home.keep(sessionId(`${1000 + index}`), [], { bytes }));
      const sources = ownSessions(home.store);
      await updateIndex(home.cache, sources);
      nearest += await assertSameNearest(sources, ["how is a line parted?", "hi, two"], home.cache);
      const reference = await readReference(sources);
      for (const query of queries) {
        const wanted = reference(requestFor(query));
        assert.deepEqual(await hitsOf(sources, requestFor(query), { cache: home.cache }), wanted);
        hits += wanted.length;
      }
    },
  );
  await fc.assert(property, { seed: 22, numRuns: roundsOf(60) });
  assert.ok(Math.min(hits, nearest) > roundsOf(60) / 3, `${hits} ${nearest}`);
});

inHome.test("finds appended texts at once, and reads only these", async (home) => {
  const sources = fill(home);
  await updateIndex(home.cache, sources);
  const path = sources[3]?.path ?? "";
  const [line] = linesOf([user("A zebra in the ledger")], 6);
  await Deno.writeFile(path, line as Uint8Array, { append: true });
  assert.equal(indexStatus(home.cache, sources).behind_bytes, line?.length);
  assert.equal((await hitsOf(sources, requestFor("zebra"), { cache: home.cache })).length, 1);
  // The search has brought the index up to date, for that was cheap.
  assert.equal(indexStatus(home.cache, sources).state, "current");
  assert.ok(await assertSame(home.cache, sources));
});

inHome.test("a torn tail is found by the scan, and by the index once it is whole", async (home) => {
  const sources = fill(home);
  await updateIndex(home.cache, sources);
  const path = sources[0]?.path ?? "";
  const [line] = linesOf([user("A zebra")], 6);
  const half = (line as Uint8Array).subarray(0, -1);
  await Deno.writeFile(path, half, { append: true });
  for (let round = 0; round < 2; round++) {
    assert.equal((await hitsOf(sources, requestFor("zebra"), { cache: home.cache })).length, 1);
  }
  await Deno.writeTextFile(path, "\n", { append: true });
  assert.equal((await hitsOf(sources, requestFor("zebra"), { cache: home.cache })).length, 1);
  assert.equal(indexStatus(home.cache, sources).state, "current");
});

// Slow: the times of files tell whole seconds.
inHome.test("a replaced, cut or removed log is no longer trusted", async (home) => {
  const sources = fill(home);
  await updateIndex(home.cache, sources);
  const [first, second, third] = sources.map(({ path }) => path);
  const time = new Date(2026, 1, 1);
  // As long as it was, and with the time that it had: only what cannot be set back tells.
  const before = Deno.readFileSync(first ?? "");
  await nextSecond();
  const { mtime, atime } = Deno.statSync(first ?? "");
  const text = new TextDecoder().decode(before).replaceAll("Question", "Answers!");
  Deno.writeTextFileSync(first ?? "", text);
  Deno.utimeSync(first ?? "", atime ?? time, mtime ?? time);
  Deno.truncateSync(second ?? "", 400);
  Deno.removeSync(third ?? "");
  const left = sources.filter(({ path }) => path !== third);
  assert.equal((await hitsOf(left, requestFor("answers!"), { cache: home.cache })).length, 1);
  assert.ok(await assertSame(home.cache, left));
  const gone = await hitsOf(sources, requestFor("fine"), { cache: home.cache });
  assert.deepEqual(gone, await hitsOf(left, requestFor("fine")));
});

inHome.test("with the states of located sessions the index finds what a scan finds, and no log as it was", async (home) => {
  const sources = fill(home);
  await updateIndex(home.cache, sources);
  const cache = { version: "test" };
  const variable = (name: string): string | undefined =>
    name === "REPRISE_CACHE" ? dirname(home.cache) : undefined;
  const library = openLibrary({ root: home.store, variable, cache });
  await settle();
  await library.query({ archived: "any" });
  let states = 0;
  const search = async (query: string): Promise<SearchResult> => {
    const { entries } = await library.query({ archived: "any" });
    assert.equal(entries.length, sources.length);
    states = entries.filter(({ state }) => state !== undefined).length;
    return await searchEntries(entries, requestFor(query), { cache: home.cache });
  };
  const found = await search("ledger");
  assert.deepEqual([states, found.scanned_bytes, found.total > 0], [sources.length, 0, true]);
  const { entries } = await library.query({ archived: "any" });
  assert.deepEqual(found.hits, (await searchEntries(entries, requestFor("ledger"))).hits);
  const [first, second] = sources.map(({ path }) => path);
  const [line] = linesOf([user("A zebra")], 6);
  Deno.writeFileSync(first ?? "", line as Uint8Array, { append: true });
  Deno.writeFileSync(second ?? "", logOf([user("Another zebra")]));
  assert.equal((await search("zebra")).hits.length, 2);
});

inHome.test("sessions that are not asked for are not found by the index", async (home) => {
  const sources = fill(home);
  await updateIndex(home.cache, sources);
  const some = sources.slice(0, 4);
  assert.equal((await hitsOf(some, requestFor("question"), { cache: home.cache })).length, 4);
});

inHome.test("a damaged log is scanned, and found in it is what reading it finds", async (home) => {
  const sources = fill(home, 3);
  const bytes = Deno.readFileSync(sources[0]?.path ?? "");
  bytes[300] = 0xff;
  Deno.writeFileSync(sources[0]?.path ?? "", bytes);
  const { passed_over } = await updateIndex(home.cache, sources);
  assert.equal(passed_over, 1);
  assert.ok(await assertSame(home.cache, sources));
  assert.equal(indexStatus(home.cache, sources).state, "current");
});

// Slow: a search reads all sessions after each damage.
inHome.test("bits that flip in the index, and cuts in it, change no answer", async (home) => {
  const sources = fill(home, 8);
  await updateIndex(home.cache, sources);
  const path = indexPath(home.cache);
  const whole = Deno.readFileSync(path);
  let state = 7;
  const below = (limit: number): number => (state = (state * 48271) % 2147483647) % limit;
  const request = requestFor("ledger -fine");
  const wanted = await hitsOf(sources, request);
  const states: string[] = [];
  for (let round = 0; round < roundsOf(50, 10); round++) {
    const bytes = whole.slice(0, round % 5 === 4 ? below(whole.length) : whole.length);
    for (let flip = 0; flip < (round % 5 === 4 ? 0 : 20); flip++) {
      bytes[below(bytes.length)]! ^= 1 << below(8);
    }
    Deno.writeFileSync(path, bytes);
    states.push(indexStatus(home.cache, sources).state);
    assert.deepEqual(await hitsOf(sources, request, { cache: home.cache }), wanted);
  }
  // Some bits are in no row.
  const damaged = states.filter((state) => state === "damaged");
  assert.ok(damaged.length > states.length / 2, states.join());
  Deno.writeFileSync(path, whole);
  assert.ok(await assertSame(home.cache, sources));
});

inHome.test("whatever becomes of the file of the index changes no answer, and it is built anew", async (home) => {
  const sources = fill(home, 8);
  const path = indexPath(home.cache);
  const damages: (() => void)[] = [
    () => Deno.removeSync(path),
    () => Deno.writeTextFileSync(path, "noise"),
    () => Deno.writeTextFileSync(path, ""),
    () => Deno.truncateSync(path, 3),
    () => Deno.truncateSync(path, 8192),
    () => {
      Deno.removeSync(path);
      Deno.mkdirSync(path);
    },
  ];
  const wanted = await scanned(sources, REQUESTS.slice(0, 4));
  for (const damage of damages) {
    await updateIndex(home.cache, sources, { tidy: true });
    assert.ok(await assertSame(home.cache, sources, wanted));
    damage();
    assert.equal(await assertSame(home.cache, sources, wanted), false);
  }
});

Deno.test(
  needing("an index that may not be written is used, and what it lacks is scanned", ORDINARY_USER),
  async () => {
    await using home = new CliHome();
    const sources = fill(home, 8);
    await updateIndex(home.cache, sources);
    const [line] = linesOf([user("A zebra")], 6);
    await Deno.writeFile(sources[0]?.path ?? "", line as Uint8Array, { append: true });
    await whileUnwritable(home.cache, async () => {
      assert.ok(await assertSame(home.cache, sources));
    });
  },
);

Deno.test(
  needing(
    "an index for which the disk has no room is told so, and searches find the same",
    SMALL_DISK,
  ),
  async () => {
    await using home = new CliHome();
    const sources = fill(home, 8);
    await withSmallDisk(async (disk) => {
      await updateIndex(disk, sources.slice(0, 4));
      fillDisk(disk);
      const message = /^Cannot write index: .*full/;
      for (const fresh of [false, true]) {
        await assert.rejects(updateIndex(disk, sources, { fresh }), {
          ...{ name: "SessionError", message },
        });
      }
      assert.ok(await assertSame(disk, sources));
    });
  },
);

inHome.test("while another process writes the index, searches find the same", async (home) => {
  const sources = fill(home, 8);
  await updateIndex(home.cache, sources.slice(0, 4));
  using other = new DatabaseSync(indexPath(home.cache));
  other.exec("BEGIN IMMEDIATE");
  assert.equal((await updateIndex(home.cache, sources)).state, "locked");
  assert.equal(dropIndex(home.cache), "locked");
  assert.ok(await assertSame(home.cache, sources));
});

Deno.test(
  needing("the index is readable by its owner alone, and is marked as a cache", UNIX),
  async () => {
    await using home = new CliHome();
    const sources = fill(home, 3);
    await updateIndex(home.cache, sources);
    const names = [...Deno.readDirSync(home.cache)].map(({ name }) => name).sort();
    for (const name of names) {
      assert.equal((Deno.statSync(join(home.cache, name)).mode ?? 0) & 0o777, 0o600, name);
    }
    assert.match(names.join(" "), /^CACHEDIR\.TAG search-\d+\.db$/);
    assert.match(Deno.readTextFileSync(join(home.cache, "CACHEDIR.TAG")), /^Signature: 8a477f59/);
  },
);

inHome.test("removes the index of an earlier version", async (home) => {
  const sources = fill(home, 3);
  const former = join(home.cache, "index");
  Deno.mkdirSync(former, { recursive: true });
  Deno.writeTextFileSync(join(former, "search.json"), "{}");
  for (const path of [home.cache, dirname(home.cache)]) Deno.chmodSync(path, 0o700);
  await updateIndex(home.cache, sources);
  assert.throws(() => Deno.statSync(former), Deno.errors.NotFound);
});

inHome.test("an aborted search ends, also when the index answers it", async (home) => {
  const sources = fill(home, 60);
  await updateIndex(home.cache, sources);
  const request = requestFor("ledger");
  const signal = AbortSignal.abort(new Error("gone"));
  await assert.rejects(searchSessions(sources, request, { cache: home.cache, signal }), /gone/);
  // Once it is under way.
  const stop = new AbortController();
  const search = searchSessions(sources, request, { cache: home.cache, signal: stop.signal });
  stop.abort(new Error("gone"));
  await assert.rejects(search, /gone/);
  const { hits } = await searchSessions(sources, request, {
    ...{ cache: home.cache, signal: new AbortController().signal },
  });
  assert.deepEqual(hits, (await searchSessions(sources, request)).hits);
});

inHome.test("dropping the index leaves nothing of it", async (home) => {
  const sources = fill(home, 3);
  await updateIndex(home.cache, sources);
  assert.equal(dropIndex(home.cache), "dropped");
  assert.equal(dropIndex(home.cache), "absent");
  assert.throws(() => Deno.statSync(indexPath(home.cache)), Deno.errors.NotFound);
  assert.equal(await assertSame(home.cache, sources), false);
});

inHome.test("many appends leave few parts for a question to read", async (home) => {
  const { path } = home.keep(sessionId("aaaa"), []);
  const sources = ownSessions(home.store);
  for (let seq = 2; seq < 12; seq++) {
    await Deno.writeFile(path, logOf([user(`ledger ${seq}`)], seq), { append: true });
    const found = await hitsOf(sources, requestFor("ledger"), { cache: home.cache });
    assert.equal(found.length, seq - 1);
    if (seq === 2) await updateIndex(home.cache, sources);
  }
  using database = new DatabaseSync(indexPath(home.cache));
  const { parts } = database.prepare("SELECT count(*) AS parts FROM part").get() ?? {};
  assert.ok(Number(parts) <= 4, `${parts}`);
});

inHome.test("a build whose file is removed meanwhile ends, and the next one builds the index", async (home) => {
  const sources = fill(home, 3);
  let is_removed = false;
  const onProgress = (): void => {
    if (!is_removed) Deno.removeSync(indexPath(home.cache));
    is_removed = true;
  };
  await assert.rejects(updateIndex(home.cache, sources, { onProgress }), {
    ...{ name: "SessionError", message: /^Cannot write index: another process removed the index/ },
  });
  await updateIndex(home.cache, sources);
  assert.ok(await assertSame(home.cache, sources));
});
