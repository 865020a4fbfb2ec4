import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { stemOf } from "../../../../lib/library/search/wording/stem.ts";

Deno.test("stemOf gives the forms of a word one stem", () => {
  const same = [
    ["connect", "connected", "connecting", "connection", "connections"],
    ["retry", "retries", "retried"],
    ["index", "indexes", "indexed", "indexing"],
    ["hop", "hops", "hopped", "hopping"],
    ["migrate", "migration", "migrations", "migrating"],
  ];
  for (const words of same) assert.equal(new Set(words.map(stemOf)).size, 1, words.join(" "));
  assert.notEqual(stemOf("universe"), stemOf("unit"));
  assert.deepEqual(["be", "as", "sky", "feed", "caress"].map(stemOf), [
    ...["be", "as", "sky", "feed", "caress"],
  ]);
});

Deno.test("stemOf stems as FTS5 does", () => {
  const text = Deno.readTextFileSync(new URL("../../../../README.md", import.meta.url)) +
    Deno.readTextFileSync(new URL("../../../../.github/FORMAT.md", import.meta.url)) +
    " relational conditional valenci digitizer conformabli radicalli vileli analogousli " +
    "vietnamization predication operator feudalism decisiveness hopefulness callousness " +
    "formaliti sensitiviti sensibiliti triplicate formative electriciti electrical goodness " +
    "revival allowance inference airliner adjustable replacement adoption communism effective " +
    "probate rate cease controll roll agreed plastered motoring fizzed failing filing happy";
  const words = [...new Set(text.toLowerCase().match(/[a-z]+/g))];
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE w USING fts5(body, tokenize='porter ascii'); " +
      "CREATE VIRTUAL TABLE v USING fts5vocab(w, 'instance')",
  );
  const put = database.prepare("INSERT INTO w (rowid, body) VALUES (?, ?)");
  for (const [at, word] of words.entries()) put.run(at + 1, word);
  const rows = database.prepare("SELECT doc, term FROM v ORDER BY doc").all();
  database.close();
  const theirs = rows.map(({ term }) => term);
  assert.ok(words.length > 1000);
  const differing = words.map((word, at) => [word, stemOf(word), theirs[at]])
    .filter(([, ours, other]) => ours !== other);
  assert.deepEqual(differing, []);
});
