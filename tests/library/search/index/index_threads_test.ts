import assert from "node:assert/strict";
import { indexStatus } from "../../../../lib/library/search/index/index_status.ts";
import type { IndexOrder } from "../../../../lib/library/search/index/index_worker.ts";
import { searchSessions, updateIndex } from "../../../../lib/library/search/mod.ts";
import { WorkBoard } from "../../../../lib/library/search/work_board.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { type CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { toolEnd, user } from "../../../_support/log_bytes.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { NOW, requestFor } from "../_reference.ts";
import { waitUntil, withThreads } from "../_threads.ts";

function fill(home: CliHome): AgentSession[] {
  for (let index = 0; index < 20; index++) {
    const texts = Array.from({ length: 40 }, (_, at) => `line ${at} of ${index} in the ledger`);
    home.keep(sessionId(`${1000 + index}`), texts.map((text) => toolEnd("c", text)));
  }
  return ownSessions(home.store);
}

/** Holds an index of all sessions to what a scan finds. */
async function assertComplete(cache: string, sources: readonly AgentSession[]): Promise<void> {
  assert.equal(indexStatus(cache, sources).state, "current");
  for (const query of ["ledger", '"of 17 in the"', "nowhere"]) {
    const request = { ...requestFor(query), count_all: true };
    const found = await searchSessions(sources, request, { cache });
    const wanted = await searchSessions(sources, request);
    assert.deepEqual([found.hits, found.scanned_bytes], [wanted.hits, 0], query);
  }
}

interface Taken {
  /** Sessions that threads took before the main one could take one. */
  sessions: number;
  /** Threads beside the main one that took any in the end. */
  threads: number;
}

/** Counts what threads take. */
async function countTaken(module: URL | undefined, work: () => Promise<void>): Promise<Taken> {
  let sessions = 0;
  const counts: (() => number)[] = [];
  class Watched extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(module ?? url, options);
    }

    override postMessage(order: IndexOrder): void {
      super.postMessage(order);
      const count = (): number => new WorkBoard(order.board).takenBy(order.worker).length;
      waitUntil(() => count() > 0 || sessions > 0, 20_000);
      sessions += count();
      counts.push(count);
    }
  }
  await withThreads(Watched, work);
  return { sessions, threads: counts.filter((count) => count() > 0).length };
}

// Slow: two threads are started.
inHome.test("threads index what one thread indexes", async (home) => {
  const sources = fill(home);
  const { sessions, threads } = await countTaken(undefined, async () => {
    const { state, passed_over } = await updateIndex(home.cache, sources, { workers: 2 });
    assert.deepEqual([state, passed_over], ["done", 0]);
  });
  assert.ok(sessions >= 1 && threads >= 1, `${sessions}, ${threads}`);
  await assertComplete(home.cache, sources);
});

inHome.test("indexes the sessions of a thread that died", async (home) => {
  const sources = fill(home);
  const { sessions: taken } = await countTaken(
    new URL("./_dying_worker.ts", import.meta.url),
    async () => {
      await updateIndex(home.cache, sources, { workers: 2 });
    },
  );
  assert.ok(taken >= 1, `${taken}`);
  await assertComplete(home.cache, sources);
});

inHome.test("a word in one text of a group is found there alone", async (home) => {
  const texts = Array.from({ length: 200 }, (_, at) => user(at === 150 ? "a Zebra" : `text ${at}`));
  home.keep(sessionId("aaaa"), texts);
  const sources = ownSessions(home.store);
  await updateIndex(home.cache, sources);
  const { hits, total, possible } = await searchSessions(sources, { query: "zebra", now: NOW }, {
    cache: home.cache,
  });
  assert.deepEqual([hits.map(({ seq }) => seq), total, possible], [[152], 1, 1]);
});
