import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FactsDatabase, openFacts } from "../../../lib/library/catalogue/facts_database.ts";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

function put(facts: FactsDatabase, key: number): boolean {
  const sql = "INSERT INTO located VALUES ('pi', ?, '', 0)";
  return facts.write(() => void facts.prepare(sql).run(key));
}

function keysIn(facts: FactsDatabase): unknown[] {
  return facts.prepare("SELECT key FROM located").all().map(({ key }) => key);
}

inDirectory.test("openFacts gives all users of a cache folder one connection", (folder) => {
  const facts = openFacts({ folder });
  {
    using other = openFacts({ folder });
    assert.equal(other, facts);
    assert.deepEqual([keysIn(other), put(other, 1)], [[], true]);
  }
  assert.deepEqual(keysIn(facts), [1]);
  using apart = openFacts({ folder, version: "2" });
  assert.deepEqual(keysIn(apart), []);
  facts[Symbol.dispose]();
  assert.throws(() => keysIn(facts), /is closed/);
  using again = openFacts({ folder });
  assert.deepEqual(keysIn(again), [1]);
});

inDirectory.test("openFacts works in memory where there is no folder, or no file in it yet", (folder) => {
  using memory = openFacts({});
  assert.deepEqual([put(memory, 1), keysIn(memory)], [true, [1]]);
  using other = openFacts({});
  assert.deepEqual(keysIn(other), []);
  using empty = openFacts({ folder });
  assert.deepEqual([keysIn(empty), [...Deno.readDirSync(folder)]], [[], []]);
});

// Slow: it waits for the lock as long as a write does.
inDirectory.test("FactsDatabase drops a write that another process keeps from the lock", (folder) => {
  using facts = openFacts({ folder });
  assert.ok(put(facts, 1));
  const other = new DatabaseSync(factsPath({ folder }));
  other.exec("BEGIN IMMEDIATE");
  const start = performance.now();
  assert.equal(put(facts, 2), false);
  assert.ok(performance.now() - start < 2000);
  assert.deepEqual(keysIn(facts), [1]);
  other.close();
  assert.ok(put(facts, 2));
  assert.deepEqual(keysIn(facts), [1, 2]);
});

inDirectory.test("FactsDatabase writes a new file where its own was removed meanwhile", (folder) => {
  using facts = openFacts({ folder });
  assert.ok(put(facts, 1));
  Deno.removeSync(factsPath({ folder }));
  assert.ok(put(facts, 2));
  using other = new DatabaseSync(factsPath({ folder }));
  assert.deepEqual(other.prepare("SELECT key FROM located").all().map(({ key }) => key), [2]);
});

inDirectory.test("FactsDatabase works in memory where its place cannot be used", (directory) => {
  const folder = join(directory, "file");
  Deno.writeTextFileSync(folder, "mine");
  using facts = openFacts({ folder });
  assert.deepEqual([put(facts, 1), keysIn(facts)], [false, []]);
  assert.equal(Deno.readTextFileSync(folder), "mine");
});
