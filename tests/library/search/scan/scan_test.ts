import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import fc from "npm:fast-check@4.10.2";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { makePrefilter } from "../../../../lib/library/search/prefilter/prefilter.ts";
import { textTerm } from "../../../../lib/library/search/query.ts";
import { mayHold } from "../../../../lib/library/search/scan/scan_session.ts";
import type { ScanOrder } from "../../../../lib/library/search/scan/scan_worker.ts";
import { WorkBoard } from "../../../../lib/library/search/work_board.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { type CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, textBytes, toolEnd, toolStart, user } from "../../../_support/log_bytes.ts";
import { randomLog } from "../../../_support/random_log.ts";
import { filesBelow } from "../_agent_sessions.ts";
import { waitUntil, withThreads } from "../_threads.ts";
import { hitsOf, placesOf, queriesFrom, readReference, requestFor } from "../_reference.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";

const LOGS = fileURLToPath(new URL("../../../../testdata/logs/", import.meta.url));

function logSource(path: string): AgentSession {
  return { agent: "reprise", id: path, path };
}

// Slow: every log is searched for many words.
Deno.test("a scan finds what reading every event finds, also in damaged logs", async () => {
  const paths = [...filesBelow(LOGS)].filter((path) => path.endsWith(".jsonl"));
  const sources = paths.map(logSource);
  const texts = paths.map((path) => Deno.readTextFileSync(path).slice(0, 20_000));
  const all = queriesFrom(texts).filter((_, index) => index % 9 === 0).slice(0, 120);
  const queries = all.filter((_, index) => index % (all.length / roundsOf(all.length, 15)) < 1);
  const reference = await readReference(sources);
  let hits = 0;
  for (const query of [...queries, "e", "/", "a -the", "file OR e*"]) {
    const wanted = placesOf(reference(requestFor(query)));
    assert.deepEqual(placesOf(await hitsOf(sources, requestFor(query))), wanted, query);
    hits += wanted.length;
  }
  assert.ok(hits > 300, `${hits}`);
});

Deno.test("a scan finds what reading every event finds, in random logs with faults", async () => {
  const path = await Deno.makeTempFile();
  const queries = ["two", "hi OR part", "ü", "part -two", '"two lines"', "e", "/pa(r)t/"];
  let hits = 0;
  const property = fc.asyncProperty(randomLog, async (bytes) => {
    await Deno.writeFile(path, bytes);
    const sources = [logSource(path)];
    const reference = await readReference(sources);
    for (const query of queries) {
      const wanted = reference(requestFor(query));
      const found = await hitsOf(sources, requestFor(query));
      assert.deepEqual(found, wanted, query);
      hits += wanted.length;
    }
  });
  await fc.assert(property, { seed: 4, numRuns: roundsOf(150) });
  assert.ok(hits > roundsOf(150) / 3, `${hits}`);
  await Deno.remove(path);
});

inHome.test("the prefilter finds a word that lies over the border of two blocks of a file", async (home) => {
  const path = `${home.path}/long.jsonl`;
  const session: AgentSession = { agent: "pi", id: "long", path };
  const term = textTerm("straddling");
  const prefilter = makePrefilter({ root: term, terms: [term] });
  const BLOCK_BYTES = 1024 * 1024;
  for (let before = 0; before <= "straddling".length; before++) {
    Deno.writeTextFileSync(path, `${"-".repeat(BLOCK_BYTES - before)}straddling\n`);
    assert.equal(await mayHold(prefilter, session), true, `${before} bytes before the border`);
  }
  Deno.writeTextFileSync(path, `${"-".repeat(BLOCK_BYTES)}straddlin\n`);
  assert.equal(await mayHold(prefilter, session), false);
});

function manySessions(home: CliHome): AgentSession[] {
  for (let index = 0; index < 40; index++) {
    home.keep(sessionId(`${1000 + index}`), [
      user(`Question ${index} about the ledger`),
      toolStart("c1", { path: `src/file_${index % 7}.ts` }),
      toolEnd("c1", `line of output ${index}\n`.repeat(30)),
      assistant(index % 5 === 0 ? "The Ledger is fine" : "Nothing to say"),
    ]);
  }
  return ownSessions(home.store);
}

/** Counts the threads that answer while some work is done: without them, the main one does it all. */
async function countAnswers(work: () => Promise<void>): Promise<number> {
  let answers = 0;
  class Counted extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      // The last message of a thread says that it has ended.
      this.addEventListener("message", ({ data }) => {
        if (data.message !== undefined) answers++;
      });
    }
  }
  await withThreads(Counted, work);
  return answers;
}

/** Counts the sessions that threads take and die with before some work is begun. */
async function countOrphaned(work: () => Promise<void>): Promise<number> {
  let orphaned = 0;
  class Dying extends Worker {
    constructor(_url: string | URL, options?: WorkerOptions) {
      super(new URL("./_dying_worker.ts", import.meta.url), options);
    }

    override postMessage(order: ScanOrder): void {
      super.postMessage(order);
      const taken = (): number => new WorkBoard(order.board).takenBy(order.worker).length;
      // The main thread could be done with all of it before.
      waitUntil(() => taken() > 0, 20_000);
      orphaned += taken();
    }
  }
  await withThreads(Dying, work);
  return orphaned;
}

// Slow: each search starts two threads.
inHome.test("threads find what one thread finds", async (home) => {
  const sources = manySessions(home);
  for (const [query, limit] of [["ledger", 3], ['"output 17"', 10_000]] as const) {
    const alone = await hitsOf(sources, requestFor(query, { limit }), { workers: 0 });
    const threads = { workers: 2, patience_ms: 0 };
    const answers = await countAnswers(async () => {
      assert.deepEqual(await hitsOf(sources, requestFor(query, { limit }), threads), alone);
    });
    assert.ok(alone.length > 0, query);
    assert.equal(answers, 2);
  }
});

inHome.test("searches the sessions of a thread that died", async (home) => {
  const sources = manySessions(home);
  const request = requestFor("ledger");
  const alone = placesOf(await hitsOf(sources, request, { workers: 0 }));
  const orphaned = await countOrphaned(async () => {
    const found = await hitsOf(sources, request, { workers: 2, patience_ms: 0 });
    assert.deepEqual(placesOf(found), alone);
  });
  assert.deepEqual([alone.length > 0, orphaned], [true, 2]);
});

inHome.test("a term does not match over the border of two texts", async (home) => {
  home.keep(sessionId("aaaa"), [user("one two"), assistant("three"), {
    kind: "assistant_message",
    payload: {
      content: [{ type: "tool_call", call_id: "c", name: "t", input: { a: "four", b: ["five"] } }],
    },
  }]);
  const sources = ownSessions(home.store);
  for (const query of ['"two three"', "twothree", "fourfive", '"four five"', '"c t"']) {
    assert.deepEqual(placesOf(await hitsOf(sources, requestFor(query))), [], query);
  }
  assert.deepEqual(placesOf(await hitsOf(sources, requestFor("four five"))), ["aaaa0000#4 tool"]);
});

inHome.test("finds escaped texts in the log, and no lookalikes", async (home) => {
  const line = (seq: number, content: string): string =>
    `{"seq":${seq},"kind":"user_message","payload":{"content":"${content}"}}\n`;
  const bytes = textBytes(
    line(1, "\\u00e9t\\u00C9 \\u0061bc") + line(2, "a\\/b \\u65e5\\u672c") +
      line(3, "\\u0022quoted\\u0022 \\ud83d\\ude42") + line(4, "\\\\u0061bc"),
  );
  home.keep(sessionId("aaaa"), [], { bytes });
  const sources = ownSessions(home.store);
  const cases: [string, number[]][] = [
    ["ÉTÉ", [1]],
    ["abc", [1]],
    ["a/b", [2]],
    ["日本", [2]],
    ["quoted", [3]],
    ["🙂", [3]],
    ["u0061bc", [4]],
  ];
  for (const [query, seqs] of cases) {
    const found = await hitsOf(sources, requestFor(query));
    assert.deepEqual(found.map(({ seq }) => seq), seqs, query);
  }
});

inHome.test("roles and times narrow a search", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("find me"),
    { kind: "reasoning_message", payload: { content: "find me" } },
    assistant("find me"),
    toolEnd("c1", "find me"),
  ]);
  const sources = ownSessions(home.store);
  const places = async (more: Parameters<typeof requestFor>[1]): Promise<string[]> =>
    placesOf(await hitsOf(sources, requestFor("find me", more)));
  assert.equal((await places({})).length, 4);
  for (const [index, role] of (["user", "reasoning", "assistant", "tool"] as const).entries()) {
    assert.deepEqual(await places({ roles: [role] }), [`aaaa0000#${index + 2} ${role}`]);
  }
  const since = Date.parse("2026-11-21T20:21:56.000Z");
  assert.deepEqual(await places({ since }), ["aaaa0000#4 assistant", "aaaa0000#5 tool"]);
});

inHome.test("reports unreadable sessions, and searches the others", async (home) => {
  home.keep(sessionId("aaaa"), [user("find me")]);
  const gone = logSource(`${home.path}/gone.jsonl`);
  const folder = logSource(home.path);
  const { searchSessions } = await import("../../../../lib/library/search/search.ts");
  const sources = [gone, folder, ...ownSessions(home.store)];
  const { hits, unread } = await searchSessions(sources, requestFor("find"));
  assert.deepEqual(placesOf(hits), ["aaaa0000#2 user"]);
  assert.equal(unread.length, 2);
});
