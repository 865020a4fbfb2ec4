import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withIndex } from "../../../../lib/library/search/index/current_index.ts";
import { baseOf, wordNumber } from "../../../../lib/library/search/wording/words.ts";
import { indexPath } from "../../../../lib/library/catalogue/cache/search_database.ts";
import { indexStatus } from "../../../../lib/library/search/index/index_status.ts";
import { searchSessions, updateIndex } from "../../../../lib/library/search/mod.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { toolEnd, user } from "../../../_support/log_bytes.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { Child } from "../../../_support/processes.ts";
import { keepPiSession } from "../../../commands/_pi_session.ts";
import { requestFor } from "../_reference.ts";

function fill(home: CliHome): AgentSession[] {
  for (let index = 0; index < 30; index++) {
    const texts = Array.from({ length: 40 }, (_, at) => `line ${at} of ${index} in the ledger`);
    home.keep(sessionId(`${1000 + index}`), texts.map((text) => toolEnd("c", text)));
  }
  return ownSessions(home.store);
}

/** Holds what a search with the index finds to what one without it finds. */
async function assertSame(cache: string, sources: readonly AgentSession[]): Promise<void> {
  for (const query of ["ledger", '"of 17 in the"', "nowhere"]) {
    const request = { ...requestFor(query), count_all: true };
    const found = await searchSessions(sources, request, { cache });
    assert.deepEqual(found.hits, (await searchSessions(sources, request)).hits, query);
  }
}

// Slow: processes are started and killed.
inHome.test("P10 a builder that is killed leaves an index that changes no answer, and the next one completes it", async (home) => {
  const sources = fill(home);
  for (let kill = 0; kill < roundsOf(20, 4); kill++) {
    await using child = new Child("index_child", [home.store, home.cache, "1000"]);
    for (let round = 0; round <= kill % 4; round++) await child.line();
    await new Promise((resolve) => setTimeout(resolve, kill * 7 % 23));
    child.kill();
    await child.rest();
    await assertSame(home.cache, sources);
  }
  await updateIndex(home.cache, sources, { tidy: true });
  assert.equal(indexStatus(home.cache, sources).state, "current");
  await assertSame(home.cache, sources);
});

// Slow: another process writes the index all the time.
inHome.test("P10 while another process builds the index anew, searches find the same", async (home) => {
  const sources = fill(home);
  await using child = new Child("index_child", [home.store, home.cache, "8"]);
  await child.line();
  const rest = child.rest();
  for (let round = 0; round < roundsOf(16, 4); round++) await assertSame(home.cache, sources);
  assert.equal((await rest).length, 7);
  await assertSame(home.cache, sources);
});

/** Returns how many messages have each word, as the lists of the index tell. */
function messagesWith(cache: string, words: readonly string[]): number[] {
  const messages = withIndex(cache, (index) => [
    ...index.messagesWith(words.map((word) => wordNumber(baseOf(word)))),
  ]) ?? [];
  return words.map((_, at) => messages.filter((bits) => (bits & (1 << at)) !== 0).length);
}

/** True if a file in a folder has some bytes. */
function isIn(folder: string, text: string): boolean {
  return [...Deno.readDirSync(folder)].some(({ name }) => {
    const bytes = Deno.readFileSync(join(folder, name));
    return new TextDecoder("latin1").decode(bytes).toLowerCase().includes(text);
  });
}

Deno.test("a session that was deleted leaves no word in the index, with a reader and without", async () => {
  for (const has_reader of [false, true]) {
    await using home = new CliHome();
    const { id, path } = home.keep(sessionId("aaaa"), [user("The Quetzal of the ledger")]);
    home.keep(sessionId("bbbb"), [user("Another ledger")]);
    const kept = keepPiSession(home, "1111aaaa", "A third ledger");
    await home.succeed(["index", "build", "--fresh"]);
    assert.ok(isIn(home.cache, kept.path.toLowerCase()));
    assert.ok(isIn(home.cache, path.toLowerCase()));
    assert.equal((await home.run(["search", "quetzal", "--all"])).status, 0);
    const index = new TextDecoder("latin1").decode(Deno.readFileSync(indexPath(home.cache)));
    assert.ok(!index.toLowerCase().includes("quetzal"));
    assert.deepEqual(messagesWith(home.cache, ["quetzal", "another", "ledger"]), [1, 1, 3]);
    using reader = new DatabaseSync(indexPath(home.cache));
    if (has_reader) reader.exec("BEGIN");
    if (has_reader) assert.ok(reader.prepare("SELECT id FROM source").get() !== undefined);
    await home.succeed(["delete", id]);
    assert.ok(!isIn(home.cache, "quetzal"));
    // The hash of a word tells that it was said. While another process reads, the index goes.
    const left = messagesWith(home.cache, ["quetzal", "another", "ledger"]);
    assert.deepEqual(left, has_reader ? [0, 0, 0] : [0, 1, 2]);
    assert.ok(!isIn(home.cache, id));
    assert.ok(!isIn(home.cache, path.toLowerCase()));
    const { stdout } = await home.run(["search", "ledger", "--all", "--json"]);
    assert.equal(stdout.trim().split("\n").length, 2, stdout);
  }
});
